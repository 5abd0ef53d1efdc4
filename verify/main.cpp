#include <CLI/CLI.hpp>

#include "base/process/limit_options.hpp"
#include "base/process/run_safely.hpp"
#include "base/process/standard_streams.hpp"
#include "base/process/text_file.hpp"
#include "base/process/usage.hpp"
#include "base/text/json.hpp"
#include "dpn/formats/model_file.hpp"
#include "verify/verify.hpp"

using namespace lockwood;

constexpr const char* footer =
    "The verdict is one line: `accepted: …`, or `refused: …` with the first flaw. `-` is standard input.\n"
    "docs/certificates.md describes the formats. Example: lockwood-verify model.dpn certificate.json\n\n"
    "Exit status: 0 accepted, 1 refused, 2 bad usage, input or output, 3 gave up, 4 internal error, 128+n signal n.";

int run(int argc, char** argv) {
  CLI::App app{"Checks a certificate of unreachability or a witness of reachability of a model.", "lockwood-verify"};
  std::string model, proof;
  bool as_json = false;
  Limits limits;
  app.add_option("MODEL", model, "the model; of a program, what lockwood lower makes of it")->required();
  app.add_option("CERT", proof, "the certificate or witness, JSON")->required();
  app.add_flag("--json", as_json, "print the verdict as JSON");
  declare_limits(app, limits);
  try {
    app.footer(footer)->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return write_text_file("-", app.help()), 0;
  } catch (const CLI::ParseError& error) {
    const std::string unknown = unknown_argument(app);
    put_message("lockwood-verify: ", unknown.empty() ? usage_message(app, error) : unknown,
                "\nTry 'lockwood-verify --help'.\n");
    return 2;
  }
  StopSource source;
  const Watchdog watchdog{source, limits};
  const StopToken stop{source};
  const auto network = dpn::load_model(model, stop).network;
  const auto [claim, problem, extent, flaw] = verify::judge(network, read_text_file(proof, stop), proof, stop);
  nlohmann::ordered_json object{{"schema", "lockwood/verification/1"}, {"accepted", !flaw}, {"claim", claim}};
  object.update({{"problem", problem}, {"extent", extent}});
  if (flaw) object["flaw"] = *flaw;
  const std::string line =
      flaw ? "refused: not shown " + claim + ": " + *flaw : "accepted: " + claim + " " + problem + " (" + extent + ")";
  write_text_file("-", (as_json ? object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) : line) + '\n');
  return flaw ? 1 : 0;
}

int main(int argc, char** argv) {
  hold_standard_streams();
  return run_safely("lockwood-verify", [&] { return run(argc, argv); });
}
