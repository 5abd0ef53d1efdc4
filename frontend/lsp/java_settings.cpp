#include "frontend/lsp/java_settings.hpp"

namespace lockwood::lsp {
namespace {

template <class Value>
void take(Value& value, const Json& told, const char* name) {
  if (const auto found = told.find(name); found != told.end() && !found->is_null()) value = found->get<Value>();
}

}  // namespace

void take_settings(JavaSettings& settings, const Json& told) {
  if (!told.is_object()) return;
  take(settings.main_class, told, "mainClass");
  take(settings.class_path, told, "classPath");
  take(settings.source_path, told, "sourcePath");
  take(settings.output_folder, told, "outputFolder");
  take(settings.compile_command, told, "compileCommand");
  take(settings.jdk, told, "jdk");
  take(settings.arguments, told, "arguments");
}

}  // namespace lockwood::lsp
