#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockwood::treeauto {

// Items of which some lie below others, where those above are not needed beside them. The order is the caller's, who
// asks about it item by item. An item may have members, which are numbers, such that whatever lies below another has
// no member that the other lacks; sets ordered by inclusion are their own members. Once there are many items, they are
// found by their members, so that few need be asked about.
//
// Whoever adds items with members gives the members of every item that is added or asked about, as a function that
// calls a sink with each of them, once.
template <class Item>
class Antichain {
 public:
  // Oldest first. If there are many, a few may be among them for a while that are retired, which does no harm.
  [[nodiscard]] std::span<const Item> items() const { return items_; }

  // Whether an item lies below the one with these members.
  template <class EachMember, class LiesBelow>
  [[nodiscard]] bool any_below(EachMember&& each_member, LiesBelow&& lies_below) const {
    if (!index_) return std::ranges::any_of(items_, lies_below);
    const auto any_of = [&](const std::vector<ItemIndex>& places) {
      return std::ranges::any_of(places,
                                 [&](ItemIndex place) { return !is_retired_[place] && lies_below(items_[place]); });
    };
    bool found = any_of(index_->without_members);
    each_member([&](std::size_t member) {
      if (found) return;
      const auto filed = index_->by_member.find(member);
      found = filed != index_->by_member.end() && any_of(filed->second.filed);
    });
    return found;
  }

  // Retires the items above the one with these members, and returns them.
  template <class EachMember, class LiesAbove>
  std::vector<Item> retire_above(EachMember&& each_member, LiesAbove&& lies_above) {
    std::vector<Item> retired;
    if (!index_) {
      std::erase_if(items_, [&](const Item& item) {
        if (!lies_above(item)) return false;
        retired.push_back(item);
        return true;
      });
      return retired;
    }
    // Whatever lies above has each of the members: the rarest will do.
    std::vector<ItemIndex>* rarest = &index_->all;
    each_member([&](std::size_t member) {
      if (auto& having = index_->by_member[member].all; having.size() <= rarest->size()) rarest = &having;
    });
    std::erase_if(*rarest, [&](ItemIndex place) {
      if (is_retired_[place]) return true;
      if (!lies_above(items_[place])) return false;
      retired.push_back(items_[place]);
      is_retired_[place] = true;
      return true;
    });
    retired_ += retired.size();
    assert(retired_ <= items_.size());
    return retired;
  }

  // Without members: all items must be.
  void add(Item item) { items_.push_back(std::move(item)); }
  // With members: each_member_of(item, sink) gives them, also those of items that were added before.
  template <class EachMemberOf>
  void add(Item item, EachMemberOf&& each_member_of) {
    items_.push_back(std::move(item));
    if (index_) is_retired_.push_back(false);
    assert(!index_ || is_retired_.size() == items_.size());
    if (index_ && 8 * retired_ <= items_.size()) {
      file(static_cast<ItemIndex>(items_.size() - 1), each_member_of);
    } else {
      make_index(each_member_of);
    }
  }

 private:
  using ItemIndex = std::uint32_t;  // in items_
  struct Having {
    std::vector<ItemIndex> filed;  // each item under one of its members only
    std::vector<ItemIndex> all;
  };
  struct Index {
    std::unordered_map<std::size_t, Having> by_member;
    std::vector<ItemIndex> without_members;
    std::vector<ItemIndex> all;
  };

  template <class EachMemberOf>
  void file(ItemIndex place, EachMemberOf&& each_member_of) {
    Having* rarest = nullptr;
    each_member_of(items_[place], [&](std::size_t member) {
      Having& having = index_->by_member[member];
      having.all.push_back(place);
      if (rarest == nullptr || having.filed.size() < rarest->filed.size()) rarest = &having;
    });
    (rarest == nullptr ? index_->without_members : rarest->filed).push_back(place);
    index_->all.push_back(place);
  }

  // Anew, without what is retired; none if few are left.
  template <class EachMemberOf>
  void make_index(EachMemberOf&& each_member_of) {
    constexpr std::size_t few = 32;
    if (retired_ > 0) {
      std::size_t kept = 0;
      for (std::size_t place = 0; place < items_.size(); ++place)
        if (!is_retired_[place]) items_[kept++] = items_[place];
      assert(kept + retired_ == items_.size());
      items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(kept), items_.end());
      retired_ = 0;
    }
    index_.reset();
    if (items_.size() <= few) return;
    index_.emplace();
    is_retired_.assign(items_.size(), false);
    for (ItemIndex place = 0; place < items_.size(); ++place) file(place, each_member_of);
  }

  std::vector<Item> items_;
  std::optional<Index> index_;    // once there are many, with members
  std::vector<bool> is_retired_;  // by place, if there is an index
  std::size_t retired_ = 0;       // how many are
};

}  // namespace lockwood::treeauto
