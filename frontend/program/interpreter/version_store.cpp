#include "frontend/program/interpreter/version_store.hpp"

#include <algorithm>
#include <cassert>

#include "base/text/diagnostic.hpp"
#include "base/text/json.hpp"
#include "base/text/json_dump.hpp"

namespace lockwood::program {
namespace {

constexpr const char* format_name = "lockwood/store/1";
constexpr std::size_t word_bytes = 8;
constexpr std::size_t state_bytes = 3 * word_bytes;

void put(std::string& bytes, std::uint64_t word) {
  for (std::size_t i = 0; i < word_bytes; ++i) bytes.push_back(static_cast<char>(word >> (8 * i)));
}

std::uint64_t word_at(std::string_view bytes, std::size_t at) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < word_bytes; ++i)
    word |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return word;
}

}  // namespace

std::string to_bytes(const VersionStore& store) {
  const nlohmann::ordered_json header{{"format", format_name},
                                      {"common", store.common},
                                      {"procedures", store.procedures},
                                      {"states", store.states.size()}};
  std::string bytes = dumped(header, no_indentation, {}) + '\n';
  for (const VersionStore::State& state : store.states) {
    put(bytes, state.name.high);
    put(bytes, state.name.low);
    put(bytes, state.executed);
  }
  return bytes;
}

VersionStore read_version_store(std::string_view bytes, const std::string& path) {
  const std::size_t end = bytes.find('\n');
  const auto header = nlohmann::json::parse(bytes.substr(0, end), nullptr, false);
  const auto is_text = [&](const char* key) { return header.contains(key) && header[key].is_string(); };
  if (end == std::string_view::npos || !header.is_object() || !is_text("format") || header["format"] != format_name ||
      !is_text("common") || !header.contains("procedures") || !header["procedures"].is_object() ||
      !header.contains("states") || !header["states"].is_number_unsigned())
    throw InputError{path, "this is not a store that lockwood explore --save wrote"};
  VersionStore store{.common = header["common"], .procedures = {}, .states = {}};
  for (const auto& [name, digest] : header["procedures"].items()) {
    if (!digest.is_string()) throw InputError{path, "this is not a store that lockwood explore --save wrote"};
    store.procedures[name] = digest.get<std::string>();
  }
  const std::string_view rest = bytes.substr(end + 1);
  if (rest.size() % state_bytes != 0 || rest.size() / state_bytes != header["states"].get<std::size_t>())
    throw InputError{path, "the store is cut off"};
  for (std::size_t at = 0; at < rest.size(); at += state_bytes)
    store.states.push_back({{word_at(rest, at), word_at(rest, at + word_bytes)}, word_at(rest, at + 2 * word_bytes)});
  if (!std::ranges::is_sorted(store.states)) throw InputError{path, "the states of the store are not in order"};
  return store;
}

std::uint64_t changed_classes(const std::map<std::string, std::string>& before,
                              const std::map<std::string, std::string>& now) {
  std::uint64_t changed = 0;
  for (const auto& [name, digest] : before) {
    const auto place = now.find(name);
    if (place == now.end() || place->second != digest) changed |= class_of(name);
  }
  for (const auto& [name, digest] : now)
    if (!before.contains(name)) changed |= class_of(name);
  return changed;
}

void VersionHistory::visit(const explorer::Machine& machine) {
  assert(&machine == &machine_);
  names_.push_back(machine_.state_name());
  executed_.push_back(machine_.on_stacks());
  wrong_.push_back(!observations(machine, properties_).empty());
}

void VersionHistory::edge(std::size_t from, std::size_t to) {
  assert(from < names_.size() && to < names_.size());
  edges_.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
  executed_[from] |= machine_.executed();
}

bool VersionHistory::leaves_out(const explorer::Machine&) {
  if (before_ == nullptr || wrong_.back()) return false;
  const auto place = std::ranges::lower_bound(before_->states, names_.back(), {}, &VersionStore::State::name);
  if (place == before_->states.end() || place->name != names_.back() || (place->executed & changed_) != 0) return false;
  executed_.back() |= place->executed;
  return true;
}

// Cycles are one state: whatever is executed in one is executed below all of it.
std::vector<VersionStore::State> VersionHistory::states() const {
  const Components components = strongly_connected_components(Digraph{names_.size(), edges_});
  std::vector<std::uint64_t> executed(components.count, 0);
  std::vector<bool> wrong(components.count, false);
  for (std::size_t state = 0; state < names_.size(); ++state) {
    const std::uint32_t here = components.of[state];
    executed[here] |= executed_[state];
    if (wrong_[state]) wrong[here] = true;
  }
  // Edges lead to smaller numbers: from the smallest on, what lies below is known.
  std::vector<Edge> between;
  for (const Edge& edge : edges_) {
    const Edge lifted{components.of[edge.from], components.of[edge.to]};
    if (lifted.from != lifted.to) between.push_back(lifted);
  }
  std::ranges::sort(between, {}, [](const Edge& edge) { return std::pair{edge.from, edge.to}; });
  for (const Edge& edge : between) {
    assert(edge.to < edge.from);
    executed[edge.from] |= executed[edge.to];
    if (wrong[edge.to]) wrong[edge.from] = true;
  }
  std::vector<VersionStore::State> states;
  for (std::size_t state = 0; state < names_.size(); ++state)
    if (!wrong[components.of[state]]) states.push_back({names_[state], executed[components.of[state]]});
  std::ranges::sort(states);
  return states;
}

}  // namespace lockwood::program
