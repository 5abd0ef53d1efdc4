#pragma once

#include <optional>
#include <span>
#include <variant>

#include "explorer/store/exact_store.hpp"
#include "explorer/store/lossy_store.hpp"

namespace lockwood::explorer {

enum class StoreKind { Exact, Hash128, Hash64, Bits };

struct StoreOptions {
  StoreKind kind = StoreKind::Exact;
  std::size_t bits = std::size_t{1} << 30U;  // of StoreKind::Bits
};

// The visited states of a search. A lossy store may take a new state for an old one: a search with it that finds
// nothing has not covered all.
class StateStore {
 public:
  explicit StateStore(const StoreOptions& options);

  struct Visit {
    bool is_new;
    std::optional<StateNumber> number;  // of an exact store
  };
  [[nodiscard]] Visit insert(std::span<const std::uint32_t> components);

  [[nodiscard]] bool is_exact() const { return std::holds_alternative<ExactStore>(store_); }
  // Requires is_exact().
  [[nodiscard]] const ExactStore& exact() const { return std::get<ExactStore>(store_); }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t bytes() const;
  // 0 for an exact store.
  [[nodiscard]] double omission_probability() const;

 private:
  std::variant<ExactStore, HashStore, BitStore> store_;
};

}  // namespace lockwood::explorer
