#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/ids/id_vector.hpp"
#include "base/ids/sequence_table.hpp"
#include "dpn/model/network_builder.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "frontend/program/lowering/lowering_plan.hpp"

namespace lockwood::program {

// The values of some bools, one bit each, in the order of a list of locals that is known from the context.
using Bits = std::uint64_t;
inline constexpr std::size_t max_bits = 64;

// The stack symbols of a model while it is made: what each stands for, and how it is called. What is given must outlive
// it.
class LoweringSymbols {
 public:
  LoweringSymbols(const Program& program, const IdVector<ProcedureId, ProcedurePlan>& plans, std::size_t limit,
                  dpn::NetworkBuilder& builder);

  // The locals whose values a symbol of this kind knows, in the order of its bits.
  [[nodiscard]] std::vector<Local> known_locals(ProcedureId procedure, Point point, SymbolRole role) const;

  // The symbol, a new one of the network if it was not there. Throws InputError if a point has too many.
  dpn::StackSymbol symbol(ProcedureId procedure, Point point, SymbolRole role, Bits bits);

  [[nodiscard]] std::size_t size() const { return origins_.size(); }
  [[nodiscard]] const IdVector<dpn::StackSymbol, SymbolOrigin>& origins() const { return origins_; }
  [[nodiscard]] IdVector<dpn::StackSymbol, SymbolOrigin> take_origins() { return std::move(origins_); }

  // Throws InputError: the procedure has too many bools at the point.
  [[noreturn]] void explode(ProcedureId procedure, Point point) const;

 private:
  [[nodiscard]] std::string name_of(const SymbolOrigin& origin) const;

  const Program& program_;
  const IdVector<ProcedureId, ProcedurePlan>& plans_;
  std::size_t limit_;
  dpn::NetworkBuilder& builder_;
  SequenceTable<> keys_;  // (procedure, point, role, bits) of each symbol
  IdVector<dpn::StackSymbol, SymbolOrigin> origins_;
  std::map<std::pair<ProcedureId, Point>, std::string> labels_;  // as they are written: `sink: `
  IdVector<ProcedureId, IdVector<Point, std::size_t>> counts_;   // so many stand before the point
};

}  // namespace lockwood::program
