#include "jvm/archive/jar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <tuple>

#include "jvm/archive/class_name.hpp"

namespace lockwood::jvm {
namespace {

constexpr std::string_view class_suffix = ".class";
constexpr std::string_view versions = "META-INF/versions/";
constexpr std::string_view metadata = "META-INF/";
constexpr std::string_view jmod_classes = "classes/";
constexpr std::array<std::string_view, 2> inner_classes = {"BOOT-INF/classes/", "WEB-INF/classes/"};
constexpr std::array<std::string_view, 2> inner_libraries = {"BOOT-INF/lib/", "WEB-INF/lib/"};

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Java does not mind the case of this one name.
bool is_manifest(std::string_view name) {
  constexpr std::string_view path = "META-INF/MANIFEST.MF";
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
  return std::ranges::equal(name, path, {}, upper);
}

// Takes "17/" from "17/a/B". Versions are decimal numbers from 9 on [oracle.21.jar, Sect. Multi-release JAR files].
std::optional<int> take_version(std::string_view& text) {
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || version < 9 || length >= text.size() || text[length] != '/') return std::nullopt;
  text.remove_prefix(length + 1);
  return version;
}

}  // namespace

// An entry that may be the class of this name; the least one is.
struct Jar::Candidate {
  std::string_view name;
  int room = 0;     // 0: the root, 1: BOOT-INF/classes and the like
  int version = 0;  // of META-INF/versions
  ZipEntry entry = {};

  [[nodiscard]] auto order() const { return std::tuple{name, room, -version, ~entry.index}; }
};

Jar::Jar(ZipFile archive, JarLayout layout, const ArchiveOptions& options)
    : archive_{std::move(archive)}, warnings_{archive_.origin()} {
  read_manifest(options);
  list_classes(layout, options);
  if (layout == JarLayout::Jar) list_nested(options.limits);
  check_invariants();
}

void Jar::read_manifest(const ArchiveOptions& options) {
  constexpr std::uint64_t max_bytes = std::uint64_t{16} << 20U;
  const auto& entries = archive_.entries();
  // As everywhere, of several entries the last one counts.
  const auto found = std::ranges::find_if(entries.rbegin(), entries.rend(), is_manifest, &ZipEntry::name);
  if (found == entries.rend()) return;
  const std::string reason =
      rejection_reason(*found, std::min(max_bytes, options.limits.max_entry_bytes), options.limits);
  if (!reason.empty()) return warnings_.leave_out(found->name, reason);
  try {
    const std::vector<std::uint8_t> content = archive_.read(*found);
    manifest_ = parse_manifest({reinterpret_cast<const char*>(content.data()), content.size()});
  } catch (const InputError& error) {  // the classes are as good without it
    for (const Diagnostic& diagnostic : error.diagnostics()) warnings_.add(diagnostic.message);
  }
}

std::optional<Jar::Candidate> Jar::candidate(const ZipEntry& entry, JarLayout layout, const ArchiveOptions& options) {
  Candidate found{.name = entry.name, .entry = entry};
  if (!found.name.ends_with(class_suffix)) return std::nullopt;
  found.name.remove_suffix(class_suffix.size());
  if (layout == JarLayout::Jmod) {
    if (!take_prefix(found.name, jmod_classes)) return std::nullopt;
  } else if (take_prefix(found.name, versions)) {
    const auto version = take_version(found.name);
    if (!manifest_.multi_release || !version || *version > options.release) return std::nullopt;
    found.version = *version;
  } else if (std::ranges::any_of(inner_classes, [&](std::string_view p) { return take_prefix(found.name, p); })) {
    found.room = 1;
  }
  if (found.name.starts_with(metadata)) return std::nullopt;  // not on the class path, also not in a version
  if (!is_class_name(found.name)) {
    warnings_.leave_out(entry.name, "does not have the name of a class");
    return std::nullopt;
  }
  const std::string reason = rejection_reason(entry, options.limits.max_entry_bytes, options.limits);
  if (!reason.empty()) {
    warnings_.leave_out(entry.name, reason);
    return std::nullopt;
  }
  return found;
}

void Jar::list_classes(JarLayout layout, const ArchiveOptions& options) {
  std::vector<Candidate> candidates;
  std::uint64_t total = 0;
  for (const ZipEntry& entry : archive_.entries()) {
    const auto found = candidate(entry, layout, options);
    if (!found) continue;
    // No overflow: each is at most max_entry_bytes, and the sum was at most max_total_bytes.
    total += entry.size;
    if (total > options.limits.max_total_bytes)
      throw InputError{origin(),
                       fmt::format("claims to have classes of more than {}, which is the limit for an archive",
                                   bytes_text(options.limits.max_total_bytes))};
    candidates.push_back(*found);
  }
  std::ranges::sort(candidates, {}, &Candidate::order);
  classes_.reserve(candidates.size());
  const Candidate* winner = nullptr;
  for (const Candidate& next : candidates) {
    if (winner == nullptr || winner->name != next.name) {
      winner = &next;
      classes_.push_back({next.name, next.entry});
    } else if (winner->room == next.room && winner->version == next.version) {
      warnings_.add(
          fmt::format("has the entry '{}' more than once; the last one counts", shown_entry(next.entry.name)));
    }
  }
}

void Jar::list_nested(const ArchiveLimits& limits) {
  std::uint64_t total = 0;
  for (const ZipEntry& entry : archive_.entries()) {
    const auto inside = [&](std::string_view folder) { return entry.name.starts_with(folder); };
    if (!entry.name.ends_with(".jar") || std::ranges::none_of(inner_libraries, inside)) continue;
    const std::string reason = rejection_reason(entry, limits.max_nested_bytes, limits);
    if (!reason.empty()) {
      warnings_.leave_out(entry.name, reason);
    } else if (entry.size > limits.max_nested_bytes - total) {
      warnings_.leave_out(entry.name, fmt::format("does not fit: the limit for all jars in a jar is {}",
                                                  bytes_text(limits.max_nested_bytes)));
    } else {
      total += entry.size;
      nested_.push_back(entry);
    }
    assert(total <= limits.max_nested_bytes);
  }
}

std::optional<ClassBytes> Jar::find(std::string_view internal_name) {
  const auto found = std::ranges::lower_bound(classes_, internal_name, {}, &Class::name);
  if (found == classes_.end() || found->name != internal_name) return std::nullopt;
  SharedBytes content = shared(archive_.read(found->entry));
  assert(content.bytes.size() == found->entry.size);
  return ClassBytes{std::move(content.owner), content.bytes, origin()};
}

void Jar::for_each_class(const std::function<void(std::string_view)>& callback) {
  for (const Class& known : classes_)
    if (!is_description(known.name)) callback(known.name);
}

std::vector<std::string_view> Jar::names() const {
  std::vector<std::string_view> names;
  names.reserve(classes_.size());
  for (const Class& known : classes_) names.push_back(known.name);
  return names;
}

void Jar::check_invariants() const {
  assert(std::ranges::adjacent_find(classes_, std::ranges::greater_equal{}, &Class::name) == classes_.end());
  assert(std::ranges::all_of(classes_, is_class_name, &Class::name));
}

}  // namespace lockwood::jvm
