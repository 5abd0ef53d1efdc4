#include "frontend/lsp/workspace_symbols.hpp"

#include <algorithm>

#include "base/process/text_file.hpp"
#include "frontend/lsp/file_uri.hpp"
#include "frontend/lsp/model_names.hpp"
#include "frontend/lsp/program_names.hpp"
#include "frontend/lsp/protocol.hpp"

namespace lockwood::lsp {
namespace fs = std::filesystem;
namespace {

// A workspace may be somebody's home. What is beyond is not looked at.
constexpr std::size_t max_entries = 20'000;
constexpr std::size_t max_files = 1'000;
constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 20U;
constexpr int deepest = 12;
constexpr std::size_t max_symbols = 1'000;  // in an answer: whoever sees as many types another letter

bool is_ours(const fs::path& path) { return path.extension() == ".lw" || path.extension() == ".dpn"; }

// Folders that hold what programs have made.
bool is_passed_over(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name.starts_with('.') || name == "node_modules";
}

std::vector<fs::directory_entry> our_files(const std::string& folder, StopToken stop) {
  std::vector<fs::directory_entry> found;
  std::error_code error;
  std::size_t entries = 0;
  fs::recursive_directory_iterator at{folder, fs::directory_options::skip_permission_denied, error};
  for (; !error && at != fs::recursive_directory_iterator{}; at.increment(error)) {
    stop.check();
    if (++entries > max_entries || found.size() >= max_files) break;
    std::error_code unknown;
    if (at->is_directory(unknown)) {
      if (at.depth() >= deepest || is_passed_over(at->path())) at.disable_recursion_pending();
    } else if (is_ours(at->path()) && at->is_regular_file(unknown) && at->file_size(unknown) <= largest_file) {
      found.push_back(*at);
    }
  }
  return found;
}

std::vector<Symbol> outline_of(const Reading& reading) {
  if (reading.program) return outline(reading.program->source());
  if (reading.model) return outline(*reading.model, reading.lines, reading.text.content());
  return {};
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void add(const std::string& uri, const Reading& reading, std::string_view query, Json& found) {
  const auto add_one = [&](const Symbol& symbol, const std::string& container) {
    if (found.size() < max_symbols && matches(query, symbol.name))
      found.push_back(to_json(uri, reading.text, symbol, container));
  };
  for (const Symbol& symbol : outline_of(reading)) {
    add_one(symbol, "");
    if (reading.model) continue;  // the rules of a procedure have no names
    for (const Symbol& child : symbol.children) add_one(child, symbol.name);
  }
}

}  // namespace

bool matches(std::string_view query, std::string_view name) {
  std::size_t at = 0;
  for (char letter : query) {
    while (at < name.size() && lower(name[at]) != lower(letter)) ++at;
    if (at++ >= name.size()) return false;
  }
  return true;
}

void WorkspaceSymbols::look_into(const std::string& folder, StopToken stop) {
  std::map<std::string, File> files;
  for (const fs::directory_entry& entry : our_files(folder, stop)) {
    stop.check();
    std::error_code unknown;
    const std::string path = entry.path().string();
    const File seen{entry.last_write_time(unknown), entry.file_size(unknown), nullptr};
    const auto known = files_.find(path);
    if (known != files_.end() && known->second.time == seen.time && known->second.size == seen.size) {
      files.insert(*known);
      continue;
    }
    try {
      const Language language = entry.path().extension() == ".lw" ? Language::Program : Language::Model;
      File file = seen;
      file.reading = read(Text{read_text_file(path)}, entry.path().filename().string(), language, {});
      files.emplace(path, std::move(file));
    } catch (const InputError&) {  // it is gone, or not for us to read
    }
  }
  files_ = std::move(files);
}

Json WorkspaceSymbols::find(const std::string& folder, const std::vector<OpenReading>& open, std::string_view query,
                            StopToken stop) {
  if (!folder.empty()) look_into(folder, stop);
  std::map<std::string, std::shared_ptr<const Reading>> readings;
  for (const auto& [path, file] : files_) readings.emplace(uri_of_path(path), file.reading);
  for (const OpenReading& document : open) readings.insert_or_assign(document.uri, document.reading);
  Json found = Json::array();
  for (const auto& [uri, reading] : readings) {
    stop.check();
    if (reading) add(uri, *reading, query, found);
  }
  return found;
}

}  // namespace lockwood::lsp
