#include "frontend/verify/verify.hpp"

#include "base/diagnostic.hpp"
#include "frontend/verify/proof.hpp"

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
  item.require_members({"schema", "claim", "problem", "answers", "structures", "contexts", "answer", "schedule"});
  const JsonItem schema = item.member("schema");
  const bool certificate = schema.text() == "lockwood/certificate/1";
  if (!certificate && schema.text() != "lockwood/witness/1")
    schema.reject("this must be lockwood/certificate/1 or lockwood/witness/1");
  Judgement judgement{.claim = certificate ? "unreachable" : "reachable"};
  if (item.member("claim").text() != judgement.claim) item.member("claim").reject("this must be " + judgement.claim);
  const Problem problem = read_problem(network, item.member("problem"));
  judgement.problem = item.member("problem").dump();
  if (certificate) {
    Table table = read_table(network, problem, item);
    judgement.extent = std::to_string(table.order.size()) + " contexts, " + std::to_string(table.facts) + " facts";
    if (!problem.collect.empty())
      judgement.extent += ", besides " + std::to_string(table.conceded.size()) + " answers conceded";
    judgement.flaw = table_flaw(network, problem, std::move(table));
  } else {
    const JsonItem schedule = item.member("schedule");
    const auto answer = item.find("answer");
    judgement.extent = std::to_string(schedule.member("steps").list().size()) + " steps";
    judgement.flaw = schedule_flaw(network, problem, schedule,
                                   answer ? read_collected(network, *answer) : std::vector<dpn::StackSymbol>{});
  }
  return judgement;
}

}  // namespace lockwood::verify
