#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>

#include "base/diagnostic.hpp"
#include "base/output_error.hpp"
#include "base/standard_streams.hpp"
#include "base/text_file.hpp"
#include "dpn/model_file.hpp"
#include "frontend/quantity.hpp"
#include "frontend/verify/verify.hpp"

namespace {

constexpr const char* footer =
    "The verdict is one line on standard output: `accepted: …` or `refused: …` with the first thing that is wrong.\n"
    "`-` is standard input. The formats are described in docs/certificates.md.\n\n"
    "Exit status: 0 accepted, 1 refused, 2 bad usage or input, or the verdict could not be written, 3 gave up: time or "
    "memory limit, 4 internal error, 128+n ended by signal n.\n\n"
    "Example: lockwood-verify model.dpn certificate.json";

constexpr int gave_up = 3;

// Nothing is known before the end, so that whoever is late has nothing to tell.
void end_late(int /*signal*/) {
  lockwood::put_remark("lockwood-verify: time limit reached\n");
  ::_exit(gave_up);
}

void limit_time(const std::string& text) {
  const auto limit = lockwood::frontend::parse_duration(text);
  if (!limit) throw CLI::ValidationError("--timeout", "'" + text + "' is no time such as 90s or 2m");
  std::signal(SIGALRM, end_late);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*limit);
  itimerval timer{};
  timer.it_value.tv_sec = seconds.count();
  timer.it_value.tv_usec = std::chrono::duration_cast<std::chrono::microseconds>(*limit - seconds).count();
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

// The system refuses what is beyond it.
void limit_memory(const std::string& text) {
  const auto limit = lockwood::frontend::parse_size(text);
  if (!limit) throw CLI::ValidationError("--max-memory", "'" + text + "' is no size such as 512M or 4G");
  const rlimit bytes{.rlim_cur = *limit, .rlim_max = *limit};
  ::setrlimit(RLIMIT_DATA, &bytes);
}

std::string text_of(const lockwood::verify::Judgement& judgement, bool as_json) {
  const auto& [claim, problem, extent, flaw] = judgement;
  if (as_json) {
    nlohmann::ordered_json object{{"schema", "lockwood/verification/1"}, {"accepted", !flaw}};
    object.update({{"claim", claim}, {"problem", problem}, {"extent", extent}});
    if (flaw) object["flaw"] = *flaw;
    return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  }
  if (flaw) return "refused: not shown " + claim + ": " + *flaw + '\n';
  return "accepted: " + claim + " " + problem + " (" + extent + ")\n";
}

lockwood::dpn::Network network_of(const std::string& path) {
  try {
    return lockwood::dpn::load_model(path).network;
  } catch (const lockwood::InputError&) {
    if (!path.ends_with(".lw")) throw;
    throw lockwood::InputError{path, "this is a program: lockwood lower makes a model of it"};
  }
}

int run(int argc, char** argv) {
  CLI::App app{"Checks a certificate of unreachability or a witness of reachability of a model.", "lockwood-verify"};
  std::string model;
  std::string proof;
  bool as_json = false;
  app.add_option("MODEL", model, "the model")->required();
  app.add_option("CERT", proof, "the certificate or witness, JSON")->required();
  app.add_flag("--json", as_json, "print the verdict as JSON");
  app.add_option_function<std::string>("--timeout", limit_time, "give up after this time: 500ms, 90s, 2m, 1h")
      ->type_name("TIME");
  app.add_option_function<std::string>("--max-memory", limit_memory, "give up beyond this much memory: 512M, 4G")
      ->type_name("SIZE");
  app.footer(footer);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    lockwood::write_text_file("-", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    app.exit(error, std::cerr, std::cerr);
    return 2;
  }
  const auto network = network_of(model);
  const auto judgement = lockwood::verify::judge(network, lockwood::read_text_file(proof), proof);
  lockwood::write_text_file("-", text_of(judgement, as_json));
  return judgement.flaw ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  lockwood::hold_standard_streams();
  try {
    return run(argc, argv);
  } catch (const lockwood::InputError& error) {
    lockwood::put_remark(error.what());
    return 2;
  } catch (const lockwood::OutputError& error) {
    lockwood::put_remark("lockwood-verify: ", error.what(), "\n");
    return 2;
  } catch (const std::bad_alloc&) {
    lockwood::put_remark("lockwood-verify: out of memory\n");
    return gave_up;
  } catch (const std::exception& error) {
    lockwood::put_remark("lockwood-verify: internal error: ", error.what(), "\n");
    return 4;
  }
}
