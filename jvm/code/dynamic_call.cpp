#include "jvm/code/dynamic_call.hpp"

#include <algorithm>
#include <cassert>

#include "jvm/classfile/descriptor.hpp"

namespace lockwood::jvm {
namespace {

// Flags of altMetafactory, as the documentation of java.lang.invoke.LambdaMetafactory has them.
constexpr std::int32_t flag_serializable = 1;
constexpr std::int32_t flag_markers = 2;
constexpr std::int32_t flag_bridges = 4;

// The arguments of a bootstrap method, taken one after the other. Once one has another kind than wanted, `bad` is set.
class Arguments {
 public:
  Arguments(const ConstantPool& constants, const std::vector<ConstantIndex>& indices)
      : constants_{constants}, indices_{indices} {}

  [[nodiscard]] bool bad() const { return bad_; }
  [[nodiscard]] bool at_end() const { return next_ == indices_.size(); }
  std::optional<ConstantIndex> take(ConstantTag tag) {
    if (bad_ || at_end() || constants_.tag(indices_[next_]) != tag) {
      bad_ = true;
      return std::nullopt;
    }
    return indices_[next_++];
  }
  std::string_view method_type() {
    const auto index = take(ConstantTag::MethodType);
    return index ? constants_.method_type(*index) : std::string_view{};
  }
  std::string_view class_name() {
    const auto index = take(ConstantTag::Class);
    return index ? constants_.class_name(*index) : std::string_view{};
  }
  std::optional<MethodHandle> handle() {
    const auto index = take(ConstantTag::MethodHandle);
    return index ? std::optional{constants_.method_handle(*index)} : std::nullopt;
  }
  std::int32_t integer() {
    const auto index = take(ConstantTag::Integer);
    return index ? constants_.integer(*index) : 0;
  }

 private:
  const ConstantPool& constants_;
  const std::vector<ConstantIndex>& indices_;
  std::size_t next_ = 0;
  bool bad_ = false;
};

std::optional<LambdaCall> lambda(const NameAndType& site, Arguments& arguments, BootstrapKind kind) {
  LambdaCall call{.method = site.name};
  const auto type = parse_method_descriptor(site.descriptor);
  if (!type || !type->result || !type->result->class_name()) return std::nullopt;
  call.interface = *type->result->class_name();
  call.descriptor = arguments.method_type();
  const auto implementation = arguments.handle();
  call.instantiated = arguments.method_type();
  if (!implementation || arguments.bad()) return std::nullopt;
  call.implementation = *implementation;
  if (kind == BootstrapKind::Lambda) return call;
  const std::int32_t flags = arguments.integer();
  call.serializable = (flags & flag_serializable) != 0;
  // Counts come from the class: a loop ends with the arguments, whatever the count says.
  if ((flags & flag_markers) != 0)
    for (std::int32_t left = arguments.integer(); left > 0 && !arguments.bad(); --left)
      call.markers.push_back(arguments.class_name());
  if ((flags & flag_bridges) != 0)
    for (std::int32_t left = arguments.integer(); left > 0 && !arguments.bad(); --left)
      call.bridges.push_back(arguments.method_type());
  return arguments.bad() ? std::nullopt : std::optional{std::move(call)};
}

std::optional<RecordMethod> record_method(Arguments& arguments) {
  RecordMethod method{.record = arguments.class_name(), .fields = {}};
  static_cast<void>(arguments.take(ConstantTag::String));  // the names of the components
  while (!arguments.bad() && !arguments.at_end()) {
    const auto getter = arguments.handle();
    if (!getter || getter->kind != HandleKind::GetField) return std::nullopt;
    method.fields.push_back(getter->member);
  }
  return arguments.bad() ? std::nullopt : std::optional{std::move(method)};
}

}  // namespace

DynamicCall dynamic_call(const ClassFile& file, const std::vector<BootstrapMethod>& bootstraps,
                         ConstantIndex constant) {
  if (file.constants.tag(constant) != ConstantTag::InvokeDynamic)
    throw MalformedBytes{0, "constant #" + std::to_string(constant.index()) + " is not InvokeDynamic"};
  const DynamicRef ref = file.constants.dynamic(constant);
  if (ref.bootstrap >= bootstraps.size())
    throw MalformedBytes{0, "bootstrap method " + std::to_string(ref.bootstrap) + " does not exist"};
  const BootstrapMethod& bootstrap = bootstraps[ref.bootstrap];
  const MethodHandle handle = file.constants.method_handle(bootstrap.handle);
  DynamicCall call{constant, ref.name_and_type.name, ref.name_and_type.descriptor, UnknownDynamicCall{handle.member}};
  const auto* known = std::ranges::find_if(known_bootstraps, [&](const KnownBootstrap& one) {
    return handle.kind == HandleKind::InvokeStatic && one.owner == handle.member.owner &&
           one.name == handle.member.name;
  });
  if (known == known_bootstraps.end()) return call;
  Arguments arguments{file.constants, bootstrap.arguments};
  switch (known->kind) {
    case BootstrapKind::Lambda:
    case BootstrapKind::AlternativeLambda:
      if (auto effect = lambda(ref.name_and_type, arguments, known->kind)) call.effect = std::move(*effect);
      break;
    case BootstrapKind::Concatenation: call.effect = StringConcatenation{}; break;
    case BootstrapKind::Record:
      if (auto effect = record_method(arguments)) call.effect = std::move(*effect);
      break;
    case BootstrapKind::Switch: call.effect = PatternSwitch{}; break;
  }
  return call;
}

}  // namespace lockwood::jvm
