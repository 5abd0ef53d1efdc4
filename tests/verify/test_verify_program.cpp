#include <doctest/doctest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/process/text_file.hpp"
#include "base/text/json.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/trees/schedule.hpp"
#include "solver/engine/engine.hpp"
#include "solver/engine/witness.hpp"
#include "solver/proofs/certificate.hpp"

// The program lockwood-verify, run as users run it.
namespace lockwood {
namespace {

using Json = nlohmann::ordered_json;

// A directory that is gone at the end of the test.
class Workplace {
 public:
  Workplace() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lockwood-verify-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name, const std::string& content) const {
    write_text_file((path_ / name).string(), content);
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

struct Run {
  int status = 0;
  std::string output;  // both streams
};

Run verify(const std::string& arguments) {
  Run run;
  std::FILE* pipe = popen((LOCKWOOD_VERIFY " " + arguments + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    run.output.append(buffer.data(), got);
  const int status = pclose(pipe);
  REQUIRE(WIFEXITED(status));
  run.status = WEXITSTATUS(status);
  return run;
}

const std::string model_path = LOCKWOOD_SOURCE_DIR "/models/fig3-release.dpn";

// What is claimed about a query of the model, as files hold it.
Json proof(std::size_t query) {
  const dpn::ModelFile model = dpn::parse_dpn(read_text_file(model_path), model_path);
  const solver::Problem problem = solver::problem_of(model.queries.at(query));
  solver::Engine engine{model.network, problem};
  if (engine.run() == dpn::Verdict::Unreachable) return solver::certificate(model.network, problem, engine);
  const auto tree = solver::witness_tree(engine, engine.answers().front());
  return problem::witness_json(model.network, problem, *dpn::schedule_of(model.network, tree, problem.semantics));
}

constexpr std::size_t reachable = 0;    // conflict {m3} and {t2}
constexpr std::size_t unreachable = 2;  // iterate {m3} and {t2}, {m6} and {t5}

}  // namespace

TEST_CASE("lockwood-verify accepts a certificate and a witness, and says what they prove") {
  const Workplace place;
  const Run certificate = verify(model_path + ' ' + place.file("c.json", proof(unreachable).dump()));
  CHECK(certificate.status == 0);
  CHECK(certificate.output.starts_with("accepted: unreachable {"));
  CHECK(certificate.output.find(R"({"tops":["m6"]},{"tops":["t5"]})") != std::string::npos);
  const Run witness = verify(model_path + ' ' + place.file("w.json", proof(reachable).dump()));
  CHECK(witness.status == 0);
  CHECK(witness.output.starts_with("accepted: reachable {"));
}

TEST_CASE("errors in the command line of lockwood-verify are in our words") {
  const auto refused = [](const std::string& arguments, const std::string& message) {
    const Run run = verify(arguments);
    CAPTURE(run.output);
    CHECK(run.status == 2);
    CHECK(run.output == "lockwood-verify: " + message + "\nTry 'lockwood-verify --help'.\n");
  };
  refused("", "MODEL is missing: the model; of a program, what lockwood lower makes of it");
  refused(model_path, "CERT is missing: the certificate or witness, JSON");
  refused("a b c", "unexpected argument 'c'");
  refused("a b --jsno", "unknown option '--jsno'; did you mean '--json'?");
  refused("a b --timeout=x", "--timeout: 'x' is not a time such as 90s or 2m");
  refused("a b --timeout", "--timeout needs a value: --timeout=TIME");
  refused("a b --json=maybe", "--json takes no value, but 'maybe' is given");
}

TEST_CASE("lockwood-verify reads standard input and prints JSON") {
  const Workplace place;
  const std::string file = place.file("c.json", proof(unreachable).dump());
  const Run run = verify("--json " + model_path + " - < " + file);
  CHECK(run.status == 0);
  const Json verdict = Json::parse(run.output);
  CHECK(verdict["schema"] == "lockwood/verification/1");
  CHECK(verdict["accepted"] == true);
  CHECK(verdict["claim"] == "unreachable");
}

TEST_CASE("lockwood-verify refuses a certificate of another question and names the rule instance") {
  const Workplace place;
  Json certificate = proof(unreachable);
  certificate["problem"]["semantics"] = "lock-insensitive";
  const Run run = verify(model_path + ' ' + place.file("c.json", certificate.dump()));
  CHECK(run.status == 1);
  CHECK(run.output.starts_with("refused: "));
  CHECK(run.output.find("rule (m") != std::string::npos);
  CHECK(run.output.find("no fact covers [") != std::string::npos);
  CHECK(std::ranges::count(run.output, '\n') == 1);
  const Run json = verify("--json " + model_path + ' ' + place.file("c.json", certificate.dump()));
  CHECK(json.status == 1);
  CHECK(Json::parse(json.output)["accepted"] == false);
}

TEST_CASE("lockwood-verify tells what is not its fault apart from what is") {
  const Workplace place;
  const std::string proved = place.file("c.json", proof(unreachable).dump());
  for (const std::string& arguments :
       {std::string{"--help"}, "--json " + model_path + ' ' + proved, model_path + ' ' + proved}) {
    CHECK(verify(arguments + " 2>&1 >/dev/full").status == 2);
    CHECK(verify(arguments + " 2>/dev/full >/dev/full").status == 2);
    CHECK(verify(arguments + " >&-").status == 2);
  }
  CHECK(verify("--help").status == 0);
  CHECK(verify(LOCKWOOD_SOURCE_DIR "/models/fig1.lw " + proved).output.find("lockwood lower") != std::string::npos);
  CHECK(verify("--timeout=never a b").status == 2);
  const Run late = verify("--timeout=100ms /dev/zero " + proved);
  CHECK(late.status == 3);
  CHECK(late.output == "lockwood-verify: time limit reached\n");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they need memory of their own
  const Run large = verify("--max-memory=50M /dev/zero " + proved);
  CHECK(large.status == 3);
  CHECK(large.output == "lockwood-verify: memory limit reached\n");
#endif
}

TEST_CASE("lockwood-verify refuses a table without the context of the whole execution") {
  const Workplace place;
  Json certificate = proof(unreachable);
  certificate["contexts"] = Json::array();
  const Run run = verify(model_path + ' ' + place.file("c.json", certificate.dump()));
  CHECK(run.status == 1);
  CHECK(run.output.find("lacks the context") != std::string::npos);
}

TEST_CASE("lockwood-verify refuses witnesses that break a rule of the game") {
  const Workplace place;
  const auto refused = [&](const Json& witness, const std::string& why) {
    const Run run = verify(model_path + ' ' + place.file("w.json", witness.dump()));
    CAPTURE(run.output);
    CHECK(run.status == 1);
    CHECK(run.output.find(why) != std::string::npos);
  };
  const Json good = proof(reachable);
  Json witness = good;
  witness["schedule"]["steps"].erase(witness["schedule"]["steps"].size() - 1);
  refused(witness, "no separate thread is at the goal");
  witness = good;
  witness["schedule"]["steps"].push_back(witness["schedule"]["steps"].back());
  refused(witness, "cannot use");
  witness = good;
  witness["problem"]["phases"][0]["avoiding"] = {"acquire"};
  refused(witness, "the avoided action acquire is done");
  witness = good;
  witness["problem"]["phases"][0]["fired"] = {{"release"}};
  refused(witness, "no action of the required set number 1 is done");
  witness = good;
  witness["problem"]["phases"][0]["standing"] = {{{"tops", {"m3"}}}, {{"tops", {"m3"}}}};
  refused(witness, "no separate thread is at the goal number 2");
  witness = good;
  witness["problem"]["phases"][0]["standing"] = {{{"tops", {"m3"}}, {"holding", "y"}}};
  refused(witness, "no separate thread is at the goal number 1");
  witness = good;
  witness["problem"]["collect"] = {{"m3"}};
  refused(witness, "the answer lacks a symbol");
}

TEST_CASE("goals with locks to hold and to want are checked on witnesses") {
  const Workplace place;
  Json witness = proof(reachable);
  witness["problem"]["phases"][0]["standing"] = {{{"holding", "x"}, {"wanting", "y"}},
                                                 {{"holding", "y"}, {"wanting", "x"}}};
  const Run run = verify(model_path + ' ' + place.file("w.json", witness.dump()));
  CHECK(run.status == 0);
}

TEST_CASE("bad usage and bad input have exit status 2 and a message") {
  const Workplace place;
  const std::string good = place.file("good.json", proof(unreachable).dump());
  const auto bad = [](const std::string& arguments) {
    const Run run = verify(arguments);
    CAPTURE(arguments);
    CAPTURE(run.output);
    CHECK(run.status == 2);
    CHECK(!run.output.empty());
  };
  bad("");
  bad(model_path);
  bad("--unknown " + model_path + ' ' + good);
  bad(model_path + ' ' + good + " more");
  bad("/nowhere/model.dpn " + good);
  bad(model_path + " /nowhere/certificate.json");
  bad(good + ' ' + good);
  bad(model_path + ' ' + model_path);
  bad(model_path + ' ' + place.file("empty", ""));
  bad(model_path + ' ' + place.file("bytes", std::string("\0\xFF\xFE{", 4)));
  for (const std::string text : {"null", "[]", "{}", "3", R"({"schema": "lockwood/certificate/2"})"})
    bad(model_path + ' ' + place.file("shape", text));
  const std::string deep(1'000'000, '[');
  const std::string closed = deep + std::string(deep.size(), ']');
  bad(model_path + ' ' + place.file("deep", deep));
  bad(model_path + ' ' + place.file("deep", closed));
  for (const std::string member :
       {"schema", "claim", "problem", "answers", "structures", "contexts", "schedule", "answer", "other"})
    bad(model_path + ' ' + place.file("deep", "{\"" + member + "\": " + closed + "}"));

  const Json certificate = proof(unreachable);
  const auto changed = [&](const char* pointer, const Json& value) {
    Json other = certificate;
    other[Json::json_pointer{pointer}] = value;
    bad(model_path + ' ' + place.file("changed", other.dump()));
  };
  changed("/problem/semantics", "sensitive");
  changed("/problem/phases", Json::array());
  changed("/problem/phases/0/standing/0/tops/0", "nobody");
  changed("/problem/phases/0/standing/0/holding", "nolock");
  changed("/problem/phases/0/standing/0/also", true);
  changed("/problem/phases/0/avoiding", Json::array({"noaction"}));
  changed("/problem/phases/0/observers", Json::array({"no automaton"}));
  changed("/problem/phases/0/observers", Json::array({"Ops NIL.nobody:0 Transitions NIL.nobody -> q"}));
  changed("/problem/phases/0/observers",
          Json::array({"Ops NIL.m1:0 Transitions NIL.m1 -> q"}));  // no fact has its state
  changed("/problem/collect", Json::parse(R"([["m1"], ["m1"], ["m1"]])"));
  changed("/answers", Json::parse("[[]]"));
  changed("/contexts/0/control", "nocontrol");
  changed("/contexts/0/top", 3);
  changed("/contexts/0/phase", 0);
  changed("/contexts/0/phase", 3);
  changed("/contexts/0/phase", 1.5);
  changed("/contexts/0/phase", true);
  changed("/contexts/0/thread", true);
  changed("/contexts/0/facts/0/states", Json::array({1}));
  changed("/contexts/0/facts/0/structure", 100'000);
  changed("/contexts/0/facts/0/structure", -1);
  changed("/contexts/0/facts/0/structure", 0);
  changed("/contexts/0/facts/0/goals", Json::array({65}));
  changed("/contexts/0/facts/0/returned", {{"control", "0"}});
  changed("/contexts/0/facts/0/returned", Json::parse(R"(["0"])"));
  changed("/contexts/0/facts/0/returned", Json::parse(R"(["0", 1, 1])"));
  changed("/structures/0", Json::parse(R"([["B", 1, "x"]])"));
  changed("/structures/0", Json::parse(R"([["A", 1, "x", "y"]])"));
  changed("/structures/0", Json::parse(R"([["G", 1, "x"]])"));
  changed("/structures/0", Json::parse(R"([["A", 9, "x"]])"));
  changed("/structures/0", Json::parse(R"([["A", 1, "nolock"]])"));
  changed("/structures/0", Json::parse(R"([[]])"));
  changed("/structures/0", Json::parse(R"({"A": 1})"));
  Json twice = certificate;
  twice["contexts"].push_back(twice["contexts"][0]);
  bad(model_path + ' ' + place.file("twice", twice.dump()));

  Json witness = proof(reachable);
  witness["schedule"]["steps"][0]["thread"] = "main.7";
  bad(model_path + ' ' + place.file("w.json", witness.dump()));
  witness = proof(reachable);
  witness["schedule"]["steps"][0]["rule"] = "(m1) -- jump --> (m6)";
  bad(model_path + ' ' + place.file("w.json", witness.dump()));
}

TEST_CASE("--help explains the exit status") {
  const Run run = verify("--help");
  CHECK(run.status == 0);
  CHECK(run.output.find("Exit status: 0 accepted, 1 refused, 2 bad usage, input or output") != std::string::npos);
}

}  // namespace lockwood
