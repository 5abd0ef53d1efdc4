#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <set>

#include "base/ids/random.hpp"
#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "dpn/formats/model_file.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/lock_program.hpp"
#include "dpn/model/network_builder.hpp"
#include "dpn/trees/schedule.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/engine/engine.hpp"
#include "solver/engine/witness.hpp"
#include "solver/proofs/certificate.hpp"
#include "tests/oracle/dpn/random_joins.hpp"
#include "tests/oracle/dpn/random_network.hpp"
#include "tests/oracle/solver/random_problem.hpp"
#include "tests/oracle/solver/shrunk_error.hpp"
#include "verify/verify.hpp"

using namespace lockwood;
using namespace lockwood::dpn;
using namespace lockwood::solver;

namespace {

struct Tally {
  std::size_t certificates = 0;
  std::size_t witnesses = 0;
};

// What the checker has against the certificate of an unreachable verdict, or the witnesses of a reachable one.
std::optional<std::string> flaw_of_proofs(const Network& network, const solver::Problem& problem) {
  Engine engine{network, problem};
  const Verdict verdict = engine.run();
  if (verdict == Verdict::Unknown) return "the engine gives up";
  const auto rejection_reason = [&](const nlohmann::ordered_json& proof,
                                    const char* claim) -> std::optional<std::string> {
    const auto checked = verify::judge(network, proof.dump(), "proof");
    if (checked.claim != claim) return "the claim is " + checked.claim;
    return checked.flaw;
  };
  if (verdict == Verdict::Unreachable || problem.collect)
    if (auto flaw = rejection_reason(certificate(network, problem, engine), "unreachable")) return flaw;
  for (FactId fact : engine.answers()) {
    const auto schedule = schedule_of(network, witness_tree(engine, fact), problem.semantics);
    if (!schedule) return "a witness cannot be scheduled";
    const auto answer = collected_symbols(engine.facts()[fact].observation);
    if (auto flaw = rejection_reason(witness_json(network, problem, *schedule, answer), "reachable")) return flaw;
  }
  return std::nullopt;
}

// Every unreachable verdict has a certificate that is accepted, every reachable one a witness that is. Returns the
// verdict.
Verdict verify_verdict(const Network& network, const solver::Problem& problem, Tally& tally) {
  const auto flaw = shrunk_error(network, problem, flaw_of_proofs);
  REQUIRE_MESSAGE(!flaw, *flaw);
  Engine engine{network, problem};
  const Verdict verdict = engine.run();
  if (verdict == Verdict::Unreachable || problem.collect) ++tally.certificates;
  tally.witnesses += engine.answers().size();
  return verdict;
}

Tally verify_random(std::uint64_t first_seed, std::uint64_t last_seed, const RandomNetworkSizes& sizes = {}) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = random_network(seed, sizes);
    (void)verify_verdict(network, random_problem(network, seed), tally);
  }
  return tally;
}

Tally verify_observed(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = seed % 2 == 0 ? random_network(seed) : lock_program(seed);
    const auto problem = seed % 2 == 0 ? random_problem(network, seed) : solver::problem_of(lock_query(network, seed));
    (void)verify_verdict(network, observed(network, observed(network, problem, seed), seed + 1), tally);
  }
  return tally;
}

Tally verify_lock_programs(std::uint64_t first_seed, std::uint64_t last_seed, const LockProgramSizes& sizes = {}) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = lock_program(seed, sizes);
    (void)verify_verdict(network, solver::problem_of(lock_query(network, seed)), tally);
  }
  return tally;
}

// Models with groups; every third one is recursive.
Network network_with_joins(std::uint64_t seed) { return random_joins(seed, {.recursive = seed % 3 == 0}); }

Tally verify_joins(std::uint64_t first_seed, std::uint64_t last_seed) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    CAPTURE(seed);
    const Network network = network_with_joins(seed);
    (void)verify_verdict(network, solver::problem_of(random_joins_query(network, seed)), tally);
  }
  return tally;
}

using Json = nlohmann::ordered_json;

// A certificate of an unreachable (or collecting) random problem.
struct Claim {
  Network network;
  solver::Problem problem;
  Json certificate;
};

// None if the problem is reachable.
std::optional<Claim> random_claim(std::uint64_t seed) {
  const bool with_joins = seed % 4 == 1;
  Claim claim{with_joins ? network_with_joins(seed) : random_network(seed), {}, {}};
  claim.problem =
      with_joins ? problem_of(random_joins_query(claim.network, seed)) : random_problem(claim.network, seed);
  if (seed % 3 == 0) claim.problem = observed(claim.network, claim.problem, seed);
  Engine engine{claim.network, claim.problem};
  if (engine.run() == Verdict::Reachable && !claim.problem.collect) return std::nullopt;
  claim.certificate = certificate(claim.network, claim.problem, engine);
  return claim;
}

// Whether what the certificate says is true, decided anew.
bool is_true(const Network& network, const Json& claim) {
  const solver::Problem problem = problem::read_problem(network, nlohmann::json(claim.at("problem")));
  Engine engine{network, problem};
  if (engine.run() == Verdict::Unreachable) return true;
  if (!problem.collect || !claim.contains("answers")) return false;
  std::set<std::multiset<std::string>> conceded;
  for (const Json& answer : claim["answers"]) conceded.insert(answer.get<std::multiset<std::string>>());
  return std::ranges::all_of(engine.answers(), [&](FactId fact) {
    std::multiset<std::string> answer;
    for (StackSymbol symbol : collected_symbols(engine.facts()[fact].observation))
      answer.emplace(network.stack_symbols().name(symbol));
    return conceded.contains(answer);
  });
}

enum class Reply { Accepted, Refused, BadInput };

Reply reply(const Network& network, const std::string& text) {
  try {
    return verify::judge(network, text, "mutant").flaw ? Reply::Refused : Reply::Accepted;
  } catch (const InputError& error) {
    CHECK(std::string{error.what()}.starts_with("mutant:"));
    return Reply::BadInput;
  }
}

struct Replies {
  std::size_t accepted = 0;
  std::size_t refused = 0;
  std::size_t bad_input = 0;
  void count(Reply reply) { ++(reply == Reply::Accepted ? accepted : reply == Reply::Refused ? refused : bad_input); }
};
std::ostream& operator<<(std::ostream& out, const Replies& replies) {
  return out << replies.accepted << " accepted, " << replies.refused << " refused, " << replies.bad_input
             << " bad input";
}

// Judges the mutant; if it is accepted, its claim must be true.
void expect_sound(const Network& network, const Json& mutant, Replies& replies) {
  const std::string text = mutant.dump();
  const Reply got = reply(network, text);
  replies.count(got);
  if (got != Reply::Accepted) return;
  INFO(to_dpn(network, {}));
  INFO(text);
  REQUIRE(is_true(network, mutant));
}

Json& any_of(Json& array, Random& random) { return array[random.below(array.size())]; }

// A context that has facts, if there is one.
Json* any_with_facts(Json& certificate, Random& random) {
  std::vector<Json*> contexts;
  for (Json& context : certificate["contexts"])
    if (context.contains("facts")) contexts.push_back(&context);
  return contexts.empty() ? nullptr : contexts[random.below(contexts.size())];
}

bool is_conceded(const Json& certificate, const Json& fact) {
  if (!certificate.contains("answers") || !fact.contains("collected")) return false;
  return std::ranges::count(certificate["answers"], fact["collected"]) > 0;
}

// Makes a set or a graph of a structure larger. Returns false if it is as it was.
bool enlarge(const Network& network, std::size_t phases, Json& structure, Random& random) {
  if (network.locks().size() == 0) return false;
  const auto lock = [&] { return std::string{network.locks().name(Lock{random.below(network.locks().size())})}; };
  const char* const components[] = {"A", "U", "H", "M", "G", "R"};
  const std::size_t choice = random.below(6);
  Json added = Json::array({components[choice], 1 + random.below(phases), lock()});
  if (choice >= 4) added.push_back(lock());
  if (std::ranges::count(structure, added) > 0) return false;
  structure.push_back(added);
  return true;
}

// The network with one rule more, less, or another one in its place.
Network changed(const Network& network, Random& random) {
  NetworkBuilder builder;
  for (ControlState key : network.control_states().keys()) (void)builder.control(network.control_states().name(key));
  for (StackSymbol key : network.stack_symbols().keys()) (void)builder.stack(network.stack_symbols().name(key));
  for (Action key : network.actions().keys()) (void)builder.action(network.actions().name(key));
  for (Lock key : network.locks().keys()) (void)builder.lock(network.locks().name(key));
  for (Group key : network.groups().keys()) (void)builder.group(network.groups().name(key));
  builder.initial(network.initial());
  const RuleId place{random.below(network.rules().size())};
  const std::size_t change = random.below(3);
  for (RuleId rule : network.rules().keys())
    if (rule != place || change == 0) builder.add(network.rule(rule));
  if (change != 1) {
    Rule rule = network.rule(place);
    rule.effect = network.rule(RuleId{random.below(network.rules().size())}).effect;
    builder.add(rule);
  }
  return std::move(builder).build();
}

// Changes what is asked.
void change_problem(const Network& network, Json& problem, Random& random) {
  const auto top = [&] {
    return network.stack_symbols().name(StackSymbol{random.below(network.stack_symbols().size())});
  };
  Json& phase = any_of(problem["phases"], random);
  switch (random.below(6)) {
    case 0:
      problem["semantics"] = problem["semantics"] == "lock-sensitive" ? "lock-insensitive" : "lock-sensitive";
      return;
    case 1: phase.erase("avoiding"); return;
    case 2: phase["avoiding"] = {network.actions().name(Action{0})}; return;
    case 3: phase["fired"] = Json::array(); return;
    case 4: phase["standing"] = Json::array({{{"tops", {top()}}}}); return;
    default:
      if (phase.contains("standing")) any_of(phase["standing"], random)["tops"] = {top(), top()};
  }
}

// All values in the document, as pointers into it.
std::vector<Json*> values(Json& document) {
  std::vector<Json*> found{&document};
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i]->is_structured())
      for (Json& value : *found[i]) found.push_back(&value);
  return found;
}

Json odd_value(Random& random) {
  static const Json odd = {nullptr, true, 0,    1,    2,    -1,     1.5,  1e300,  4294967296,     18446744073709551615U,
                           "",      "g1", "x0", "\n", "p0", "main", {{}}, {"x0"}, {{"phase", 1}}, {{"A", 1, "x0"}}};
  return odd[random.below(odd.size())];
}

void replace_anything(Json& document, Random& random) {
  const auto all = values(document);
  Json& victim = *all[random.below(all.size())];
  Json replacement = random.below(2) == 0 ? odd_value(random) : *all[random.below(all.size())];
  victim = std::move(replacement);
}

// The changes that make a fact, or what is there for its sake, disappear. The engine writes no superfluous fact, so the
// rest does not prove anything.
Replies weaken(std::uint64_t first_seed, std::uint64_t last_seed, std::size_t each) {
  Replies replies;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    const auto claim = random_claim(seed);
    if (!claim) continue;
    Random random{seed};
    for (std::size_t i = 0; i < each; ++i) {
      Json mutant = claim->certificate;
      Json* context = any_with_facts(mutant, random);
      const std::size_t change = random.below(4);
      if (change == 0) {
        mutant["contexts"].erase(random.below(mutant["contexts"].size()));
      } else {
        if (context == nullptr) continue;
        const std::size_t place = random.below((*context)["facts"].size());
        Json& fact = (*context)["facts"][place];
        if (is_conceded(mutant, fact)) continue;
        if (change == 1) (*context)["facts"].erase(place);
        if (change == 2) {
          if (!fact.contains("goals")) continue;
          fact["goals"].erase(random.below(fact["goals"].size()));
        }
        if (change == 3) {
          Json larger = mutant["structures"][fact["structure"].get<std::size_t>() - 1];
          if (!enlarge(claim->network, claim->problem.phases.size(), larger, random)) continue;
          mutant["structures"].push_back(larger);
          fact["structure"] = mutant["structures"].size();
        }
      }
      INFO(to_dpn(claim->network, {}));
      INFO(mutant.dump());
      CAPTURE(seed);
      const Reply got = reply(claim->network, mutant.dump());
      REQUIRE(got == Reply::Refused);
      replies.count(got);
    }
  }
  return replies;
}

// Changes of all kinds, most of them to other claims.
Replies change(std::uint64_t first_seed, std::uint64_t last_seed, std::size_t each) {
  Replies replies;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    const auto claim = random_claim(seed);
    if (!claim) continue;
    CAPTURE(seed);
    Random random{seed};
    for (std::size_t i = 0; i < each; ++i) {
      Json mutant = claim->certificate;
      switch (random.below(6)) {
        case 0: expect_sound(random_network(seed + 1 + random.below(50)), mutant, replies); continue;
        case 1: expect_sound(changed(claim->network, random), mutant, replies); continue;
        case 2:
          if (mutant.contains("answers") && !mutant["answers"].empty())
            mutant["answers"].erase(random.below(mutant["answers"].size()));
          break;
        case 3: replace_anything(mutant, random); break;
        default: change_problem(claim->network, mutant["problem"], random);
      }
      expect_sound(claim->network, mutant, replies);
    }
  }
  return replies;
}

// Bytes of the text changed, lost, or doubled.
Replies garble(std::uint64_t first_seed, std::uint64_t last_seed, std::size_t each) {
  Replies replies;
  for (std::uint64_t seed = first_seed; seed < last_seed; ++seed) {
    const auto claim = random_claim(seed);
    if (!claim) continue;
    Random random{seed};
    const std::string text = claim->certificate.dump();
    for (std::size_t i = 0; i < each; ++i) {
      std::string mutant = text;
      const std::size_t place = random.below(text.size());
      switch (random.below(4)) {
        case 0: mutant[place] = static_cast<char>(random.below(256)); break;
        case 1: mutant.erase(place, 1 + random.below(20)); break;
        case 2: mutant.insert(place, text.substr(random.below(text.size()), random.below(20))); break;
        default: mutant.resize(place);
      }
      const Reply got = reply(claim->network, mutant);
      replies.count(got);
      if (got == Reply::Accepted) REQUIRE(is_true(claim->network, Json::parse(mutant)));
    }
  }
  return replies;
}

}  // namespace

TEST_CASE("every verdict on random problems has a certificate or witnesses that are accepted") {
  const Tally tally = verify_random(0, 2000);
  MESSAGE(tally.certificates << " certificates, " << tally.witnesses << " witnesses");
  CHECK(tally.certificates > 1000);
  CHECK(tally.witnesses > 1000);
}

TEST_CASE("every verdict on programs that quarrel over locks has a certificate or witness that is accepted") {
  const Tally tally = verify_lock_programs(0, 1500);
  MESSAGE(tally.certificates << " certificates, " << tally.witnesses << " witnesses");
  CHECK(tally.certificates > 200);
  CHECK(tally.witnesses > 200);
}

TEST_CASE("every verdict on models with joins has a certificate or witness that is accepted") {
  const Tally tally = verify_joins(0, 1500);
  MESSAGE(tally.certificates << " certificates, " << tally.witnesses << " witnesses");
  CHECK(tally.certificates > 200);
  CHECK(tally.witnesses > 200);
}

TEST_CASE("every verdict on problems with random observers has a certificate or witnesses that are accepted") {
  const Tally tally = verify_observed(0, 600);
  MESSAGE(tally.certificates << " certificates, " << tally.witnesses << " witnesses");
  CHECK(tally.certificates > 300);
  CHECK(tally.witnesses > 100);
}

TEST_CASE("every verdict that models/ expects has a certificate or witness that is accepted") {
  Tally tally;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{LOCKWOOD_SOURCE_DIR "/models"}) {
    if (entry.path().extension() != ".dpn") continue;
    CAPTURE(entry.path().string());
    const ModelFile model = load_model(entry.path().string());
    for (const Query& query : model.queries)
      CHECK(verify_verdict(model.network, solver::problem_of(query), tally) == query.expected);
  }
  CHECK(tally.certificates > 20);
  CHECK(tally.witnesses > 20);
}

// A proof that is asked for must not be one of another run than the one that answers without it.
TEST_CASE("what is proved is the answer that is given with parts of the network left out") {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Network network = lock_program(seed);
    const solver::Problem problem = problem_of(lock_query(network, seed));
    CAPTURE(seed);
    const Answer plain = solve(network, problem);
    const Answer proved = solve(network, problem, {.certify = true});
    REQUIRE(plain.reduction);
    REQUIRE(proved.reduction);
    CHECK(proved.reduction->rules_left == plain.reduction->rules_left);
    CHECK(proved.statistics.facts == plain.statistics.facts);
    CHECK(proved.verdict == plain.verdict);
    if (plain.witness) {
      REQUIRE(proved.witness);
      CHECK(proved.witness->schedule == plain.witness->schedule);
      ++tally.witnesses;
    } else {
      REQUIRE(proved.certificate);
      CHECK(!verify::judge(network, proved.certificate->dump(), "proof").flaw);
      ++tally.certificates;
    }
  }
  CHECK(tally.witnesses > 30);
  CHECK(tally.certificates > 30);
}

TEST_CASE("a certificate without one of its contexts or facts, or with a weaker fact, is refused") {
  const Replies replies = weaken(0, 400, 4);
  MESSAGE(replies);
  CHECK(replies.refused > 500);
}

TEST_CASE("whatever is accepted after a change of the certificate, problem or model is true") {
  const Replies replies = change(0, 400, 4);
  MESSAGE(replies);
  CHECK(replies.refused > 200);
}

TEST_CASE("garbled certificates do no harm") {
  const Replies replies = garble(0, 400, 4);
  MESSAGE(replies);
  CHECK(replies.bad_input > 500);
}

TEST_CASE("[full] ten thousand random verdicts verify, also with more locks and control states") {
  const auto report = [](const std::string& what, const Tally& tally) {
    MESSAGE(what << ": " << tally.certificates << " certificates, " << tally.witnesses << " witnesses");
  };
  report("small networks", verify_random(2000, 8000));
  report("larger networks",
         verify_random(10'000, 12'000, {.controls = 3, .stacks = 10, .locks = 5, .actions = 4, .rules = 20}));
  report("programs", verify_lock_programs(1500, 8000));
  report("observers", verify_observed(600, 4000));
  report("joins", verify_joins(1500, 10'000));
  report("programs with four locks", verify_lock_programs(10'000, 12'000, {.threads = 4, .locks = 4}));
}

TEST_CASE("[full] more than ten thousand mutated certificates are refused or true") {
  MESSAGE(weaken(400, 2400, 5));
  MESSAGE(change(400, 2400, 5));
  MESSAGE(garble(400, 2400, 5));
}
