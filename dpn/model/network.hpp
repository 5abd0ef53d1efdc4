#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/ids/symbol_table.hpp"
#include "dpn/model/rule.hpp"

namespace lockwood::dpn {

// The symbols of one kind: their names, and for some of them a text to show instead.
template <class Key>
class Vocabulary {
 public:
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] IdRange<Key> keys() const { return names_.keys(); }
  [[nodiscard]] std::string_view name(Key key) const { return names_.name(key); }
  [[nodiscard]] std::optional<Key> find(std::string_view name) const { return names_.find(name); }
  [[nodiscard]] std::optional<std::string_view> label(Key key) const {
    if (!labels_.contains(key) || !labels_[key]) return std::nullopt;
    return *labels_[key];
  }
  // What a person reads: the label, or else the name.
  [[nodiscard]] std::string_view shown(Key key) const { return label(key).value_or(name(key)); }

  Key intern(std::string_view name) { return names_.intern(name); }
  void set_label(Key key, std::string label) {
    if (!labels_.contains(key)) labels_.resize(size());
    labels_[key] = std::move(label);
  }
  friend bool operator==(const Vocabulary& a, const Vocabulary& b) {
    if (a.names_ != b.names_) return false;
    for (Key key : a.keys())
      if (a.label(key) != b.label(key)) return false;
    return true;
  }

 private:
  SymbolTable<Key> names_;
  IdVector<Key, std::optional<std::string>> labels_;  // empty, or as long as some prefix of names_
};

// The five kinds of symbols of a network.
struct Symbols {
  Vocabulary<ControlState> controls;
  Vocabulary<StackSymbol> stacks;
  Vocabulary<Action> actions;
  Vocabulary<Lock> locks;
  Vocabulary<Group> groups;
  friend bool operator==(const Symbols&, const Symbols&) = default;
};

// A Monitor-DPN (Act, P, Γ, X, Δ, (p₀, γ₀)) [nordhoff.13.iterable, Def. 1], immutable. Made by a NetworkBuilder.
// Rules keep the order in which they were added and are pairwise different; every id in them is in the tables.
class Network {
 public:
  [[nodiscard]] const Symbols& symbols() const { return *symbols_; }
  [[nodiscard]] const Vocabulary<ControlState>& control_states() const { return symbols_->controls; }
  [[nodiscard]] const Vocabulary<StackSymbol>& stack_symbols() const { return symbols_->stacks; }
  [[nodiscard]] const Vocabulary<Action>& actions() const { return symbols_->actions; }
  [[nodiscard]] const Vocabulary<Lock>& locks() const { return symbols_->locks; }
  [[nodiscard]] const Vocabulary<Group>& groups() const { return symbols_->groups; }

  [[nodiscard]] Head initial() const { return initial_; }
  [[nodiscard]] const IdVector<RuleId, Rule>& rules() const { return rules_; }
  [[nodiscard]] const Rule& rule(RuleId id) const { return rules_[id]; }

  // Whether some rule says anything about groups: starts a member, opens, joins or forgets a group.
  [[nodiscard]] bool uses_groups() const { return uses_groups_; }

  // The rules with this head, in the order of their ids.
  [[nodiscard]] std::span<const RuleId> rules_from(Head head) const;
  // The rules whose head has this top of stack, grouped by control state.
  [[nodiscard]] std::span<const RuleId> rules_at(StackSymbol top) const;

  friend bool operator==(const Network& a, const Network& b) {
    return (a.symbols_ == b.symbols_ || *a.symbols_ == *b.symbols_) && a.initial_ == b.initial_ && a.rules_ == b.rules_;
  }

  // The network with other rules, over the same symbols, which both share. Requires that the rules are pairwise
  // different and only have ids of the tables.
  [[nodiscard]] Network with_rules(IdVector<RuleId, Rule> rules) const {
    return Network{symbols_, initial_, std::move(rules)};
  }

 private:
  friend class NetworkBuilder;
  Network(std::shared_ptr<const Symbols> symbols, Head initial, IdVector<RuleId, Rule> rules);

  std::shared_ptr<const Symbols> symbols_;
  Head initial_;
  IdVector<RuleId, Rule> rules_;
  std::vector<RuleId> by_head_;            // all rules, sorted by (top, control, id)
  std::vector<std::uint32_t> top_begins_;  // rules at γ are by_head_[top_begins_[γ] .. top_begins_[γ + 1])
  bool uses_groups_ = false;
};

}  // namespace lockwood::dpn
