#pragma once

#include <zip.h>

namespace lockwood::jvm {

// The functions of libzip that we use. The library is loaded when the first archive is opened, not when the program
// starts: with all that it needs itself (OpenSSL's libcrypto above all), it is a quarter of the time that the program
// takes to answer a small query (docs/decisions/libzip-on-demand.md).
struct Libzip {
  decltype(&::zip_discard) discard;
  decltype(&::zip_error_code_zip) error_code_zip;
  decltype(&::zip_error_fini) error_fini;
  decltype(&::zip_error_init) error_init;
  decltype(&::zip_error_strerror) error_strerror;
  decltype(&::zip_fclose) fclose;
  decltype(&::zip_file_strerror) file_strerror;
  decltype(&::zip_fopen_index) fopen_index;
  decltype(&::zip_fread) fread;
  decltype(&::zip_get_num_entries) get_num_entries;
  decltype(&::zip_open_from_source) open_from_source;
  decltype(&::zip_source_buffer_create) source_buffer_create;
  decltype(&::zip_source_file_create) source_file_create;
  decltype(&::zip_source_free) source_free;
  decltype(&::zip_stat_index) stat_index;
  decltype(&::zip_strerror) strerror;
};

// Throws InputError if the library is not installed.
[[nodiscard]] const Libzip& libzip();

}  // namespace lockwood::jvm
