#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <span>

#include "frontend/java/lowering/carried_values.hpp"
#include "frontend/java/lowering/library_values.hpp"
#include "frontend/java/lowering/lock_regions.hpp"
#include "frontend/java/lowering/lowering_context.hpp"
#include "frontend/java/lowering/tracked_values.hpp"
#include "frontend/java/pointsto/handlers.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java {
namespace {

using namespace jvm;
using program::Expression;
using program::Point;

// Values of a frame that the model knows at one point: more would multiply its symbols.
constexpr std::size_t max_live_values = 8;

// One copy of a method, block by block, each from its end.
class CodeLowering {
 public:
  CodeLowering(LoweringContext& context, CopyId copy, program::Procedure& made)
      : context_{context},
        copy_{copy},
        id_{context.flow.copies()[copy].procedure},
        procedure_{context.universe.procedure(id_)},
        body_{procedure_.code->body},
        constants_{context.universe.hierarchy().file(procedure_.owner)->constants},
        made_{made},
        graph_{made},
        locks_{context.locks.regions(id_)},
        values_{context, copy, graph_},
        followed_(body_.registers.size()) {}

  void lower() {
    made_.range = context_.sources.range(procedure_, first_line());
    graph_.at({made_.range, 1});
    number_statements();
    if (const auto result = context_.signature(copy_).result) result_ = graph_.new_local("result", type_of(*result));
    choose_followed();
    make_method_region();
    make_regions();
    for (Block block : body_.blocks.keys()) {
      graph_.in(region_at(body_.blocks[block].begin));
      entries_.push_back(graph_.declare());
    }
    // From the end, so that most jumps are known.
    for (std::size_t i = body_.blocks.size(); i-- > 0;) lower_block(Block{i});
    finish_method_region();
    graph_.finish();
    if (!follows_values()) limit_tracked_values(made_, max_live_values);
  }

 private:
  // ---- preparation

  [[nodiscard]] std::optional<std::uint16_t> first_line() const {
    for (const Instruction& instruction : body_.instructions)
      if (instruction.line) return instruction.line;
    return std::nullopt;
  }
  void number_statements() {
    std::map<std::uint16_t, std::uint32_t> lines;
    std::map<std::pair<FieldKey, bool>, std::uint32_t> ordinals;
    ordinals_.resize(body_.instructions.size());
    statements_.resize(body_.instructions.size());
    for (InstructionId at : body_.instructions.keys()) {
      const auto line = body_.instructions[at].line;
      if (line) lines.emplace(*line, static_cast<std::uint32_t>(lines.size() + 1));
      statements_[at] = line ? lines.at(*line) : 1;
      if (const auto accessed = accessed_field(at)) ordinals_[at] = ++ordinals[*accessed];
    }
  }
  // The field, and whether it is written.
  [[nodiscard]] std::optional<std::pair<FieldKey, bool>> accessed_field(InstructionId at) const {
    const Operation& operation = body_.instructions[at].operation;
    const auto field = [&](ConstantIndex index) { return context_.universe.field(constants_.member(index)); };
    if (const auto* get = std::get_if<GetField>(&operation)) return std::pair{field(get->field), false};
    if (const auto* put = std::get_if<PutField>(&operation)) return std::pair{field(put->field), true};
    if (const auto* get = std::get_if<GetStatic>(&operation)) return std::pair{field(get->field), false};
    if (const auto* put = std::get_if<PutStatic>(&operation)) return std::pair{field(put->field), true};
    if (std::holds_alternative<ArrayLoad>(operation)) return std::pair{context_.universe.elements(), false};
    if (std::holds_alternative<ArrayStore>(operation)) return std::pair{context_.universe.elements(), true};
    return std::nullopt;
  }

  // If the model follows values, all registers have locals; these are of those that nothing is known of.
  void choose_followed() {
    if (!follows_values()) return;
    const Signature& signature = context_.signature(copy_);
    for (Register value : body_.registers.keys()) {
      const auto* parameter = std::get_if<Parameter>(&body_.instructions[body_.registers[value].definition].operation);
      if (parameter == nullptr) continue;
      for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        if (signature.parameters[i].number == parameter->number && signature.parameters[i].tracked == Tracked::Value)
          followed_[value] = program::Local{i};
    }
    for (Register value : body_.registers.keys())
      if (!carrier(value))
        followed_[value] = graph_.new_local(std::string{body_.registers[value].name}, program::Type::Int);
  }

  // ---- regions

  // A synchronized method is a region around all of its body.
  void make_method_region() {
    if (!body_.synchronized) return;
    program::MonitorRegion region;
    region.range = made_.range;
    std::vector<program::LockChoice> choices;
    if (procedure_.is_static) {
      ObjectSet own;
      own.insert(context_.universe.class_object(procedure_.owner));
      choices = context_.locks.choices({.objects = std::move(own), .isolated = {}});
    } else {
      choices = context_.locks.choices({.objects = context_.flow.objects(copy_, procedure_.parameters.front().value()),
                                        .isolated = isolated(this_register())});
    }
    set_locks(region, std::move(choices));
    method_region_ = made_.regions.push_back(std::move(region));
  }
  [[nodiscard]] std::optional<Register> this_register() const {
    for (const Instruction& instruction : body_.instructions)
      if (const auto* parameter = std::get_if<Parameter>(&instruction.operation);
          parameter != nullptr && parameter->number == 0)
        return instruction.result;
    return std::nullopt;
  }
  void finish_method_region() {
    if (!method_region_) {
      made_.entry = entries_[Block{0}];
      return;
    }
    graph_.in(std::nullopt);
    graph_.at({made_.range, 1});
    program::MonitorRegion& region = made_.regions[*method_region_];
    if (region.exits.empty()) region.exits.push_back(graph_.declare());  // it never ends
    made_.regions[*method_region_].body = entries_[Block{0}];
    made_.entry = java::enter_region(context_, graph_, *method_region_);
  }
  void make_regions() {
    for (LockRegionId id : locks_.regions.keys()) {
      program::MonitorRegion region;
      region.range = location(locks_.regions[id].enter).range;
      region.shared = locks_.regions[id].locked.shared;
      set_locks(region, choices_of(locks_.regions[id]));
      regions_.push_back(made_.regions.push_back(std::move(region)));
    }
    for (LockRegionId id : locks_.regions.keys()) {
      const auto parent = locks_.regions[id].parent;
      made_.regions[regions_[id]].parent = parent ? std::optional{regions_[*parent]} : method_region_;
    }
    for (InstructionId at : locks_.ignored)
      context_.assume(AssumptionKind::MoreSchedules, context_.universe.place(procedure_, at),
                      "a lock is ignored: it is not taken and given back in the order of nested regions",
                      CodePlace{copy_, at});
  }
  std::vector<program::LockChoice> choices_of(const LockRegion& region) {
    LockedObjects locked{.objects = context_.locks.locked_objects(copy_, region),
                         .kind = region.locked.kind,
                         .isolated = region.locked.is_owner ? IsolatedFlags::unknown() : isolated(region.locked.value)};
    if (!context_.options.isolation) locked.isolated = {};
    if (const auto loaded = context_.locks.final_field(id_, region.locked); loaded && context_.options.isolation) {
      locked.field = loaded->field;
      locked.base = isolated(loaded->base);
    }
    std::vector<program::LockChoice> choices = context_.locks.choices(locked);
    for (program::LockChoice& choice : choices) choice.blocks = !region.tried;
    return choices;
  }
  [[nodiscard]] std::optional<program::Region> region_at(InstructionId at) const {
    const auto around = locks_.around[at];
    return around ? std::optional{regions_[*around]} : method_region_;
  }
  [[nodiscard]] PointLocation location(InstructionId at, std::string_view word = {}) {
    return {context_.sources.range(procedure_, body_.instructions[at].line, word), statements_[at]};
  }

  // ---- values

  [[nodiscard]] IsolatedFlags isolated(std::optional<Register> value) const {
    return value ? values_.isolated(*value) : IsolatedFlags{};
  }
  [[nodiscard]] bool follows_values() const { return context_.follows_values(); }
  // The local that has what the model knows of the register; if it follows values, all have one.
  [[nodiscard]] std::optional<program::Local> carrier(Register value) const {
    const auto boolean = values_.boolean_local(value);
    return boolean ? boolean : followed_[value];
  }
  Expression carried(Register value) const {
    const auto local = carrier(value);
    return local ? program::value_of(*local) : program::constant(0);
  }
  // What is known of a value that is also made of these.
  Expression made_of(Expression base, std::span<const Register> operands) const {
    std::vector<Expression> others;
    for (Register operand : operands) others.push_back(carried(operand));
    return carrying(std::move(base), others);
  }
  Point set_made_of(Register result, Expression base, std::span<const Register> operands, Point next) {
    return graph_.add(program::Assign{*carrier(result), made_of(std::move(base), operands), next, {}});
  }
  // The result of an instruction that the model knows nothing else about.
  Point set_result(const Instruction& instruction, Point next) {
    if (!instruction.result) return next;
    const Register result = *instruction.result;
    if (followed_[result] && instruction.operand_count == 0) return next;
    if (followed_[result]) return set_made_of(result, program::constant(0), body_.operands_of(instruction), next);
    if (values_.has_isolated(result)) return values_.set_unknown(result, next, same_objects());
    if (!values_.boolean_local(result)) return next;
    const Expression known = boolean_constant(instruction);
    const auto operands = follows_values() ? body_.operands_of(instruction) : std::span<const Register>{};
    const Point set = set_made_of(result, known, operands, next);
    if (known == graph_.unknown())
      made_.points[set].guess = context_.guess("a value at " + context_.line_text(procedure_, at_));
    return set;
  }
  Expression boolean_constant(const Instruction& instruction) {
    const auto* constant = std::get_if<Constant>(&instruction.operation);
    const auto* number = constant == nullptr ? nullptr : std::get_if<std::int32_t>(&constant->value);
    return number == nullptr ? graph_.unknown() : program::constant(*number != 0 ? 1 : 0);
  }
  std::uint32_t same_objects() { return context_.guess("which objects are the same"); }

  // ---- control

  // To the block, with the values that its phis get on this edge.
  Point edge(Block from, Block to) {
    const auto& predecessors = body_.blocks[to].predecessors;
    const auto number = static_cast<std::size_t>(std::ranges::find(predecessors, from) - predecessors.begin());
    TrackedValues::Copies copies;
    for (InstructionId at : body_.instructions_of(to)) {
      const Instruction& phi = body_.instructions[at];
      if (!std::holds_alternative<Phi>(phi.operation)) break;
      const Register operand = body_.operands_of(phi)[number];
      values_.add_copy(*phi.result, operand, copies);
      if (!follows_values()) continue;
      if (followed_[*phi.result])
        copies.emplace_back(*followed_[*phi.result], carried(operand));
      else
        copies.back().second = made_of(std::move(copies.back().second), std::span{&operand, 1});
    }
    return values_.assign(std::move(copies), joined_after({from, to}, entries_[to]));
  }

  // Behind a loop that has joined all threads of an array.
  Point joined_after(const LoopExit& loop, Point next) {
    std::vector<program::Group> joined;
    const auto& joins = context_.facts.threads.joins;
    for (std::size_t i = 0; i < joins.size(); ++i)
      if (joins[i].loop == loop && joins[i].join.copy == copy_ && is_usable(context_, joins[i]))
        joined.push_back(join_group(graph_, groups_, i));
    return joined.empty() ? next : graph_.add(program::Join{std::move(joined), next});
  }

  // Where exceptions of a class go that an instruction of the block throws: to handlers in their order, then out.
  Point thrown_to(Block block, program::ExceptionClass thrown) {
    const auto known = thrown_to_.find({block, thrown});
    if (known != thrown_to_.end() && made_.points[known->second].region == graph_.region()) return known->second;
    std::vector<Point> ways;
    bool taken = false;
    for (Block handler : body_.blocks[block].handlers) {
      const auto& caught = std::get<Catch>(catch_of(body_, handler).operation);
      std::optional<ClassId> type;
      if (caught.type) type = context_.universe.hierarchy().load(constants_.class_name(*caught.type));
      const auto match = context_.exceptions.match(thrown, type);
      if (match == ExceptionClasses::Match::No) continue;
      if (made_.points[entries_[handler]].region != graph_.region()) continue;  // of a monitor that is ignored
      ways.push_back(edge(block, handler));
      taken = match == ExceptionClasses::Match::Yes;
      if (taken) break;
    }
    if (!taken) ways.push_back(raise(thrown));
    const Point found = graph_.choose(std::move(ways));
    thrown_to_.insert_or_assign({block, thrown}, found);
    return found;
  }
  // Out of the method.
  Point raise(program::ExceptionClass thrown) {
    const auto here = graph_.region();
    if (here == std::nullopt) return graph_.add(program::Raise{thrown});
    if (here != method_region_) return graph_.declare();  // in a region that nobody leaves so
    graph_.in(std::nullopt);
    const Point outside = graph_.add(program::Raise{thrown});
    graph_.in(here);
    return leave_method(outside);
  }
  Point leave_method(Point outside) {
    auto& exits = made_.regions[*method_region_].exits;
    exits.push_back(outside);
    return graph_.add(program::Leave{exits.size() - 1});
  }

  void lower_block(Block block) {
    const BasicBlock& row = body_.blocks[block];
    block_ = block;
    Point next{0};
    for (std::size_t i = row.end.index(); i-- > row.begin.index();) {
      const InstructionId at{i};
      at_ = at;
      graph_.in(region_at(at));
      graph_.at(location(at));
      const Instruction& instruction = body_.instructions[at];
      if (context_.options.ends != nullptr) next = mark_made(instruction, next);
      next = std::visit([&](const auto& operation) { return lower_operation(operation, instruction, next); },
                        instruction.operation);
      next = with_implicit_throws(next);
      if (context_.options.ends != nullptr) next = mark_used(instruction, next);
    }
    graph_.in(region_at(row.begin));
    graph_.define(entries_[block], next);
  }
  // The exceptions of the machine that nobody could exclude.
  Point with_implicit_throws(Point next) {
    if (context_.options.exceptions != ThrownExceptions::All) return next;
    const auto& possible = context_.facts.implicit.possible[id_.index()];
    if (at_.index() >= possible.size() || possible[at_].empty()) return next;
    // What gives a lock back has taken it before: it is there, and held.
    if (std::holds_alternative<MonitorExit>(body_.instructions[at_].operation) || left_here()) return next;
    std::vector<Point> ways{next};
    const std::uint32_t guess = context_.guess("an exception of the machine at " + context_.line_text(procedure_, at_));
    possible[at_].for_each([&](ImplicitThrow kind) {
      const Point to = thrown_to(block_, context_.exceptions.of(context_.universe.implicit(kind)));
      ways.push_back(graph_.guessed(to, guess, "throw"));
    });
    return decide(context_, graph_, all_of(body_.instructions[at_]), std::move(ways));
  }
  // All operands.
  Expression all_of(const Instruction& instruction) const {
    return follows_values() ? made_of(program::constant(0), body_.operands_of(instruction)) : Expression{};
  }
  // What a client chooses is no guess: there is a program that does just that.
  std::optional<std::uint32_t> choice_guess() {
    if (context_.universe.hierarchy().name(procedure_.owner) == context_.options.client) return std::nullopt;
    return branch_guess();
  }
  std::uint32_t branch_guess() { return context_.guess("the branch at " + context_.line_text(procedure_, at_)); }

  // ---- one instruction

  // Behind a branch: where `tryLock()` has returned true, the lock is held.
  Point branch_edge(Block to) {
    for (LockRegionId id : locks_.regions.keys()) {
      if (locks_.regions[id].tried != TriedEdge{block_, to}) continue;
      const auto outside = graph_.region();
      graph_.in(regions_[id]);
      const Point inside = edge(block_, to);
      graph_.in(outside);
      return enter_region(id, inside);
    }
    return edge(block_, to);
  }

  template <class Other>
  Point lower_operation(const Other&, const Instruction& instruction, Point next) {
    return set_result(instruction, next);
  }
  Point lower_operation(const Parameter&, const Instruction&, Point next) { return next; }
  Point lower_operation(const Phi&, const Instruction&, Point next) { return next; }
  Point lower_operation(const Cast&, const Instruction& instruction, Point next) {
    if (follows_values()) return set_result(instruction, next);
    TrackedValues::Copies copies;
    values_.add_copy(*instruction.result, body_.operands_of(instruction).front(), copies);
    return values_.assign(std::move(copies), next);
  }
  Point lower_operation(const Jump&, const Instruction&, Point) {
    return edge(block_, body_.blocks[block_].successors.front());
  }
  Point lower_operation(const jvm::Branch& branch, const Instruction& instruction, Point) {
    const auto& successors = body_.blocks[block_].successors;
    const Point taken = branch_edge(successors.front());
    const Point other = branch_edge(successors.back());
    const Register operand = body_.operands_of(instruction).front();
    const bool on_zero = branch.opcode == Opcode::Ifeq || branch.opcode == Opcode::Ifne;
    if (on_zero) {
      const Expression value = values_.boolean(operand);
      if (value != graph_.unknown())
        return branch.opcode == Opcode::Ifne ? graph_.add(program::Branch{value, taken, other, {}})
                                             : graph_.add(program::Branch{value, other, taken, {}});
    }
    if (branch.opcode == Opcode::Ifnull || branch.opcode == Opcode::Ifnonnull)
      if (context_.facts.nullness.is_not_null(id_, operand, at_))
        return branch.opcode == Opcode::Ifnonnull ? taken : other;
    return decide(context_, graph_, all_of(instruction), {taken, other}, choice_guess());
  }
  Point lower_operation(const Switch&, const Instruction& instruction, Point) {
    std::vector<Point> ways;
    for (Block successor : body_.blocks[block_].successors) ways.push_back(edge(block_, successor));
    return decide(context_, graph_, all_of(instruction), std::move(ways), choice_guess());
  }
  Point lower_operation(const jvm::Return&, const Instruction& instruction, Point) {
    const auto inside = graph_.region();
    program::Return end;
    if (result_) end.value = program::value_of(*result_);
    Point next{0};
    if (method_region_) {
      graph_.in(std::nullopt);
      const Point outside = graph_.add(end);
      graph_.in(inside);
      next = leave_method(outside);
    } else {
      next = graph_.add(end);
    }
    if (!result_) return next;
    const Register value = body_.operands_of(instruction).front();
    Expression known = known_result(value);
    if (follows_values()) known = made_of(std::move(known), std::span{&value, 1});
    return graph_.add(program::Assign{*result_, std::move(known), next, {}});
  }
  Expression known_result(Register value) {
    const Tracked tracked = *context_.signature(copy_).result;
    if (tracked == Tracked::Boolean) return values_.boolean(value);
    if (tracked == Tracked::Value) return program::constant(0);
    const IsolatedFlags flags = values_.isolated(value);
    if (!flags.known) return graph_.unknown();
    return flags.never() ? program::constant(0) : program::value_of(flags.is.front());
  }
  Point lower_operation(const Catch&, const Instruction& instruction, Point next) {
    if (!follows_values()) return set_result(instruction, next);
    const Point made = graph_.add(program::Read{context_.thrown_value(), *carrier(*instruction.result), next});
    made_.points[made].ordinal = static_cast<std::uint32_t>(at_.index() + 1);
    return made;
  }
  Point lower_operation(const Throw&, const Instruction& instruction, Point) {
    const Point thrown = lower_throw();
    if (!follows_values()) return thrown;
    const Point made =
        graph_.add(program::Write{context_.thrown_value(), carried(body_.operands_of(instruction).front()), thrown});
    made_.points[made].ordinal = static_cast<std::uint32_t>(at_.index() + 1);
    return made;
  }
  Point lower_throw() {
    std::vector<Point> ways;
    for (program::ExceptionClass thrown : context_.exceptions.of(context_.facts.exceptions.thrown_at(copy_, at_)))
      ways.push_back(thrown_to(block_, thrown));
    if (ways.empty()) return graph_.declare();  // nobody gets here
    return graph_.choose(std::move(ways));
  }

  // ---- monitors

  Point lower_operation(const MonitorEnter&, const Instruction&, Point next) { return enter_region(next); }
  Point lower_operation(const MonitorExit&, const Instruction&, Point next) { return leave_region(next); }
  [[nodiscard]] std::optional<LockRegionId> entered_here() const {
    for (LockRegionId id : locks_.regions.keys())
      if (locks_.regions[id].enter == at_ && !locks_.regions[id].tried) return id;
    return std::nullopt;
  }
  [[nodiscard]] bool tried_here() const {
    return std::ranges::any_of(locks_.regions,
                               [&](const LockRegion& region) { return region.enter == at_ && region.tried; });
  }
  [[nodiscard]] std::optional<LockRegionId> left_here() const {
    for (LockRegionId id : locks_.regions.keys())
      if (std::ranges::binary_search(locks_.regions[id].exits, at_)) return id;
    return std::nullopt;
  }
  Point enter_region(Point next) {
    const auto id = entered_here();
    return id ? enter_region(*id, next) : next;  // it may be ignored
  }
  Point enter_region(LockRegionId id, Point next) {
    program::MonitorRegion& region = made_.regions[regions_[id]];
    const Point enter = java::enter_region(context_, graph_, regions_[id]);
    region.body = next;
    if (region.exits.empty()) {  // nobody leaves it
      region.exits.push_back(graph_.declare());
    }
    return enter;
  }
  Point leave_region(Point next) {
    const auto id = left_here();
    if (!id) return next;
    auto& exits = made_.regions[regions_[*id]].exits;
    exits.push_back(next);
    return graph_.add(program::Leave{exits.size() - 1});
  }

  // ---- accesses

  [[nodiscard]] bool all_accesses() const { return context_.options.accesses == ModelledAccesses::All; }
  // After a read: what was read, and what was done to get there.
  Point set_read(const Instruction& instruction, Point next) {
    if (!follows_values()) return set_result(instruction, next);
    if (instruction.operand_count == 0) return next;
    return set_made_of(*instruction.result, carried(*instruction.result), body_.operands_of(instruction), next);
  }
  // An access writes its last operand.
  AccessedValue accessed_value(const Instruction& instruction, bool writes) const {
    if (!follows_values()) return {};
    if (!writes) return {.target = carrier(*instruction.result), .written = {}};
    const auto operands = body_.operands_of(instruction);
    Expression written = carried(operands.back());
    // Which place is written tells something, too.
    if (context_.follows_control()) written = made_of(std::move(written), operands.first(operands.size() - 1));
    return {.target = {}, .written = std::move(written)};
  }
  Point lower_operation(const GetField& get, const Instruction& instruction, Point next) {
    return field_access(get.field, instruction, false, set_read(instruction, next));
  }
  Point lower_operation(const PutField& put, const Instruction& instruction, Point next) {
    return field_access(put.field, instruction, true, next);
  }
  Point field_access(ConstantIndex constant, const Instruction& instruction, bool writes, Point next) {
    const MemberRef ref = constants_.member(constant);
    const FieldKey field = context_.universe.field(ref);
    if (!all_accesses() && (!procedure_.reported || context_.facts.final_fields.contains(field))) return next;
    graph_.at(location(at_, ref.name));
    return object_access(instruction, field, {}, writes, next);
  }
  Point object_access(const Instruction& instruction, FieldKey field, std::optional<std::int32_t> index, bool writes,
                      Point next) {
    const Register base = body_.operands_of(instruction).front();
    if (!all_accesses() &&
        (context_.universe.fields()[field].is_volatile || context_.facts.ownership.is_owned(id_, base, at_)))
      return next;
    const auto targets = context_.cells.fields(context_.flow.objects(copy_, base), field, index);
    return lower_access(context_, graph_, targets, writes, ordinals_[at_], isolated(base), next,
                        accessed_value(instruction, writes));
  }
  Point lower_operation(const GetStatic& get, const Instruction& instruction, Point next) {
    return static_access(get.field, instruction, false, set_read(instruction, next));
  }
  Point lower_operation(const PutStatic& put, const Instruction& instruction, Point next) {
    return static_access(put.field, instruction, true, next);
  }
  Point static_access(ConstantIndex constant, const Instruction& instruction, bool writes, Point next) {
    const MemberRef ref = constants_.member(constant);
    const FieldKey field = context_.universe.field(ref);
    const Field& info = context_.universe.fields()[field];
    // Whoever uses a class waits until its initialiser is done: its own accesses race with nobody.
    const bool initialising = procedure_.name == "<clinit>" && info.owner == procedure_.owner;
    const bool races =
        procedure_.reported && !info.is_volatile && !context_.facts.final_fields.contains(field) && !initialising;
    const bool counts = !info.initial && (races || all_accesses());
    if (counts) {
      graph_.at(location(at_, ref.name));
      Targets<program::Variable> target;
      target.unique.push_back(context_.cells.static_field(field));
      next = lower_access(context_, graph_, target, writes, ordinals_[at_], IsolatedFlags{}, next,
                          accessed_value(instruction, writes));
    }
    return lower_trigger(context_, graph_, info.owner, procedure_.owner, next);
  }
  Point lower_operation(const ArrayLoad&, const Instruction& instruction, Point next) {
    return element_access(instruction, false, set_read(instruction, next));
  }
  Point lower_operation(const ArrayStore&, const Instruction& instruction, Point next) {
    return element_access(instruction, true, next);
  }
  Point element_access(const Instruction& instruction, bool writes, Point next) {
    if (!procedure_.reported && !all_accesses()) return next;
    const auto operands = body_.operands_of(instruction);
    std::optional<std::int32_t> index;
    if (const auto* constant =
            std::get_if<Constant>(&body_.instructions[body_.registers[operands[1]].definition].operation))
      if (const auto* value = std::get_if<std::int32_t>(&constant->value)) index = *value;
    return object_access(instruction, context_.universe.elements(), index, writes, next);
  }

  // ---- ends of flows

  [[nodiscard]] program::Point marked(Point point, std::size_t row, ValueRole role) {
    made_.points[point].mark = context_.mark(row, role, id_, at_, graph_.location().range);
    return point;
  }
  Point mark_source(Register value, std::size_t row, Point next) {
    return marked(graph_.add(program::Assign{*carrier(value), carried(value), next, {}}), row, ValueRole::Source);
  }
  Point mark_sink(std::vector<Register> values, std::size_t row, Point next) {
    std::vector<Expression> printed;
    for (Register value : values) printed.push_back(carried(value));
    const program::Local held = graph_.new_local("", program::Type::Int);  // what objects of the library hold
    printed.push_back(program::value_of(held));
    next = marked(graph_.add(program::Print{std::move(printed), next}), row, ValueRole::Sink);
    for (Register value : values)
      if (procedure_.local_of[value])
        for (program::Variable variable : contents_of(context_, context_.flow.objects(copy_, value))) {
          const Point read = graph_.add(program::Read{variable, held, next});
          made_.points[read].ordinal = instruction_number();
          next = graph_.choose({read, next});
        }
    return next;
  }
  // Behind an instruction: what it has made.
  Point mark_made(const Instruction& instruction, Point next) {
    if (const auto* parameter = std::get_if<Parameter>(&instruction.operation))
      return mark_parameter(*parameter, *instruction.result, next);
    const bool moves =
        std::holds_alternative<Phi>(instruction.operation) || std::holds_alternative<Catch>(instruction.operation);
    if (!instruction.result || moves || entered_here() || left_here()) return next;
    for (const FieldEnd& end : accessed_ends())
      if (end.role == ValueRole::Source && !end.written) next = mark_source(*instruction.result, end.row, next);
    if (const auto* invoke = std::get_if<Invoke>(&instruction.operation))
      for (const MethodEnd& end : method_ends(*invoke))
        if (end.role == ValueRole::Source && end.result) next = mark_source(*instruction.result, end.row, next);
    return next;
  }
  // Of our own method: what it is given.
  Point mark_parameter(const Parameter& parameter, Register value, Point next) {
    const std::uint32_t number = parameter.number + (procedure_.is_static ? 1 : 0);
    for (const MethodEnd& end :
         context_.options.ends->of_method(procedure_.owner, procedure_.name, procedure_.descriptor)) {
      if (end.result || !(end.argument ? *end.argument == number : number != 0)) continue;
      next = end.role == ValueRole::Source ? mark_source(value, end.row, next) : mark_sink({value}, end.row, next);
    }
    return next;
  }
  // Before an instruction: what it uses.
  Point mark_used(const Instruction& instruction, Point next) {
    const auto operands = body_.operands_of(instruction);
    if (operands.empty() || std::holds_alternative<Phi>(instruction.operation) || entered_here() || left_here())
      return next;
    const bool writes = std::holds_alternative<PutField>(instruction.operation) ||
                        std::holds_alternative<PutStatic>(instruction.operation);
    for (const FieldEnd& end : accessed_ends()) {
      if (end.role == ValueRole::Source) {
        if (writes && end.written) next = mark_source(operands.back(), end.row, next);
      } else if (writes) {
        next = mark_sink({operands.back()}, end.row, next);
      } else if (!accessed_field(at_)) {
        next = mark_sink({operands.begin(), operands.end()}, end.row, next);
      }
    }
    const auto* invoke = std::get_if<Invoke>(&instruction.operation);
    if (invoke == nullptr) return next;
    for (const MethodEnd& end : method_ends(*invoke)) {
      if (end.role != ValueRole::Sink || end.result) continue;
      const std::size_t first = invoke->kind == InvokeKind::Static ? 1 : 0;  // the number of the first operand
      std::vector<Register> given;
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (end.argument ? *end.argument == i + first : i + first != 0) given.push_back(operands[i]);
      if (!given.empty()) next = mark_sink(std::move(given), end.row, next);
    }
    return next;
  }
  // Of the field that is accessed here, and of the line.
  std::vector<FieldEnd> accessed_ends() {
    const Instruction& instruction = body_.instructions[at_];
    std::vector<FieldEnd> ends;
    if (const auto accessed = accessed_field(at_)) {
      const Field& field = context_.universe.fields()[accessed->first];
      if (field.declaration) ends = context_.options.ends->of_field(field.owner, field.name);
    }
    if (instruction.line && procedure_.reported)
      for (const FieldEnd& end : context_.options.ends->of_line(procedure_.owner, *instruction.line))
        ends.push_back(end);
    return ends;
  }
  // Of methods without code: others are marked where they get their arguments and return.
  std::vector<MethodEnd> method_ends(const Invoke& invoke) {
    const MemberRef ref = constants_.member(invoke.method);
    if (ref.owner.starts_with('[')) return {};
    const ClassId owner = context_.universe.hierarchy().load(ref.owner);
    std::vector<MethodEnd> ends = context_.options.ends->of_method(owner, ref.name, ref.descriptor);
    if (context_.universe.has_bodies(owner)) std::erase_if(ends, [](const MethodEnd& end) { return !end.result; });
    return ends;
  }

  // ---- objects and calls

  Point lower_operation(const New& made, const Instruction& instruction, Point next) {
    const ClassId type = context_.universe.hierarchy().load(constants_.class_name(made.type));
    return lower_trigger(context_, graph_, type, procedure_.owner, set_allocated(instruction, next));
  }
  Point set_allocated(const Instruction& instruction, Point next) {
    return values_.set_allocated(*instruction.result, next);
  }
  Point lower_operation(const NewPrimitiveArray&, const Instruction& instruction, Point next) {
    return set_allocated(instruction, next);
  }
  Point lower_operation(const NewReferenceArray&, const Instruction& instruction, Point next) {
    return set_allocated(instruction, next);
  }
  Point lower_operation(const NewMultiArray&, const Instruction& instruction, Point next) {
    return set_allocated(instruction, next);
  }

  Point lower_operation(const Invoke& invoke, const Instruction& instruction, Point next) {
    const auto entered = entered_here();
    if (entered) return with_lock_exceptions(enter_region(next));
    if (tried_here()) return with_lock_exceptions(set_result(instruction, next));
    if (left_here()) return leave_region(next);
    const MemberRef ref = constants_.member(invoke.method);
    graph_.at(location(at_, ref.name == "<init>" ? std::string_view{} : ref.name));
    Point entry = lower_calls(instruction, next);
    if (invoke.kind == InvokeKind::Static)
      entry = lower_trigger(context_, graph_, context_.universe.hierarchy().load(ref.owner), procedure_.owner, entry);
    return entry;
  }
  // lockInterruptibly() may throw instead of taking the lock.
  Point with_lock_exceptions(Point enter) {
    std::vector<Point> ways{enter};
    for (const CallEdge& called : context_.flow.callees_at(copy_, at_))
      for (program::ExceptionClass thrown : context_.exceptions.of(context_.facts.exceptions.thrown(called.callee)))
        ways.push_back(graph_.guessed(thrown_to(block_, thrown), branch_guess(), "throw"));
    return graph_.choose(std::move(ways));
  }
  Point lower_operation(const InvokeDynamic& dynamic, const Instruction& instruction, Point next) {
    const auto& effect = body_.dynamic_calls[dynamic.call].effect;
    if (std::holds_alternative<LambdaCall>(effect))
      return set_allocated(instruction, follows_values() ? capture(instruction, next) : next);
    std::optional<program::Local> asked;  // what the operands tell
    if (follows_values()) {
      asked = graph_.new_local("", program::Type::Int);
      next = set_told(instruction, *asked, next);
    } else {
      next = set_result(instruction, next);
    }
    // Operands are asked for their texts one after the other; null is not asked.
    const IdRange<CallId> calls = procedure_.calls_at(at_);
    std::vector<CallId> list{calls.begin(), calls.end()};
    for (std::size_t i = list.size(); i-- > 0;) {
      std::vector<Point> ways;
      for (const CallEdge& called : context_.flow.callees(copy_, list[i]))
        ways.push_back(call(called, {}, next, asked));
      ways.push_back(next);
      next = graph_.choose(std::move(ways));
    }
    if (const auto* record = std::get_if<RecordMethod>(&effect); record != nullptr && asked)
      for (const MemberRef& field : record->fields) {
        const ObjectSet& objects = context_.flow.objects(copy_, body_.operands_of(instruction).front());
        const auto targets = context_.cells.fields(objects, context_.universe.field(field));
        next = lower_access(context_, graph_, targets, false, instruction_number(), IsolatedFlags::unknown(), next,
                            {.target = asked, .written = {}});
      }
    return next;
  }
  [[nodiscard]] std::uint32_t instruction_number() const { return static_cast<std::uint32_t>(at_.index() + 1); }
  // The object of a lambda holds what is captured.
  Point capture(const Instruction& instruction, Point next) {
    const auto operands = body_.operands_of(instruction);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const auto targets = context_.cells.fields(context_.flow.objects(copy_, *instruction.result),
                                                 context_.universe.named_field(capture_name(i)));
      next = lower_access(context_, graph_, targets, true, instruction_number(), IsolatedFlags::unknown(), next,
                          {.target = {}, .written = carried(operands[i])});
    }
    return next;
  }
  Point set_told(const Instruction& instruction, program::Local asked, Point next) {
    if (!instruction.result) return next;
    const Register result = *instruction.result;
    return set_made_of(
        result,
        carrying(values_.boolean_local(result) ? graph_.unknown() : program::constant(0), {program::value_of(asked)}),
        body_.operands_of(instruction), next);
  }
  Point lower_calls(const Instruction& instruction, Point next) {
    std::vector<Point> ways;
    for (const CallEdge& called : context_.flow.callees_at(copy_, at_))
      ways.push_back(call(called, instruction.result, next));
    if (ways.empty()) return set_result(instruction, next);
    const auto operands = body_.operands_of(instruction);
    return decide(context_, graph_, operands.empty() ? program::constant(0) : carried(operands.front()),
                  std::move(ways), context_.guess("which method is called at " + context_.line_text(procedure_, at_)));
  }
  // `told`: an object is asked for its text, or something like that.
  Point call(const CallEdge& called, std::optional<Register> result, Point next,
             std::optional<program::Local> told = {}) {
    const Instruction& instruction = body_.instructions[at_];
    CallRequest request{called.callee, {}, {}, {}};
    const auto& arguments = procedure_.calls[called.call].arguments;
    const auto operands = body_.operands_of(instruction);
    const bool direct = std::holds_alternative<Invoke>(instruction.operation);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const auto value = direct && i < operands.size() ? std::optional{operands[i]} : register_of(arguments[i]);
      request.passed.isolated.push_back(value ? values_.isolated(*value) : IsolatedFlags::unknown());
      request.passed.boolean.push_back(value && !procedure_.local_of[*value] ? values_.boolean(*value)
                                                                             : graph_.unknown());
      request.passed.value.push_back(value ? carried(*value) : program::constant(0));
    }
    if (direct && procedure_.calls[called.call].name == "<init>" && !context_.flow.procedure(called.callee).code &&
        follows_values())
      next = set_made_of(operands.front(), carried(operands.front()), operands.subspan(1), next);
    if (result && values_.has_isolated(*result)) {
      request.result = values_.isolated_locals(*result).front();
      request.result_kind = Tracked::Isolated;
      next = values_.set_further(*result, next, same_objects());
    } else if (result && values_.boolean_local(*result)) {
      request.result = values_.boolean_local(*result);
      request.result_kind = Tracked::Boolean;
    } else if (result ? followed_[*result] : told) {
      request.result = result ? followed_[*result] : told;
      request.result_kind = Tracked::Value;
    }
    const Block block = block_;
    const ExceptionTargets targets = [&, block](program::ExceptionClass thrown) { return thrown_to(block, thrown); };
    RootPlace root{.place = CodePlace{copy_, at_},
                   .reported = procedure_.reported,
                   .own_region = region_at(at_),
                   .own_object = own_object(),
                   .receiver = {},
                   .groups = &groups_};
    if (direct && !operands.empty() && procedure_.local_of[operands.front()])
      root.receiver = static_cast<std::uint32_t>(procedure_.code->numbers[operands.front()].index());
    return lower_call(context_, graph_, request, next, targets, root, 0);
  }
  [[nodiscard]] std::optional<Register> register_of(std::optional<Local> local) const {
    if (!local) return std::nullopt;
    for (Register value : body_.registers.keys())
      if (procedure_.local_of[value] == local) return value;
    return std::nullopt;
  }
  // The value number of the object of the innermost region.
  [[nodiscard]] std::optional<std::uint32_t> own_object() const {
    const auto around = locks_.around[at_];
    std::optional<Register> object;
    if (around && locks_.regions[*around].locked.kind == LockKind::Monitor)
      object = locks_.regions[*around].locked.value;
    else if (!around && method_region_ && !procedure_.is_static)
      object = this_register();
    if (!object) return std::nullopt;
    return static_cast<std::uint32_t>(procedure_.code->numbers[*object].index());
  }

  LoweringContext& context_;
  CopyId copy_;
  ProcedureId id_;
  const Procedure& procedure_;
  const MethodBody& body_;
  const ConstantPool& constants_;
  program::Procedure& made_;
  Graph graph_;
  const LockRegions& locks_;
  TrackedValues values_;
  IdVector<Register, std::optional<program::Local>> followed_;  // of all others, if the model follows values
  std::optional<program::Local> result_;
  std::optional<program::Region> method_region_;
  IdVector<LockRegionId, program::Region> regions_;
  IdVector<Block, Point> entries_;
  IdVector<InstructionId, std::uint32_t> ordinals_;
  IdVector<InstructionId, std::uint32_t> statements_;
  std::map<std::pair<Block, program::ExceptionClass>, Point> thrown_to_;
  std::map<std::size_t, program::Group> groups_;
  Block block_{0};
  InstructionId at_{0};
};

}  // namespace

void lower_code(LoweringContext& context, CopyId copy, program::Procedure& procedure) {
  CodeLowering{context, copy, procedure}.lower();
}

}  // namespace lockwood::java
