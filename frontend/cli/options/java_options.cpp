#include "frontend/cli/options/options.hpp"
#include "jvm/archive/class_path.hpp"

namespace lockwood::frontend {
namespace {

// An option that can be given several times, each time with one word.
void add_list(CLI::App& app, const std::string& name, std::vector<std::string>& target, const std::string& type,
              const std::string& description) {
  app.add_option(name, target, description)->type_name(type)->expected(1)->take_all()->group(section::input);
}

void declare_paths(CLI::App& app, JavaInputOptions& options) {
  const auto add_classes = [&options](const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      for (std::string& entry : jvm::split_class_path(text))
        options.surroundings.class_path.push_back(std::move(entry));
  };
  app.add_option_function<std::vector<std::string>>(
         "--class-path", add_classes,
         "more classes of a Java program: folders, jars and FOLDER/*, separated by colons; also -cp; can be repeated")
      ->type_name("PATH")
      ->expected(1)
      ->take_all()
      ->group(section::input);
  add_list(app, "--source-path", options.lowering.source_path, "DIR",
           "a folder with the sources of a Java program, to quote from; else its own folder; can be repeated");
  app.add_option("--jdk", options.surroundings.jdk,
                 "the JDK of a Java program; else the one of JAVA_HOME, or of java on the path, if there is one")
      ->type_name("DIR")
      ->group(section::input);
}

void declare_library(CLI::App& app, java::LibraryRequest& library) {
  const auto request = [&library](const std::vector<std::string>& names) {
    library.wanted = true;
    for (const std::string& name : names)
      if (name != "-") library.classes.push_back(name);
  };
  app.add_option_function<std::vector<std::string>>(
         "--library", request,
         "instead of a main, many threads that call the public methods of this class of a Java library, or of all that "
         "are annotated ThreadSafe; can be repeated")
      ->type_name("[CLASS]")
      ->expected(1)
      ->take_all()
      ->group(section::input);
  add_list(app, "--entry", library.entries, "METHOD",
           "with --library, only these methods, such as put or put(int); can be repeated");
}

}  // namespace

void declare_java_options(CLI::App& app, JavaInputOptions& options) {
  declare_paths(app, options);
  app.add_option("--main", options.analysis.main, "the class whose main begins a Java program, if there are several")
      ->type_name("CLASS")
      ->group(section::input);
  declare_library(app, options.library);
  add_list(app, "--models", options.models, "FILE",
           "more models of library classes, or others in their place; can be repeated");
  add_list(app, "--jdk-bodies", options.analysis.jdk_bodies, "PATTERN",
           "analyse the code of these classes of the JDK, such as java.util.*, instead of models; can be repeated");
  add_list(app, "--library-code", options.analysis.library_code, "PATTERN",
           "classes of the program that count as library: analysed, but not reported; can be repeated");
  const auto most = [&options](const std::string& text) {
    options.analysis.max_contexts = number_in("--max-contexts", text);
    if (options.analysis.max_contexts == 0) throw CLI::ValidationError("--max-contexts", "at least 1 is needed");
  };
  app.add_option_function<std::string>(
         "--max-contexts", most,
         "copies of methods that the analysis of a Java program may make; methods beyond have one copy each")
      ->type_name("N")
      ->default_str(std::to_string(options.analysis.max_contexts))
      ->group(section::limits);
  add_choice(app, "--exceptions", options.lowering.exceptions,
             {{"all", java::ThrownExceptions::All},
              {"explicit", java::ThrownExceptions::Explicit},
              {"none", java::ThrownExceptions::None}},
             "which exceptions of a Java program the model knows: all, or not those that the machine throws by itself")
      ->group(section::input);
}

}  // namespace lockwood::frontend
