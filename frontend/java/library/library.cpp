#include "frontend/java/library/library.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::java::library {

std::string MethodModel::parameter_descriptor() const {
  std::string text = "(";
  for (const TypeName& type : parameters) text += type.descriptor;
  return text + ")";
}

std::string_view parameters_of(std::string_view descriptor) {
  const std::size_t end = descriptor.rfind(')');
  assert(end != std::string_view::npos);
  return descriptor.substr(0, end + 1);
}

Library::Library() {
  [[maybe_unused]] const ModelField elements = fields_.intern("[]");
  assert(elements == array_elements());
}

ModelClass Library::add(ClassModel model) {
  const ModelClass id = names_.intern(model.name);
  if (!rows_.contains(id)) {
    rows_.push_back({});
    by_signature_.push_back({});
  }
  by_signature_[id].clear();
  for (std::size_t i = 0; i < model.methods.size(); ++i) {
    const MethodModel& method = model.methods[i];
    [[maybe_unused]] const bool is_new =
        by_signature_[id].emplace(std::pair{method.name, method.parameter_descriptor()}, i).second;
    assert(is_new);
  }
  rows_[id] = std::move(model);
  return id;
}

const MethodModel* Library::own_method(ModelClass id, std::string_view name, std::string_view parameters) const {
  const auto& table = by_signature_[id];
  const auto found = table.find(std::pair{std::string{name}, std::string{parameters}});
  return found == table.end() ? nullptr : &rows_[id].methods[found->second];
}

const MethodModel* Library::declared_method(ModelClass id, std::string_view name, std::string_view descriptor) const {
  return own_method(id, name, parameters_of(descriptor));
}

std::vector<ModelClass> Library::lookup_order(ModelClass id) const {
  std::vector<ModelClass> order;
  std::vector<bool> listed(rows_.size());
  const auto list = [&](std::string_view name) {
    const auto found = find(name);
    if (!found || listed[found->index()]) return;
    listed[found->index()] = true;
    order.push_back(*found);
  };
  list(rows_[id].name);
  // The superclasses first; a superclass without a model ends the chain.
  for (std::size_t i = 0; i < order.size(); ++i)
    if (const auto& super = rows_[order[i]].superclass) list(*super);
  // Object must not hide what interfaces say: it has hardly an entry that they repeat, but `*` of Object would.
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const std::string& interface : rows_[order[i]].interfaces) list(interface);
  return order;
}

std::optional<Library::Found> Library::find_method(ModelClass id, std::string_view name,
                                                   std::string_view descriptor) const {
  const std::string_view parameters = parameters_of(descriptor);
  const MethodModel* own = own_method(id, name, parameters);
  if (own != nullptr && !own->is_abstract) return Found{id, own};
  const auto wildcard = [&](ModelClass owner) { return own_method(owner, "*", "()"); };
  if (name == "<init>") {
    const MethodModel* any = wildcard(id);
    return any == nullptr ? std::nullopt : std::optional{Found{id, any}};
  }
  const std::vector<ModelClass> order = lookup_order(id);
  std::optional<Found> abstract;
  for (ModelClass owner : order) {
    const MethodModel* method = own_method(owner, name, parameters);
    if (method == nullptr || (method->is_static && rows_[owner].is_interface)) continue;
    if (!method->is_abstract) return Found{owner, method};
    if (!abstract) abstract = Found{owner, method};
  }
  if (abstract) return abstract;
  for (ModelClass owner : order)
    if (const MethodModel* any = wildcard(owner)) return Found{owner, any};
  return std::nullopt;
}

bool Library::has_state(ModelClass id, ModelField state) const {
  return std::ranges::any_of(lookup_order(id), [&](ModelClass owner) {
    return std::ranges::find(rows_[owner].states, state) != rows_[owner].states.end();
  });
}

std::optional<TypeName> Library::field_type(ModelClass id, ModelField field) const {
  for (ModelClass owner : lookup_order(id))
    for (const TypedField& typed : rows_[owner].fields)
      if (typed.field == field) return typed.type;
  return std::nullopt;
}

void Library::check_invariants() const {
  assert(names_.size() == rows_.size() && rows_.size() == by_signature_.size());
  for ([[maybe_unused]] ModelClass id : classes()) {
    assert(rows_[id].name == name(id));
    assert(by_signature_[id].size() == rows_[id].methods.size());
    assert(rows_[id].superclass.has_value() == (rows_[id].name != "java/lang/Object"));
    assert(lookup_order(id).front() == id);
  }
}

}  // namespace lockwood::java::library
