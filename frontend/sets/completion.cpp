#include "frontend/sets/completion.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "frontend/sets/words.hpp"

namespace lockwood::sets {
namespace {

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The word at the end of the text; post* is one, too.
std::string_view last_word(std::string_view text) {
  std::size_t begin = text.size();
  if (text.ends_with("post*")) --begin;
  while (begin > 0 && is_word_character(text[begin - 1])) --begin;
  return text.substr(begin);
}

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool in_quotes(std::string_view line) {
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (inside && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      inside = !inside;
    }
  }
  return inside;
}

// The bracket that is still open at the end of the line, and the word before it: `stand` of `stand({a}, {b`.
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

std::vector<std::string> candidates(const Session& session, const Surrounding& around) {
  std::vector<std::string> names = session.names();
  const Model* model = session.model();
  const std::string_view word = around.word;
  if (around.bracket == '{' || word == "holding" || word == "wanting") {
    if (model == nullptr) return names;
    const dpn::Network& network = model->network;
    const bool locks = word == "holding" || word == "wanting";
    const bool actions = word == "fired" || word == "only" || word == "avoiding";
    const bool stacks = word == "stand";
    const bool all = !locks && !actions && !stacks;
    if (stacks || all) add_names(names, network.stacks());
    if (actions || all) add_names(names, network.actions());
    if (locks || all) add_names(names, network.locks());
    return names;
  }
  for (std::string_view each : words) names.emplace_back(each);
  return names;
}

}  // namespace

Completion completion(const Session& session, std::string_view line) {
  Completion completion;
  std::string_view typed;
  if (in_quotes(line)) {
    typed = line.substr(line.rfind('"') + 1);
    completion.choices = files(typed);
  } else {
    typed = last_word(line);
    completion.choices = candidates(session, surrounding(line.substr(0, line.size() - typed.size())));
  }
  completion.typed = typed.size();
  std::erase_if(completion.choices, [&](const std::string& each) { return !each.starts_with(typed); });
  std::ranges::sort(completion.choices);
  completion.choices.erase(std::unique(completion.choices.begin(), completion.choices.end()), completion.choices.end());
  return completion;
}

}  // namespace lockwood::sets
