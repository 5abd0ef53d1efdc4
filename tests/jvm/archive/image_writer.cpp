#include "tests/jvm/archive/image_writer.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace lockwood::jvm {
namespace {

struct Resource {
  std::string module;
  std::string parent;
  std::string base;
  std::string extension;
  std::string content;
  std::uint64_t compressed_size = 0;

  [[nodiscard]] std::string path() const {
    return "/" + module + "/" + (parent.empty() ? "" : parent + "/") + base +
           (extension.empty() ? "" : "." + extension);
  }
};

class Writer {
 public:
  explicit Writer(ByteOrder order) : order_{order} { string(""); }

  std::uint32_t string(const std::string& text) {
    const auto [known, is_new] = offsets_.emplace(text, static_cast<std::uint32_t>(strings_.size()));
    if (is_new) strings_.append(text).push_back('\0');
    return known->second;
  }
  void word(std::string& out, std::uint32_t value) const {
    for (unsigned i = 0; i < 4; ++i)
      out.push_back(static_cast<char>(value >> (8 * (order_ == ByteOrder::Big ? 3 - i : i))));
  }
  // One attribute of a location, in as few bytes as it takes.
  static void attribute(std::string& out, unsigned kind, std::uint64_t value) {
    if (value == 0) return;
    unsigned length = 1;
    while (length < 8 && value >> (8 * length) != 0) ++length;
    out.push_back(static_cast<char>(kind << 3U | (length - 1)));
    for (unsigned i = length; i-- > 0;) out.push_back(static_cast<char>(value >> (8 * i)));
  }
  [[nodiscard]] const std::string& strings() const { return strings_; }

 private:
  ByteOrder order_;
  std::string strings_;
  std::map<std::string, std::uint32_t> offsets_;
};

std::uint32_t hash_of(const std::string& text, std::uint32_t seed) {
  for (char c : text) seed = seed * 0x01000193U ^ static_cast<unsigned char>(c);
  return seed % 0x80000000U;
}

struct Table {
  std::vector<std::int32_t> redirect;
  std::vector<std::size_t> slot_of;  // by resource
};

// A table with n slots: buckets in the order of size, the large ones first, get a seed each that puts their paths into
// free slots. Those with one path take what is left. Nothing if there is no such seed below some bound.
std::optional<Table> hash_table(const std::vector<Resource>& resources, std::size_t n) {
  std::vector<std::vector<std::size_t>> buckets(n);
  for (std::size_t i = 0; i < resources.size(); ++i) buckets[hash_of(resources[i].path(), 0x01000193) % n].push_back(i);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t b) { return buckets[b].size(); });
  Table table{std::vector<std::int32_t>(n), std::vector<std::size_t>(resources.size())};
  std::vector<bool> taken(n);
  std::size_t free = 0;
  for (std::size_t bucket : order) {
    const auto& members = buckets[bucket];
    if (members.empty()) continue;
    if (members.size() == 1) {
      while (taken[free]) ++free;
      taken[free] = true;
      table.slot_of[members[0]] = free;
      table.redirect[bucket] = -1 - static_cast<std::int32_t>(free);
      continue;
    }
    for (std::int32_t seed = 1;; ++seed) {
      if (seed > 10'000) return std::nullopt;
      std::set<std::size_t> slots;
      for (std::size_t i : members) slots.insert(hash_of(resources[i].path(), static_cast<std::uint32_t>(seed)) % n);
      if (slots.size() < members.size() || std::ranges::any_of(slots, [&](std::size_t s) { return taken[s]; }))
        continue;
      for (std::size_t i : members)
        table.slot_of[i] = hash_of(resources[i].path(), static_cast<std::uint32_t>(seed)) % n;
      for (std::size_t s : slots) taken[s] = true;
      table.redirect[bucket] = seed;
      break;
    }
  }
  return table;
}

std::vector<Resource> resources_of(const std::vector<WrittenClass>& classes, Writer& writer) {
  std::vector<Resource> resources;
  std::map<std::string, std::set<std::string>> packages;  // to modules
  for (const WrittenClass& written : classes) {
    const std::size_t slash = written.name.rfind('/');
    std::string parent = slash == std::string::npos ? "" : written.name.substr(0, slash);
    resources.push_back(
        {written.module, parent, written.name.substr(slash + 1), "class", written.content, written.compressed_size});
    if (parent.empty()) continue;
    std::ranges::replace(parent, '/', '.');
    packages[parent].insert(written.module);
  }
  for (const auto& [package, modules] : packages) {
    std::string content;
    for (const std::string& module : modules) {
      writer.word(content, 0);
      writer.word(content, writer.string(module));
    }
    // As every path, a package is split at its last dot.
    const std::size_t dot = package.rfind('.');
    const std::string extension = dot == std::string::npos ? "" : package.substr(dot + 1);
    resources.push_back({"packages", "", package.substr(0, dot), extension, content, 0});
  }
  return resources;
}

}  // namespace

std::vector<std::uint8_t> written_image(const std::vector<WrittenClass>& classes, ByteOrder order) {
  Writer writer{order};
  const std::vector<Resource> resources = resources_of(classes, writer);
  // Low bits of the hash depend on little, so that small tables may have no seed: then there are free slots.
  std::size_t slots = resources.size();
  std::optional<Table> found;
  while (!(found = hash_table(resources, slots))) ++slots;
  const Table& table = *found;
  std::string locations(1, '\0');
  std::string contents;
  std::vector<std::uint32_t> offsets(slots);
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const Resource& resource = resources[i];
    offsets[table.slot_of[i]] = static_cast<std::uint32_t>(locations.size());
    Writer::attribute(locations, 1, writer.string(resource.module));
    Writer::attribute(locations, 2, writer.string(resource.parent));
    Writer::attribute(locations, 3, writer.string(resource.base));
    Writer::attribute(locations, 4, writer.string(resource.extension));
    Writer::attribute(locations, 5, contents.size());
    Writer::attribute(locations, 6, resource.compressed_size);
    Writer::attribute(locations, 7, resource.content.size());
    locations.push_back('\0');
    contents += resource.content;
  }
  std::string out;
  for (std::size_t value : {std::size_t{0xCAFEDADA}, std::size_t{1} << 16U, std::size_t{0}, resources.size(), slots,
                            locations.size(), writer.strings().size()})
    writer.word(out, static_cast<std::uint32_t>(value));
  for (std::int32_t redirect : table.redirect) writer.word(out, static_cast<std::uint32_t>(redirect));
  for (std::uint32_t offset : offsets) writer.word(out, offset);
  out += locations + writer.strings() + contents;
  return {out.begin(), out.end()};
}

}  // namespace lockwood::jvm
