#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dpn/model/network.hpp"
#include "dpn/model/query.hpp"
#include "frontend/cli/options/options.hpp"
#include "frontend/cli/run.hpp"
#include "frontend/findings/findings.hpp"
#include "frontend/report/report.hpp"
#include "solver/analyses/solve.hpp"
#include "solver/query/query_problem.hpp"
#include "solver/query/tree_alphabet.hpp"
#include "solver/reduction/relevance.hpp"

// What the commands that ask the solver have in common: its options, and how its answers become results.
namespace lockwood::frontend {

struct SolvingOptions {
  bool nolocks = false;
  bool verify = false;
  bool explain = false;
  bool removal = false;
  solver::WitnessChoice witness = solver::WitnessChoice::Smallest;
  std::size_t witness_limit = 1'000'000;  // nodes
  solver::DomainChoice domain = solver::DomainChoice::Auto;
  solver::LockChoice locks = solver::LockChoice::Auto;
  solver::Reductions reductions;
  std::size_t jobs = 1;
  std::optional<std::string> proofs;   // a folder
  std::optional<std::string> dot;      // a file
  std::vector<std::string> observers;  // N=FILE
};

// `--nolocks`.
void declare_nolocks(CLI::App& app, SolvingOptions& options);
// `--verify`.
void declare_verify(CLI::App& app, bool& verify);
// `--verify`, `--proofs`: of every command whose answers have proofs.
void declare_proofs(CLI::App& app, SolvingOptions& options);
// `--witness`, `--witness-limit`: of commands that show an execution for what is reachable.
void declare_witness(CLI::App& app, SolvingOptions& options);
// `--dot`: of commands that call Solver::write_pictures.
void declare_pictures(CLI::App& app, SolvingOptions& options);
// `--explain`, `--removal`: of commands that answer queries.
void declare_explanations(CLI::App& app, SolvingOptions& options);
// `--no-reduce`.
void declare_reductions(CLI::App& app, solver::Reductions& reductions);
// `--jobs`, for what it says.
void declare_jobs(CLI::App& app, std::size_t& jobs, const std::string& what);
// `--domain`, `--jobs`: of commands that let the engine look for one thing at a time.
void declare_engine(CLI::App& app, SolvingOptions& options);
// `--locks`, which is one of these.
void declare_locks(CLI::App& app, solver::LockChoice& locks);
// `--observer`.
void declare_observers(CLI::App& app, SolvingOptions& options);

// Throws BrokenAnswer if the code of lockwood-verify has something against it as a proof of this verdict on this
// problem, and Interrupted if asked to stop.
void verify_proof(const dpn::Network& network, const solver::Problem& problem, const std::string& proof,
                  dpn::Verdict verdict, StopToken stop);

// What the engine did, and what was left of the network before it began, if something was left out.
[[nodiscard]] std::vector<Property> properties_of(const solver::EngineStatistics& statistics,
                                                  const std::optional<solver::ReductionStatistics>& reduction);

using findings::Confirmation;
// For the summary; nothing if there was nothing to prove.
[[nodiscard]] std::vector<Property> properties_of(const Confirmation& confirmation);

// Answers questions about one network as the options say.
class Solver {
 public:
  // Reads the observers. Throws InputError. The network must outlive it.
  Solver(const dpn::Network& network, const SolvingOptions& options, Run& run);

  [[nodiscard]] QueryAnswer answer(dpn::Query query);
  // The answer to any problem, with the text that presents it.
  [[nodiscard]] QueryAnswer answer(const solver::Problem& problem, std::string query);
  // The same for an answer that was found elsewhere: checked and written down as the options say.
  [[nodiscard]] QueryAnswer presented(const solver::Problem& problem, std::string query, solver::Answer found);

  // If the options ask for proofs, and only then are there claims: has each query answered by itself, with its proof,
  // and tells how many were, until something stopped it. Throws BrokenAnswer if one is answered otherwise than
  // expected.
  [[nodiscard]] Confirmation confirm(const std::function<std::vector<dpn::Query>()>& claims_of_answer);

  // The same for one problem that was answered before: one claim.
  [[nodiscard]] Confirmation confirm(const solver::Problem& problem, const std::string& query, dpn::Verdict verdict);

  [[nodiscard]] solver::SolveOptions solve_options() const;

  // The execution trees of all witnesses so far, if asked for.
  void write_pictures() const;

 private:
  void read_observer(const std::string& text);
  void prove(const solver::Problem& problem, const solver::Answer& found) const;
  void report_large_witness(const solver::Answer& found, QueryAnswer& answer);
  void add_picture(const dpn::ExecutionTree& tree, const std::string& query);
  void explain(const solver::Problem& problem, QueryAnswer& answer);

  const dpn::Network& network_;
  const SolvingOptions& options_;
  Run& run_;
  mutable solver::ReplaySample sample_;                // of answers without a witness
  std::shared_ptr<const dpn::TreeAlphabet> alphabet_;  // of the observers
  std::vector<std::pair<std::size_t, std::shared_ptr<const solver::Observer>>> observers_;  // by step, from 0
  std::size_t answered_ = 0;
  std::size_t unproved_ = 0;  // reachable, with witnesses that are too large
  std::string pictures_;      // graphs, one after the other
};

}  // namespace lockwood::frontend
