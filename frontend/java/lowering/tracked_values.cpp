#include "frontend/java/lowering/tracked_values.hpp"

#include <algorithm>

#include "frontend/program/lowering/liveness.hpp"

namespace lockwood::java {

using namespace jvm;
using program::Assign;
using program::Expression;
using program::Point;

namespace {

// Booleans of a frame that are known in a model that follows values.
constexpr std::size_t max_followed_booleans = 8;

bool mentions(const Expression& expression, program::Local local) {
  return std::ranges::any_of(expression.postfix, [&](const Expression::Operation& operation) {
    const auto* read = std::get_if<program::Local>(&operation);
    return read != nullptr && *read == local;
  });
}

}  // namespace

TrackedValues::TrackedValues(LoweringContext& context, CopyId copy, Graph& graph)
    : context_{context},
      copy_{copy},
      id_{context.flow.copies()[copy].procedure},
      procedure_{context.universe.procedure(id_)},
      body_{procedure_.code->body},
      graph_{graph},
      isolated_(body_.registers.size()),
      booleans_(body_.registers.size()) {
  const Signature& signature = context.signature(copy);
  for (const Instruction& instruction : body_.instructions) {
    const auto* parameter = std::get_if<Parameter>(&instruction.operation);
    if (parameter == nullptr) continue;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
      if (parameter->number != signature.parameters[i].number) continue;
      if (signature.parameters[i].tracked == Tracked::Isolated)
        isolated_[*instruction.result].emplace_back(i);
      else if (signature.parameters[i].tracked == Tracked::Boolean)
        booleans_[*instruction.result] = program::Local{i};
    }
  }
  std::size_t boolean_count = 0;
  for (Register value : body_.registers.keys()) {
    if (!is_wanted(value)) continue;
    // The way of values goes through all locals: none is given up later.
    if (context.follows_values() && boolean_count++ >= max_followed_booleans) continue;
    const std::string name{body_.registers[value].name};
    if (!procedure_.local_of[value]) {
      booleans_[value] = graph_.new_local(name, program::Type::Bool);
      continue;
    }
    for (std::size_t i = 0; i < isolated_count(context_.options.purpose); ++i)
      isolated_[value].push_back(graph_.new_local((i == 0 ? "is " : "other ") + name, program::Type::Bool));
  }
}

bool TrackedValues::is_wanted(Register value) const {
  const Instruction& definition = body_.instructions[body_.registers[value].definition];
  if (std::holds_alternative<Parameter>(definition.operation)) return false;
  if (procedure_.local_of[value])
    return context_.options.isolation && context_.isolation.is_wanted(id_, value) &&
           context_.cells.may_be_isolated(context_.flow.objects(copy_, value));
  const auto& tracked = context_.facts.booleans.registers[id_.index()];
  return value.index() < tracked.size() && tracked[value];
}

IsolatedFlags TrackedValues::isolated(Register value) const {
  if (!procedure_.local_of[value] || !context_.cells.may_be_isolated(context_.flow.objects(copy_, value))) return {};
  if (isolated_[value].empty()) return IsolatedFlags::unknown();
  return {true, isolated_[value]};
}

Expression TrackedValues::boolean(Register value) const {
  if (booleans_[value]) return program::value_of(*booleans_[value]);
  const auto* constant = std::get_if<Constant>(&body_.instructions[body_.registers[value].definition].operation);
  const auto* number = constant == nullptr ? nullptr : std::get_if<std::int32_t>(&constant->value);
  return number == nullptr ? graph_.unknown() : program::constant(*number != 0 ? 1 : 0);
}

Point TrackedValues::set_unknown(Register value, Point next, std::uint32_t guess) {
  if (isolated_[value].empty()) return next;
  next = set_further(value, next, guess);
  return graph_.add_guess(Assign{isolated_[value].front(), graph_.unknown(), next, {}}, guess);
}

// An object is not both isolated ones.
Point TrackedValues::set_further(Register value, Point next, std::uint32_t guess) {
  if (isolated_[value].size() < 2) return next;
  const Point any = graph_.add_guess(Assign{isolated_[value].back(), graph_.unknown(), next, {}}, guess);
  const Point no = graph_.add(Assign{isolated_[value].back(), program::constant(0), next, {}});
  return graph_.add(program::Branch{program::value_of(isolated_[value].front()), no, any, {}});
}

Point TrackedValues::assign_flags(Register value, std::optional<std::size_t> which, Point next) {
  const auto& flags = isolated_[value];
  for (std::size_t i = flags.size(); i-- > 0;)
    next = graph_.add(Assign{flags[i], program::constant(i == which ? 1 : 0), next, {}});
  return next;
}

// Which object is singled out is not a guess: any may be. Where objects are made in a loop of code that runs once, the
// model remembers that it has chosen.
Point TrackedValues::set_allocated(Register value, Point next) {
  if (isolated_[value].empty()) return next;
  const bool remembers = context_.facts.executions.once[copy_];
  if (remembers && chosen_.empty())
    for (std::size_t i = 0; i < isolated_[value].size(); ++i)
      chosen_.push_back(graph_.new_local(i == 0 ? "chosen" : "other chosen", program::Type::Bool));
  const Point neither = assign_flags(value, std::nullopt, next);
  std::vector<Point> ways{neither};
  for (std::size_t i = 0; i < isolated_[value].size(); ++i) {
    if (!remembers) {
      ways.push_back(assign_flags(value, i, next));
      continue;
    }
    const Point set = graph_.add(Assign{chosen_[i], program::constant(1), assign_flags(value, i, next), {}});
    ways.push_back(graph_.add(program::Branch{program::value_of(chosen_[i]), neither, set, {}}));
  }
  return graph_.choose(std::move(ways));
}

void TrackedValues::add_copy(Register to, Register from, Copies& copies) const {
  if (booleans_[to]) copies.emplace_back(*booleans_[to], boolean(from));
  const IsolatedFlags flags = isolated(from);
  for (std::size_t i = 0; i < isolated_[to].size(); ++i)
    copies.emplace_back(isolated_[to][i], !flags.known    ? graph_.unknown()
                                          : flags.never() ? program::constant(0)
                                                          : program::value_of(flags.is[i]));
}

// All at once: by way of temporaries, where one copy reads what another one sets.
Point TrackedValues::assign(Copies copies, Point next) {
  const bool clashes = std::ranges::any_of(copies, [&](const auto& copy) {
    return std::ranges::any_of(
        copies, [&](const auto& other) { return &other != &copy && mentions(other.second, copy.first); });
  });
  if (clashes) {
    Copies first;
    for (auto& [to, from] : copies) {
      const program::Local temporary = graph_.new_local("", graph_.procedure().locals[to].type);
      first.emplace_back(temporary, std::exchange(from, program::value_of(temporary)));
    }
    copies.insert(copies.begin(), first.begin(), first.end());
  }
  for (std::size_t i = copies.size(); i-- > 0;) next = graph_.add(Assign{copies[i].first, copies[i].second, next, {}});
  return next;
}

void limit_tracked_values(program::Procedure& procedure, std::size_t max_live) {
  while (true) {
    IdVector<program::Local, bool> considered(procedure.locals.size());
    std::size_t count = 0;
    for (program::Local local : procedure.locals.keys()) {
      considered[local] = procedure.locals[local].type == program::Type::Bool;
      if (considered[local]) ++count;
    }
    if (count <= max_live) return;
    // How many points with too many locals each of them is live at.
    IdVector<program::Local, std::size_t> crowded(procedure.locals.size());
    bool found = false;
    for (const auto& live : program::live_locals(procedure, considered)) {
      if (live.size() <= max_live) continue;
      found = true;
      for (program::Local local : live) ++crowded[local];
    }
    if (!found) return;
    program::Local worst{0};
    for (program::Local local : procedure.locals.keys())
      if (crowded[local] > crowded[worst]) worst = local;
    procedure.locals[worst].type = program::Type::Int;
    for (program::Node& node : procedure.points)
      if (auto* call = std::get_if<program::Call>(&node.instruction); call != nullptr && call->result == worst)
        call->result.reset();
  }
}

}  // namespace lockwood::java
