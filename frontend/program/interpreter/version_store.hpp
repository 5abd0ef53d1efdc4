#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/graph/digraph.hpp"
#include "explorer/search/search.hpp"
#include "frontend/program/interpreter/machine.hpp"

// What was found out about one version of a program, for the next one. A state need not be looked at again if nothing
// is wrong below it in the old version, and nothing was executed there that has changed: below it, both versions do the
// same.
namespace lockwood::program {

struct VersionStore {
  std::string common;                             // a digest of what versions must have in common
  std::map<std::string, std::string> procedures;  // digests by name
  struct State {
    StateName name;
    std::uint64_t executed = 0;  // below it, or on stacks: classes of names of procedures
    friend auto operator<=>(const State&, const State&) = default;
  };
  std::vector<State> states;  // ascending; all below which nothing is wrong
  friend bool operator==(const VersionStore&, const VersionStore&) = default;
};

// A header, a line of JSON, and then the states in binary. A store that was not written to its end is noticed.
[[nodiscard]] std::string to_bytes(const VersionStore& store);
// Throws InputError: not a store, or cut off.
[[nodiscard]] VersionStore read_version_store(std::string_view bytes, const std::string& path);

// The classes of the procedures that differ, or that only one of the versions has.
[[nodiscard]] std::uint64_t changed_classes(const std::map<std::string, std::string>& before,
                                            const std::map<std::string, std::string>& now);

// Watches a search to the end, for the next version; and leaves out what the version before has settled.
class VersionHistory final : public explorer::Listener, public explorer::Pruner {
 public:
  // The machine must be the one that is searched. `before` may be null, and must outlive it.
  VersionHistory(ProgramMachine& machine, const explorer::Properties& properties, const VersionStore* before,
                 std::uint64_t changed)
      : machine_{machine}, properties_{properties}, before_{before}, changed_{changed} {}

  void visit(const explorer::Machine& machine) override;
  void edge(std::size_t from, std::size_t to) override;
  [[nodiscard]] bool leaves_out(const explorer::Machine& machine) override;

  // The states below which nothing is wrong. Requires that the search was complete.
  [[nodiscard]] std::vector<VersionStore::State> states() const;

 private:
  ProgramMachine& machine_;
  explorer::Properties properties_;
  const VersionStore* before_;
  std::uint64_t changed_;
  // By state.
  std::vector<StateName> names_;
  std::vector<std::uint64_t> executed_;  // by the steps from it, or on stacks; of one that was left out, all below
  std::vector<bool> wrong_;
  std::vector<Edge> edges_;
};

}  // namespace lockwood::program
