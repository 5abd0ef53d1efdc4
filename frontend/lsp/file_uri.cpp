#include "frontend/lsp/file_uri.hpp"

#include <fmt/format.h>

#include <charconv>

namespace lockwood::lsp {
namespace {

constexpr std::string_view scheme = "file://";

bool stays_as_it_is(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view{"/-._~$"}.find(c) != std::string_view::npos;
}

}  // namespace

std::optional<std::string> path_of_uri(std::string_view uri) {
  if (!uri.starts_with(scheme)) return std::nullopt;
  uri.remove_prefix(scheme.size());
  if (const std::size_t slash = uri.find('/'); slash == std::string_view::npos)
    return std::nullopt;
  else if (const std::string_view host = uri.substr(0, slash); !host.empty() && host != "localhost")
    return std::nullopt;
  else
    uri.remove_prefix(slash);
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned byte = 0;
    const char* digits = uri.data() + i + 1;
    if (uri[i] == '%' && i + 2 < uri.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      path += static_cast<char>(byte);
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

std::string uri_of_path(std::string_view path) {
  std::string uri{scheme};
  for (const char c : path) {
    if (stays_as_it_is(c))
      uri += c;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

}  // namespace lockwood::lsp
