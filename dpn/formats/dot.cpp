#include "dpn/formats/dot.hpp"

#include <array>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/printable.hpp"

namespace lockwood::dpn {
namespace {

// In quotes, as Graphviz reads it: backslashes and quotes escaped, so that no label can mean anything else.
std::string quoted(std::string_view text) {
  const std::string letters = printable(text);  // but a label may have several lines
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      result += "\\n";
      continue;
    }
    if (letters[i] == '"' || letters[i] == '\\') result += '\\';
    result += letters[i];
  }
  return result + "\"";
}

// Hues by steps of the golden section are far apart for any number of locks.
std::string colour(Lock lock) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "0.%03u 0.850 0.700", static_cast<unsigned>(lock.index() * 618 % 1000));
  return text.data();
}

class Drawing {
 public:
  using Title = std::function<std::string(StackSymbol)>;

  Drawing(std::ostream& out, const Network& network, const Procedures& procedures, const Title& title)
      : out_{out},
        title_{title},
        network_{network},
        procedures_{procedures},
        mentioned_(network.stack_symbols().size()),
        exits_(procedures.table.size()) {
    mention(network.initial());
    for (const Rule& rule : network.rules()) {
      mention(rule.from);
      std::visit([this](const auto& effect) { mention(effect); }, rule.effect);
      const auto owner = procedures.owner[rule.from.top];
      if (rule.kind() == RuleKind::Return && owner) exits_[*owner] = true;
    }
  }

  void write(StopToken stop) {
    out_ << "digraph network {\n"
            "  graph [compound=true, fontname=\"sans-serif\", rankdir=TB];\n"
            "  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];\n"
            "  edge [fontname=\"sans-serif\", fontsize=9];\n"
            "  start [shape=point];\n";
    for (ProcedureId id : procedures_.table.keys()) {
      stop.check();
      write_cluster(id);
    }
    for (StackSymbol symbol : network_.stack_symbols().keys())
      if (mentioned_[symbol] && !procedures_.owner[symbol]) write_node("  ", symbol);
    out_ << "  start -> " << node(network_.initial().top) << ";\n";
    for (const Rule& rule : network_.rules()) {
      stop.check();
      rule_ = &rule;
      std::visit([this](const auto& effect) { write_edges(effect); }, rule.effect);
    }
    out_ << "}\n";
  }

 private:
  void mention(Head head) { mentioned_[head.top] = true; }
  void mention(const Base& base) { mention(base.to); }
  void mention(const Return&) {}
  void mention(const Join& join) { mention(join.to); }
  void mention(const Forget& forget) { mention(forget.to); }
  void mention(const Spawn& spawn) {
    mention(spawn.parent);
    mention(spawn.child);
  }
  template <class Entering>
  void mention(const Entering& entering) {
    mention(entering.callee);
    mentioned_[entering.return_point] = true;
  }

  [[nodiscard]] static std::string node(StackSymbol symbol) { return "s" + std::to_string(symbol.index()); }
  [[nodiscard]] static std::string exit_node(ProcedureId id) { return "exit" + std::to_string(id.index()); }

  void write_cluster(ProcedureId id) {
    const Procedure& procedure = procedures_.table[id];
    const std::string title =
        title_ ? title_(procedure.entry) : std::string{network_.stack_symbols().shown(procedure.entry)};
    out_ << "  subgraph cluster" << id.index()
         << " {\n    label=" << quoted(title + (procedure.recursive ? " (recursive)" : "")) << ";\n    color=grey60;\n";
    for (StackSymbol symbol : procedure.symbols) write_node("    ", symbol);
    if (exits_[id]) out_ << "    " << exit_node(id) << " [label=\"return\", shape=plaintext];\n";
    out_ << "  }\n";
  }
  void write_node(const char* indent, StackSymbol symbol) {
    out_ << indent << node(symbol) << " [label=" << quoted(network_.stack_symbols().shown(symbol)) << "];\n";
  }

  // "a", or "a (p to q)" if control states matter here.
  [[nodiscard]] std::string label(ControlState to) const {
    std::string text{network_.actions().shown(rule_->action)};
    const ControlState from = rule_->from.control;
    const std::string before{network_.control_states().shown(from)};
    const std::string after{network_.control_states().shown(to)};
    if (from == to) return from == network_.initial().control || after.empty() ? text : text + " (in " + after + ")";
    if (before.empty() && after.empty()) return text;
    if (before.empty()) return text + " (to " + after + ")";
    return text + (after.empty() ? " (from " + before + ")" : " (" + before + " to " + after + ")");
  }
  void write_edge(const std::string& to, const std::string& label, const std::string& attributes) {
    out_ << "  " << node(rule_->from.top) << " -> " << to << " [label=" << quoted(label) << attributes << "];\n";
  }
  // To another procedure: no influence on the layout, which shows each procedure from top to bottom.
  void write_side_edge(StackSymbol to, const std::string& attributes) {
    out_ << "  " << node(rule_->from.top) << " -> " << node(to) << " [constraint=false" << attributes << "];\n";
  }

  // " [joins h, k]"; nothing without groups.
  [[nodiscard]] std::string group_note(std::string_view verb, const std::vector<Group>& groups) const {
    std::string text;
    for (const Group group : groups)
      text += (text.empty() ? " [" + std::string{verb} + " " : ", ") + std::string{network_.groups().shown(group)};
    return text.empty() ? text : text + "]";
  }
  [[nodiscard]] std::string member_note(const Spawn& spawn) const {
    std::string text;
    for (const Membership& membership : spawn.memberships) {
      text += text.empty() ? " [" : ", ";
      text += membership.replace ? "as " : "into ";
      text += membership.all ? "all " : "";
      text += network_.groups().shown(membership.group);
    }
    return text.empty() ? text : text + "]";
  }

  void write_edges(const Join& join) {
    write_edge(node(join.to.top), label(join.to.control) + group_note("joins", join.groups), "");
  }
  void write_edges(const Forget& forget) {
    write_edge(node(forget.to.top), label(forget.to.control) + group_note("forgets", forget.groups), "");
  }
  void write_edges(const Base& base) { write_edge(node(base.to.top), label(base.to.control), ""); }
  void write_edges(const Return& ret) {
    const auto owner = procedures_.owner[rule_->from.top];
    if (owner) return write_edge(exit_node(*owner), label(ret.to), "");
    const std::string exit = "exit_" + node(rule_->from.top);
    out_ << "  " << exit << " [label=\"return\", shape=plaintext];\n";
    write_edge(exit, label(ret.to), "");
  }
  void write_edges(const Spawn& spawn) {
    write_edge(node(spawn.parent.top), label(spawn.parent.control) + member_note(spawn), "");
    write_side_edge(spawn.child.top, ", style=dashed");
  }
  void write_edges(const Call& call) {
    write_edge(node(call.return_point), label(call.callee.control) + group_note("opens", call.opening), ", style=bold");
    write_side_edge(call.callee.top, ", color=grey50, arrowhead=empty");
  }
  void write_edges(const Monitor& monitor) {
    const std::string in_colour = ", color=" + quoted(colour(monitor.lock));
    write_edge(node(monitor.return_point),
               label(monitor.callee.control) + " [" + std::string{network_.locks().shown(monitor.lock)} + "]" +
                   group_note("opens", monitor.opening),
               ", style=bold, font" + in_colour.substr(2) + in_colour);
    write_side_edge(monitor.callee.top, in_colour + ", arrowhead=empty");
  }

  std::ostream& out_;
  const Title& title_;
  const Network& network_;
  const Procedures& procedures_;
  IdVector<StackSymbol, bool> mentioned_;
  IdVector<ProcedureId, bool> exits_;  // the procedure has a return
  const Rule* rule_ = nullptr;         // whose edges are written
};

}  // namespace

void write_dot(std::ostream& out, const Network& network, const Procedures& procedures, StopToken stop,
               const std::function<std::string(StackSymbol entry)>& title) {
  Drawing{out, network, procedures, title}.write(stop);
}

}  // namespace lockwood::dpn
