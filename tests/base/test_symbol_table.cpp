#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>

#include "base/ids/id.hpp"
#include "base/ids/symbol_table.hpp"

using namespace lockwood;
using Name = Id<struct NameTag>;

TEST_CASE("names are numbered in the order of their first appearance") {
  SymbolTable<Name> table;
  CHECK(table.intern("b") == Name{0});
  CHECK(table.intern("a") == Name{1});
  CHECK(table.intern("b") == Name{0});
  CHECK(table.intern("") == Name{2});
  CHECK(table.size() == 3);
  CHECK(table.name(Name{1}) == "a");
  CHECK(table.name(Name{2}).empty());
  CHECK_FALSE(table.find("c").has_value());
}

TEST_CASE("a table finds what a map finds, in copies as well") {
  std::mt19937_64 random{7};
  SymbolTable<Name> table;
  std::map<std::string, Name> expected;
  for (int i = 0; i < 20000; ++i) {
    const std::string name = std::to_string(random() % 5000);
    const Name id = table.intern(name);
    CHECK(expected.try_emplace(name, id).first->second == id);
  }
  const SymbolTable<Name> copy = table;
  table = SymbolTable<Name>{};
  for (const auto& [name, id] : expected) {
    CHECK(copy.find(name) == id);
    CHECK(copy.name(id) == name);
  }
  CHECK(copy.size() == expected.size());
}
