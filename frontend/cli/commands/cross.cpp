#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/text/quantity.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/generate.hpp"
#include "dpn/generators/shrink.hpp"
#include "frontend/cli/answering/engines.hpp"
#include "frontend/cli/answering/external_engine.hpp"
#include "frontend/cli/commands/commands.hpp"
#include "frontend/cli/input/model_input.hpp"
#include "frontend/cli/output/report_writer.hpp"

namespace lockwood::frontend {
namespace {

struct External {
  std::string name;
  std::string command;
};

struct CrossOptions {
  CommonOptions common;
  std::vector<std::string> paths;
  std::size_t random = 0;  // models
  std::size_t seed = 1;    // of the first one
  std::string family = "lock-programs";
  std::vector<dpn::ParameterValue> parameters;
  std::vector<std::string> engines{"fast", "reference", "explore"};
  std::vector<External> externals;
  dpn::ExploreBounds bounds{.configurations = 50'000, .stack_depth = 8, .threads = 5};
  std::chrono::milliseconds limit{std::chrono::seconds{5}};
  bool keep = false;
  std::size_t shown = 10;  // disagreements
};

// The two sides of `NAME=VALUE`.
std::pair<std::string, std::string> split(const std::string& option, const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == 0 || sign == std::string::npos || sign + 1 == text.size())
    throw CLI::ValidationError(option, fmt::format("'{}' is not of the form NAME=VALUE", text));
  return {text.substr(0, sign), text.substr(sign + 1)};
}

void declare_input(CLI::App& app, CrossOptions& options) {
  app.add_option("FILES", options.paths, "models whose queries are decided; - is standard input")
      ->type_name("FILE")
      ->group(section::input);
  add_number(app, "--random", options.random, "also so many random models")->group(section::input);
  add_number(app, "--seed", options.seed, "of the first random model; the next has the next one (default 1)")
      ->group(section::input);
  app.add_option("--family", options.family, "of random models: any of `lockwood gen --list` with a seed")
      ->type_name("FAMILY")
      ->capture_default_str()
      ->group(section::input);
  const auto set = [&options](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const auto [name, value] = split("--set", text);
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (error != std::errc{} || end != value.data() + value.size())
        throw CLI::ValidationError("--set", fmt::format("'{}' is not a number", value));
      options.parameters.push_back({name, number});
    }
  };
  app.add_option_function<std::vector<std::string>>("--set", set, "a parameter of the family, any number of times")
      ->type_name("NAME=N")
      ->allow_extra_args(false)
      ->group(section::input);
}

void declare_engines(CLI::App& app, CrossOptions& options) {
  const auto choose = [&options](const std::string& list) {
    options.engines.clear();
    std::istringstream words{list};
    for (std::string word; std::getline(words, word, ',');) {
      if (word != "fast" && word != "zdd" && word != "reference" && word != "explore")
        refuse_choice("--engines", word, {"fast", "zdd", "reference", "explore"});
      if (std::ranges::count(options.engines, word) == 0) options.engines.push_back(word);
    }
  };
  app.add_option_function<std::string>("--engines", choose,
                                       "which to compare, separated by commas (default all but zdd)")
      ->type_name("fast|zdd|reference|explore")
      ->group(section::analysis);
  const auto add = [&options](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      auto [name, command] = split("--external", text);
      options.externals.push_back({std::move(name), std::move(command)});
    }
  };
  app.add_option_function<std::vector<std::string>>(
         "--external", add, "another program to compare: it gets a file with one query and prints the verdict")
      ->type_name("NAME=COMMAND")
      ->allow_extra_args(false)
      ->group(section::analysis);
  app.add_flag("--no-shrink", options.keep, "print models on which engines disagree as they are")
      ->group(section::analysis);
}

void declare(CLI::App& app, CrossOptions& options) {
  declare_input(app, options);
  declare_engines(app, options);
  const auto bound = [&](const char* name, std::size_t& value, const std::string& description) {
    add_number(app, name, value, fmt::format("{} (default {})", description, value))->group(section::limits);
  };
  bound("--max-configurations", options.bounds.configurations, "configurations for the explorer to visit");
  bound("--max-depth", options.bounds.stack_depth, "frames of a stack, for the explorer");
  bound("--max-threads", options.bounds.threads, "threads alive at the same time, for the explorer");
  const auto set_limit = [&options](const std::string& text) {
    const auto limit = parse_duration(text);
    if (!limit)
      throw CLI::ValidationError("--engine-timeout", fmt::format("'{}' is not a time such as 500ms or 5s", text));
    options.limit = *limit;
  };
  app.add_option_function<std::string>("--engine-timeout", set_limit, "for each engine and query (default 5s)")
      ->type_name("TIME")
      ->group(section::limits);
  declare_limits(app, options.common.limits);
  add_number(app, "--max-shown", options.shown, "disagreements to print, the first ones (default 10); all are counted")
      ->group(section::output);
  declare_report(app, options.common.output);
  app.add_flag("--exit-zero", options.common.verdict.exit_zero, "exit 0 even if engines disagree")
      ->group(section::output);
  declare_general(app, options.common.general);
}

std::vector<Engine> engines_of(const CrossOptions& options) {
  std::vector<Engine> engines;
  for (const std::string& name : options.engines) {
    if (name == "fast") engines.push_back(fast_engine());
    if (name == "zdd") engines.push_back(zdd_engine());
    if (name == "reference") engines.push_back(reference_engine());
    if (name == "explore") engines.push_back(explore_engine(options.bounds));
  }
  for (const auto& [name, command] : options.externals) {
    if (std::ranges::count(engines, name, &Engine::name) > 0)
      throw InputError{"lockwood cross", fmt::format("there are two engines of the name '{}'", name)};
    engines.push_back(external_engine(name, command));
  }
  if (engines.empty()) throw InputError{"lockwood cross", "there is no engine to ask"};
  return engines;
}

// What an engine said in total.
struct OpinionTally {
  std::size_t reachable = 0;
  std::size_t unreachable = 0;
  std::size_t unknown = 0;
  std::size_t witnesses = 0;
  std::size_t certificates = 0;
  std::size_t flaws = 0;

  void add(const Opinion& opinion) {
    switch (opinion.verdict) {
      case dpn::Verdict::Reachable: ++reachable; break;
      case dpn::Verdict::Unreachable: ++unreachable; break;
      case dpn::Verdict::Unknown: ++unknown; break;
    }
    if (opinion.flaw) {
      ++flaws;
    } else if (opinion.evidence == Evidence::Witness) {
      ++witnesses;
    } else if (opinion.evidence == Evidence::Certificate) {
      ++certificates;
    }
  }
};

// Two engines, and how often both knew, and said the same.
struct Pair {
  std::size_t first;
  std::size_t second;
  std::size_t decided = 0;
  std::size_t agreed = 0;
};

class Comparison {
 public:
  Comparison(const CrossOptions& options, Run& run, ReportWriter& writer)
      : options_{options}, run_{run}, writer_{writer}, engines_{engines_of(options)}, tallies_(engines_.size()) {
    for (std::size_t second = 1; second < engines_.size(); ++second)
      for (std::size_t first = 0; first < second; ++first) pairs_.push_back({first, second});
    verdicts_ = {.key = "verdicts", .title = "Verdicts", .columns = {"model", "query"}, .rows = {}};
    for (const Engine& engine : engines_) verdicts_.columns.push_back(engine.name);
    verdicts_.columns.emplace_back("agree");
  }

  // Decides the queries. `listed`: each gets a row of its own in the report.
  void compare(const std::string& name, const dpn::ModelFile& model, bool listed) {
    ++models_;
    for (std::size_t i = 0; i < model.queries.size(); ++i) {
      const dpn::Query& query = model.queries[i];
      const std::string place =
          query.at ? fmt::format("{}:{}", name, query.at->line) : fmt::format("{}, query {}", name, i + 1);
      run_.progress.show(fmt::format("{} ({} queries compared)", place, compared_));
      const std::vector<Opinion> given = opinions(engines_, model.network, query, options_.limit, run_.stop);
      if (run_.stop.stop_requested()) return;  // who was interrupted would have known
      count(given);
      const bool unexpected = std::ranges::any_of(given, [&](const Opinion& opinion) {
        return query.expected && contradict(opinion, {.verdict = *query.expected});
      });
      if (unexpected) ++unexpected_;
      if (disagree(given)) report_disagreement(place, model.network, query, given);
      if (listed) list(place, model.network, query, given, !disagree(given) && !unexpected);
    }
  }

  [[nodiscard]] ExitStatus finish() {
    // What needs attention comes first: long tables are cut short.
    std::stable_partition(verdicts_.rows.begin(), verdicts_.rows.end(),
                          [](const auto& row) { return !std::get<bool>(row.back()); });
    if (!verdicts_.rows.empty()) writer_.add(std::move(verdicts_));
    Table engines{.key = "engines",
                  .title = "Engines",
                  .columns = {"engine", "reachable", "unreachable", "unknown", "witnesses", "certificates", "flaws"},
                  .rows = {}};
    for (std::size_t i = 0; i < engines_.size(); ++i) {
      const OpinionTally& tally = tallies_[i];
      engines.rows.push_back({engines_[i].name, frontend::count(tally.reachable), frontend::count(tally.unreachable),
                              frontend::count(tally.unknown), frontend::count(tally.witnesses),
                              frontend::count(tally.certificates), frontend::count(tally.flaws)});
    }
    writer_.add(std::move(engines));
    if (!pairs_.empty()) {
      Table agreement{.key = "agreement",
                      .title = "Agreement",
                      .columns = {"engines", "both_decided", "agree", "differ"},
                      .rows = {}};
      for (const Pair& pair : pairs_)
        agreement.rows.push_back({fmt::format("{} and {}", engines_[pair.first].name, engines_[pair.second].name),
                                  frontend::count(pair.decided), frontend::count(pair.agreed),
                                  frontend::count(pair.decided - pair.agreed)});
      writer_.add(std::move(agreement));
    }
    PropertyList summary{.key = "summary",
                         .title = {},
                         .properties = {{"models", frontend::count(models_)},
                                        {"queries", frontend::count(queries_)},
                                        {"compared", frontend::count(compared_)},
                                        {"disagreements", frontend::count(disagreements_)},
                                        {"unexpected", frontend::count(unexpected_)}}};
    if (options_.random > 0) {
      summary.properties.push_back({"family", options_.family});
      summary.properties.push_back({"first_seed", frontend::count(options_.seed)});
    }
    writer_.add(std::move(summary));
    writer_.finish();
    if (options_.common.verdict.exit_zero) return ExitStatus::Nothing;
    if (disagreements_ + unexpected_ > 0) return ExitStatus::Finding;
    return run_.stop.stop_requested() ? ExitStatus::GaveUp : ExitStatus::Nothing;
  }

 private:
  void count(const std::vector<Opinion>& given) {
    ++queries_;
    std::size_t decided = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      tallies_[i].add(given[i]);
      if (given[i].verdict != dpn::Verdict::Unknown) ++decided;
    }
    if (decided > 1) ++compared_;
    for (Pair& pair : pairs_) {
      const Opinion& first = given[pair.first];
      const Opinion& second = given[pair.second];
      if (first.verdict == dpn::Verdict::Unknown || second.verdict == dpn::Verdict::Unknown) continue;
      ++pair.decided;
      if (first.verdict == second.verdict) ++pair.agreed;
    }
  }

  void list(const std::string& place, const dpn::Network& network, const dpn::Query& query,
            const std::vector<Opinion>& given, bool agree) {
    std::vector<Value> row{place, dpn::to_text(network, query)};
    for (const Opinion& opinion : given) row.emplace_back(to_text(opinion));
    row.emplace_back(agree);
    verdicts_.rows.push_back(std::move(row));
  }

  // A file with the model, shrunk, and what the engines say about it.
  void report_disagreement(const std::string& place, const dpn::Network& network, const dpn::Query& query,
                           std::vector<Opinion> given) {
    if (++disagreements_ > options_.shown) return;
    dpn::Shrunk small{network, query};
    std::string history = "as it is";
    if (!options_.keep) {
      run_.progress.show("shrinking " + place);
      const auto still = [&](const dpn::Network& candidate, const dpn::Query& question) {
        return disagree(opinions(engines_, candidate, question, options_.limit, run_.stop));
      };
      small = dpn::shrunk(network, query, still, {.stop = run_.stop});
      history = fmt::format("shrunk from {} rules to {}{}", network.rules().size(), small.network.rules().size(),
                            small.minimal ? "" : ", not to the end");
      const auto again = opinions(engines_, small.network, small.query, options_.limit, run_.stop);
      if (disagree(again)) given = again;
    }
    small.query.expected.reset();
    Listing listing{.key = fmt::format("disagreement_{}", disagreements_), .title = {}, .lines = {}};
    listing.lines.push_back(fmt::format("// The engines disagree on {}, {}.", place, history));
    for (std::size_t i = 0; i < given.size(); ++i)
      listing.lines.push_back(fmt::format("// {}: {}", engines_[i].name, on_one_line(to_text(given[i]))));
    std::istringstream text{dpn::to_dpn(small.network, {&small.query, 1})};
    for (std::string line; std::getline(text, line);) listing.lines.push_back(line);
    writer_.add(std::move(listing));
  }

  static std::string on_one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
  }

  const CrossOptions& options_;
  Run& run_;
  ReportWriter& writer_;
  std::vector<Engine> engines_;
  std::vector<OpinionTally> tallies_;  // by engine
  std::vector<Pair> pairs_;
  Table verdicts_;
  std::size_t models_ = 0;
  std::size_t queries_ = 0;
  std::size_t compared_ = 0;  // by at least two engines that decided
  std::size_t disagreements_ = 0;
  std::size_t unexpected_ = 0;
};

const dpn::Family& random_family(const std::string& name) {
  const dpn::Family& family = dpn::family_named(name);
  if (std::ranges::count(family.parameters, "seed", &dpn::Parameter::name) == 0)
    throw InputError{"lockwood cross", fmt::format("{} has no seed: its models are not random", name)};
  return family;
}

void compare_random_models(const CrossOptions& options, const dpn::Family& family, Comparison& comparison, Run& run) {
  for (std::size_t i = 0; i < options.random && !run.stop.stop_requested(); ++i) {
    const std::size_t seed = options.seed + i;
    std::vector<dpn::ParameterValue> values = options.parameters;
    values.push_back({"seed", static_cast<std::int64_t>(seed)});
    comparison.compare(fmt::format("{} with seed {}", options.family, seed), dpn::generate(family, values), false);
  }
}

ExitStatus run(const CrossOptions& options, Run& run) {
  if (options.paths.empty() && options.random == 0)
    throw InputError{"lockwood cross", "there is nothing to compare: name FILES, or random models by --random=N"};
  const dpn::Family& family = random_family(options.family);
  std::vector<ModelInput> models;  // all are read before any is decided, so that errors in them are told at once
  for (const std::string& path : options.paths) models.push_back(read_model(path, run));
  ReportWriter writer{run};
  Comparison comparison{options, run, writer};
  for (const ModelInput& model : models) {
    if (model.file.queries.empty()) run.note(model.identity.path + " asks no queries");
    comparison.compare(model.identity.path, model.file, true);
  }
  if (options.random > 0) compare_random_models(options, family, comparison, run);
  return comparison.finish();
}

}  // namespace

Command cross_command() {
  return make_command<CrossOptions>(
      {.name = "cross",
       .group = CommandGroup::Research,
       .summary = "compare engines with each other on models, also random ones",
       .description =
           "Has each query decided by each engine. Engines that disagree are a finding, as are witnesses and "
           "certificates that the independent checker refuses and verdicts that a file does not expect; unknown agrees "
           "with everything. A model on which engines disagree is shrunk and printed.",
       .examples = {{"lockwood cross models/fig1.dpn", "all engines on the queries of a file"},
                    {"lockwood cross --random=1000 --seed=7", "on random programs that quarrel over locks"},
                    {"lockwood cross --random=100 --external 'mine=./my-engine --quiet'",
                     "test an engine of your own"}},
       .exits = ExitTable::Verdict},
      declare, run);
}

}  // namespace lockwood::frontend
