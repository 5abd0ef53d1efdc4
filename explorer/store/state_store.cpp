#include "explorer/store/state_store.hpp"

namespace lockwood::explorer {
namespace {

std::variant<ExactStore, HashStore, BitStore> made(const StoreOptions& options) {
  switch (options.kind) {
    case StoreKind::Exact: break;
    case StoreKind::Hash128: return HashStore{HashStore::Width::Bits128};
    case StoreKind::Hash64: return HashStore{HashStore::Width::Bits64};
    case StoreKind::Bits: return BitStore{options.bits};
  }
  return ExactStore{};
}

}  // namespace

StateStore::StateStore(const StoreOptions& options) : store_{made(options)} {}

StateStore::Visit StateStore::insert(std::span<const std::uint32_t> components) {
  if (auto* exact = std::get_if<ExactStore>(&store_)) {
    const auto [number, is_new] = exact->insert(components);
    return {is_new, number};
  }
  if (auto* hashes = std::get_if<HashStore>(&store_)) return {hashes->insert(components), std::nullopt};
  return {std::get<BitStore>(store_).insert(components), std::nullopt};
}

std::size_t StateStore::size() const {
  return std::visit([](const auto& store) { return store.size(); }, store_);
}

std::size_t StateStore::bytes() const {
  return std::visit([](const auto& store) { return store.bytes(); }, store_);
}

double StateStore::omission_probability() const {
  if (const auto* hashes = std::get_if<HashStore>(&store_)) return hashes->omission_probability();
  if (const auto* bits = std::get_if<BitStore>(&store_)) return bits->omission_probability();
  return 0;
}

}  // namespace lockwood::explorer
