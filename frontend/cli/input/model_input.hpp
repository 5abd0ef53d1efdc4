#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dpn/formats/model_file.hpp"
#include "frontend/cli/run.hpp"
#include "frontend/java/lowering/java_model.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "frontend/report/report.hpp"

namespace lockwood::frontend {

// What a model was made of, if it was made of a program.
struct ProgramModel {
  lw::ProgramText source;  // of a Java program only the path and the program
  program::Lowered lowered;
  IdVector<program::SourceFile, std::string> texts = {};  // of the program's files; empty where they were not found
  std::optional<std::vector<findings::Assumption>> assumptions = {};  // of a Java program
  std::map<std::string, std::string> guarded_by = {};  // what it says about its fields: guards by names of fields
};

struct ModelInput {
  dpn::ModelFile file;
  ModelIdentity identity;
  std::optional<ProgramModel> program;
  std::string text = {};  // of the model, if reports quote it
};

// Who has a wish about the model of a Java program.
struct JavaWishes {
  // Once its objects are known: how the program is lowered.
  std::function<void(const java::Universe&, java::JavaLoweringOptions&)> prepare = {};
  // Before the network is made: what of the program is not wanted may go.
  std::function<void(java::JavaModel&)> made = {};
};

// Reads the model, `-` from standard input, or a program, of which it makes one, and shows the warnings and notes about
// it. What ends in `.lw` or begins like a program is one. Throws InputError.
[[nodiscard]] ModelInput read_model(const std::string& path, const Run& run, const JavaWishes& wishes = {});

// Reads a program, whatever its name is.
[[nodiscard]] ProgramModel read_program_model(const std::string& path, std::string text, const Run& run);

// Sixteen hexadecimal digits by which models are told apart. How a model is written does not count, nor what is written
// besides its rules and names: layout, comments, queries. Throws Interrupted.
[[nodiscard]] std::string model_fingerprint(const dpn::Network& network, StopToken stop);

// A query with its places as stack symbols (findings/source_places.hpp), if the model was made of a program; else as it
// is. Throws InputError.
[[nodiscard]] std::string with_symbols(const ModelInput& model, const std::string& query);

// The model's queries with these numbers, from 1; all of them if there are no numbers. Throws InputError if there is no
// query of some number.
[[nodiscard]] std::vector<dpn::Query> selected_queries(const ModelInput& model,
                                                       const std::vector<std::size_t>& numbers);

}  // namespace lockwood::frontend
