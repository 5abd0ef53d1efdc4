#include "frontend/findings/narrative/reproducer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <set>

#include "dpn/semantics/positions.hpp"
#include "dpn/semantics/replay.hpp"
#include "frontend/findings/narrative/exact_run.hpp"

namespace lockwood::findings {
namespace {

constexpr const char* preamble = R"(#include <pthread.h>
#include <stdio.h>

// The order of locks is none of its business here: a schedule may take two in both orders, one after the other.
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "detect_deadlocks=0"; }

// Threads take turns: each waits for its number, and then passes on the next one.
static pthread_mutex_t turn_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn_changed = PTHREAD_COND_INITIALIZER;
static int turn = 0;

static void await_turn(int number) {
  pthread_mutex_lock(&turn_mutex);
  while (turn < number) pthread_cond_wait(&turn_changed, &turn_mutex);
  pthread_mutex_unlock(&turn_mutex);
}

static void pass_turn(void) {
  pthread_mutex_lock(&turn_mutex);
  ++turn;
  pthread_cond_broadcast(&turn_changed);
  pthread_mutex_unlock(&turn_mutex);
}
)";

// Text inside of a comment or a string of C: of one line, and not ending it.
std::string plain(std::string_view text) {
  std::string result;
  for (char c : text) result += c == '\\' || c == '"' || c == '\n' || c == '\r' ? ' ' : c;
  return result;
}

class Writer {
 public:
  Writer(const SourceTerms& terms, const Conflict& race, const dpn::Schedule& schedule, Repair repair)
      : terms_{terms},
        network_{terms.lowered().network},
        race_{race},
        schedule_{schedule},
        repair_{repair},
        end_{dpn::replay(network_, schedule.moves, dpn::Semantics::LockSensitive).configuration},
        bodies_(end_.threads.size()) {}

  std::string run() && {
    follow();
    finish();
    return heading() + declarations() + functions();
  }

 private:
  // Each step of the schedule that concerns the outside of its thread, in the body of the thread.
  void follow() {
    dpn::Configuration configuration = dpn::initial_configuration(network_);
    std::optional<dpn::ThreadId> running;
    for (const dpn::Move& move : schedule_.moves) {
      const std::string code = code_of(configuration, move);
      if (!code.empty()) {
        if (running != move.thread) {
          if (running) bodies_[*running] += "  pass_turn();\n";
          bodies_[move.thread] += fmt::format("  await_turn({});\n", turns_);
          running = move.thread;
          ++turns_;
        }
        bodies_[move.thread] += code;
      }
      dpn::apply(network_, configuration, move);
    }
    if (running) bodies_[*running] += "  pass_turn();\n";
  }

  [[nodiscard]] std::string code_of(const dpn::Configuration& configuration, const dpn::Move& move) {
    const dpn::Rule& rule = network_.rule(move.rule);
    const dpn::Thread& thread = configuration.threads[move.thread];
    const program::RuleOrigin& origin = terms_.lowered().rules[move.rule];
    const SourceSpan at = terms_.place(rule.from.top);
    const std::string remark = fmt::format("  // {}:{}: {}", plain(at.file), at.begin.line, plain(origin.what));
    const auto line = [&](const std::string& code) { return "  " + code + remark + '\n'; };
    if (const auto* monitor = std::get_if<dpn::Monitor>(&rule.effect))
      return dpn::hold_count(thread, monitor->lock) > 0
                 ? ""
                 : line(fmt::format("pthread_mutex_lock(&{});", name(monitor->lock)));
    if (std::holds_alternative<dpn::Return>(rule.effect)) {
      const auto lock = thread.stack.back().lock;
      return lock && dpn::hold_count(thread, *lock) == 1 ? line(fmt::format("pthread_mutex_unlock(&{});", name(*lock)))
                                                         : "";
    }
    if (std::holds_alternative<dpn::Spawn>(rule.effect)) {
      const std::size_t child = configuration.threads.size();
      return line(fmt::format("pthread_create(&handles[{}], NULL, thread_{}, NULL);", child, child));
    }
    if (const auto* join = std::get_if<dpn::Join>(&rule.effect)) {
      std::string code;
      for (dpn::ThreadId member : awaited(configuration, thread, *join))
        code += line(fmt::format("pthread_join(handles[{}], NULL);", member.index()));
      return code;
    }
    const program::Node& node = terms_.program().procedures[origin.procedure].points[origin.point];
    if (const auto* read = std::get_if<program::Read>(&node.instruction)) return line(reading(read->variable));
    if (const auto* write = std::get_if<program::Write>(&node.instruction)) return line(writing(write->variable));
    return {};
  }

  // The threads that the join waits for and that nobody has waited for before: C allows that once.
  [[nodiscard]] std::vector<dpn::ThreadId> awaited(const dpn::Configuration& configuration, const dpn::Thread& thread,
                                                   const dpn::Join& join) {
    std::vector<dpn::ThreadId> found;
    for (dpn::Group group : join.groups) {
      const dpn::OpenGroup* open = dpn::open_group(thread, group);
      if (open == nullptr) continue;
      for (const dpn::Member& member : open->members)
        for (dpn::ThreadId each : configuration.threads.keys()) {
          std::optional<dpn::ThreadId> ancestor = each;
          while (ancestor && *ancestor != member.thread) ancestor = configuration.threads[*ancestor].parent;
          const bool counts = each == member.thread || (member.all && ancestor);
          if (counts && joined_.insert(each).second) found.push_back(each);
        }
    }
    return found;
  }

  // After the last turn: the two accesses, and what is left to tidy up.
  void finish() {
    const solver::Problem problem = conflict_problem(terms_.lowered(), race_);
    dpn::QueryStep step;
    for (const solver::StandGoal& goal : problem.phases.front().standing) step.positions.push_back(*goal.tops);
    const auto racing = dpn::threads_at(network_, end_, step);
    assert(racing);  // the schedule leads there
    for (dpn::ThreadId thread : end_.threads.keys()) {
      std::string& body = bodies_[thread];
      const auto held = dpn::held_locks(end_.threads[thread]);
      const auto side = std::ranges::find(*racing, thread);
      if (side != racing->end() || !held.empty()) body += fmt::format("  await_turn({});\n", turns_);
      if (side != racing->end()) body += racing_access(side == racing->begin() ? race_.first : race_.second);
      for (dpn::Lock lock : held) body += fmt::format("  pthread_mutex_unlock(&{});\n", name(lock));
    }
    // Whoever has done its access must not look at the turn again: the other side could learn of the access by that.
    std::string& main = bodies_[dpn::main_thread];
    if (std::ranges::count(*racing, dpn::main_thread) == 0) main += fmt::format("  await_turn({});\n", turns_);
    for (std::size_t i = 1; i < end_.threads.size(); ++i)
      if (!joined_.contains(dpn::ThreadId{i})) main += fmt::format("  pthread_join(handles[{}], NULL);\n", i);
  }

  [[nodiscard]] std::string racing_access(AccessId id) const {
    const program::Access& here = access(terms_.lowered(), id);
    const SourceSpan at = terms_.place(here);
    const std::string code = here.kind == program::AccessKind::Write ? writing(here.variable) : reading(here.variable);
    const bool repaired = repair_ == Repair::Yes;
    return fmt::format("{}#line {} \"{}\"\n  {}\n#line 1 \"reproducer\"\n{}",
                       repaired ? "  pthread_mutex_lock(&repair);\n" : "", at.begin.line, plain(at.file), code,
                       repaired ? "  pthread_mutex_unlock(&repair);\n" : "");
  }

  [[nodiscard]] std::string heading() const {
    const program::Access& first = access(terms_.lowered(), race_.first);
    const program::Access& second = access(terms_.lowered(), race_.second);
    const std::string variable = terms_.program().variables[first.variable].name;
    const auto side = [&](const program::Access& here) {
      const SourceSpan at = terms_.place(here);
      return fmt::format("//   {} in {}, {}:{}: {}\n", to_string(here.kind), at.procedure, plain(at.file),
                         at.begin.line, plain(at.text));
    };
    return fmt::format(
        "// {} on {}, forced by a schedule:\n{}{}"
        "//\n//     cc -g -O1 -fsanitize=thread THIS_FILE -o race -pthread && ./race\n//\n"
        "// Statements are done in an order that {}, with values that are made up.\n{}",
        repair_ == Repair::Yes ? "A repaired race" : "A race", variable, side(first), side(second),
        can_execute(terms_.program(), terms_.lowered(), schedule_)
            ? "the program allows"
            : "the program's model allows (the program itself may not: its values, or threads that wait, count there)",
        left_out());
  }

  // The locks that the schedule should take and this program does not, since the model ignores them.
  [[nodiscard]] std::string left_out() const {
    std::set<dpn::StackSymbol> places;
    for (const dpn::Move& move : schedule_.moves) places.insert(network_.rule(move.rule).from.top);
    std::set<dpn::Lock> locks;
    for (const program::Acquisition& acquisition : terms_.lowered().acquisitions)
      if (!acquisition.monitor &&
          std::ranges::any_of(acquisition.before, [&](dpn::StackSymbol symbol) { return places.contains(symbol); }))
        locks.emplace(acquisition.lock.index());
    if (locks.empty()) return {};
    return fmt::format("// Not taken, where the program waits for them in a call or another region inside: {}.\n",
                       terms_.names({locks.begin(), locks.end()}));
  }

  [[nodiscard]] std::string declarations() const {
    std::string text = preamble;
    // Not static: the compiler would leave out writes to what nobody reads.
    text += "\n// The program's variables and locks.\n";
    for (const program::VariableInfo& variable : terms_.program().variables)
      text += fmt::format("long var_{} = {};\n", variable.name, literal(variable.initial));
    for (dpn::Lock lock : network_.locks().keys())
      text += fmt::format("pthread_mutex_t {} = PTHREAD_MUTEX_INITIALIZER;\n", name(lock));
    if (repair_ == Repair::Yes) text += "static pthread_mutex_t repair = PTHREAD_MUTEX_INITIALIZER;\n";
    text += fmt::format("static pthread_t handles[{}];\n", std::max<std::size_t>(end_.threads.size(), 1));
    return text;
  }

  [[nodiscard]] std::string functions() const {
    std::string text;
    for (std::size_t i = 1; i < end_.threads.size(); ++i) text += fmt::format("static void *thread_{}(void *);\n", i);
    for (dpn::ThreadId thread : end_.threads.keys()) {
      text += fmt::format("\n// {}\n", dpn::thread_name(end_, thread));
      text += thread == dpn::main_thread
                  ? std::string{"int main(void) {\n"}
                  : fmt::format("static void *thread_{}(void *unused) {{\n  (void)unused;\n", thread.index());
      text += bodies_[thread];
      text += thread == dpn::main_thread ? "  puts(\"done\");\n  return 0;\n}\n" : "  return NULL;\n}\n";
    }
    return text;
  }

  // -9223372036854775808 is no literal of C.
  [[nodiscard]] static std::string literal(program::Integer value) {
    return value == std::numeric_limits<program::Integer>::min() ? fmt::format("({}L - 1)", value + 1)
                                                                 : fmt::format("{}L", value);
  }
  [[nodiscard]] std::string name(dpn::Lock lock) const {
    return fmt::format("lock_{}", terms_.program().locks[program::Lock{lock.index()}].name);
  }
  [[nodiscard]] std::string variable_name(program::Variable variable) const {
    return "var_" + terms_.program().variables[variable].name;
  }
  [[nodiscard]] std::string reading(program::Variable variable) const {
    return fmt::format("{{ volatile long seen = {}; (void)seen; }}", variable_name(variable));
  }
  [[nodiscard]] std::string writing(program::Variable variable) const {
    return fmt::format("{} = 1;", variable_name(variable));
  }

  const SourceTerms& terms_;
  const dpn::Network& network_;
  const Conflict& race_;
  const dpn::Schedule& schedule_;
  Repair repair_;
  dpn::Configuration end_;
  IdVector<dpn::ThreadId, std::string> bodies_;
  std::set<dpn::ThreadId> joined_;
  int turns_ = 0;
};

}  // namespace

std::string race_reproducer(const SourceTerms& terms, const Conflict& race, const dpn::Schedule& schedule,
                            Repair repair) {
  return Writer{terms, race, schedule, repair}.run();
}

}  // namespace lockwood::findings
