// Prints what we make of class files, for tests that compare it with other tools, and for people:
//   show_classes listing FILE…   as javap does
//   show_classes ir FILE…        the code of all methods
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "jvm/classfile/class_file.hpp"
#include "jvm/code/body_text.hpp"
#include "jvm/code/code_reader.hpp"
#include "jvm/code/listing.hpp"

namespace jvm = lockwood::jvm;

namespace {

jvm::ClassBytes bytes_of(const std::string& path) {
  std::ifstream stream{path, std::ios::binary};
  if (!stream) throw lockwood::InputError{path, "cannot be read"};
  auto content = std::make_shared<std::vector<std::uint8_t>>();
  for (std::istreambuf_iterator<char> it{stream}, end; it != end; ++it)
    content->push_back(static_cast<std::uint8_t>(*it));
  const std::span<const std::uint8_t> bytes{*content};
  return {std::move(content), bytes, path};
}

std::string code_of(const jvm::ClassFile& file) {
  std::string text;
  jvm::CodeReader reader{file};
  for (const jvm::Member& method : file.methods)
    if (const auto code = reader.read(method)) text += to_text(file, method, *code) + '\n';
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc < 3 ? "" : argv[1];
  if (mode != "listing" && mode != "ir") {
    std::cerr << "usage: show_classes listing|ir FILE...\n";
    return 2;
  }
  int status = 0;
  for (int i = 2; i < argc; ++i) {
    try {
      const jvm::ClassFile file = jvm::read_class_file(bytes_of(argv[i]));
      std::cout << (mode == "listing" ? jvm::listing(file) : code_of(file));
    } catch (const std::exception& error) {
      std::cerr << error.what();
      status = 2;
    }
  }
  return status;
}
