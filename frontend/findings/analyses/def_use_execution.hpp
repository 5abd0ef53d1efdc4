#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "dpn/semantics/small_step.hpp"
#include "frontend/findings/analyses/def_use.hpp"

namespace lockwood::findings {

// An execution of the program's own network, and what executions have shown so far: which definitions reach which
// places before uses of their variables, in the thread that has made the definition or in another one. An execution
// shows this for all variables at once.
class DefUseExecution {
 public:
  // The program must outlive it. Of one variable only, if it is given.
  explicit DefUseExecution(const program::Lowered& lowered, std::optional<program::Variable> variable = {});

  [[nodiscard]] bool is_shown(AccessId definition, dpn::StackSymbol before_use, Reader reader) const {
    return shown_[number_of(definition, before_use, reader)];
  }
  // It is known otherwise.
  void add(AccessId definition, dpn::StackSymbol before_use, Reader reader) {
    shown_[number_of(definition, before_use, reader)] = true;
  }

  [[nodiscard]] const dpn::Network& network() const { return network_; }
  [[nodiscard]] const dpn::Configuration& configuration() const { return configuration_; }
  void begin();
  // Requires that it can be made. Returns how much is shown for the first time.
  std::size_t make(const dpn::Move& move);

 private:
  // A definition that some thread has made and that was not overwritten.
  struct Value {
    std::size_t definition;  // its number among those of the variable
    dpn::ThreadId made_by;
    friend bool operator==(const Value&, const Value&) = default;
  };
  struct Row {
    std::vector<dpn::StackSymbol> places;  // before its uses, ascending
    bool one_place = true;
    std::size_t first = 0;      // of its numbers: by definition, place and reader
    std::vector<Value> values;  // in this execution
  };
  struct Definition {
    program::Variable variable;
    std::size_t number;  // among those of the variable
  };
  struct BeforeUse {
    program::Variable variable;
    std::size_t number;  // among those of the variable
  };

  [[nodiscard]] static std::size_t number_of(const Row& row, std::size_t definition, std::size_t place, Reader reader) {
    return row.first + 2 * (definition * row.places.size() + place) + (reader == Reader::Same ? 0 : 1);
  }
  [[nodiscard]] std::size_t number_of(AccessId definition, dpn::StackSymbol before_use, Reader reader) const;
  std::size_t show(dpn::ThreadId thread);
  std::size_t show(dpn::ThreadId thread, const BeforeUse& place);

  const dpn::Network& network_;
  IdVector<program::Variable, Row> rows_;
  IdVector<AccessId, std::optional<Definition>> definitions_;
  IdVector<dpn::Action, std::optional<Definition>> defined_by_;
  IdVector<dpn::StackSymbol, std::vector<BeforeUse>> places_;
  dpn::Configuration configuration_;
  std::vector<bool> shown_;
};

}  // namespace lockwood::findings
