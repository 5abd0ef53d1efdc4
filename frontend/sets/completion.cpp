#include "frontend/sets/completion.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "frontend/sets/words.hpp"

namespace lockwood::sets {
namespace {

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The word at the end of the text; post* and pre* are such, too.
std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  if (text.ends_with("post*") || text.ends_with("pre*")) --begin;
  while (begin > 0 && is_word_character(text[begin - 1])) --begin;
  return text.substr(begin);
}

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// What the end of the text is inside of.
struct Inside {
  std::optional<std::size_t> quotes;  // where their content begins
  bool pattern = false;               // of a stack
  bool remark = false;
};
Inside inside(std::string_view text) {
  Inside end;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      end = {};  // none of these goes on in another line
    } else if (end.quotes) {
      if (c == '\\') ++i;
      if (c == '"') end.quotes.reset();
    } else if (text.substr(i).starts_with("//")) {
      end.remark = true;
    } else if (!end.remark && c == '"') {
      end.quotes = i + 1;
    } else if (!end.remark && c == '/') {
      end.pattern = !end.pattern;
    }
  }
  return end;
}

// Whether a brace behind this begins the statements of a loop, and not a list.
bool begins_block(std::string_view text) {
  text = without_blanks_behind(text);
  const std::size_t before_line = text.find_last_of("\n;");
  std::string_view statement = before_line == std::string_view::npos ? text : text.substr(before_line + 1);
  statement.remove_prefix(std::min(statement.find_first_not_of(" \t"), statement.size()));
  if (!statement.starts_with("for ") || last_word(text) == "in") return false;
  return is_word_character(text.back()) || text.back() == '}' || text.back() == ')';
}

// The bracket that is still open at the end of the line, and the word before it: `stand` of `stand({a}, {b`. Statements
// of a loop stand in no bracket.
struct Surrounding {
  char bracket = ' ';
  std::string_view word;
};
Surrounding surrounding(std::string_view line) {
  std::size_t closed = 0;
  char bracket = ' ';
  for (std::size_t i = line.size(); i-- > 0;) {
    const char c = line[i];
    if (c == ')' || c == '}') ++closed;
    if (c != '(' && c != '{') continue;
    if (closed > 0) {
      --closed;
      continue;
    }
    if (c == '{' && begins_block(line.substr(0, i))) break;
    if (bracket == ' ') bracket = c;
    const std::string_view word = last_word(without_blanks_behind(line.substr(0, i)));
    if (!word.empty()) return {bracket, word};
    if (c == '(') break;
  }
  return {bracket, {}};
}

std::vector<std::string> files(std::string_view typed) {
  namespace fs = std::filesystem;
  const std::size_t slash = typed.rfind('/');
  const std::string folder{slash == std::string_view::npos ? "" : typed.substr(0, slash + 1)};
  std::vector<std::string> names;
  std::error_code problem;
  for (fs::directory_iterator each{folder.empty() ? "." : folder, problem}, end; !problem && each != end;
       each.increment(problem)) {
    const std::string name = each->path().filename().string();
    if (name.starts_with('.')) continue;
    names.push_back(folder + name + (each->is_directory(problem) ? "/" : ""));
  }
  return names;
}

template <class Key>
void add_names(std::vector<std::string>& names, const dpn::Vocabulary<Key>& vocabulary) {
  for (Key key : vocabulary.keys()) names.emplace_back(vocabulary.name(key));
}

// The names of the model that fit there; nothing where no name of the model does.
std::optional<std::vector<std::string>> names_of_model(const Session& session, std::string_view before, bool pattern) {
  const auto [bracket, word] = surrounding(before);
  const bool locks = !pattern && (word == "holding" || word == "wanting");
  if (!pattern && !locks && bracket != '{') return std::nullopt;
  const bool actions = !pattern && (word == "fired" || word == "only" || word == "avoiding");
  const bool stacks = pattern || word == "stand";
  const bool all = !locks && !actions && !stacks;
  std::vector<std::string> names;
  const Model* model = session.model();
  if (model == nullptr) return names;
  if (stacks || all) {
    add_names(names, model->network.stack_symbols());
    names.insert(names.end(), model->places.labels.begin(), model->places.labels.end());
  }
  if (actions || all) add_names(names, model->network.actions());
  if (locks || all) add_names(names, model->network.locks());
  return names;
}

std::string escaped(std::string_view name) {
  std::string text;
  for (char c : name) {
    if (c == '"' || c == '\\') text.push_back('\\');
    text.push_back(c);
  }
  return text;
}

// As it is in braces.
std::string in_braces(const std::string& name) {
  const bool digits = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  const bool word = std::ranges::all_of(name, is_word_character) && !(name[0] >= '0' && name[0] <= '9');
  return digits || word ? name : '"' + escaped(name) + '"';
}

}  // namespace

Completion completion(const Session& session, std::string_view line) {
  const Inside end = inside(line);
  if (end.remark) return {};
  Completion completion;
  const std::string_view typed = end.quotes ? line.substr(*end.quotes) : last_word(line);
  completion.typed = typed.size();
  const std::string_view before = line.substr(0, line.size() - typed.size() - (end.quotes ? 1 : 0));
  const auto names = names_of_model(session, before, end.pattern);
  const auto add = [&](std::string name, std::string written) {
    if (name.starts_with(typed)) completion.choices.push_back(std::move(written));
  };
  if (end.quotes && names) {
    for (const std::string& name : *names) add(escaped(name), escaped(name));
    completion.ending = '"';
  } else if (end.quotes) {
    for (const std::string& file : files(typed)) add(file, file);
  } else {
    for (const std::string& name : session.names()) add(name, name);
    if (names)
      for (const std::string& name : *names) add(name, in_braces(name));
    else
      for (std::string_view word : words) add(std::string{word}, std::string{word});
  }
  std::ranges::sort(completion.choices);
  completion.choices.erase(std::unique(completion.choices.begin(), completion.choices.end()), completion.choices.end());
  return completion;
}

}  // namespace lockwood::sets
