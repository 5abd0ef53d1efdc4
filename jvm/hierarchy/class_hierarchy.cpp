#include "jvm/hierarchy/class_hierarchy.hpp"

#include <algorithm>
#include <cassert>

#include "jvm/classfile/descriptor.hpp"

namespace lockwood::jvm {
namespace {

constexpr std::string_view object_name = "java/lang/Object";
constexpr std::string_view throwable_name = "java/lang/Throwable";

// A class has a row for each of its superclasses, so a hostile chain of n classes would take n² rows.
constexpr std::size_t max_depth = 2000;

void set_bit(std::vector<std::uint64_t>& bits, std::uint32_t number) {
  if (bits.size() <= number / 64) bits.resize(number / 64 + 1);
  bits[number / 64] |= std::uint64_t{1} << (number % 64);
}

bool has_bit(const std::vector<std::uint64_t>& bits, std::uint32_t number) {
  return number / 64 < bits.size() && (bits[number / 64] >> (number % 64) & 1U) != 0;
}

void unite(std::vector<std::uint64_t>& bits, const std::vector<std::uint64_t>& others) {
  if (bits.size() < others.size()) bits.resize(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) bits[i] |= others[i];
}

// The supertypes that a class file names: the superclass first. Object has none, and absent classes have Object.
std::size_t supertype_count(const ClassFile* file, std::string_view name) {
  if (name == object_name) return 0;
  return file == nullptr ? 1 : 1 + file->interfaces.size();
}

std::string_view supertype(const ClassFile* file, std::size_t index) {
  if (index == 0) return file == nullptr ? object_name : file->super_name.value_or(object_name);
  return file->interfaces[index - 1];
}

std::string key_of(std::string_view name, std::string_view descriptor) {
  // A name of a method has no parenthesis, and a descriptor begins with one, so the two cannot be mixed up.
  return std::string{name}.append(descriptor);
}

}  // namespace

ClassId ClassHierarchy::load(std::string_view internal_name) {
  if (const auto known = names_.find(internal_name)) return *known;
  if (internal_name.starts_with('[')) return load_array(internal_name);

  // Depth first with a stack of our own: a hostile archive may have a chain of any length.
  std::vector<Pending> stack;
  std::unordered_set<std::string> on_stack;
  const auto push = [&](std::string_view name) {
    on_stack.emplace(name);
    auto file = read(name);
    stack.push_back({std::string{name}, std::move(file), 0, {}});
  };
  push(internal_name);
  while (!stack.empty()) {
    Pending& top = stack.back();
    if (top.next_supertype == supertype_count(top.file.get(), top.name)) {
      on_stack.erase(top.name);
      add(std::move(top));
      stack.pop_back();
      continue;
    }
    const std::string_view super = supertype(top.file.get(), top.next_supertype++);
    if (names_.find(super)) continue;
    if (super.starts_with('[')) {
      warn(top.file->bytes.origin, "class " + top.name + " has an array as its supertype, which is ignored");
      top.cyclic.push_back(super);
    } else if (on_stack.contains(std::string{super})) {
      warn(top.file->bytes.origin,
           "class " + top.name + " is its own supertype by way of " + std::string{super} + ", which is ignored");
      top.cyclic.push_back(super);
    } else {
      push(super);
    }
  }
  assert(names_.find(internal_name));
  return *names_.find(internal_name);
}

// Arrays are made up: superclass Object, interfaces Cloneable and Serializable [lindholm.21.jvm, Sect. 5.3.3].
ClassId ClassHierarchy::load_array(std::string_view name) {
  Row row;
  if (const auto type = parse_field_descriptor(name)) {
    const FieldType component{type->text.substr(1)};
    if (const auto component_name = component.class_name()) row.component = load(*component_name);
  } else {
    warn({}, "'" + std::string{name} + "' is not a name of an array");
    row.absent = true;
  }
  row.super = load(object_name);
  row.interfaces = {load("java/lang/Cloneable"), load("java/io/Serializable")};
  const ClassId id = names_.intern(name);
  inherit(row, id);
  rows_.push_back(std::move(row));
  assert(rows_.size() == names_.size());
  return id;
}

std::unique_ptr<ClassFile> ClassHierarchy::read(std::string_view name) {
  try {
    auto bytes = source_.find(name);
    if (!bytes) return nullptr;
    const std::string origin = bytes->origin;
    auto file = std::make_unique<ClassFile>(read_class_file(std::move(*bytes)));
    if (file->name != name) {
      warn(origin,
           "class " + std::string{name} + " is left out: its file says that it is class " + std::string{file->name});
      return nullptr;
    }
    if (auto newer = newer_version(*file)) diagnostics_.push_back(std::move(*newer));
    return file;
  } catch (const InputError& error) {
    // One bad class is no reason to give up the program.
    for (Diagnostic diagnostic : error.diagnostics()) {
      diagnostic.severity = Severity::Warning;
      diagnostic.hint = "class " + std::string{name} + " is left out";
      diagnostics_.push_back(std::move(diagnostic));
    }
    return nullptr;
  }
}

void ClassHierarchy::add(Pending pending) {
  assert(!names_.find(pending.name));
  Row row;
  row.absent = pending.file == nullptr;
  row.absent_supertype = row.absent;
  add_supertypes(row, pending);
  const bool numbered = row.absent || pending.file->access.is_interface();
  row.file = std::move(pending.file);
  const ClassId id = names_.intern(pending.name);
  if (numbered) {
    // An absent class may be an interface, so it takes part in both kinds of tests.
    row.interface_number = static_cast<std::uint32_t>(numbered_interfaces_.size());
    numbered_interfaces_.push_back(id);
    set_bit(row.superinterfaces, *row.interface_number);
  }
  inherit(row, id);
  if (row.file) add_members(row, id);
  rows_.push_back(std::move(row));
  assert(rows_.size() == names_.size());
}

void ClassHierarchy::add_supertypes(Row& row, const Pending& pending) {
  const std::string origin = pending.file ? pending.file->bytes.origin : std::string{};
  for (std::size_t i = 0; i < supertype_count(pending.file.get(), pending.name); ++i) {
    const std::string_view name = supertype(pending.file.get(), i);
    if (std::ranges::find(pending.cyclic, name) != pending.cyclic.end()) continue;
    const auto id = names_.find(name);
    assert(id);  // supertypes are loaded first
    const bool fits = is_absent(*id) || is_interface(*id) == (i > 0);
    if (!fits) {
      warn(origin, "class " + pending.name + (i > 0 ? " implements the class " : " extends the interface ") +
                       std::string{name} + ", which is ignored");
    } else if (i > 0) {
      row.interfaces.push_back(*id);
    } else if (rows_[*id].chain.size() >= max_depth) {
      warn(origin, "class " + pending.name + " has more than " + std::to_string(max_depth) +
                       " superclasses, which are ignored");
    } else {
      row.super = *id;
    }
  }
  // Where the superclass was taken away, Object takes its place.
  if (!row.super && pending.name != object_name)
    if (const auto object = names_.find(object_name)) row.super = *object;
}

// Superclasses and superinterfaces, from those of the direct supertypes.
void ClassHierarchy::inherit(Row& row, ClassId id) const {
  const auto from = [&](ClassId super) {
    unite(row.superinterfaces, rows_[super].superinterfaces);
    row.absent_supertype = row.absent_supertype || rows_[super].absent_supertype;
  };
  if (row.super) {
    row.chain = rows_[*row.super].chain;
    from(*row.super);
  }
  row.chain.push_back(id);
  for (ClassId interface : row.interfaces) from(interface);
}

void ClassHierarchy::add_members(Row& row, ClassId id) {
  row.first_method = static_cast<std::uint32_t>(methods_.size());
  row.first_field = static_cast<std::uint32_t>(fields_.size());
  row.by_signature.reserve(row.file->methods.size());
  for (const Member& method : row.file->methods) {
    const Signature signature = signatures_.intern(key_of(method.name, method.descriptor));
    row.by_signature.emplace_back(signature, methods_.push_back({id, signature}));
  }
  for (std::size_t i = 0; i < row.file->fields.size(); ++i) fields_.push_back(id);
  std::ranges::sort(row.by_signature);
}

void ClassHierarchy::warn(std::string origin, std::string message) {
  diagnostics_.push_back(
      {.severity = Severity::Warning, .file = std::move(origin), .at = {}, .message = std::move(message)});
}

std::string_view ClassHierarchy::package(ClassId id) const {
  const std::string_view whole = name(id);
  const std::size_t slash = whole.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : whole.substr(0, slash);
}

bool ClassHierarchy::is_interface(ClassId id) const {
  const ClassFile* class_file = file(id);
  return class_file != nullptr && class_file->access.is_interface();
}

std::vector<ClassId> ClassHierarchy::superinterfaces(ClassId id) const {
  const Row& row = rows_[id];
  std::vector<ClassId> result;
  for (std::uint32_t word = 0; word < row.superinterfaces.size(); ++word)
    for (std::uint32_t bit = 0; bit < 64; ++bit) {
      if ((row.superinterfaces[word] >> bit & 1U) == 0) continue;
      const ClassId interface = numbered_interfaces_[std::size_t{word} * 64 + bit];
      if (interface != id) result.push_back(interface);
    }
  return result;
}

bool ClassHierarchy::is_subtype(ClassId sub, ClassId super) const {
  // Arrays are covariant [lindholm.21.jvm, Sect. 6.5.checkcast]: go down to the first component that is no array.
  while (true) {
    const Row& low = rows_[sub];
    const Row& high = rows_[super];
    const std::size_t depth = high.chain.size() - 1;
    if (depth < low.chain.size() && low.chain[depth] == super) return true;
    if (high.interface_number && has_bit(low.superinterfaces, *high.interface_number)) return true;
    if (low.component && high.component && is_array(super)) {
      sub = *low.component;
      super = *high.component;
      continue;
    }
    // An absent class that is thrown has the supertypes of Throwable, and so have its subclasses.
    const bool thrown = std::ranges::any_of(low.chain, [&](ClassId id) { return rows_[id].throwable; });
    const auto throwable = names_.find(throwable_name);
    if (!thrown || !throwable || *throwable == sub || rows_[*throwable].throwable) return false;
    sub = *throwable;
  }
}

void ClassHierarchy::assume_throwable(ClassId id) {
  if (!is_absent(id)) return;
  const ClassId throwable = load(throwable_name);
  if (id != throwable) rows_[id].throwable = true;
}

IdRange<MethodId> ClassHierarchy::methods(ClassId id) const {
  const Row& row = rows_[id];
  return {row.first_method, row.first_method + (row.file ? row.file->methods.size() : 0)};
}

IdRange<FieldId> ClassHierarchy::fields(ClassId id) const {
  const Row& row = rows_[id];
  return {row.first_field, row.first_field + (row.file ? row.file->fields.size() : 0)};
}

std::optional<MethodId> ClassHierarchy::declared_method(ClassId id, std::string_view name,
                                                        std::string_view descriptor) const {
  const auto signature = signatures_.find(key_of(name, descriptor));
  return signature ? declared_method(id, *signature) : std::nullopt;
}

std::optional<MethodId> ClassHierarchy::declared_method(ClassId id, Signature signature) const {
  const auto& methods = rows_[id].by_signature;
  const auto found = std::ranges::lower_bound(methods, signature, {}, &std::pair<Signature, MethodId>::first);
  return found != methods.end() && found->first == signature ? std::optional{found->second} : std::nullopt;
}

std::optional<FieldId> ClassHierarchy::declared_field(ClassId id, std::string_view name,
                                                      std::string_view descriptor) const {
  const Row& row = rows_[id];
  if (!row.file) return std::nullopt;
  const Member* field = find_field(*row.file, name, descriptor);
  if (field == nullptr) return std::nullopt;
  return FieldId{row.first_field + static_cast<std::size_t>(field - row.file->fields.data())};
}

const Member& ClassHierarchy::member(MethodId id) const {
  const Row& row = rows_[owner(id)];
  assert(row.file && id.index() >= row.first_method);
  return row.file->methods[id.index() - row.first_method];
}

const Member& ClassHierarchy::member(FieldId id) const {
  const Row& row = rows_[owner(id)];
  assert(row.file && id.index() >= row.first_field);
  return row.file->fields[id.index() - row.first_field];
}

void ClassHierarchy::check_invariants() const {
  assert(rows_.size() == names_.size());
  for ([[maybe_unused]] ClassId id : rows_.keys()) {
    [[maybe_unused]] const Row& row = rows_[id];
    assert(!row.chain.empty() && row.chain.back() == id);
    assert(!row.super || (*row.super < id && row.chain.size() == rows_[*row.super].chain.size() + 1));
    assert(std::ranges::all_of(row.interfaces, [&](ClassId interface) { return interface < id; }));
    assert(!row.interface_number || numbered_interfaces_[*row.interface_number] == id);
    assert(std::ranges::is_sorted(row.by_signature));
    assert(is_subtype(id, id));
  }
}

}  // namespace lockwood::jvm
