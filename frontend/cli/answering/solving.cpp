#include "frontend/cli/answering/solving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/process/output_error.hpp"
#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/formats/tree_text.hpp"
#include "frontend/api/proof.hpp"
#include "frontend/findings/narrative/explanation.hpp"
#include "treeauto/formats/timbuk.hpp"

namespace lockwood::frontend {

void declare_nolocks(CLI::App& app, SolvingOptions& options) {
  app.add_flag("--nolocks", options.nolocks, "ignore all locks")->group(section::analysis);
}

void declare_witness(CLI::App& app, SolvingOptions& options) {
  using solver::WitnessChoice;
  add_choice(app, "--witness", options.witness,
             {{"smallest", WitnessChoice::Smallest},
              {"fewest-threads", WitnessChoice::FewestThreads},
              {"fewest-switches", WitnessChoice::FewestSwitches},
              {"none", WitnessChoice::None}},
             "which execution to show for what is reachable (default smallest)")
      ->group(section::analysis);
  add_number(app, "--witness-limit", options.witness_limit,
             fmt::format("do not write out an execution with more nodes than this (default {}); the verdict stays",
                         options.witness_limit))
      ->group(section::limits);
}

void declare_verify(CLI::App& app, bool& verify) {
  app.add_flag("--verify", verify,
               "have every answer checked by the code of lockwood-verify: witnesses and certificates")
      ->group(section::analysis);
}

void declare_proofs(CLI::App& app, SolvingOptions& options) {
  declare_verify(app, options.verify);
  app.add_option("--proofs", options.proofs,
                 "write the proof of each answer into this folder, as N.witness.json or N.certificate.json")
      ->type_name("DIR")
      ->group(section::output);
}

void declare_pictures(CLI::App& app, SolvingOptions& options) {
  app.add_option("--dot", options.dot,
                 "write the execution trees of all witnesses there as graphs for Graphviz, one after the other")
      ->type_name("FILE")
      ->group(section::output);
}

void declare_explanations(CLI::App& app, SolvingOptions& options) {
  app.add_flag("--explain", options.explain,
               "say why what is unreachable is so: with a minimal set of locks that suffices, if locks are the reason")
      ->group(section::analysis);
  app.add_flag("--removal", options.removal,
               "find a smallest set of locks without which what is unreachable would be reachable")
      ->group(section::analysis);
}

void declare_reductions(CLI::App& app, solver::Reductions& reductions) {
  const auto switch_off = [&reductions](const std::string& word) {
    using solver::Reductions;
    const std::vector<std::pair<std::string, bool Reductions::*>> parts{
        {"rules", &Reductions::rules},           {"spawns", &Reductions::spawns}, {"locks", &Reductions::locks},
        {"procedures", &Reductions::procedures}, {"chains", &Reductions::chains}, {"goals", &Reductions::goals}};
    if (word == "all") {
      reductions = Reductions::none();
      return;
    }
    std::vector<std::string> words;
    for (const auto& [name, member] : parts) {
      words.push_back(name);
      if (name == word) {
        reductions.*member = false;
        return;
      }
    }
    words.emplace_back("all");
    refuse_choice("--no-reduce", word, words);
  };
  app.add_option_function<std::vector<std::string>>(
         "--no-reduce",
         [switch_off](const std::vector<std::string>& words) {
           for (const std::string& word : words) switch_off(word);
         },
         "do not leave these out of the model though they cannot matter to the question: rules that cannot be reached "
         "or lead to nothing, threads, locks, procedures that only return, chains of steps, facts that lack a goal "
         "which nothing else can meet; answers are the same")
      ->type_name("rules|spawns|locks|procedures|chains|goals|all")
      ->delimiter(',')
      ->group(section::reductions);
}

void declare_jobs(CLI::App& app, std::size_t& jobs, const std::string& what) {
  const auto set = [&jobs](const std::string& text) {
    jobs = number_in("--jobs", text);
    if (jobs == 0 || jobs > 1024)
      throw CLI::ValidationError("--jobs", fmt::format("'{}' is not between 1 and 1024", text));
  };
  app.add_option_function<std::string>("--jobs,-j", set, what)->type_name("N")->group(section::analysis);
}

void declare_engine(CLI::App& app, SolvingOptions& options) {
  declare_jobs(app, options.jobs, "threads for a large query (default 1); answers are the same");
  using solver::DomainChoice;
  add_choice(
      app, "--domain", options.domain,
      {{"explicit", DomainChoice::Explicit}, {"zdd", DomainChoice::Zdd}, {"auto", DomainChoice::Auto}},
      fmt::format("how to keep what is known of locks: one by one, in decision diagrams, or (default auto) in diagrams "
                  "once more than {} cases have to be told apart at one place; verdicts are the same",
                  solver::SolveOptions{}.many_structures))
      ->group(section::analysis);
  declare_locks(app, options.locks);
}

void declare_locks(CLI::App& app, solver::LockChoice& locks) {
  using solver::LockChoice;
  add_choice(app, "--locks", locks, {{"all", LockChoice::All}, {"lazy", LockChoice::Lazy}, {"auto", LockChoice::Auto}},
             "which locks to respect: all of them, or only those that the answer turns out to need; default auto: all, "
             "until there are too many sets of held locks; verdicts are the same")
      ->group(section::analysis);
}

void declare_observers(CLI::App& app, SolvingOptions& options) {
  app.add_option("--observer", options.observers,
                 "the execution up to the end of step N (from 1; default 1) must be accepted by this automaton in the "
                 "Timbuk format; lockwood show --alphabet tells its symbols")
      ->type_name("[N=]FILE")
      ->group(section::analysis);
}

Solver::Solver(const dpn::Network& network, const SolvingOptions& options, Run& run)
    : network_{network}, options_{options}, run_{run}, sample_{network.rules().size()} {
  if (!options.observers.empty()) alphabet_ = std::make_shared<dpn::TreeAlphabet>(network);
  for (const std::string& observer : options.observers) read_observer(observer);
}

void Solver::read_observer(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string number = text.substr(0, std::min(equals, text.size()));
  const bool numbered = equals != std::string::npos && !number.empty() &&
                        std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
  std::size_t step = 1;
  if (numbered && std::from_chars(number.data(), number.data() + number.size(), step).ec != std::errc{})
    throw InputError{"--observer", "there is no step " + number};
  const std::string path = numbered ? text.substr(equals + 1) : text;
  if (step == 0) throw InputError{"--observer", "steps are counted from 1"};
  treeauto::Automaton automaton = treeauto::read_timbuk_file(path, treeauto::TimbukReading::Lenient, run_.stop);
  observers_.emplace_back(step - 1, std::make_shared<solver::Observer>(alphabet_, std::move(automaton), path));
}

solver::SolveOptions Solver::solve_options() const {
  const bool checked = options_.verify || options_.proofs;
  const bool not_shown = options_.witness == solver::WitnessChoice::None && (checked || options_.dot);
  return {.witness = not_shown ? solver::WitnessChoice::Smallest : options_.witness,
          .witness_limit = options_.witness_limit,
          .domain = options_.domain,
          .locks = options_.locks,
          .certify = checked,
          .reductions = options_.reductions,
          .jobs = options_.jobs,
          .sample = &sample_,
          .stop = run_.stop};
}

QueryAnswer Solver::answer(dpn::Query query) {
  if (options_.nolocks && query.semantics == dpn::Semantics::LockSensitive) {
    query.semantics = dpn::Semantics::LockInsensitive;
    query.expected.reset();  // it is about the query as it is written
  }
  solver::Problem problem = solver::problem_of(query);
  for (const auto& [step, observer] : observers_) {
    if (step >= problem.phases.size())
      throw InputError{"--observer",
                       fmt::format("the query '{}' has no step {}", dpn::to_text(network_, query), step + 1)};
    problem.phases[step].observers.push_back(observer);
  }
  QueryAnswer answered = answer(problem, dpn::to_text(network_, query));
  answered.at = query.at;
  answered.expected = observers_.empty() ? query.expected : std::nullopt;
  return answered;
}

QueryAnswer Solver::answer(const solver::Problem& problem, std::string query) {
  return presented(problem, std::move(query), solver::solve(network_, problem, solve_options()));
}

std::vector<Property> properties_of(const solver::EngineStatistics& statistics,
                                    const std::optional<solver::ReductionStatistics>& reduction) {
  std::vector<Property> properties{{"contexts", count(statistics.contexts)},
                                   {"facts", count(statistics.facts)},
                                   {"candidates", count(statistics.candidates)},
                                   {"lock_structures", count(statistics.structures)},
                                   {"widest_antichain", count(statistics.widest_antichain)}};
  if (reduction) {
    const auto of = [](std::size_t left, std::size_t all) { return fmt::format("{} of {}", left, all); };
    properties.push_back({"rules_left", of(reduction->rules_left, reduction->rules)});
    properties.push_back({"locks_left", of(reduction->locks_left, reduction->locks)});
  }
  return properties;
}

QueryAnswer Solver::presented(const solver::Problem& problem, std::string query, solver::Answer found) {
  ++answered_;
  QueryAnswer answered{.query = std::move(query),
                       .at = {},
                       .semantics = problem.semantics,
                       .verdict = found.verdict,
                       .unknown_because = {},
                       .expected = {},
                       .schedule = {},
                       .explanation = {},
                       .notes = {},
                       .statistics = properties_of(found.statistics, found.reduction)};
  const bool by_diagrams = found.domain == solver::DomainChoice::Zdd;
  answered.statistics.push_back({"domain", std::string{by_diagrams ? "zdd" : "explicit"}});
  if (found.locks) {
    std::vector<std::string> names;
    for (dpn::Lock lock : *found.locks) names.emplace_back(network_.locks().shown(lock));
    answered.statistics.push_back({"locks_respected", TextList{std::move(names)}});
  }
  if (options_.domain == solver::DomainChoice::Zdd && !by_diagrams)
    answered.notes.emplace_back(options_.verify || options_.proofs
                                    ? "--domain=zdd gives no certificate: decided with --domain=explicit"
                                    : "there are too many locks for --domain=zdd: decided with --domain=explicit");
  const bool shown = options_.witness != solver::WitnessChoice::None;
  if (shown && found.witness && !found.witness->best)
    answered.notes.emplace_back(
        "this execution need not be the best one: the search for that had too many cases to keep");
  if (found.verdict == dpn::Verdict::Unknown) answered.unknown_because = why_unknown(found);
  try {
    prove(problem, found);
  } catch (const Interrupted& interrupted) {
    answered.verdict = dpn::Verdict::Unknown;
    answered.unknown_because =
        fmt::format("{} before the proof that it is {} was checked", interrupted.what(), to_string(found.verdict));
    return answered;
  }
  if (found.large_witness) report_large_witness(found, answered);
  if (options_.dot && found.witness) add_picture(found.witness->tree, answered.query);
  if (found.verdict == dpn::Verdict::Unreachable) explain(problem, answered);
  if (found.witness && options_.witness != solver::WitnessChoice::None)
    answered.schedule = Witness{&network_, std::move(found.witness->schedule)};
  return answered;
}

void verify_proof(const dpn::Network& network, const solver::Problem& problem, const std::string& proof,
                  dpn::Verdict verdict, StopToken stop) {
  if (const auto reason = api::rejection_reason(network, problem, proof, verdict, stop))
    throw solver::BrokenAnswer{"the proof of an answer is refused: " + *reason};
}

std::vector<Property> properties_of(const Confirmation& confirmation) {
  if (confirmation.claims == 0) return {};
  return {{"claims", count(confirmation.claims)}, {"claims_proved", count(confirmation.proved)}};
}

Confirmation Solver::confirm(const std::function<std::vector<dpn::Query>()>& claims_of_answer) {
  if (!options_.verify && !options_.proofs) return {};
  const std::vector<dpn::Query> claims = claims_of_answer();
  Confirmation confirmation{.claims = claims.size(), .proved = 0};
  for (const dpn::Query& claim : claims) {
    run_.progress.show("proof", confirmation.proved + 1, claims.size());
    const QueryAnswer answered = answer(claim);
    if (answered.verdict == dpn::Verdict::Unknown || unproved_ != 0) break;
    if (contradicts_expectation(answered))
      throw solver::BrokenAnswer{"asked by itself, the query '" + answered.query + "' has another answer"};
    ++confirmation.proved;
  }
  return confirmation;
}

Confirmation Solver::confirm(const solver::Problem& problem, const std::string& query, dpn::Verdict verdict) {
  if (!options_.verify && !options_.proofs) return {};
  const QueryAnswer answered = answer(problem, query);
  if (answered.verdict == dpn::Verdict::Unknown || unproved_ != 0) return {.claims = 1, .proved = 0};
  if (answered.verdict != verdict)
    throw solver::BrokenAnswer{"asked by itself, the query '" + answered.query + "' has another answer"};
  return {.claims = 1, .proved = 1};
}

// Checks the proof of the answer and writes it down, as asked for.
void Solver::prove(const solver::Problem& problem, const solver::Answer& found) const {
  if (!(options_.verify || options_.proofs) || found.verdict == dpn::Verdict::Unknown || found.large_witness) return;
  const std::string proof = api::proof_of(network_, problem, found, run_.stop);
  if (options_.verify) verify_proof(network_, problem, proof, found.verdict, run_.stop);
  if (!options_.proofs) return;
  std::error_code failure;
  std::filesystem::create_directories(*options_.proofs, failure);
  if (failure) throw OutputError{*options_.proofs, failure.message()};
  const char* kind = found.verdict == dpn::Verdict::Reachable ? "witness" : "certificate";
  write_text_file(fmt::format("{}/{}.{}.json", *options_.proofs, answered_, kind), proof + '\n');
}

void Solver::report_large_witness(const solver::Answer& found, QueryAnswer& answered) {
  ++unproved_;
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::uint64_t nodes = std::min(found.large_witness->nodes, most);
  answered.statistics.push_back({"witness_nodes", count(nodes)});
  const bool exact = found.large_witness->smallest && nodes < most;
  answered.explanation.push_back(fmt::format("{} {} nodes, above --witness-limit: not written out, not replayed{}",
                                             exact ? "its smallest witness has" : "its witness has at least", nodes,
                                             options_.verify || options_.proofs ? ", not proved" : ""));
}

void Solver::add_picture(const dpn::ExecutionTree& tree, const std::string& query) {
  try {
    pictures_ += dpn::to_dot(network_, tree, query, run_.stop);
  } catch (const Interrupted& interrupted) {
    run_.note(fmt::format("{}: there is no picture of {}", interrupted.what(), query));
  }
}

void Solver::write_pictures() const {
  if (options_.dot) write_text_file(*options_.dot, pictures_);
}

void Solver::explain(const solver::Problem& problem, QueryAnswer& answered) {
  try {
    if (options_.explain)
      answered.explanation = explanation(network_, problem, solver::explain(network_, problem, run_.stop));
    if (options_.removal)
      answered.explanation.push_back(removal_text(network_, solver::smallest_removal(network_, problem, run_.stop)));
  } catch (const Interrupted& interrupted) {
    answered.explanation.push_back(std::string{"no explanation: "} + interrupted.what());
  }
}

}  // namespace lockwood::frontend
