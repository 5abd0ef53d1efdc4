#include "jvm/archive/libzip.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <type_traits>

#include "base/text/diagnostic.hpp"

namespace lockwood::jvm {
namespace {

Libzip loaded_libzip() {
  // Never closed: the functions are used until the program ends.
  void* const library = ::dlopen(LOCKWOOD_LIBZIP, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr)
    throw InputError{LOCKWOOD_LIBZIP,
                     "cannot be loaded, so that archives cannot be read; on Debian: apt-get install libzip4"};
  Libzip functions{};
  const auto bind = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
    if (function == nullptr) throw InputError{LOCKWOOD_LIBZIP, fmt::format("has no function {}", name)};
  };
  bind(functions.discard, "zip_discard");
  bind(functions.error_code_zip, "zip_error_code_zip");
  bind(functions.error_fini, "zip_error_fini");
  bind(functions.error_init, "zip_error_init");
  bind(functions.error_strerror, "zip_error_strerror");
  bind(functions.fclose, "zip_fclose");
  bind(functions.file_strerror, "zip_file_strerror");
  bind(functions.fopen_index, "zip_fopen_index");
  bind(functions.fread, "zip_fread");
  bind(functions.get_num_entries, "zip_get_num_entries");
  bind(functions.open_from_source, "zip_open_from_source");
  bind(functions.source_buffer_create, "zip_source_buffer_create");
  bind(functions.source_file_create, "zip_source_file_create");
  bind(functions.source_free, "zip_source_free");
  bind(functions.stat_index, "zip_stat_index");
  bind(functions.strerror, "zip_strerror");
  return functions;
}

}  // namespace

const Libzip& libzip() {
  static const Libzip functions = loaded_libzip();
  return functions;
}

}  // namespace lockwood::jvm
