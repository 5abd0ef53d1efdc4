#include "frontend/verify/verify.hpp"

#include "frontend/verify/proof.hpp"

namespace lockwood::verify {

Judgement judge(const dpn::Network& network, std::string_view text, std::string_view file) {
  try {
    const Json json = Json::parse(text);
    Proof proof = read_proof(network, json);
    const std::string problem = json.at("problem").dump();
    if (proof.schedule)
      return {"reachable", problem, std::to_string(proof.steps) + " steps", schedule_flaw(network, proof)};
    Table& table = *proof.table;
    std::string extent = std::to_string(table.order.size()) + " contexts, " + std::to_string(table.facts) + " facts";
    if (!table.conceded.empty()) extent += ", " + std::to_string(table.conceded.size()) + " answers conceded";
    return {"unreachable", problem, extent, table_flaw(network, proof.problem, std::move(table))};
  } catch (const nlohmann::json::parse_error& error) {
    throw InputError{{diagnostic_at(file, text, error.byte == 0 ? 0 : error.byte - 1, 1, "this is not JSON")}};
  } catch (const nlohmann::json::exception& error) {
    throw InputError{std::string{file}, error.what()};
  } catch (const InputError& error) {
    throw InputError{std::string{file}, error.diagnostics().front().message};
  }
}

}  // namespace lockwood::verify
