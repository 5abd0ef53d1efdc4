#include "dpn/generators/generate_program.hpp"

#include <algorithm>
#include <cassert>
#include <string>

#include "base/ids/random.hpp"
#include "dpn/formats/symbol_order.hpp"
#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {
namespace {

constexpr std::size_t positions_per_query = 32;

class ProgramGenerator {
 public:
  ProgramGenerator(const ProgramShape& shape, StopToken stop)
      : shape_{shape}, random_{shape.seed}, plans_(shape.procedures), stop_{stop} {
    assert(shape.procedures > 0 && shape.rules >= 8 * shape.procedures && shape.spawns <= shape.rules / 8);
    writes_.resize(shape.variables);
    accesses_.resize(shape.variables);
  }

  ModelFile model() {
    builder_.listen_to(stop_);
    plan();
    control_ = builder_.control("0");
    builder_.initial(at(builder_.stack("p0_0")));
    for (std::size_t number = 0; number < plans_.size(); ++number) procedure(number);
    std::vector<Query> queries = this->queries();
    return in_order_of_appearance({std::move(builder_).build(), std::move(queries), {}}, stop_);
  }

 private:
  // What a procedure must contain, beside what chance brings.
  struct Plan {
    std::size_t rules = 0;
    std::vector<std::size_t> calls;   // of procedures with greater numbers, which nobody else must call
    std::vector<std::size_t> spawns;  // of any procedures
  };

  void plan() {
    const std::size_t count = plans_.size();
    for (std::size_t i = 0; i < count; ++i) plans_[i].rules = shape_.rules / count + (i < shape_.rules % count ? 1 : 0);
    // Each procedure has a caller somewhat before it, or its parent in a binary tree if that one has enough to call.
    for (std::size_t i = 1; i < count; ++i) {
      const std::size_t near = i - 1 - random_.below(std::min<std::size_t>(i, 20));
      const std::size_t caller = plans_[near].calls.size() < plans_[near].rules / 4 ? near : (i - 1) / 2;
      plans_[caller].calls.push_back(i);
    }
    for (std::size_t i = 0; i < shape_.spawns; ++i) {
      std::size_t site = random_.below(count);
      while (plans_[site].spawns.size() >= (plans_[site].rules + 7) / 8) site = (site + 1) % count;
      plans_[site].spawns.push_back(random_.below(count));
    }
  }

  // --- positions and rules ---

  StackSymbol entry(std::size_t procedure) { return builder_.stack("p" + std::to_string(procedure) + "_0"); }
  StackSymbol fresh() { return builder_.stack(prefix_ + std::to_string(next_position_++)); }
  [[nodiscard]] Head at(StackSymbol position) const { return {control_, position}; }
  void add(StackSymbol from, std::string_view action, const Effect& effect) {
    builder_.add({at(from), builder_.action(action), effect});
  }

  void procedure(std::size_t number) {
    procedure_ = number;
    prefix_ = "p" + std::to_string(number) + "_";
    next_position_ = 1;
    const StackSymbol exit = builder_.stack(prefix_ + "exit");
    block(entry(number), exit, plans_[number].rules - 1, 0);
    add(exit, "return", Return{control_});
  }

  // Statements that lead from one position to the other, made of exactly so many rules. Recursion is bounded by the
  // nesting of the shape. What the plan of the procedure demands happens at the outermost level.
  void block(StackSymbol from, StackSymbol to, std::size_t rules, std::size_t depth) {
    Plan& plan = plans_[procedure_];
    while (rules > 0) {
      const std::size_t demanded = depth == 0 ? plan.calls.size() + plan.spawns.size() : 0;
      assert(demanded <= rules);
      if (demanded > 0 && random_.below(rules) < demanded) {
        const StackSymbol next = rules == 1 ? to : fresh();
        demanded_statement(plan, from, next);
        --rules;
        from = next;
        continue;
      }
      const std::size_t available = rules - demanded;
      const std::size_t used = statement(from, to, available, rules, depth);
      rules -= used;
      from = last_;
    }
  }

  // A block behind a condition. Its first rule leads to a position of its own: no two rules of a model are equal.
  void arm(std::string_view condition, StackSymbol from, StackSymbol to, std::size_t rules, std::size_t depth) {
    const StackSymbol begin = fresh();
    add(from, condition, Base{at(begin)});
    block(begin, to, rules - 1, depth + 1);
  }

  void demanded_statement(Plan& plan, StackSymbol from, StackSymbol next) {
    if (!plan.calls.empty() && (plan.spawns.empty() || random_.percent(50))) {
      add(from, "call", Call{at(entry(plan.calls.back())), next});
      plan.calls.pop_back();
    } else {
      add(from, "spawn", Spawn{at(next), at(entry(plan.spawns.back()))});
      plan.spawns.pop_back();
    }
  }

  // One statement of at most `available` rules; the number of its rules. It ends at `to` if it is the last one of a
  // block that has `left` rules to go, else at a new position, and leaves that in last_.
  std::size_t statement(StackSymbol from, StackSymbol to, std::size_t available, std::size_t left, std::size_t depth) {
    const auto target = [&](std::size_t used) { return last_ = used == left ? to : fresh(); };
    const auto share = [&](std::size_t minimum) {
      return minimum + random_.below(std::min<std::size_t>(available / 2, 40) + 1 -
                                     std::min<std::size_t>(minimum, available / 2));
    };
    const std::size_t choice = random_.below(100);
    const bool nests = depth < shape_.nesting && available >= 8;
    if (choice < 12 && nests) {  // a branch: both arms begin here
      const std::size_t first = share(2);
      const std::size_t second = 2 + random_.below(std::min<std::size_t>(available - first - 1, 20));
      const StackSymbol next = target(first + second);
      arm("then", from, next, first, depth);
      arm("else", from, next, second, depth);
      last_ = next;
      return first + second;
    }
    if (choice < 18 && nests) {  // a loop: its body leads back
      const std::size_t body = share(2);
      arm("again", from, from, body, depth);
      const StackSymbol next = target(body + 1);
      add(from, "done", Base{at(next)});
      return body + 1;
    }
    if (choice < 28 && nests && shape_.locks > 0) {  // a monitor: its body is a procedure of its own
      const std::size_t body = share(1);
      const StackSymbol next = target(body + 2);
      const StackSymbol begin = fresh();
      const StackSymbol end = fresh();
      add(from, "sync", Monitor{at(begin), next, builder_.lock("x" + std::to_string(random_.below(shape_.locks)))});
      block(begin, end, body, depth + 1);
      add(end, "leave", Return{control_});
      last_ = next;
      return body + 2;
    }
    if (choice < 32 && available >= 2) {  // a call that may recurse, behind a branch
      const StackSymbol next = target(2);
      add(from, "recurse", Call{at(entry(random_.below(plans_.size()))), next});
      add(from, "skip", Base{at(next)});
      return 2;
    }
    if (choice < 45 && procedure_ + 1 < plans_.size()) {  // calls of later procedures always come to an end
      const StackSymbol next = target(1);
      const std::size_t callee =
          procedure_ + 1 + random_.below(std::min<std::size_t>(plans_.size() - procedure_ - 1, 50));
      add(from, "call", Call{at(entry(callee)), next});
      return 1;
    }
    step(from, target(1));
    return 1;
  }

  // A step, in one of four cases an access to a shared variable.
  void step(StackSymbol from, StackSymbol to) {
    if (shape_.variables == 0 || !random_.percent(25)) return add(from, "step", Base{at(to)});
    const std::size_t variable = random_.below(shape_.variables);
    const bool write = random_.percent(30);
    add(from, (write ? "write_v" : "read_v") + std::to_string(variable), Base{at(to)});
    const auto note = [&](std::vector<StackSymbol>& positions) {
      if (positions.size() < positions_per_query) positions.push_back(from);
    };
    note(accesses_[variable]);
    if (write) note(writes_[variable]);
  }

  // --- questions ---

  std::vector<Query> queries() {
    std::vector<Query> queries;
    const auto reach = [&](StackSymbol position) {
      queries.push_back({.form = QueryForm::Reach, .steps = {{{{position}}, {}, {}}}, .expected = Verdict::Reachable});
    };
    reach(builder_.stack("p0_exit"));
    if (plans_.size() > 1) reach(builder_.stack(prefix_ + "exit"));
    for (std::size_t variable = 0; variable < shape_.variables; ++variable)
      if (!writes_[variable].empty())
        queries.push_back({.form = QueryForm::Conflict, .steps = {{{writes_[variable], accesses_[variable]}, {}, {}}}});
    return queries;
  }

  ProgramShape shape_;
  Random random_;
  std::vector<Plan> plans_;
  StopToken stop_;
  NetworkBuilder builder_;
  ControlState control_{0};
  std::size_t procedure_ = 0;
  std::string prefix_;  // of the positions of the procedure
  std::size_t next_position_ = 0;
  StackSymbol last_{0};
  std::vector<std::vector<StackSymbol>> writes_;    // positions before a write of the variable
  std::vector<std::vector<StackSymbol>> accesses_;  // … before any access to it
};

}  // namespace

ModelFile generate_program(const ProgramShape& shape, StopToken stop) { return ProgramGenerator{shape, stop}.model(); }

}  // namespace lockwood::dpn
