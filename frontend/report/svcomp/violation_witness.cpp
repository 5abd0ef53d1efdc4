#include "frontend/report/svcomp/violation_witness.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "base/text/printable.hpp"

namespace lockwood::reports {
namespace {

using findings::Finding;
using findings::Rule;
using findings::StepKind;

struct Key {
  const char* name;
  const char* of;
};
constexpr std::array keys{Key{"witness-type", "graph"},  Key{"sourcecodelang", "graph"},   Key{"producer", "graph"},
                          Key{"specification", "graph"}, Key{"programfile", "graph"},      Key{"programhash", "graph"},
                          Key{"architecture", "graph"},  Key{"creationtime", "graph"},     Key{"entry", "node"},
                          Key{"violation", "node"},      Key{"startline", "edge"},         Key{"endline", "edge"},
                          Key{"sourcecode", "edge"},     Key{"threadId", "edge"},          Key{"createThread", "edge"},
                          Key{"enterFunction", "edge"},  Key{"returnFromFunction", "edge"}};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string data(std::string_view key, std::string_view value) {
  return fmt::format("<data key=\"{}\">{}</data>", key, escaped(value));
}

// The path, edge by edge.
class Path {
 public:
  void add_step(const findings::SourceStep& step) {
    std::string more;
    if (step.kind == StepKind::Call) more = data("enterFunction", callee_of(step));
    if (step.kind == StepKind::Return) more = data("returnFromFunction", step.at.procedure);
    if (step.kind != StepKind::Spawn) return add_edge(step.at, step.thread, more);
    add_edge(step.at, step.thread, data("createThread", number_of(step.object)));
    add_edge(step.at, step.object, data("enterFunction", callee_of(step)));
  }
  void add_edge(const findings::SourceSpan& at, const std::string& thread, const std::string& more) {
    edges_ +=
        fmt::format("    <edge source=\"N{}\" target=\"N{}\">{}{}{}{}{}</edge>\n", nodes_, nodes_ + 1,
                    data("startline", std::to_string(at.begin.line)), data("endline", std::to_string(at.end.line)),
                    data("sourcecode", at.text), data("threadId", number_of(thread)), more);
    ++nodes_;
  }

  [[nodiscard]] std::string text() const {
    std::string text = "    <node id=\"N0\"><data key=\"entry\">true</data></node>\n";
    for (std::size_t node = 1; node < nodes_; ++node) text += fmt::format("    <node id=\"N{}\"/>\n", node);
    return text + fmt::format("    <node id=\"N{}\"><data key=\"violation\">true</data></node>\n", nodes_) + edges_;
  }

 private:
  // "call f" and "spawn f as main.1" tell which.
  static std::string callee_of(const findings::SourceStep& step) {
    const std::size_t begin = step.what.find(' ') + 1;
    return step.what.substr(begin, step.what.find(' ', begin) - begin);
  }
  // Threads in the order of their creation, from 0.
  std::string number_of(const std::string& thread) {
    return std::to_string(threads_.try_emplace(thread, threads_.size()).first->second);
  }

  std::map<std::string, std::size_t> threads_{{"main", 0}};
  std::size_t nodes_ = 0;
  std::string edges_;
};

const char* specification(Rule rule) {
  return rule == Rule::Race ? "CHECK( init(main()), LTL(G ! data-race) )" : "CHECK( init(main()), LTL(G assert) )";
}

}  // namespace

std::optional<std::string> violation_witness(const Finding& finding, const WitnessedProgram& program) {
  const bool known = finding.rule == Rule::Race || finding.rule == Rule::Assertion;
  if (!known || finding.outcome != findings::Outcome::Found || finding.certainty != findings::Certainty::Executed)
    return std::nullopt;
  if (finding.rule == Rule::Race && finding.schedule.empty()) return std::nullopt;  // nobody has looked for it
  Path path;
  for (const findings::SourceStep& step : finding.schedule) path.add_step(step);
  // What the threads are about to do: the accesses, one after the other, or the assertion.
  for (const findings::Site& site : finding.sites) path.add_edge(site.at, site.thread, "");

  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
      "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n";
  for (const auto& [name, of] : keys)
    text += fmt::format("  <key id=\"{0}\" attr.name=\"{0}\" attr.type=\"string\" for=\"{1}\"/>\n", name, of);
  text += "  <graph edgedefault=\"directed\">\n";
  for (const auto& [key, value] :
       {std::pair{"witness-type", std::string{"violation_witness"}}, std::pair{"sourcecodelang", std::string{"lw"}},
        std::pair{"producer", "lockwood " + program.version},
        std::pair{"specification", std::string{specification(finding.rule)}}, std::pair{"programfile", program.path},
        std::pair{"programhash", program.digest}, std::pair{"architecture", std::string{"64bit"}},
        std::pair{"creationtime", program.changed}})
    text += "    " + data(key, value) + '\n';
  return text + path.text() + "  </graph>\n</graphml>\n";
}

}  // namespace lockwood::reports
