#include <algorithm>
#include <array>
#include <cassert>

#include "frontend/java/pointsto/handlers.hpp"
#include "frontend/java/pointsto/statements.hpp"
#include "jvm/classfile/descriptor.hpp"
#include "jvm/hierarchy/resolution.hpp"

namespace lockwood::java {
namespace {

using namespace jvm;

constexpr auto boxes = std::to_array<std::string_view>({"java/lang/String", "java/lang/Integer", "java/lang/Long",
                                                        "java/lang/Boolean", "java/lang/Character", "java/lang/Double",
                                                        "java/lang/Float", "java/lang/Byte", "java/lang/Short"});

// Follows the instructions of a method, block by block.
class CodeWriter {
 public:
  CodeWriter(Universe& universe, Procedure& procedure, const ClassFile& file, ProcedureId self)
      : universe_{universe}, procedure_{procedure}, file_{file}, self_{self}, body_{procedure.code->body} {}

  void write() {
    declare_registers();
    // Its class object is locked, so facts must know it.
    if (body_.synchronized && body_.is_static) (void)universe_.class_object(procedure_.owner);
    for (Block block : body_.blocks.keys()) {
      raised_.reset();
      block_ = block;
      seen_ = {};
      for (InstructionId id : body_.instructions_of(block)) {
        current_ = id;
        write_implicit(id);
        write_instruction(body_.instructions[id]);
      }
    }
  }

 private:
  void declare_registers() {
    procedure_.local_of.resize(body_.registers.size());
    for (Register id : body_.registers.keys()) {
      if (body_.registers[id].type != ValueType::Reference) continue;
      const Instruction& definition = body_.instructions[body_.registers[id].definition];
      if (const auto* parameter = std::get_if<Parameter>(&definition.operation))
        procedure_.local_of[id] = procedure_.parameters[parameter->number];
      else
        procedure_.local_of[id] = procedure_.new_local();
    }
  }

  void add(Statement statement) { procedure_.statements.push_back(statement); }
  [[nodiscard]] Local local(Register id) const {
    assert(procedure_.local_of[id]);
    return *procedure_.local_of[id];
  }
  [[nodiscard]] std::optional<Local> result_of(const Instruction& instruction) const {
    return instruction.result ? procedure_.local_of[*instruction.result] : std::nullopt;
  }
  [[nodiscard]] ClassId load(std::string_view name) { return universe_.hierarchy().load(name); }

  // Where exceptions of the block go: on to its handlers in their order, and out of the method.
  Local raised() {
    if (raised_) return *raised_;
    const BasicBlock& block = body_.blocks[block_];
    if (block.handlers.empty()) {
      raised_ = procedure_.thrown;
      return *raised_;
    }
    raised_ = procedure_.new_local();
    TypeFilter rest;
    for (Block handler : block.handlers) {
      const Instruction& first = catch_of(body_, handler);
      const auto* caught = std::get_if<Catch>(&first.operation);
      TypeFilter filter = rest;
      if (caught->type) {
        filter.wanted = load(file_.constants.class_name(*caught->type));
        universe_.hierarchy().assume_throwable(*filter.wanted);
      }
      add(CopyLocal{local(*first.result), *raised_, filter_of(filter)});
      if (!caught->type) return *raised_;
      rest.not_wanted.push_back(*filter.wanted);
    }
    if (block.leaves_by_exception) add(CopyLocal{procedure_.thrown, *raised_, filter_of(rest)});
    return *raised_;
  }
  std::optional<FilterId> filter_of(const TypeFilter& filter) {
    if (!filter.wanted && filter.not_wanted.empty()) return std::nullopt;
    return universe_.filter(filter);
  }

  void write_implicit(InstructionId id) {
    implicit_throws(*procedure_.code, id).for_each([&](ImplicitThrow kind) {
      if (seen_.contains(kind)) return;
      seen_.insert(kind);
      add(AddObject{raised(), universe_.implicit(kind)});
    });
  }

  SiteId site(ClassId type, std::uint32_t ordinal = 0, std::optional<DynamicCallId> lambda = {}) {
    return universe_.new_site(
        {.procedure = self_, .instruction = current_, .ordinal = ordinal, .type = type, .lambda = lambda});
  }
  void add_unknown(Local to, std::string_view class_name) { add(AddObject{to, universe_.unknown(load(class_name))}); }

  // ---- one instruction

  void write_instruction(const Instruction& instruction) {
    std::visit([&](const auto& operation) { write(operation, instruction); }, instruction.operation);
  }
  template <class Other>
  void write(const Other& /*moves no references*/, const Instruction& /*instruction*/) {}

  void write(const Phi&, const Instruction& instruction) {
    const auto to = result_of(instruction);
    if (!to) return;
    for (Register operand : body_.operands_of(instruction))
      if (local(operand) != *to) add(CopyLocal{*to, local(operand), {}});
  }
  void write(const Constant& constant, const Instruction& instruction) {
    const auto* index = std::get_if<ConstantIndex>(&constant.value);
    const auto to = result_of(instruction);
    if (index == nullptr || !to) return;
    switch (file_.constants.tag(*index).value()) {
      case ConstantTag::String: return add(AddObject{*to, universe_.string_constant(file_.constants.string(*index))});
      case ConstantTag::Class:
        return add(AddObject{*to, universe_.class_object(load(file_.constants.class_name(*index)))});
      case ConstantTag::MethodHandle: return add_unknown(*to, "java/lang/invoke/MethodHandle");
      case ConstantTag::MethodType: return add_unknown(*to, "java/lang/invoke/MethodType");
      default: break;
    }
    const auto type = parse_field_descriptor(file_.constants.dynamic(*index).name_and_type.descriptor);
    assert(type && type->class_name());
    add_unknown(*to, *type->class_name());
    universe_.add_gap({GapKind::MethodHandle, universe_.place(procedure_, current_), "a dynamic constant is unknown"});
  }
  void write(const New& operation, const Instruction& instruction) {
    const ClassId type = load(file_.constants.class_name(operation.type));
    add(InitialiseClass{type});
    add(Allocate{result_of(instruction).value(), site(type)});
  }
  void write(const NewPrimitiveArray& operation, const Instruction& instruction) {
    const std::string name = {'[', primitive_by_array_code(operation.array_code)->letter};
    add(Allocate{result_of(instruction).value(), site(load(name))});
  }
  void write(const NewReferenceArray& operation, const Instruction& instruction) {
    const ClassId component = load(file_.constants.class_name(operation.component));
    add(Allocate{result_of(instruction).value(), site(universe_.array_of(component))});
  }
  void write(const NewMultiArray& operation, const Instruction& instruction) {
    std::string_view name = file_.constants.class_name(operation.type);
    Local outer = result_of(instruction).value();
    add(Allocate{outer, site(load(name))});
    for (std::uint32_t i = 1; i < instruction.operand_count; ++i) {
      name.remove_prefix(1);
      const Local inner = procedure_.new_local();
      add(Allocate{inner, site(load(name), i)});
      add(StoreField{outer, universe_.elements(), inner});
      outer = inner;
    }
  }
  [[nodiscard]] static bool is_reference(const MemberRef& field) {
    return field.descriptor.starts_with('L') || field.descriptor.starts_with('[');
  }
  void write(const GetField& operation, const Instruction& instruction) {
    const MemberRef ref = file_.constants.member(operation.field);
    if (is_reference(ref))
      add(LoadField{result_of(instruction).value(), local(body_.operands_of(instruction)[0]), universe_.field(ref)});
  }
  void write(const PutField& operation, const Instruction& instruction) {
    const MemberRef ref = file_.constants.member(operation.field);
    const auto operands = body_.operands_of(instruction);
    if (is_reference(ref)) add(StoreField{local(operands[0]), universe_.field(ref), local(operands[1])});
  }
  void write(const GetStatic& operation, const Instruction& instruction) {
    const MemberRef ref = file_.constants.member(operation.field);
    const FieldKey field = universe_.field(ref);
    add(InitialiseClass{universe_.fields()[field].owner});
    if (is_reference(ref)) add(LoadStatic{result_of(instruction).value(), field});
  }
  void write(const PutStatic& operation, const Instruction& instruction) {
    const MemberRef ref = file_.constants.member(operation.field);
    const FieldKey field = universe_.field(ref);
    add(InitialiseClass{universe_.fields()[field].owner});
    if (is_reference(ref)) add(StoreStatic{field, local(body_.operands_of(instruction)[0])});
  }
  void write(const ArrayLoad& operation, const Instruction& instruction) {
    if (operation.opcode == Opcode::Aaload)
      add(LoadField{result_of(instruction).value(), local(body_.operands_of(instruction)[0]), universe_.elements()});
  }
  void write(const ArrayStore& operation, const Instruction& instruction) {
    const auto operands = body_.operands_of(instruction);
    if (operation.opcode == Opcode::Aastore)
      add(StoreField{local(operands[0]), universe_.elements(), local(operands[2])});
  }
  void write(const Cast& operation, const Instruction& instruction) {
    const TypeFilter filter{
        .wanted = load(file_.constants.class_name(operation.type)), .not_wanted = {}, .is_cast = true};
    add(CopyLocal{result_of(instruction).value(), local(body_.operands_of(instruction)[0]), universe_.filter(filter)});
  }
  void write(const Throw&, const Instruction& instruction) {
    add(CopyLocal{raised(), local(body_.operands_of(instruction)[0]), {}});
  }
  void write(const Return&, const Instruction& instruction) {
    if (instruction.operand_count == 0 || !procedure_.result) return;
    add(CopyLocal{*procedure_.result, local(body_.operands_of(instruction)[0]), {}});
  }

  // ---- calls

  std::vector<std::optional<Local>> arguments_of(const Instruction& instruction) const {
    std::vector<std::optional<Local>> arguments;
    for (Register operand : body_.operands_of(instruction)) arguments.push_back(procedure_.local_of[operand]);
    return arguments;
  }
  void add_call(Call call) {
    call.raised = raised();
    call.instruction = current_;
    add(MakeCall{procedure_.calls.push_back(std::move(call))});
  }
  void write(const Invoke& operation, const Instruction& instruction) {
    const MemberRef ref = file_.constants.member(operation.method);
    if (ref.owner.starts_with('[') && ref.name == "clone") return write_array_clone(ref, instruction);
    const ClassId owner = load(ref.owner);
    if (operation.kind == InvokeKind::Static) add(InitialiseClass{owner});
    add_call({.kind = operation.kind,
              .owner = owner,
              .name = ref.name,
              .descriptor = ref.descriptor,
              .arguments = arguments_of(instruction),
              .spread = {},
              .result = result_of(instruction),
              .instruction = {}});
  }
  void write_array_clone(const MemberRef& ref, const Instruction& instruction) {
    const Local copy = result_of(instruction).value();
    const Local element = procedure_.new_local();
    add(Allocate{copy, site(load(ref.owner))});
    add(LoadField{element, local(body_.operands_of(instruction)[0]), universe_.elements()});
    add(StoreField{copy, universe_.elements(), element});
  }
  void write(const InvokeDynamic& operation, const Instruction& instruction) {
    const DynamicCall& call = body_.dynamic_calls[operation.call];
    dynamic_id_ = operation.call;
    std::visit([&](const auto& effect) { write_dynamic(call, effect, instruction); }, call.effect);
  }
  void write_dynamic(const DynamicCall& /*call*/, const LambdaCall& lambda, const Instruction& instruction) {
    const Local object = result_of(instruction).value();
    if (lambda.implementation.kind == HandleKind::InvokeStatic ||
        lambda.implementation.kind == HandleKind::NewInvokeSpecial)
      static_cast<void>(load(lambda.implementation.member.owner));
    add(Allocate{object, site(load(lambda.interface), 0, dynamic_id_)});
    const auto arguments = arguments_of(instruction);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i]) add(StoreField{object, universe_.named_field("capture " + std::to_string(i)), *arguments[i]});
  }
  // Each object that is neither a string nor a box is asked for its text.
  void write_dynamic(const DynamicCall& /*call*/, const StringConcatenation&, const Instruction& instruction) {
    TypeFilter others;
    for (std::string_view box : boxes) others.not_wanted.push_back(load(box));
    for (const auto& argument : arguments_of(instruction)) {
      if (!argument) continue;
      const Local object = procedure_.new_local();
      add(CopyLocal{object, *argument, universe_.filter(others)});
      add_text_call(object, "toString", "()Ljava/lang/String;", 1);
    }
    add_unknown(result_of(instruction).value(), "java/lang/String");
  }
  void add_text_call(Local object, std::string_view name, std::string_view descriptor, std::size_t count) {
    add_call({.kind = InvokeKind::Virtual,
              .owner = load("java/lang/Object"),
              .name = name,
              .descriptor = descriptor,
              .arguments = std::vector<std::optional<Local>>(count, object),
              .spread = {},
              .result = {},
              .instruction = {}});
  }
  void write_dynamic(const DynamicCall& call, const RecordMethod& record, const Instruction& instruction) {
    for (const MemberRef& field : record.fields) {
      if (!is_reference(field)) continue;
      const Local value = procedure_.new_local();
      add(LoadField{value, local(body_.operands_of(instruction)[0]), universe_.field(field)});
      if (call.name == "equals")
        add_text_call(value, "equals", "(Ljava/lang/Object;)Z", 2);
      else if (call.name == "hashCode")
        add_text_call(value, "hashCode", "()I", 1);
      else
        add_text_call(value, "toString", "()Ljava/lang/String;", 1);
    }
    if (const auto to = result_of(instruction)) add_unknown(*to, "java/lang/String");
  }
  void write_dynamic(const DynamicCall& /*call*/, const PatternSwitch&, const Instruction& /*instruction*/) {}
  void write_dynamic(const DynamicCall& call, const UnknownDynamicCall& unknown, const Instruction& instruction) {
    universe_.add_gap({GapKind::MethodHandle, universe_.place(procedure_, current_),
                       "what invokedynamic does is not known: its bootstrap method is " +
                           java_class_name(unknown.bootstrap.owner) + "." + std::string{unknown.bootstrap.name}});
    const auto type = parse_method_descriptor(call.descriptor);
    if (const auto to = result_of(instruction); to && type && type->result && type->result->class_name())
      add_unknown(*to, *type->result->class_name());
  }

  Universe& universe_;
  Procedure& procedure_;
  const ClassFile& file_;
  ProcedureId self_;
  const MethodBody& body_;
  Block block_{0};
  InstructionId current_{0};
  DynamicCallId dynamic_id_{0};
  std::optional<Local> raised_;  // of the block
  ImplicitThrows seen_;          // in the block
};

// Nobody sees what native code does: it returns unknown objects and touches nothing.
void write_native(Universe& universe, Procedure& procedure) {
  universe.add_gap({GapKind::Native, universe.place(procedure, {}),
                    "the method is native: it is taken to return unknown objects and to change nothing"});
  const auto type = parse_method_descriptor(procedure.descriptor);
  assert(type);
  if (type->result && type->result->class_name())
    procedure.statements.push_back(
        AddObject{procedure.result.value(), universe.unknown(universe.hierarchy().load(*type->result->class_name()))});
}

}  // namespace

void declare_signature(Procedure& procedure, std::string_view descriptor) {
  const auto type = parse_method_descriptor(descriptor);
  assert(type);
  if (!procedure.is_static) procedure.parameters.emplace_back(procedure.new_local());
  for (const FieldType& parameter : type->parameters)
    procedure.parameters.push_back(parameter.value_type() == ValueType::Reference ? std::optional{procedure.new_local()}
                                                                                  : std::nullopt);
  if (type->result && type->result->value_type() == ValueType::Reference) procedure.result = procedure.new_local();
  procedure.thrown = procedure.new_local();
}

Procedure code_procedure(Universe& universe, CodeReader& reader, MethodId method, ProcedureId self) {
  const ClassHierarchy& hierarchy = universe.hierarchy();
  const Member& member = hierarchy.member(method);
  Procedure procedure{.origin = CodeOrigin{method},
                      .owner = hierarchy.owner(method),
                      .name = std::string{member.name},
                      .descriptor = std::string{member.descriptor},
                      .is_static = member.access.is_static()};
  procedure.reported = universe.is_application(procedure.owner);
  declare_signature(procedure, procedure.descriptor);
  if (auto code = reader.read(member)) {
    procedure.code = std::make_unique<MethodCode>(std::move(*code));
    CodeWriter{universe, procedure, *hierarchy.file(procedure.owner), self}.write();
  } else {
    write_native(universe, procedure);
  }
  return procedure;
}

}  // namespace lockwood::java
