#include "jvm/archive/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/text/diagnostic.hpp"
#include "jvm/archive/class_name.hpp"
#include "jvm/archive/warning_list.hpp"

namespace lockwood::jvm {

std::unique_ptr<Image> Image::open(const std::string& path, std::string library, const ArchiveLimits& limits) {
  auto image = std::make_unique<Image>(map_regular_file(path), path, limits);
  image->library_ = std::move(library);
  return image;
}

Image::Image(SharedBytes bytes, std::string name, const ArchiveLimits& limits)
    : bytes_{std::move(bytes)}, name_{std::move(name)}, limits_{limits}, index_{bytes_.bytes, name_} {}

std::vector<std::string_view> Image::modules_of(std::string_view package) const {
  std::string path = "/packages/";
  std::ranges::transform(package, std::back_inserter(path), [](char c) { return c == '/' ? '.' : c; });
  const auto found = index_.locate(path);
  if (!found || found->compressed_size != 0) return {};
  const auto content = index_.content(*found);
  if (!content) return {};
  // Two words for each module: whether the package is empty there, and the offset of the module's name. The first one
  // has got more meanings over the releases, so it is not asked: a class is looked for in every module that is named.
  constexpr std::size_t row = 8;
  std::vector<std::string_view> modules;
  for (std::size_t at = 0; at + row <= content->size(); at += row) {
    const auto module = index_.string_at(index_.word(*content, at + row / 2));
    if (module && !module->empty()) modules.push_back(*module);
  }
  return modules;
}

std::optional<ImageLocation> Image::locate(std::string_view internal_name) const {
  if (!is_class_name(internal_name)) return std::nullopt;
  // Without a package: module-info, which is in every module and thus in none.
  const std::string_view package = package_of(internal_name);
  if (package.empty()) return std::nullopt;
  for (std::string_view module : modules_of(package))
    if (const auto found = index_.locate(fmt::format("/{}/{}.class", module, internal_name))) return found;
  return std::nullopt;
}

std::optional<ClassBytes> Image::find(std::string_view internal_name) {
  const auto location = locate(internal_name);
  if (!location) return std::nullopt;
  std::string origin = fmt::format("{}:{}", name_, shown_entry(location->module));
  const auto refuse = [&](std::string_view reason) {
    throw InputError{name_, fmt::format("entry '{}' {}", shown_entry(path_of(*location)), reason)};
  };
  if (location->size > limits_.max_entry_bytes)
    refuse(fmt::format("has {}; the limit is {}", bytes_text(location->size), bytes_text(limits_.max_entry_bytes)));
  const auto content = index_.content(*location);
  if (!content) refuse("lies outside of the image");
  if (location->compressed_size != 0) return decompressed(*location, std::move(origin));
  assert(content->size() == location->size);
  return ClassBytes{bytes_.owner, *content, std::move(origin)};
}

ClassBytes Image::decompressed(const ImageLocation& location, std::string origin) {
  if (library_.empty())
    throw InputError{name_, "has compressed entries, which only libjimage.so can read, from a file"};
  if (!loaded_) loaded_ = std::make_unique<ImageLibrary>(library_, name_);
  const std::string path = fmt::format("{}/{}.{}", location.parent, location.base, location.extension);
  SharedBytes content = shared(loaded_->read(std::string{location.module}, path, location.size));
  return {std::move(content.owner), content.bytes, std::move(origin)};
}

void Image::for_each_class(const std::function<void(std::string_view)>& callback) {
  std::vector<std::string> names;
  for (std::uint32_t slot = 0; slot < index_.slots(); ++slot) {
    const auto found = index_.location(slot);
    if (!found || found->extension != "class" || found->parent.empty()) continue;
    std::string name = fmt::format("{}/{}", found->parent, found->base);
    // An image with errors may have locations that its hash table does not lead to.
    if (!is_description(name) && locate(name)) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) callback(name);
}

}  // namespace lockwood::jvm
