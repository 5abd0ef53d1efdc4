#include "dpn/generators/generate_mutual.hpp"

#include <cassert>
#include <string>

#include "base/ids/random.hpp"
#include "dpn/formats/symbol_order.hpp"
#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {
namespace {

class MutualGenerator {
 public:
  MutualGenerator(const MutualShape& shape, StopToken stop)
      : shape_{shape}, random_{shape.seed}, stop_{stop}, control_{builder_.control("0")}, writes_(shape.locks) {
    assert(shape.locks >= 2 && shape.procedures >= 1 && shape.threads >= 2);
  }

  ModelFile model() {
    builder_.listen_to(stop_);
    main();
    worker();
    for (std::size_t number = 0; number < count(); ++number) procedure(number);
    std::vector<Query> asked = queries();
    return in_order_of_appearance({std::move(builder_).build(), std::move(asked), {}}, stop_);
  }

 private:
  [[nodiscard]] std::size_t count() const { return shape_.locks * shape_.procedures; }
  [[nodiscard]] std::size_t lock_of(std::size_t procedure) const { return procedure % shape_.locks; }
  StackSymbol place(const std::string& name) { return builder_.stack(name); }
  [[nodiscard]] Head at(StackSymbol symbol) const { return {control_, symbol}; }
  StackSymbol entry(std::size_t procedure) { return place("p" + std::to_string(procedure)); }
  Lock lock(std::size_t number) { return builder_.lock("x" + std::to_string(number)); }
  void add(StackSymbol from, std::string_view action, const Effect& effect) {
    builder_.add({at(from), builder_.action(action), effect});
  }

  void main() {
    builder_.initial(at(place("main0")));
    for (std::size_t i = 0; i < shape_.threads; ++i)
      add(place("main" + std::to_string(i)), "spawn",
          Spawn{at(place("main" + std::to_string(i + 1))), at(place("worker"))});
  }

  // Calls any procedure, writes the variable that nothing guards, and begins again.
  void worker() {
    for (std::size_t i = 0; i < count(); ++i) add(place("worker"), "call", Call{at(entry(i)), place("open")});
    add(place("open"), "write", Base{at(place("worker"))});
  }

  // p: monitor of its lock { write; calls, sometimes inside of one more monitor }; return.
  void procedure(std::size_t number) {
    const std::string name = "p" + std::to_string(number);
    std::size_t next = 0;
    const auto fresh = [&] { return place(name + "_" + std::to_string(next++)); };
    const StackSymbol write = fresh();
    const StackSymbol exit = place(name + "_exit");
    add(entry(number), "enter", Monitor{at(write), exit, lock(lock_of(number))});
    add(exit, "return", Return{control_});
    writes_[lock_of(number)].push_back(write);
    StackSymbol here = fresh();
    add(write, "write", Base{at(here)});
    for (std::size_t i = 0; i < shape_.calls; ++i) {
      const StackSymbol behind = fresh();
      const StackSymbol callee = entry(random_.below(count()));
      if (random_.percent(25)) {
        const StackSymbol inside = fresh();
        const StackSymbol end = fresh();
        add(here, "enter", Monitor{at(inside), behind, lock(random_.below(shape_.locks))});
        add(inside, "call", Call{at(callee), end});
        add(end, "return", Return{control_});
      } else {
        add(here, "call", Call{at(callee), behind});
      }
      add(here, "skip", Base{at(behind)});  // otherwise nobody would ever return
      here = behind;
    }
    add(here, "return", Return{control_});
  }

  std::vector<Query> queries() {
    const std::vector<StackSymbol> open{place("open")};
    const std::vector<StackSymbol>& first = writes_[0];
    const std::vector<StackSymbol>& second = writes_[1];
    const std::vector<StackSymbol>& last = writes_.back();
    const auto conflict = [](const std::vector<StackSymbol>& a, const std::vector<StackSymbol>& b, Verdict verdict) {
      return Query{.form = QueryForm::Conflict,
                   .steps = {{.positions = {a, b}, .avoiding = {}, .requiring = {}}},
                   .expected = verdict,
                   .at = {}};
    };
    const auto after = [&](Query query) {
      query.form = QueryForm::Iterate;
      query.steps.insert(query.steps.begin(), {.positions = {last}, .avoiding = {}, .requiring = {}});
      return query;
    };
    return {conflict(first, first, Verdict::Unreachable),       conflict(first, second, Verdict::Reachable),
            conflict(open, open, Verdict::Reachable),           after(conflict(first, first, Verdict::Unreachable)),
            after(conflict(first, second, Verdict::Reachable)), conflict(last, last, Verdict::Unreachable)};
  }

  const MutualShape& shape_;
  Random random_;
  StopToken stop_;
  NetworkBuilder builder_;
  ControlState control_;
  std::vector<std::vector<StackSymbol>> writes_;  // of the variable that a lock guards, by lock
};

}  // namespace

ModelFile generate_mutual(const MutualShape& shape, StopToken stop) { return MutualGenerator{shape, stop}.model(); }

}  // namespace lockwood::dpn
