#pragma once

#include <optional>
#include <vector>

#include "frontend/findings/analyses/chain.hpp"
#include "frontend/program/lowering/lowering.hpp"

// Between which accesses a value must go to get from one labelled statement to another.
namespace lockwood::findings {

// The writes of the statement, and those of values that it makes and that are then kept in locals. Nothing at all if it
// is not of a kind that makes values.
[[nodiscard]] std::optional<std::vector<Source>> flow_sources(const program::Program& program,
                                                              const program::Lowered& lowered,
                                                              const program::LoweredLabel& label);

// The reads of the statement, and those of values that it uses after they were kept in locals. Nothing at all if it is
// not of a kind that uses values.
[[nodiscard]] std::optional<std::vector<Sink>> flow_sinks(const program::Program& program,
                                                          const program::Lowered& lowered,
                                                          const program::LoweredLabel& label);

// The places at which a thread stands while it does the statement: before a step of it, and where a call returns.
[[nodiscard]] std::vector<dpn::StackSymbol> places_of(const program::Program& program, const program::Lowered& lowered,
                                                      const program::LoweredLabel& label);

}  // namespace lockwood::findings
