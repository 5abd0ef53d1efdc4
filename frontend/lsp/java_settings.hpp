#pragma once

#include <string>
#include <vector>

#include "frontend/lsp/message_stream.hpp"

namespace lockwood::lsp {

// How the Java programs in an editor are compiled and looked at. Relative paths are below the folder of the workspace.
struct JavaSettings {
  std::string main_class;  // empty: that of the saved source, or the only one
  std::vector<std::string> class_path;
  std::vector<std::string> source_path;  // besides the folder that the package of the saved source is in
  std::string output_folder;             // of the classes; empty: one of ours, removed at the end
  // A shell command, run in the folder of the workspace; the saved source is its "$1". Empty: javac on that source.
  std::string compile_command;
  std::string jdk;
  std::vector<std::string> arguments;  // further ones of `race` and `deadlock`
};

// Takes what an editor has set: {"mainClass": "pkg.Main", "classPath": ["lib/a.jar"], "sourcePath", "outputFolder",
// "compileCommand", "jdk", "arguments"}. What is not there or null stays as it is. Throws Json::exception if a member
// has another type.
void take_settings(JavaSettings& settings, const Json& told);

}  // namespace lockwood::lsp
