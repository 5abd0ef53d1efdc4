#include "frontend/cli/options/options.hpp"

#include <fmt/format.h>

#include <CLI/Error.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <sstream>

#include "base/text/quantity.hpp"
#include "base/text/suggestion.hpp"

namespace lockwood::frontend {
namespace {

void silence_warning(const std::string& name, std::vector<program::WarningCode>& silenced) {
  std::vector<std::string> names{"all"};
  for (std::size_t i = 0; i < program::warning_codes; ++i) {
    const auto code = static_cast<program::WarningCode>(i);
    names.emplace_back(program::name_of(code));
    if (name == "all" || name == names.back()) silenced.push_back(code);
  }
  if (name != "all" && !program::warning_code(name)) refuse_choice("--no-warn", name, names);
}

}  // namespace

void refuse_choice(const std::string& option, const std::string& given, const std::vector<std::string>& words) {
  std::string message = fmt::format("'{}' is none of {}", given, fmt::join(words, ", "));
  if (const std::string hint = suggestion_hint(given, words); !hint.empty()) message += "; " + hint;
  throw CLI::ValidationError(option, message);
}

std::size_t number_in(const std::string& name, const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool small = number <= std::numeric_limits<std::int64_t>::max();  // what reports can show
  if (error == std::errc::result_out_of_range || !small)
    throw CLI::ValidationError(name, fmt::format("'{}' is too large", text));
  if (error != std::errc{} || end != text.data() + text.size())
    throw CLI::ValidationError(name, fmt::format("'{}' is not a number", text));
  return number;
}

CLI::Option* add_number(CLI::App& app, const std::string& name, std::size_t& target, const std::string& description) {
  const auto set = [&target, name](const std::string& text) { target = number_in(name, text); };
  return app.add_option_function<std::string>(name, set, description)->type_name("N");
}

void declare_model(CLI::App& app, std::string& path, ProgramOptions& options) {
  app.add_option("FILE", path, "the model, as .dpn text or JSON, or a program *.lw; - is standard input")
      ->required()
      ->type_name("FILE")
      ->group(section::input);
  declare_program_options(app, options);
}

void declare_program_options(CLI::App& app, ProgramOptions& options) {
  declare_java_options(app, options.java);
  const auto leave_out = [&options](const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (name == "isolation")
        options.java.lowering.isolation = false;
      else if (name == "joins")
        options.java.lowering.joins = false;
      else if (name == "merging")
        options.java.lowering.merging = false;
      else if (name == "waits")
        options.lowering.exact_waits = false;
      else
        refuse_choice("--without", name, {"isolation", "joins", "merging", "waits"});
    }
  };
  app.add_option_function<std::vector<std::string>>(
         "--without", leave_out,
         "what to leave out of the model of a program, which then has more schedules: isolation (locks of one object "
         "of many) and joins of "
         "Java programs, and waits; or merging of copies of methods, which changes no verdict; can be repeated")
      ->type_name("isolation|joins|merging|waits")
      ->expected(1)
      ->take_all()
      ->group(section::input);
  const auto abstract = [&options](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const std::size_t dot = text.find('.');
      if (dot == std::string::npos || dot == 0 || dot + 1 == text.size())
        throw CLI::ValidationError("--abstract", fmt::format("'{}' is not PROCEDURE.NAME", text));
      options.lowering.abstracted.push_back({text.substr(0, dot), text.substr(dot + 1)});
    }
  };
  app.add_option_function<std::vector<std::string>>(
         "--abstract", abstract, "let the model of a program forget the values of a bool; can be repeated")
      ->type_name("PROC.NAME")
      ->expected(1)
      ->take_all()
      ->group(section::input);
  add_number(app, "--max-valuations", options.lowering.valuations_per_point,
             "refuse programs with more valuations of their bools at one point (4096)")
      ->group(section::input);
  const auto silence = [&options](const std::vector<std::string>& lists) {
    for (const std::string& list : lists) {
      std::istringstream words{list};
      for (std::string word; std::getline(words, word, ',');) silence_warning(word, options.silenced);
    }
  };
  app.add_option_function<std::vector<std::string>>(
         "--no-warn", silence, "kinds of warnings about programs not to show, separated by commas; or all")
      ->type_name("KIND")
      ->expected(1)
      ->take_all()
      ->group(section::input);
}

void declare_query_numbers(CLI::App& app, std::vector<std::size_t>& numbers) {
  const auto add = [&numbers](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) numbers.push_back(number_in("--query", text));
  };
  app.add_option_function<std::vector<std::string>>("--query", add,
                                                    "answer only the N-th query of the file, from 1; can be repeated")
      ->type_name("N")
      ->expected(1)
      ->take_all()
      ->group(section::input);
}

void declare_output_path(CLI::App& app, std::string& path) {
  app.add_option("--output,-o", path, "write there instead of to standard output")
      ->type_name("FILE")
      ->group(section::output);
}

void declare_report(CLI::App& app, OutputOptions& options) {
  declare_output_path(app, options.path);
  app.add_option("--json", options.json, "write JSON instead of text, or besides it into a file")
      ->type_name("[FILE]")
      ->group(section::output);
  app.add_flag("--timing", options.timing, "tell the time taken; JSON is the same in each run without it")
      ->group(section::output);
}

void declare_finding_files(CLI::App& app, OutputOptions& options) {
  app.add_option("--sarif", options.sarif,
                 "write what was found into this file as SARIF 2.1.0, too; - is instead of text")
      ->type_name("FILE")
      ->group(section::output);
  add_number(app, "--sarif-results", options.sarif_bounds.results,
             "write at most so many results, the most important ones (25000)")
      ->group(section::output);
  add_number(app, "--sarif-flows", options.sarif_bounds.flows,
             "write schedules and stacks of at most so many results, the most important ones (1000)")
      ->group(section::output);
  app.add_option("--html", options.html,
                 "write a report to look at in a browser into this file, too; - is instead of text")
      ->type_name("FILE")
      ->group(section::output);
  declare_statistics(app, options);
}

void declare_svcomp(CLI::App& app, OutputOptions& options) {
  app.add_option(
         "--svcomp", options.svcomp,
         "write each race and failed assertion of a program that was executed with its values into this folder, as "
         "ID.graphml: a violation witness in the format of SV-COMP")
      ->type_name("DIR")
      ->group(section::output);
}

void declare_statistics(CLI::App& app, OutputOptions& options) {
  const auto statistics = [&options](const std::string& format) {
    if (format != "json") refuse_choice("--stats", format, {"json"});
    options.statistics = true;
  };
  app.add_option_function<std::string>("--stats", statistics,
                                       "tell on standard error, as a line of JSON, what the work took")
      ->type_name("json")
      ->group(section::output);
}

void declare_baseline(CLI::App& app, OutputOptions& options) {
  app.add_option("--baseline", options.baseline,
                 "what an earlier report, written with --json or --sarif, has found is known and no longer counts")
      ->type_name("FILE")
      ->group(section::analysis);
}

void declare_finding_choice(CLI::App& app, OutputOptions& options) {
  const auto only = [&options](const std::string& word) {
    if (word != "executed") refuse_choice("--only", word, {"executed"});
    options.only_executed = true;
  };
  app.add_option_function<std::string>("--only", only,
                                       "of what was found, write only what was executed with the program's values; "
                                       "nothing else makes the exit status 1")
      ->type_name("executed")
      ->group(section::output);
  const auto most = [&options](const std::string& text) { options.max_findings = number_in("--max-findings", text); };
  app.add_option_function<std::string>("--max-findings", most,
                                       "of what was found, write so many; the others only count")
      ->type_name("N")
      ->group(section::output);
}

void declare_json_lines(CLI::App& app, OutputOptions& options) {
  app.add_flag("--jsonl", options.json_lines, "write one JSON object a line for each query, once it is answered")
      ->group(section::output);
}

namespace {

struct FailureWord {
  const char* word;
  bool FailureOptions::*failure;
};

void declare_fail_on(CLI::App& app, VerdictOptions& options, const std::vector<FailureWord>& known) {
  std::vector<std::string> words;
  for (const FailureWord& entry : known) words.emplace_back(entry.word);
  words.emplace_back("none");
  const auto set = [&options, known, words](const std::string& list) {
    FailureOptions failures;
    std::istringstream given{list};
    for (std::string word; std::getline(given, word, ',');) {
      const auto entry =
          std::ranges::find_if(known, [&](const FailureWord& candidate) { return candidate.word == word; });
      if (entry != known.end()) {
        failures.*(entry->failure) = true;
      } else if (word != "none") {
        refuse_choice("--fail-on", word, words);
      }
    }
    options.fail_on = failures;
  };
  app.add_option_function<std::string>("--fail-on", set, "verdicts that make the exit status 1, separated by commas")
      ->type_name(fmt::format("{}", fmt::join(words, "|")))
      ->group(section::output);
  app.add_flag("--exit-zero", options.exit_zero, "exit 0 whatever the verdicts are")->group(section::output);
}

}  // namespace

void declare_verdict(CLI::App& app, VerdictOptions& options) {
  declare_fail_on(app, options,
                  {{"reachable", &FailureOptions::reachable},
                   {"executed", &FailureOptions::executed},
                   {"deadlock", &FailureOptions::deadlock},
                   {"unexpected", &FailureOptions::unexpected},
                   {"unknown", &FailureOptions::unknown}});
}

void declare_finding_verdict(CLI::App& app, VerdictOptions& options) {
  declare_fail_on(app, options,
                  {{"finding", &FailureOptions::reachable},
                   {"executed", &FailureOptions::executed},
                   {"race", &FailureOptions::race},
                   {"deadlock", &FailureOptions::deadlock},
                   {"flow", &FailureOptions::flow},
                   {"unknown", &FailureOptions::unknown}});
}

void declare_general(CLI::App& app, GeneralOptions& options) {
  add_choice<ColorMode>(app, "--color", options.color,
                        {{"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}},
                        "colours in text; auto: on a terminal, unless NO_COLOR is set")
      ->group(section::general);
  add_choice<ProgressMode>(app, "--progress", options.progress,
                           {{"auto", ProgressMode::Auto}, {"plain", ProgressMode::Plain}, {"none", ProgressMode::None}},
                           "auto: a status line on a terminal; plain: a line every 10 s")
      ->group(section::general);
  auto* quiet = app.add_flag("--quiet,-q", options.quiet, "no warnings, notes and progress")->group(section::general);
  app.add_flag("--verbose,-v", options.verbose, "also notes and statistics")->group(section::general)->excludes(quiet);
}

}  // namespace lockwood::frontend
