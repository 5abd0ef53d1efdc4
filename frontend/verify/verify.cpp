#include "frontend/verify/verify.hpp"

#include "base/diagnostic.hpp"
#include "frontend/verify/closure.hpp"
#include "frontend/verify/witness.hpp"

namespace lockwood::verify {
namespace {

nlohmann::json parsed(std::string_view text, std::string_view file) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw InputError{{diagnostic_at(file, text, error.byte == 0 ? 0 : error.byte - 1, 1, "this is not JSON")}};
  }
}

}  // namespace

Judgement judge(const dpn::Network& network, std::string_view text, std::string_view file) {
  const nlohmann::json document = parsed(text, file);
  const JsonItem item{document, "", file};
  item.with_members({"schema", "claim", "problem", "answers", "structures", "contexts", "answer", "schedule"});
  const JsonItem schema = item.member("schema");
  const Problem problem = read_problem(network, item.member("problem"));
  if (schema.text() == "lockwood/witness/1") {
    const std::size_t steps = item.member("schedule").member("steps").list().size();
    return {"reachable", problem.text, std::to_string(steps) + " steps", schedule_flaw(network, problem, item)};
  }
  if (schema.text() != "lockwood/certificate/1")
    schema.reject("this must be lockwood/certificate/1 or lockwood/witness/1");
  Table table = read_table(network, problem, item);
  std::string extent = std::to_string(table.order.size()) + " contexts, " + std::to_string(table.facts) + " facts";
  if (!problem.collect.empty()) extent += ", besides " + std::to_string(table.conceded.size()) + " answers conceded";
  return {"unreachable", problem.text, extent, flaw(network, problem, std::move(table))};
}

}  // namespace lockwood::verify
