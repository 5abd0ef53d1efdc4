#include "jvm/archive/class_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <system_error>
#include <unordered_set>

#include "jvm/archive/class_name.hpp"

namespace lockwood::jvm {
namespace fs = std::filesystem;

// Opens the archives of a class path in order: a depth-first walk along `Class-Path` and jars in jars.
class ClassPathReading {
 public:
  ClassPathReading(ClassPath& path, const ArchiveOptions& options) : path_{path}, options_{options} {}

  void add(const std::vector<std::string>& entries, std::size_t required) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string entry = entries[i].empty() ? "." : entries[i];
      if (i < required)
        add_file(entry, By::User);
      else if (is_wildcard(entry))
        add_wildcard(entry);
      else
        attempt(entry, [&] { add_file(entry, By::User); });
      add_pending();
    }
  }

 private:
  enum class By { User, Manifest };

  static bool is_wildcard(const std::string& entry) { return entry == "*" || entry.ends_with("/*"); }

  void warn(std::string file, std::string message) {
    path_.warnings_.push_back({.severity = Severity::Warning,
                               .file = std::move(file),
                               .message = std::move(message),
                               .excerpt = {},
                               .hint = {}});
  }

  // What is not required may fail: the others are as good without it. Its errors become warnings.
  template <class Action>
  void attempt(const std::string& file, Action action) {
    try {
      action();
    } catch (const InputError& error) {
      for (const Diagnostic& diagnostic : error.diagnostics())
        warn(diagnostic.file.empty() ? file : diagnostic.file, diagnostic.message + "; it is left out");
    }
  }

  // All jars in the folder, by name: Java leaves the order open, and answers should not depend on it.
  void add_wildcard(const std::string& entry) {
    const fs::path folder = entry == "*" ? fs::path{"."} : fs::path{entry.substr(0, entry.size() - 2)};
    std::error_code error;
    std::vector<std::string> jars;
    for (fs::directory_iterator files{folder, error}; !error && files != fs::directory_iterator{};
         files.increment(error)) {
      const std::string name = files->path().string();
      if (name.ends_with(".jar") || name.ends_with(".JAR")) jars.push_back(name);
    }
    if (error) return warn(entry, error.message() + "; it is left out");
    std::ranges::sort(jars);
    for (const std::string& jar : jars) {
      attempt(jar, [&] { add_file(jar, By::User); });
      add_pending();
    }
  }

  // The files that manifests name, each with those that it names itself behind it. Manifests may name each other in
  // circles, so the walk has its own stack and visits a file once.
  void add_pending() {
    while (!pending_.empty()) {
      const std::string file = std::move(pending_.back());
      pending_.pop_back();
      std::error_code unknown;
      // Manifests name many files that are not delivered with them. Java does not mind, and neither do we.
      if (!fs::exists(file, unknown)) continue;
      attempt(file, [&] { add_file(file, By::Manifest); });
    }
  }

  void add_file(const std::string& file, By by) {
    std::error_code error;
    const std::string canonical = fs::weakly_canonical(file, error).string();
    if (!visited_.insert(error ? file : canonical).second) return;
    require_room(file);
    if (fs::is_directory(file, error)) {
      auto folder = std::make_unique<Folder>(file, options_.limits);
      append(path_.warnings_, folder->warnings());
      path_.archives_.push_back({.place = std::move(folder), .named_by_user = by == By::User});
      return;
    }
    // A .jmod is a zip archive behind four bytes of its own. Java does not take it on a class path, but who names one
    // wants it read.
    constexpr std::uint64_t jmod_header = 4;
    const bool is_jmod = file.ends_with(".jmod");
    add_jar(std::make_unique<Jar>(ZipFile::open(file, options_.limits, is_jmod ? jmod_header : 0),
                                  is_jmod ? JarLayout::Jmod : JarLayout::Jar, options_),
            by, 0);
  }

  void add_jar(std::unique_ptr<Jar> owned, By by, std::size_t depth) {
    const Jar& jar = *owned;  // stays where it is
    append(path_.warnings_, jar.warnings());
    path_.archives_.push_back({.place = std::move(owned), .named_by_user = by == By::User, .nested = depth > 0});
    add_nested(jar, by, depth);
    if (depth > 0) return;  // a path relative to a jar in a jar leads nowhere
    const std::string folder = fs::path{jar.origin()}.parent_path().string();
    std::vector<std::string> named;
    for (const std::string& url : jar.manifest().class_path) {
      if (auto file = path_of_url(url, folder))
        named.push_back(std::move(*file));
      else
        warn(jar.origin(),
             fmt::format("Class-Path names '{}', which is not a file here; it is left out", shown_entry(url)));
    }
    // The first one is to be on top of the stack. What a stack of a million names is good for, nobody knows.
    const std::size_t bound = options_.limits.max_archives;
    if (named.size() > bound || pending_.size() > bound)
      throw InputError{jar.origin(), fmt::format("Class-Path names more than {} files, which is the limit", bound)};
    pending_.insert(pending_.end(), std::make_move_iterator(named.rbegin()), std::make_move_iterator(named.rend()));
  }

  void add_nested(const Jar& jar, By by, std::size_t depth) {
    for (const ZipEntry& entry : jar.nested()) {
      const std::string origin = fmt::format("{}!/{}", jar.origin(), shown_entry(entry.name));
      attempt(origin, [&] {
        if (depth >= options_.limits.max_depth)
          throw InputError{origin, fmt::format("is a jar in a jar more than {} deep, which is the limit",
                                               options_.limits.max_depth)};
        // All of them are in memory at once, so they share one limit.
        if (entry.size > options_.limits.max_nested_bytes - nested_bytes_)
          throw InputError{origin, fmt::format("does not fit: the limit for all jars in jars is {}",
                                               bytes_text(options_.limits.max_nested_bytes))};
        require_room(origin);
        nested_bytes_ += entry.size;
        add_jar(std::make_unique<Jar>(ZipFile::of(jar.read_nested(entry), origin, options_.limits), JarLayout::Jar,
                                      options_),
                by, depth + 1);
      });
      assert(nested_bytes_ <= options_.limits.max_nested_bytes);
    }
  }

  void require_room(const std::string& file) const {
    if (path_.archives_.size() < options_.limits.max_archives) return;
    throw InputError{file, fmt::format("the class path has more than {} archives, which is the limit",
                                       options_.limits.max_archives)};
  }

  static void append(std::vector<Diagnostic>& all, std::vector<Diagnostic> more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  ClassPath& path_;
  const ArchiveOptions& options_;
  std::unordered_set<std::string> visited_;  // by canonical path
  std::vector<std::string> pending_;         // files that manifests name, the next one last
  std::uint64_t nested_bytes_ = 0;
};

const std::string& ClassPath::Archive::origin() const {
  return std::visit([](const auto& opened) -> const std::string& { return opened->origin(); }, place);
}

const Manifest* ClassPath::Archive::manifest() const {
  const auto* const jar = std::get_if<std::unique_ptr<Jar>>(&place);
  return jar == nullptr ? nullptr : &(*jar)->manifest();
}

ClassPath::ClassPath(const std::vector<std::string>& entries, std::size_t required, const ArchiveOptions& options) {
  assert(required <= entries.size());
  ClassPathReading{*this, options}.add(entries, required);
  list_classes();
}

void ClassPath::list_classes() {
  for (ArchiveId archive : archives_.keys()) {
    const auto names = std::visit([](const auto& opened) { return opened->names(); }, archives_[archive].place);
    for (std::string_view name : names) {
      const auto [known, is_new] = classes_.emplace(name, archive);
      assert(is_new || known->second < archive);  // an archive has a name once
      if (!is_new && !is_description(name)) duplicates_.push_back({name, known->second, archive});
    }
  }
}

std::optional<ArchiveId> ClassPath::archive_of(std::string_view internal_name) const {
  const auto found = classes_.find(internal_name);
  return found == classes_.end() ? std::nullopt : std::optional{found->second};
}

std::optional<ClassBytes> ClassPath::find(std::string_view internal_name) {
  const auto archive = archive_of(internal_name);
  if (!archive) return std::nullopt;
  return std::visit([&](const auto& opened) { return opened->find(internal_name); }, archives_[*archive].place);
}

void ClassPath::for_each_class(const std::function<void(std::string_view)>& callback) {
  for (ArchiveId archive : archives_.keys()) {
    const auto used_here = [&](std::string_view name) {
      if (classes_.at(name) == archive) callback(name);
    };
    std::visit([&](const auto& opened) { opened->for_each_class(used_here); }, archives_[archive].place);
  }
}

std::vector<std::string> split_class_path(std::string_view text) {
  std::vector<std::string> entries;
  if (text.empty()) return entries;
  while (true) {
    const std::size_t colon = text.find(':');
    entries.emplace_back(colon == 0 || text.empty() ? "." : text.substr(0, colon));
    if (colon == std::string_view::npos) return entries;
    text.remove_prefix(colon + 1);
  }
}

}  // namespace lockwood::jvm
