#include "solver/locks/zdd.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <new>

#include "solver/locks/cudd.hpp"

#include <tsl/hopscotch_map.h>

namespace lockwood::solver {
namespace {

// CUDD's cache tells operations apart by the addresses of functions. Ours need the table besides, so these are only
// their names. No two do the same, lest a linker take them for one.
DdNode* join_name(DdManager*, DdNode* f, DdNode*) { return f; }
DdNode* remove_name(DdManager*, DdNode*, DdNode* g) { return g; }
DdNode* without_supersets_name(DdManager* manager, DdNode*, DdNode*) { return DD_ONE(manager); }
DdNode* within_name(DdManager* manager, DdNode*, DdNode*) { return DD_ZERO(manager); }
DdNode* minimal_name(DdManager*, DdNode*) { return nullptr; }

constexpr unsigned unique_slots = 16;  // of an element, at first: most elements are in few families
constexpr unsigned cache_slots = 1U << 14U;
constexpr unsigned steps_between_looks = 1024;

}  // namespace

// The recursive operations. Variables are never reordered, so the number of an element is its level, and the terminals'
// is beyond all.
class FamilyTable::Kernel {
 public:
  using Binary = DdNode* (*)(DdManager*, DdNode*, DdNode*);

  Kernel(const FamilyTable& table, IdVector<Element, bool> exclusive, StopToken stop)
      : table_{table}, exclusive_{std::move(exclusive)}, stop_{stop} {
    const auto elements = static_cast<unsigned>(exclusive_.size());
    // CUDD sets a variable of its own there. Apart from that, tables have nothing in common.
    static std::mutex one_at_a_time;
    const std::scoped_lock guard{one_at_a_time};
    manager_ = Cudd_Init(0, elements, unique_slots, cache_slots, 0);
    if (manager_ == nullptr) throw std::bad_alloc{};
  }
  ~Kernel() { Cudd_Quit(manager_); }
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  [[nodiscard]] DdManager* manager() const { return manager_; }
  [[nodiscard]] DdNode* zero() const { return DD_ZERO(manager_); }
  [[nodiscard]] DdNode* one() const { return DD_ONE(manager_); }

  SetFamily kept(DdNode* node) const {
    if (node == nullptr) throw std::bad_alloc{};
    return {table_, node};
  }

  SetFamily node(unsigned top, const SetFamily& with, const SetFamily& without) const {
    if (with.empty()) return without;
    return kept(cuddUniqueInterZdd(manager_, static_cast<int>(top), with.node_, without.node_));
  }

  SetFamily unite(const SetFamily& a, const SetFamily& b) const {
    return kept(Cudd_zddUnion(manager_, a.node_, b.node_));
  }

  SetFamily join(DdNode* f, DdNode* g) {
    if (f == zero() || g == zero()) return kept(zero());
    if (f == one()) return kept(g);
    if (g == one()) return kept(f);
    if (g < f) std::swap(f, g);
    if (auto known = recall(join_name, f, g)) return *std::move(known);
    const unsigned top = std::min(f->index, g->index);
    const auto [f1, f0] = split(f, top);
    const auto [g1, g0] = split(g, top);
    SetFamily with = unite(join(f1, g0), join(f0, g1));
    if (!exclusive_[Element{top}]) with = unite(with, join(f1, g1));
    return remembered(join_name, f, g, node(top, with, join(f0, g0)));
  }

  SetFamily remove(DdNode* f, DdNode* set) {
    while (set->index < f->index) set = cuddT(set);
    if (cuddIsConstant(f) || set == one()) return kept(f);
    if (auto known = recall(remove_name, f, set)) return *std::move(known);
    const SetFamily with = remove(cuddT(f), set);
    const SetFamily without = remove(cuddE(f), set);
    return remembered(remove_name, f, set,
                      set->index == f->index ? unite(with, without) : node(f->index, with, without));
  }

  SetFamily without_supersets(DdNode* f, DdNode* g) {
    while (g->index < f->index) g = cuddE(g);  // what has an element that no member of f has is subset of none
    if (f == zero() || g == one() || f == g) return kept(zero());
    if (g == zero()) return kept(f);
    if (auto known = recall(without_supersets_name, f, g)) return *std::move(known);
    const auto [g1, g0] = split(g, f->index);
    const SetFamily other = without_supersets(cuddT(f), g1);
    const SetFamily with = without_supersets(other.node_, g0);
    return remembered(without_supersets_name, f, g, node(f->index, with, without_supersets(cuddE(f), g0)));
  }

  SetFamily minimal(DdNode* f) {
    if (cuddIsConstant(f)) return kept(f);
    if (DdNode* known = cuddCacheLookup1Zdd(manager_, minimal_name, f)) return kept(known);
    look();
    const SetFamily without = minimal(cuddE(f));
    const SetFamily with = minimal(cuddT(f));
    SetFamily result = node(f->index, without_supersets(with.node_, without.node_), without);
    cuddCacheInsert1(manager_, minimal_name, f, result.node_);
    return result;
  }

  SetFamily within(DdNode* f, DdNode* set) {
    while (true) {
      while (set->index < f->index) set = cuddT(set);
      if (cuddIsConstant(f) || set->index == f->index) break;
      f = cuddE(f);
    }
    if (cuddIsConstant(f)) return kept(f);
    if (auto known = recall(within_name, f, set)) return *std::move(known);
    const SetFamily with = within(cuddT(f), set);
    return remembered(within_name, f, set, node(f->index, with, within(cuddE(f), set)));
  }

 private:
  struct Cofactors {
    DdNode* with;
    DdNode* without;
  };
  [[nodiscard]] Cofactors split(DdNode* f, unsigned top) const {
    return f->index == top ? Cofactors{cuddT(f), cuddE(f)} : Cofactors{zero(), f};
  }
  void look() {
    if (++steps_ % steps_between_looks == 0) stop_.check();
  }
  std::optional<SetFamily> recall(Binary name, DdNode* f, DdNode* g) {
    if (DdNode* known = cuddCacheLookup2Zdd(manager_, name, f, g)) return kept(known);
    look();
    return std::nullopt;
  }
  SetFamily remembered(Binary name, DdNode* f, DdNode* g, SetFamily result) const {
    cuddCacheInsert2(manager_, name, f, g, result.node_);
    return result;
  }

  const FamilyTable& table_;
  IdVector<Element, bool> exclusive_;
  StopToken stop_;
  unsigned steps_ = 0;
  DdManager* manager_;
};

// --- Handles ------------------------------------------------------------------------------------------------------

SetFamily::SetFamily(const FamilyTable& table, DdNode* node) : table_{&table}, node_{node} { Cudd_Ref(node_); }
SetFamily::SetFamily(const SetFamily& other) : SetFamily{*other.table_, other.node_} {}
SetFamily& SetFamily::operator=(SetFamily other) noexcept {
  std::swap(table_, other.table_);
  std::swap(node_, other.node_);
  return *this;
}
SetFamily::~SetFamily() {
  if (node_ != nullptr) Cudd_RecursiveDerefZdd(table_->kernel_->manager(), node_);
}
bool SetFamily::empty() const { return node_ == table_->kernel_->zero(); }

FamilyTable::FamilyTable(IdVector<Element, bool> exclusive, StopToken stop)
    : kernel_{std::make_unique<Kernel>(*this, std::move(exclusive), stop)} {}
FamilyTable::~FamilyTable() = default;

// --- Operations ---------------------------------------------------------------------------------------------------

SetFamily FamilyTable::none() const { return kernel_->kept(kernel_->zero()); }
SetFamily FamilyTable::unit() const { return kernel_->kept(kernel_->one()); }
SetFamily FamilyTable::only(const ElementSet& member) const {
  SetFamily family = unit();
  for (std::size_t i = member.size(); i-- > 0;)
    family = kernel_->node(static_cast<unsigned>(member[i].index()), family, none());
  return family;
}

SetFamily FamilyTable::unite(const SetFamily& a, const SetFamily& b) const { return kernel_->unite(a, b); }
SetFamily FamilyTable::intersect(const SetFamily& a, const SetFamily& b) const {
  return kernel_->kept(Cudd_zddIntersect(kernel_->manager(), a.node_, b.node_));
}
SetFamily FamilyTable::subtract(const SetFamily& a, const SetFamily& b) const {
  return kernel_->kept(Cudd_zddDiff(kernel_->manager(), a.node_, b.node_));
}
SetFamily FamilyTable::join(const SetFamily& a, const SetFamily& b) const { return kernel_->join(a.node_, b.node_); }
SetFamily FamilyTable::add(const SetFamily& a, const SetFamily& set) const {
  return kernel_->kept(Cudd_zddUnateProduct(kernel_->manager(), a.node_, set.node_));
}
SetFamily FamilyTable::remove(const SetFamily& a, const SetFamily& set) const {
  return kernel_->remove(a.node_, set.node_);
}
SetFamily FamilyTable::containing(const SetFamily& a, Element element) const {
  return subtract(a, lacking(a, element));
}
SetFamily FamilyTable::lacking(const SetFamily& a, Element element) const {
  return kernel_->kept(Cudd_zddSubset0(kernel_->manager(), a.node_, static_cast<int>(element.index())));
}
SetFamily FamilyTable::minimal(const SetFamily& a) const { return kernel_->minimal(a.node_); }
SetFamily FamilyTable::without_supersets(const SetFamily& a, const SetFamily& b) const {
  return kernel_->without_supersets(a.node_, b.node_);
}
SetFamily FamilyTable::within(const SetFamily& a, const SetFamily& set) const {
  return kernel_->within(a.node_, set.node_);
}

// --- Looking into families ----------------------------------------------------------------------------------------

namespace {

// The nodes below a node and itself, each once, such that those below one come before it.
std::vector<DdNode*> nodes_below(DdNode* root) {
  std::vector<DdNode*> nodes;
  std::vector<DdNode*> pending{root};
  tsl::hopscotch_map<DdNode*, bool> seen;
  while (!pending.empty()) {
    DdNode* node = pending.back();
    pending.pop_back();
    if (cuddIsConstant(node) || !seen.emplace(node, true).second) continue;
    nodes.push_back(node);
    pending.push_back(cuddE(node));
    pending.push_back(cuddT(node));
  }
  std::ranges::stable_sort(nodes, [](DdNode* a, DdNode* b) { return a->index > b->index; });
  return nodes;
}

}  // namespace

// An element is in all members iff no edge from above passes by its level and no node of its level has members without
// it.
FamilyTable::Support FamilyTable::support(const SetFamily& a) const {
  Support support;
  DdNode* const zero = kernel_->zero();
  if (cuddIsConstant(a.node_)) return support;
  std::vector<DdNode*> nodes = nodes_below(a.node_);
  std::ranges::reverse(nodes);
  DdHalfWord reached = a.node_->index;  // the lowest level that an edge from above leads to
  for (std::size_t i = 0; i < nodes.size();) {
    const DdHalfWord index = nodes[i]->index;
    const bool all_come_here = reached == index;
    bool in_all = all_come_here;
    DdHalfWord below = index;
    for (; i < nodes.size() && nodes[i]->index == index; ++i) {
      in_all = in_all && cuddE(nodes[i]) == zero;
      for (DdNode* next : {cuddT(nodes[i]), cuddE(nodes[i])})
        if (next != zero) below = std::max(below, next->index);
    }
    reached = std::max(reached, below);
    support.some.emplace_back(index);
    if (in_all) support.all.emplace_back(index);
  }
  return support;
}

std::size_t FamilyTable::size(const SetFamily& a) const {
  tsl::hopscotch_map<DdNode*, std::size_t> sizes{{kernel_->zero(), 0}, {kernel_->one(), 1}};
  for (DdNode* node : nodes_below(a.node_)) {
    const std::size_t with = sizes.at(cuddT(node));
    const std::size_t without = sizes.at(cuddE(node));
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    sizes.emplace(node, with > most - without ? most : with + without);
  }
  return sizes.at(a.node_);
}

std::vector<ElementSet> FamilyTable::members(const SetFamily& a) const {
  std::vector<ElementSet> members;
  struct Path {
    DdNode* node;
    ElementSet elements;
  };
  std::vector<Path> pending{{a.node_, {}}};
  while (!pending.empty()) {
    Path path = std::move(pending.back());
    pending.pop_back();
    if (path.node == kernel_->zero()) continue;
    if (path.node == kernel_->one()) {
      members.push_back(std::move(path.elements));
      continue;
    }
    pending.push_back({cuddE(path.node), path.elements});
    path.elements.emplace_back(path.node->index);
    pending.push_back({cuddT(path.node), std::move(path.elements)});
  }
  return members;
}

}  // namespace lockwood::solver
