#include <doctest/doctest.h>

#include <vector>

#include "base/text/suggestion.hpp"

using namespace lockwood;

TEST_CASE("edit distance counts insertions, deletions, replacements and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "abc") == 0);
  CHECK(edit_distance("abc", "acb") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("", "abc") == 3);
}

TEST_CASE("the nearest candidate is suggested, if it is near") {
  CHECK(suggestion_hint("check", std::vector<std::string>{"check"}).empty());
  const std::vector<std::string> commands{"show", "check", "simulate", "explore"};
  CHECK(suggestion_hint("shwo", commands) == "did you mean 'show'?");
  CHECK(suggestion_hint("simulat", commands) == "did you mean 'simulate'?");
  CHECK(suggestion_hint("frobnicate", commands).empty());
  CHECK(suggestion_hint("exp", commands) == "did you mean 'explore'?");
  CHECK(suggestion_hint("ex", commands).empty());
  CHECK(suggestion_hint("abc", std::vector<std::string>{"abcdefgh", "abd"}) == "did you mean 'abcdefgh'?");
}
