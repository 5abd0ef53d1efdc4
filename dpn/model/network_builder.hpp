#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/stop.hpp"
#include "base/text/diagnostic.hpp"
#include "dpn/model/network.hpp"

namespace lockwood::dpn {

// Something wrong with a network under construction, and where its author said it, if known.
struct Mistake {
  std::string message;
  std::optional<Position> at;
  friend bool operator==(const Mistake&, const Mistake&) = default;
};

class InvalidNetwork : public std::runtime_error {
 public:
  explicit InvalidNetwork(std::vector<Mistake> mistakes);
  [[nodiscard]] const std::vector<Mistake>& mistakes() const { return mistakes_; }

 private:
  std::vector<Mistake> mistakes_;
};

// Groups in a rule are a set: ascending, each once. Memberships keep what is there twice, which is a mistake.
void sort_groups(Effect& effect);

// Collects the parts of a network in any order. Mistakes do not stop it: all are reported at the end.
// Symbols are created by naming them; ids of another builder are mistakes, as are two initial configurations, none, and
// two labels of one symbol, a join or forgetting without a group, and two memberships of one thread in one group.
// A rule that is added again is kept once and remarked on: rules are a set. So are the groups in a rule; they are
// sorted.
class NetworkBuilder {
 public:
  NetworkBuilder() = default;
  // Starts from the symbols of another network, which keep their ids.
  explicit NetworkBuilder(Symbols symbols) : symbols_{std::move(symbols)} {}

  // From now on, adding rules and building throw Interrupted if asked to stop.
  void listen_to(StopToken stop) { stop_ = stop; }

  ControlState control(std::string_view name) { return symbols_.controls.intern(name); }
  StackSymbol stack(std::string_view name) { return symbols_.stacks.intern(name); }
  Action action(std::string_view name) { return symbols_.actions.intern(name); }
  Lock lock(std::string_view name) { return symbols_.locks.intern(name); }
  Group group(std::string_view name) { return symbols_.groups.intern(name); }
  [[nodiscard]] const Symbols& symbols() const { return symbols_; }

  void label(ControlState control, std::string text, std::optional<Position> at = {});
  void label(StackSymbol stack, std::string text, std::optional<Position> at = {});
  void label(Action action, std::string text, std::optional<Position> at = {});
  void label(Lock lock, std::string text, std::optional<Position> at = {});
  void label(Group group, std::string text, std::optional<Position> at = {});
  void initial(Head head, std::optional<Position> at = {});
  void add(Rule rule, std::optional<Position> at = {});

  // What makes a network impossible, and what is merely odd, each in the order of appearance. Looks at everything.
  struct Review {
    std::vector<Mistake> errors;
    std::vector<Mistake> warnings;
  };
  [[nodiscard]] Review review() const;

  // Throws InvalidNetwork with all errors of the review.
  [[nodiscard]] Network build() &&;

 private:
  [[nodiscard]] std::vector<Mistake> errors() const;
  template <class Key>
  void label_in(Vocabulary<Key>& vocabulary, const char* kind, Key key, std::string text, std::optional<Position> at);

  Symbols symbols_;
  StopToken stop_;
  std::optional<Head> initial_;
  std::optional<Position> initial_at_;
  IdVector<RuleId, Rule> rules_;
  IdVector<RuleId, Position> positions_;  // {0, 0} if not known
  std::vector<Mistake> label_errors_;
  std::vector<Mistake> second_initials_;
};

}  // namespace lockwood::dpn
