#include <algorithm>
#include <utility>

#include "base/text/diagnostic.hpp"
#include "base/text/suggestion.hpp"
#include "treeauto/automaton/tree.hpp"

namespace lockwood::treeauto {
namespace {

constexpr std::size_t error_limit = 20;  // unknown symbols that are reported one by one

bool is_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }
bool ends_name(char byte) { return is_space(byte) || byte == '(' || byte == ')' || byte == ','; }

// A node as written. How many children it has is known at its closing parenthesis.
struct Node {
  std::size_t offset;
  std::size_t length;
  std::size_t children;
};

// The nodes of a term in preorder, by one pass with a stack of the open parentheses.
class Scanner {
 public:
  Scanner(std::string_view text, std::string_view file) : text_{text}, file_{file} {}

  [[nodiscard]] std::vector<Node> nodes() {
    read_node();
    while (!open_.empty()) {
      skip_space();
      const char next = at_end() ? '\0' : text_[offset_];
      if (next != ',' && next != ')')
        fail(at_end() ? "the term ends too early: a ')' is missing" : "expected ',' or ')'");
      ++offset_;
      if (next == ')') {
        open_.pop_back();
      } else {
        ++nodes_[open_.back()].children;
        read_node();
      }
    }
    skip_space();
    if (!at_end()) fail("expected nothing more after the term");
    return std::move(nodes_);
  }

 private:
  // A name and, if it has children, its opening parenthesis and all first children below it.
  void read_node() {
    while (true) {
      skip_space();
      const std::size_t begin = offset_;
      while (!at_end() && !ends_name(text_[offset_])) ++offset_;
      if (offset_ == begin) fail("expected a symbol");
      nodes_.push_back({begin, offset_ - begin, 0});
      skip_space();
      if (at_end() || text_[offset_] != '(') return;
      ++offset_;
      skip_space();
      if (!at_end() && text_[offset_] == ')') {
        ++offset_;
        return;
      }
      nodes_.back().children = 1;
      open_.push_back(nodes_.size() - 1);
    }
  }
  void skip_space() {
    while (!at_end() && is_space(text_[offset_])) ++offset_;
  }
  [[nodiscard]] bool at_end() const { return offset_ == text_.size(); }
  [[noreturn]] void fail(std::string message) const {
    throw InputError{{diagnostic_at(file_, text_, offset_, 1, std::move(message))}};
  }

  std::string_view text_;
  std::string_view file_;
  std::size_t offset_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::size_t> open_;
};

// Names the ranks that the name does have, or a name like it.
std::string hint(const Alphabet& alphabet, std::string_view name) {
  const std::vector<Symbol> same_name = alphabet.with_name(name);
  if (same_name.empty()) {
    Suggestion suggestion{name};
    for (Symbol symbol : alphabet.symbols()) suggestion.consider(alphabet.name(symbol));
    return suggestion.hint();
  }
  std::string text = "'" + std::string{name} + "' has rank ";
  for (std::size_t i = 0; i < same_name.size(); ++i)
    text += (i == 0 ? "" : i + 1 == same_name.size() ? " or " : ", ") + std::to_string(alphabet.rank(same_name[i]));
  return text;
}

}  // namespace

Tree read_tree(std::string_view text, const Alphabet& alphabet, std::string_view file) {
  std::vector<Symbol> preorder;
  std::vector<Diagnostic> errors;
  for (const Node& node : Scanner{text, file}.nodes()) {
    const std::string_view name = text.substr(node.offset, node.length);
    if (const auto symbol = alphabet.find(name, node.children)) {
      preorder.push_back(*symbol);
      continue;
    }
    errors.push_back(
        diagnostic_at(file, text, node.offset, node.length,
                      "unknown symbol '" + std::string{name} + "' of rank " + std::to_string(node.children)));
    errors.back().hint = hint(alphabet, name);
    if (errors.size() == error_limit) break;
  }
  if (!errors.empty()) throw InputError{std::move(errors)};
  return Tree{alphabet, std::move(preorder)};
}

Tree read_tree(std::string_view text, std::string_view file) {
  AlphabetBuilder builder;
  std::vector<Symbol> preorder;
  for (const Node& node : Scanner{text, file}.nodes()) {
    if (node.children > rank_limit)
      throw InputError{
          {diagnostic_at(file, text, node.offset, node.length, "a rank can be at most " + std::to_string(rank_limit))}};
    preorder.push_back(builder.add(text.substr(node.offset, node.length), node.children));
  }
  return Tree{std::move(builder).build(), std::move(preorder)};
}

}  // namespace lockwood::treeauto
