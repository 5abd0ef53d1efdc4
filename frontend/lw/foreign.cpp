#include "frontend/lw/foreign.hpp"

#include <algorithm>
#include <array>

namespace lockwood::lw {
namespace {

struct WordGroup {
  ForeignKind kind;
  std::string_view words;  // separated by blanks
  std::string_view advice;
};

const auto& words_of_languages() {
  using enum ForeignKind;
  static constexpr std::array groups{
      // Statements
      WordGroup{Compound, "for foreach loop repeat until forever", "a loop is written 'while (x < 3) { …; x++; }'"},
      WordGroup{Compound, "do",
                "write the body once before 'while (…) { … }', or 'while (true) { …; if (…) { break; } }'"},
      WordGroup{Other, "switch case default match when select", "write 'if (…) { … } else if (…) { … }'"},
      WordGroup{Compound, "elif elsif elseif", "write 'else if (…) { … }'"},
      WordGroup{Compound, "unless", "write 'if (!…) { … }'"},
      WordGroup{Modifier, "then", "leave it out: the statement or block follows the condition"},
      WordGroup{Other, "goto", "there are 'break;', 'continue;', 'return;' and 'throw;'"},
      WordGroup{Other, "raise throws except noexcept",
                "there is one kind of exception: 'try { … } catch { … }', and 'throw;'"},
      WordGroup{Compound, "finally ensure defer", "write it behind 'try { … } catch { … }', and in the 'catch', too"},
      WordGroup{Other, "printf println echo puts cout console System", "a value is shown by 'print(x);'"},
      WordGroup{Other, "pass nop noop", "write 'skip;'"},
      WordGroup{Other, "exit abort pthread_exit", "a thread ends by 'return;' in its first procedure"},
      WordGroup{Other, "assume __VERIFIER_assume", "write 'while (!…) { skip; }': a thread waits there until it holds"},

      // Threads and locks
      WordGroup{Compound, "synchronized with using", "a lock is held by 'sync (a) { … }', which also gives it back"},
      WordGroup{Other,
                "acquire release unlock trylock tryLock try_lock mutex_lock mutex_unlock pthread_mutex_lock "
                "pthread_mutex_unlock lock_guard unique_lock scoped_lock",
                "a lock is held by 'sync (a) { … }', which also gives it back"},
      WordGroup{Compound, "atomic critical transaction", "declare a lock, 'lock a;', and hold it by 'sync (a) { … }'"},
      WordGroup{TypeName, "Lock ReentrantLock mutex Mutex pthread_mutex_t semaphore Semaphore",
                "a lock is declared outside of procedures: 'lock a;'"},
      WordGroup{TypeName, "Thread Runnable jthread pthread_t",
                "a thread is started by 'spawn f();', or by 'thread t = spawn f();' if it is joined later"},
      WordGroup{Other, "fork async go start launch parallel cobegin thread_create pthread_create",
                "a thread is started by 'spawn f();', or by 'thread t = spawn f();' if it is joined later"},
      WordGroup{Other, "await pthread_join waitpid",
                "a thread is waited for by 'join t;', all of this procedure by 'join;'"},
      WordGroup{
          Other,
          "signal broadcast notify_one notify_all wait_for park unpark pthread_cond_wait pthread_cond_signal "
          "pthread_cond_broadcast",
          "a thread waits by 'wait(a);' inside of 'sync (a) { … }', and is woken by 'notify(a);' or 'notifyAll(a);'"},
      WordGroup{Other, "sleep usleep Sleep delay yield sched_yield",
                "leave it out: there is no time, and threads take their steps in any order"},

      // Declarations
      WordGroup{Modifier, "volatile", "leave it out: what a thread writes, all threads see at once"},
      WordGroup{Modifier, "thread_local", "variables of one thread are declared in a procedure: 'local i;'"},
      WordGroup{
          Modifier,
          "abstract const constexpr extern final inline mutable native private protected public readonly register "
          "signed static transient unsigned",
          "leave it out"},
      WordGroup{
          TypeName,
          "long short char byte float double boolean Boolean Integer Long size_t int32_t int64_t uint32_t uint64_t "
          "auto let",
          "an integer is declared by 'int i;' or 'local i;', a truth value by 'bool b;'"},
      WordGroup{TypeName, "String string Object", "values are integers and truth values: 'int i;', 'bool b;'"},
      WordGroup{TypeName, "void", "a procedure without a result is written 'proc f() { … }'"},
      WordGroup{Other, "function func fn def fun procedure method sub",
                "a procedure is written 'proc f(n, bool b) { … }'"},
      WordGroup{Other, "class struct interface enum union typedef record trait impl template",
                "a program has variables, locks and procedures: 'var x;', 'lock a;', 'proc f() { … }'"},
      WordGroup{Other, "import package include namespace module require", "a program is one file"},
      WordGroup{Other, "array vector list map Array List Map",
                "there are no arrays: declare a variable for each element"},

      // Expressions
      WordGroup{Other, "and", "write '&&'"},
      WordGroup{Other, "not", "write '!'"},
      WordGroup{Other, "True TRUE", "write 'true'"},
      WordGroup{Other, "False FALSE", "write 'false'"},
      WordGroup{Other, "null nullptr nil None NULL undefined", "there are no references: use a number, such as 0"},
      WordGroup{Other, "new delete this self super sizeof malloc free instanceof",
                "there are no objects: variables are declared outside of procedures and shared by all threads"},
      WordGroup{Other,
                "random rand nondet nondet_int nondet_bool unknown havoc __VERIFIER_nondet_int __VERIFIER_nondet_bool",
                "either truth value is written '*': 'if (*) { … }'"},
  };
  return groups;
}

constexpr std::string_view no_objects =
    "there are no objects: variables are declared outside of procedures and shared by all threads";
// What `.name` is about.
const auto& members_of_objects() {
  using enum ForeignKind;
  static constexpr std::array groups{
      WordGroup{Other, "lock unlock acquire release", "a lock is held by 'sync (a) { … }', which also gives it back"},
      WordGroup{Other, "wait await", "a thread waits by 'wait(a);' inside of 'sync (a) { … }'"},
      WordGroup{Other, "notify signal", "a thread that waits is woken by 'notify(a);'"},
      WordGroup{Other, "notifyAll signalAll", "threads that wait are woken by 'notifyAll(a);'"},
      WordGroup{Other, "join get", "a thread is waited for by 'join t;'"},
      WordGroup{Other, "start run submit execute", "a thread is started by 'spawn f();'"},
      WordGroup{Other, "println print printf", "a value is shown by 'print(x);'"},
  };
  return groups;
}

// The group that has the word, or nothing.
template <std::size_t Count>
const WordGroup* group_of(std::string_view word, const std::array<WordGroup, Count>& among) {
  const auto has_word = [&](const WordGroup& group) {
    std::string_view rest = group.words;
    while (!rest.empty()) {
      const std::size_t width = std::min(rest.find(' '), rest.size());
      if (rest.substr(0, width) == word) return true;
      rest.remove_prefix(std::min(width + 1, rest.size()));
    }
    return false;
  };
  const auto* found = std::ranges::find_if(among, has_word);
  return found == among.end() ? nullptr : &*found;
}

// How long the word is that begins there; 0 if there is none.
std::size_t word_width(std::string_view text) {
  const auto belongs = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::size_t width = 0;
  while (width < text.size() && belongs(text[width])) ++width;
  return width;
}

// `.a.b.c`
ForeignText member(std::string_view line) {
  std::size_t width = 0;
  std::string_view last;
  while (width < line.size() && line[width] == '.') {
    last = line.substr(width + 1, word_width(line.substr(width + 1)));
    width += 1 + last.size();
  }
  const WordGroup* group = group_of(last, members_of_objects());
  return {.width = width, .advice = group == nullptr ? no_objects : group->advice};
}

// From a quote to the next one.
ForeignText quoted(std::string_view line) {
  std::size_t end = 1;
  while (end < line.size() && line[end] != line[0]) end += line[end] == '\\' ? std::size_t{2} : std::size_t{1};
  return {.width = std::min(end + 1, line.size()),
          .advice = "there are no texts: print the values, 'print(1, x);'",
          .is_value = true};
}

// From a bracket to the one that closes it.
ForeignText bracketed(std::string_view line) {
  std::size_t open = 0;
  std::size_t width = 0;
  while (width < line.size()) {
    const char c = line[width++];
    if (c == '[') ++open;
    if (c == ']' && --open == 0) break;
  }
  return {.width = width, .advice = "there are no arrays: declare a variable for each element"};
}

}  // namespace

std::optional<ForeignWord> foreign_word(std::string_view word) {
  const WordGroup* group = group_of(word, words_of_languages());
  if (group == nullptr) return std::nullopt;
  return ForeignWord{group->kind, group->advice};
}

std::optional<ForeignText> foreign_text(std::string_view rest) {
  const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
  if (line.empty()) return std::nullopt;
  constexpr std::string_view no_bits = "there are no operators on bits; the logical ones are '&&', '||' and '!'";
  switch (line[0]) {
    case '[': return bracketed(line);
    case '.': return member(line);
    case '"':
    case '\'': return quoted(line);
    case '?':
      return ForeignText{.width = std::min(line.find(';'), line.size()),
                         .advice = "a choice is a statement: 'if (…) { x = 1; } else { x = 2; }'"};
    case '#': return ForeignText{.width = line.size(), .advice = "a comment is written '// …'; a program is one file"};
    case '@':
      return ForeignText{.width = 1 + word_width(line.substr(1)), .advice = "leave it out: there are no annotations"};
    case '^':
    case '~': return ForeignText{.width = 1, .advice = no_bits};
    case '&':
    case '|': return ForeignText{.width = 1, .advice = no_bits};
    default: return std::nullopt;
  }
}

std::string_view advice_on_punctuation(std::string_view token) {
  if (token == "++" || token == "--") return "'x++;' and 'x--;' are statements: they have no value";
  if (token == "=") return "'==' compares; an assignment is a statement, and has no value";
  if (token == "<" || token == ">") return "there are no operators on bits";
  return {};
}

}  // namespace lockwood::lw
