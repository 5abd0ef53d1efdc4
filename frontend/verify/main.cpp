#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/diagnostic.hpp"
#include "base/text_file.hpp"
#include "dpn/model_file.hpp"
#include "frontend/verify/verify.hpp"

constexpr const char* footer =
    "The verdict is one line on standard output: `accepted: …` or `refused: …` with the first thing that is wrong.\n"
    "`-` is standard input. The formats are described in docs/certificates.md.\n\n"
    "Exit status: 0 accepted, 1 refused, 2 bad usage or input, 4 internal error, 128+n ended by signal n.\n\n"
    "Example: lockwood-verify model.dpn certificate.json";

int main(int argc, char** argv) {
  CLI::App app{"Checks a certificate of unreachability or a witness of reachability of a model.", "lockwood-verify"};
  std::string model;
  std::string proof;
  bool as_json = false;
  app.add_option("MODEL", model, "the model")->required();
  app.add_option("CERT", proof, "the certificate or witness, JSON")->required();
  app.add_flag("--json", as_json, "print the verdict as JSON");
  app.footer(footer);
  try {
    app.parse(argc, argv);
    const auto network = lockwood::dpn::load_model(model).network;
    const auto [claim, problem, extent, flaw] =
        lockwood::verify::judge(network, lockwood::read_text_file(proof), proof);
    if (as_json) {
      nlohmann::ordered_json object{{"schema", "lockwood/verification/1"}, {"accepted", !flaw}};
      object.update({{"claim", claim}, {"problem", problem}, {"extent", extent}});
      if (flaw) object["flaw"] = *flaw;
      std::cout << object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
    } else {
      const std::string accepted = "accepted: " + claim + " " + problem + " (" + extent + ")";
      std::cout << (flaw ? "refused: not shown " + claim + ": " + *flaw : accepted) << std::endl;
    }
    if (!std::cout) throw std::runtime_error{"the verdict could not be written"};
    return flaw ? 1 : 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const lockwood::InputError& error) {
    std::cerr << error.what();
    if (model.ends_with(".lw")) std::cerr << "this is a program: lockwood lower makes a model of it\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "lockwood-verify: internal error: " << error.what() << '\n';
    return 4;
  }
}
