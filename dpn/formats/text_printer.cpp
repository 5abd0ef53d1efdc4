#include <algorithm>
#include <span>

#include "dpn/formats/symbol_order.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/formats/text_scanner.hpp"
#include "dpn/model/query_form.hpp"

namespace lockwood::dpn {
namespace {

// How many symbols of one kind a naming section must list, so that the parser numbers all of them as they are: the
// shortest prefix that holds the labelled ones and leaves the others in the order of their first appearance.
template <class Key>
class ListedPrefix {
 public:
  explicit ListedPrefix(const Vocabulary<Key>& vocabulary)
      : vocabulary_{vocabulary}, first_appearance_(vocabulary.size(), never) {}
  void meet(Key key) {
    if (first_appearance_[key] == never) first_appearance_[key] = met_++;
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t size = vocabulary_.size();
    std::size_t later = never;  // first appearance of the symbol after the prefix
    while (size > 0) {
      const Key last{size - 1};
      if (first_appearance_[last] >= later || vocabulary_.label(last)) return size;
      later = first_appearance_[last];
      --size;
    }
    return 0;
  }

 private:
  static constexpr std::size_t never = static_cast<std::size_t>(-1);
  const Vocabulary<Key>& vocabulary_;
  IdVector<Key, std::size_t> first_appearance_;
  std::size_t met_ = 0;
};

class Printer {
 public:
  explicit Printer(const Network& network)
      : network_{network},
        omits_controls_{network.control_states().size() == 1 && network.control_states().name(ControlState{0}) == "0"} {
  }

  void file(std::span<const Query> queries, const RuleComment& remark, StopToken stop) {
    text_ += "dpn {\n";
    naming_sections();
    text_ += "  initial (";
    head(network_.initial());
    text_ += ")\n  rules {\n";
    for (RuleId id : network_.rules().keys()) {
      stop.check();
      text_ += "    ";
      rule(network_.rule(id));
      if (const std::string text = remark ? remark(id) : std::string{}; !text.empty()) text_ += "  // " + text;
      text_ += '\n';
    }
    text_ += "  }\n}\n";
    if (!queries.empty()) text_ += '\n';
    for (const Query& each : queries) {
      query(each);
      if (each.expected) text_ += std::string{"  // expect: "} + to_string(*each.expected);
      text_ += '\n';
    }
  }

  void rule(const Rule& rule) {
    text_ += '(';
    head(rule.from);
    text_ += ") -- ";
    text_ += written_name(network_.actions().name(rule.action));
    if (const auto* monitor = std::get_if<Monitor>(&rule.effect)) {
      text_ += " - ";
      text_ += written_name(network_.locks().name(monitor->lock));
    }
    text_ += " --> (";
    if (const auto to = step_of(rule)) head(*to);
    if (const auto* ret = std::get_if<Return>(&rule.effect))
      if (!omits_controls_) text_ += written_name(network_.control_states().name(ret->to));
    if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) {
      head(spawn->parent);
      text_ += " :> ";
      head(spawn->child);
    }
    if (const auto entry = entry_of(rule)) {
      head(entry->callee);
      text_ += ", ";
      text_ += written_name(network_.stack_symbols().name(entry->return_point));
    }
    text_ += ')';
    if (network_.uses_groups()) groups(rule);
  }

  void query(const Query& query) {
    const QueryForm form = fitting_form(query);
    text_ += form == QueryForm::Reach ? "reach " : form == QueryForm::Conflict ? "conflict " : "iterate ";
    if (query.semantics == Semantics::LockInsensitive) text_ += "nolocks ";
    for (std::size_t i = 0; i < query.steps.size(); ++i) {
      if (i > 0) text_ += ", ";
      step(query.steps[i]);
    }
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void naming_sections() {
    ListedPrefix controls{network_.control_states()};
    ListedPrefix stacks{network_.stack_symbols()};
    ListedPrefix actions{network_.actions()};
    ListedPrefix locks{network_.locks()};
    ListedPrefix groups{network_.groups()};
    struct Meet {
      ListedPrefix<ControlState>& controls;
      ListedPrefix<StackSymbol>& stacks;
      ListedPrefix<Action>& actions;
      ListedPrefix<Lock>& locks;
      ListedPrefix<Group>& groups;
      void operator()(ControlState key) const { controls.meet(key); }
      void operator()(StackSymbol key) const { stacks.meet(key); }
      void operator()(Action key) const { actions.meet(key); }
      void operator()(Lock key) const { locks.meet(key); }
      void operator()(Group key) const { groups.meet(key); }
    };
    visit_symbols(network_, Meet{controls, stacks, actions, locks, groups});
    naming("controls", network_.control_states(), controls.size());
    naming("stacks", network_.stack_symbols(), stacks.size());
    naming("actions", network_.actions(), actions.size());
    naming("locks", network_.locks(), locks.size());
    naming("groups", network_.groups(), groups.size());
  }

  template <class Key>
  void naming(std::string_view section, const Vocabulary<Key>& vocabulary, std::size_t count) {
    if (count == 0) return;
    text_ += "  ";
    text_ += section;
    text_ += " {\n";
    for (Key key : IdRange<Key>{count}) {
      text_ += "    ";
      text_ += written_name(vocabulary.name(key));
      if (const auto label = vocabulary.label(key)) text_ += " : " + in_quotes(*label, '"');
      text_ += key.index() + 1 < count ? ",\n" : "\n";
    }
    text_ += "  }\n";
  }

  // What the rule says about groups, behind its right side.
  void groups(const Rule& rule) {
    if (const auto* spawn = std::get_if<Spawn>(&rule.effect)) memberships(spawn->memberships);
    if (const auto entry = entry_of(rule)) groups("opening", {entry->opening.begin(), entry->opening.end()});
    if (const auto* join = std::get_if<Join>(&rule.effect)) groups("joining", join->groups);
    if (const auto* forget = std::get_if<Forget>(&rule.effect)) groups("forgetting", forget->groups);
  }
  void groups(std::string_view word, const std::vector<Group>& groups) {
    if (groups.empty()) return;
    text_ += ' ';
    text_ += word;
    text_ += ' ';
    set(network_.groups(), groups);
  }
  // Neighbours of the same kind share a set: the groups of a rule then appear in ascending order.
  void memberships(std::span<const Membership> memberships) {
    while (!memberships.empty()) {
      const Membership first = memberships.front();
      std::vector<Group> same;
      for (const Membership& each : memberships) {
        if (each.all != first.all || each.replace != first.replace) break;
        same.push_back(each.group);
      }
      memberships = memberships.subspan(same.size());
      groups(std::string{first.replace ? "as" : "into"} + (first.all ? " all" : ""), same);
    }
  }

  void head(Head head) {
    if (!omits_controls_) {
      text_ += written_name(network_.control_states().name(head.control));
      text_ += ", ";
    }
    text_ += written_name(network_.stack_symbols().name(head.top));
  }

  void step(const QueryStep& step) {
    for (std::size_t i = 0; i < step.positions.size(); ++i) {
      if (i > 0) text_ += " and ";
      set(network_.stack_symbols(), step.positions[i]);
    }
    // A step that asks for nothing is written as one that avoids nothing.
    if (!step.avoiding.empty() || (step.positions.empty() && step.requiring.empty())) {
      text_ += step.positions.empty() ? "avoiding " : " avoiding ";
      set(network_.actions(), step.avoiding);
    }
    if (!step.requiring.empty()) {
      text_ += step.positions.empty() && step.avoiding.empty() ? "requiring " : " requiring ";
      set(network_.actions(), step.requiring);
    }
  }

  template <class Key>
  void set(const Vocabulary<Key>& vocabulary, const std::vector<Key>& keys) {
    text_ += '{';
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i > 0) text_ += ", ";
      text_ += written_name(vocabulary.name(keys[i]));
    }
    text_ += '}';
  }

  const Network& network_;
  bool omits_controls_;
  std::string text_;
};

}  // namespace

std::string to_dpn(const Network& network, std::span<const Query> queries, const RuleComment& remark, StopToken stop) {
  Printer printer{network};
  printer.file(queries, remark, stop);
  return printer.take();
}

std::string to_text(const Network& network, const Rule& rule) {
  Printer printer{network};
  printer.rule(rule);
  return printer.take();
}

std::string to_text(const Network& network, const Query& query) {
  Printer printer{network};
  printer.query(query);
  return printer.take();
}

}  // namespace lockwood::dpn
