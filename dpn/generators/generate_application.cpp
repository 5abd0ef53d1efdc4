#include "dpn/generators/generate_application.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>

#include "base/ids/random.hpp"
#include "dpn/formats/symbol_order.hpp"
#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {
namespace {

constexpr std::size_t positions_per_query = 32;
constexpr std::size_t calls_at_most = 6;  // that others rely on, in one procedure
constexpr std::size_t inside_region = 4;  // rules of the innermost body
constexpr std::size_t cluster = 8;        // utilities that call each other
constexpr std::size_t near = 20;          // procedures that know each other

std::size_t procedure_size(const ApplicationShape& shape) { return 24 + 2 * shape.depth; }

// The procedures are numbered: main, those with or without a region, and the last fifth of utilities.
struct Division {
  std::size_t procedures;
  std::size_t ordinary;  // main included
  std::size_t regions;
};

// The regions of the first round, which take all locks, begin so many locks apart.
std::size_t stride(const ApplicationShape& shape) { return std::min<std::size_t>(shape.depth, 2); }

std::size_t first_round(const ApplicationShape& shape) { return (shape.locks + stride(shape) - 1) / stride(shape); }

Division division_of(const ApplicationShape& shape) {
  const std::size_t procedures = std::max<std::size_t>(2, shape.rules / procedure_size(shape));
  const std::size_t ordinary = procedures - procedures / 5;
  return {procedures, ordinary, std::max(first_round(shape), std::max<std::size_t>(1, procedures / 10))};
}

// Monitors inside each other on locks that follow each other.
struct Region {
  std::size_t first;  // also the number of the variable that is accessed inside
  std::size_t depth;  // 0 if there are no locks at all
  bool reversed;
  bool optional;
};

std::size_t rules_of(const Region& region) { return 2 * region.depth + inside_region + (region.optional ? 1 : 0); }

// What a procedure must contain, beside what chance brings.
struct Plan {
  std::size_t rules = 0;
  std::vector<std::size_t> calls;
  std::vector<std::size_t> threads;
  std::optional<Region> region;
  [[nodiscard]] std::size_t demanded() const {
    return calls.size() + threads.size() + (region ? rules_of(*region) : 0);
  }
};

// The positions at which a variable is accessed, and those right after a write.
struct Accesses {
  std::vector<StackSymbol> all;
  std::vector<StackSymbol> writes;
  std::vector<StackSymbol> after_writes;
};

void note(std::vector<StackSymbol>& positions, StackSymbol position) {
  if (positions.size() < positions_per_query && std::ranges::find(positions, position) == positions.end())
    positions.push_back(position);
}

class ApplicationGenerator {
 public:
  ApplicationGenerator(const ApplicationShape& shape, StopToken stop)
      : shape_{shape}, division_{division_of(shape)}, random_{shape.seed}, plans_(division_.procedures), stop_{stop} {
    assert(shape.rules >= least_rules(shape));
    unguarded_.resize(shape.variables);
  }

  ModelFile model() {
    builder_.listen_to(stop_);
    plan();
    control_ = builder_.control("0");
    builder_.initial(at(entry(0)));
    for (std::size_t number = 0; number < plans_.size(); ++number) procedure(number);
    std::vector<Query> queries = this->queries();
    return in_order_of_appearance({std::move(builder_).build(), std::move(queries), {}}, stop_);
  }

 private:
  [[nodiscard]] bool is_utility(std::size_t procedure) const { return procedure >= division_.ordinary; }

  void plan() {
    const std::size_t count = plans_.size();
    const std::size_t shared = shape_.rules - shape_.threads;
    for (std::size_t i = 0; i < count; ++i) plans_[i].rules = shared / count + (i < shared % count ? 1 : 0);
    plans_[0].rules += shape_.threads;
    plan_regions();
    for (std::size_t i = 1; i <= shape_.threads; ++i) plans_[0].threads.push_back(thread_entry(i));
    // Each procedure has a caller somewhat before it, or its parent in a binary tree if that one has enough to call.
    for (std::size_t i = 1; i < count; ++i) {
      const std::size_t before = i - 1 - random_.below(std::min(i, near));
      plans_[plans_[before].calls.size() < calls_at_most / 2 ? before : (i - 1) / 2].calls.push_back(i);
    }
  }

  // Threads begin in the first procedures, so that each can get to most of the others.
  [[nodiscard]] std::size_t thread_entry(std::size_t number) const {
    return division_.ordinary == 1 ? 0 : 1 + (number - 1) % std::min(division_.ordinary - 1, near);
  }

  // The first round of regions takes all locks, to the full depth.
  void plan_regions() {
    const std::size_t depth = std::min(shape_.depth, shape_.locks);
    for (std::size_t i = 0; i < division_.regions; ++i) {
      const bool first = i < std::max<std::size_t>(first_round(shape_), 1);
      Region region{.first = shape_.locks == 0 ? 0 : stride(shape_) * i % shape_.locks, .depth = depth};
      if (!first && depth > 0) region.depth = 1 + random_.below(depth);
      region.reversed = !first && random_.percent(10);
      region.optional = random_.percent(50);
      plans_[1 + i * (division_.ordinary - 1) / division_.regions].region = region;
    }
  }

  // --- positions and rules ---

  StackSymbol entry(std::size_t procedure) { return builder_.stack("p" + std::to_string(procedure) + "_0"); }
  StackSymbol fresh() { return builder_.stack(prefix_ + std::to_string(next_position_++)); }
  [[nodiscard]] Head at(StackSymbol position) const { return {control_, position}; }
  void add(StackSymbol from, std::string_view action, const Effect& effect) {
    builder_.add({at(from), builder_.action(action), effect});
  }
  void step(StackSymbol from, StackSymbol to) { add(from, "step", Base{at(to)}); }
  void call(StackSymbol from, std::size_t callee, StackSymbol to) { add(from, "call", Call{at(entry(callee)), to}); }

  void access(Accesses& accesses, const std::string& variable, bool write, StackSymbol from, StackSymbol to) {
    add(from, (write ? "write_" : "read_") + variable, Base{at(to)});
    note(accesses.all, from);
    if (!write) return;
    note(accesses.writes, from);
    note(accesses.after_writes, to);
  }

  void procedure(std::size_t number) {
    procedure_ = number;
    prefix_ = "p" + std::to_string(number) + "_";
    next_position_ = 1;
    const StackSymbol exit = builder_.stack(prefix_ + "exit");
    sequence(entry(number), exit, plans_[number].rules - 1, 0);
    add(exit, "return", Return{control_});
  }

  // Statements from one position to the other, made of exactly so many rules. What the plan demands happens at the
  // outermost level.
  void sequence(StackSymbol from, StackSymbol to, std::size_t rules, std::size_t nesting) {
    while (rules > 0) {
      const std::size_t demanded = nesting == 0 ? plans_[procedure_].demanded() : 0;
      assert(demanded <= rules);
      const bool planned = demanded > 0 && random_.below(rules) < demanded;
      const auto [used, next] =
          planned ? planned_statement(from, to, rules) : statement(from, to, rules - demanded, rules, nesting);
      rules -= used;
      from = next;
    }
  }

  // A statement was made of so many rules and ends there.
  struct Made {
    std::size_t rules;
    StackSymbol end;
  };

  Made planned_statement(StackSymbol from, StackSymbol to, std::size_t left) {
    Plan& plan = plans_[procedure_];
    const auto target = [&](std::size_t rules) { return rules == left ? to : fresh(); };
    if (!plan.threads.empty()) {
      const StackSymbol next = target(1);
      add(from, "start", Spawn{at(next), at(entry(plan.threads.back()))});
      plan.threads.pop_back();
      return {1, next};
    }
    if (plan.region && (plan.calls.empty() || random_.percent(50))) {
      const Region region = *plan.region;
      plan.region.reset();
      const StackSymbol next = target(rules_of(region));
      if (region.optional) add(from, "skip", Base{at(next)});
      monitors(region, from, next);
      return {rules_of(region), next};
    }
    const StackSymbol next = target(1);
    call(from, plan.calls.back(), next);
    plan.calls.pop_back();
    return {1, next};
  }

  void monitors(const Region& region, StackSymbol from, StackSymbol to) {
    for (std::size_t level = 0; level < region.depth; ++level) {
      const std::size_t offset = region.reversed ? region.depth - 1 - level : level;
      const StackSymbol begin = fresh();
      const StackSymbol end = fresh();
      const Lock lock = builder_.lock("x" + std::to_string((region.first + offset) % shape_.locks));
      add(from, "sync", Monitor{at(begin), to, lock});
      add(end, "leave", Return{control_});
      from = begin;
      to = end;
    }
    Accesses& accesses = guarded_;
    Accesses others;  // of variables that no query asks about
    Accesses& mine = region.first == 0 ? accesses : others;
    const std::string variable = "g" + std::to_string(region.first);
    const StackSymbol first = fresh();
    const StackSymbol second = fresh();
    const StackSymbol third = fresh();
    access(mine, variable, mine.writes.empty() || random_.percent(30), from, first);
    if (const auto utility = any_utility(); utility && random_.percent(50))
      call(first, *utility, second);
    else
      step(first, second);
    access(mine, variable, random_.percent(30), second, third);
    step(third, to);
  }

  std::optional<std::size_t> any_utility() {
    const std::size_t count = division_.procedures - division_.ordinary;
    return count == 0 ? std::nullopt : std::optional{division_.ordinary + random_.below(count)};
  }

  // A procedure with a greater number that this one may call: such calls always come to an end.
  std::optional<std::size_t> any_callee() {
    if (!is_utility(procedure_) && random_.percent(50)) return any_utility();
    const std::size_t group = is_utility(procedure_) ? (procedure_ - division_.ordinary) / cluster : 0;
    const std::size_t end = is_utility(procedure_)
                                ? std::min(division_.procedures, division_.ordinary + (group + 1) * cluster)
                                : std::min(division_.ordinary, procedure_ + 1 + near);
    if (procedure_ + 1 >= end) return std::nullopt;
    return procedure_ + 1 + random_.below(end - procedure_ - 1);
  }

  // A block behind a condition. Its first rule leads to a position of its own: no two rules of a model are equal.
  void arm(std::string_view condition, StackSymbol from, StackSymbol to, std::size_t rules, std::size_t nesting) {
    const StackSymbol begin = fresh();
    add(from, condition, Base{at(begin)});
    sequence(begin, to, rules - 1, nesting + 1);
  }

  // One statement of at most `available` rules, in a block that has `left` rules to go.
  Made statement(StackSymbol from, StackSymbol to, std::size_t available, std::size_t left, std::size_t nesting) {
    constexpr std::size_t nesting_at_most = 3;
    const auto target = [&](std::size_t rules) { return rules == left ? to : fresh(); };
    const std::size_t choice = random_.below(100);
    const bool nests = nesting < nesting_at_most && available >= 6;
    if (choice < 12 && nests) {  // a branch: both arms begin here
      const std::size_t first = 2 + random_.below(std::min<std::size_t>(available - 4, 6));
      const std::size_t second = 2 + random_.below(std::min<std::size_t>(available - first - 1, 6));
      const StackSymbol next = target(first + second);
      arm("then", from, next, first, nesting);
      arm("else", from, next, second, nesting);
      return {first + second, next};
    }
    if (choice < 17 && nests) {  // a loop: its body leads back
      const std::size_t body = 2 + random_.below(std::min<std::size_t>(available - 3, 6));
      const StackSymbol next = target(body + 1);
      arm("again", from, from, body, nesting);
      add(from, "done", Base{at(next)});
      return {body + 1, next};
    }
    if (choice == 17 && available >= 2 && procedure_ > 0 && random_.percent(40)) {  // recursion, behind a branch
      const StackSymbol next = target(2);
      call(from, procedure_, next);
      add(from, "skip", Base{at(next)});
      return {2, next};
    }
    const StackSymbol next = target(1);
    if (choice < 36) {
      if (const auto callee = any_callee()) {
        call(from, *callee, next);
        return {1, next};
      }
    }
    if (choice < 46 && shape_.variables > 0 && !is_utility(procedure_)) {
      const std::size_t variable = random_.below(shape_.variables);
      access(unguarded_[variable], "u" + std::to_string(variable), random_.percent(40), from, next);
    } else {
      step(from, next);
    }
    return {1, next};
  }

  // --- questions ---

  std::vector<Query> queries() {
    using Sets = std::vector<std::vector<StackSymbol>>;
    std::vector<Query> queries;
    const auto ask = [&](QueryForm form, std::vector<QueryStep> steps, std::optional<Verdict> expected) {
      queries.push_back({.form = form, .steps = std::move(steps), .expected = expected});
    };
    const auto unreachable = shape_.locks > 0 ? std::optional{Verdict::Unreachable} : std::nullopt;
    const Sets race{guarded_.writes, guarded_.all};
    ask(QueryForm::Reach, {{.positions = {{builder_.stack(prefix_ + "exit")}}}}, Verdict::Reachable);
    ask(QueryForm::Conflict, {{.positions = race}}, unreachable);
    ask(QueryForm::Conflict, {{.positions = {{entry(0)}, guarded_.all}}}, Verdict::Unreachable);
    const auto shared = std::ranges::find_if(unguarded_, [](const Accesses& each) { return !each.writes.empty(); });
    const Accesses& open = shared == unguarded_.end() ? guarded_ : *shared;
    ask(QueryForm::Conflict, {{.positions = {open.writes, open.all}}}, std::nullopt);
    ask(QueryForm::Iterate,
        {{.positions = {guarded_.after_writes}},
         {.positions = {guarded_.all}, .avoiding = {builder_.action("write_g0")}}},
        std::nullopt);
    std::vector<QueryStep> steps;
    for (std::size_t i = 0; i < 3; ++i) {
      steps.insert(steps.begin(), {.positions = {guarded_.writes}});
      std::vector<QueryStep> all = steps;
      all.push_back({.positions = race});
      ask(QueryForm::Iterate, std::move(all), unreachable);
    }
    return queries;
  }

  ApplicationShape shape_;
  Division division_;
  Random random_;
  std::vector<Plan> plans_;
  StopToken stop_;
  NetworkBuilder builder_;
  ControlState control_{0};
  std::size_t procedure_ = 0;
  std::string prefix_;  // of the positions of the procedure
  std::size_t next_position_ = 0;
  Accesses guarded_;                 // of the variable that lock 0 guards
  std::vector<Accesses> unguarded_;  // of the others
};

}  // namespace

std::size_t least_rules(const ApplicationShape& shape) {
  // As many procedures as regions, a fifth more for utilities, main, and room for rounding.
  const std::size_t procedures = (first_round(shape) + 2) * 5 / 4 + 2;
  return procedures * procedure_size(shape) + shape.threads;
}

ModelFile generate_application(const ApplicationShape& shape, StopToken stop) {
  return ApplicationGenerator{shape, stop}.model();
}

}  // namespace lockwood::dpn
