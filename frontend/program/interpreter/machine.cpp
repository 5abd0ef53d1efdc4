#include "frontend/program/interpreter/machine.hpp"

#include <algorithm>
#include <cassert>

namespace lockwood::program {
namespace {

using explorer::Action;
using explorer::ActionKind;
using explorer::Bound;
using explorer::ThreadId;

// A monitor in one word: how often it is held, and by whom.
constexpr unsigned owner_bits = 24;
constexpr Integer owner_mask = (Integer{1} << owner_bits) - 1;

// Numbers below this are components by themselves, all others have a table.
constexpr std::uint32_t large_component = std::uint32_t{1} << 31U;
}  // namespace

std::uint64_t class_of(const std::string& procedure) { return std::uint64_t{1} << (name_of_text(procedure).low % 64); }

ProgramMachine::ProgramMachine(const Program& program, const MachineLimits& limits)
    : program_{program}, limits_{limits}, sites_{program}, thread_components_{program, sites_} {
  for (const Procedure& procedure : program.procedures)
    for (Point point : procedure.points.keys()) {
      nodes_.push_back(&procedure.points[point]);
      class_of_site_.push_back(class_of(procedure.name));
    }
  memory_.add_space();
  std::vector<Integer>& words_of_all = memory_.raw(0);
  for (const VariableInfo& variable : program.variables) words_of_all.push_back(variable.initial);
  words_of_all.resize(globals());
  components_.resize(globals());
  for (std::size_t i = 0; i < globals(); ++i) update_component(i);

  const ThreadId main = child(ThreadId{0}, 0);
  assert(main == ThreadId{0});
  const Procedure& procedure = program.procedures[program.main];
  std::vector<Integer>& words = memory_.raw(space_of(main));
  words.assign(ThreadWords::size + FrameWords::locals + procedure.locals.size(), 0);
  words[ThreadWords::status] = static_cast<Integer>(Status::Running);
  words[ThreadWords::base] = ThreadWords::size;
  words[ThreadWords::frames] = 1;
  words[ThreadWords::size + FrameWords::site] = static_cast<Integer>(sites_[{program.main, procedure.entry}].index());
  instructions_ = 0;
  run_invisible(main);
  memory_.forget_trail();
  refresh();
}

// The name of a thread; main is number 0 of itself. Names are never forgotten.
ThreadId ProgramMachine::child(ThreadId parent, std::size_t number) {
  const std::pair key{static_cast<std::uint32_t>(parent.index()), static_cast<std::uint32_t>(number)};
  const auto [place, is_new] = children_.try_emplace(key, ThreadId{parents_.size()});
  if (is_new) {
    parents_.push_back(key);
    memory_.add_space();
    memory_.add_space();
    views_.emplace_back();
    view_changed_.push_back(1);
    component_changed_.push_back(1);
    components_.push_back(0);  // absent
  }
  return place->second;
}

std::string ProgramMachine::name(ThreadId thread) const {
  if (thread.index() == 0) return "main";
  const auto& [parent, number] = parents_[thread.index()];
  return name(ThreadId{parent}) + "." + std::to_string(number);
}

void ProgramMachine::set_word(ThreadId thread, std::size_t index, Integer value) {
  memory_.set(space_of(thread), index, value);
  view_changed_[thread.index()] = 1;
  component_changed_[thread.index()] = 1;
}

void ProgramMachine::set_global(std::size_t index, Integer value) {
  memory_.set(0, index, value);
  update_component(index);
}

void ProgramMachine::set_status(ThreadId thread, Status status) {
  set_word(thread, ThreadWords::status, static_cast<Integer>(status));
}

void ProgramMachine::update_component(std::size_t index) {
  const Integer value = memory_.get(0, index);
  if (value >= 0 && value < Integer{large_component}) {
    components_[index] = static_cast<std::uint32_t>(value);
    return;
  }
  const auto [place, is_new] =
      large_numbers_.try_emplace(value, static_cast<std::uint32_t>(large_component + large_values_.size()));
  if (is_new) large_values_.push_back(value);
  components_[index] = place->second;
}

std::span<const Integer> ProgramMachine::locals(ThreadId thread) const {
  return memory_.words(space_of(thread)).subspan(base(thread) + FrameWords::locals);
}

Integer ProgramMachine::local(ThreadId thread, Local local) const { return locals(thread)[local.index()]; }

std::optional<ThreadId> ProgramMachine::owner(Lock lock) const {
  const Integer word = memory_.get(0, lock_index(lock));
  return word == 0 ? std::nullopt : std::optional{ThreadId{static_cast<std::size_t>(word & owner_mask)}};
}

std::size_t ProgramMachine::times_held(ThreadId thread, Lock lock) const {
  return owner(lock) == thread ? static_cast<std::size_t>(memory_.get(0, lock_index(lock)) >> owner_bits) : 0;
}

void ProgramMachine::set_held(ThreadId thread, Lock lock, std::size_t times) {
  assert(!owner(lock) || owner(lock) == thread);
  const auto number = static_cast<Integer>(thread.index());
  assert(number <= owner_mask);
  set_global(lock_index(lock), times == 0 ? 0 : (static_cast<Integer>(times) << owner_bits) | number);
}

std::size_t ProgramMachine::frame_count(ThreadId thread) const {
  return exists(thread) ? static_cast<std::size_t>(word(thread, ThreadWords::frames)) : 0;
}

std::vector<explorer::Site> ProgramMachine::stack(ThreadId thread) const {
  std::vector<explorer::Site> sites;
  for_each_frame(thread, [&](explorer::Site site) { sites.push_back(site); });
  return sites;
}

// One instruction of one thread that is not blocked, as interpreter.cpp defines it.
struct ProgramMachine::Interpreting {
  ProgramMachine& machine;
  ThreadId thread;
  std::uint32_t outcome;
  std::optional<Bound> bound;

  [[nodiscard]] std::size_t base() const { return machine.base(thread); }
  [[nodiscard]] const Procedure& procedure() const {
    return machine.program_.procedures[machine.sites_.place(machine.site(thread)).procedure];
  }
  [[nodiscard]] Integer value(const Expression& expression) const {
    const auto result = evaluate(expression, machine.locals(thread));
    assert(result);  // only assignments divide
    return *result;
  }
  // Points of a procedure are neighbours in the numbering of sites.
  void go(Point next) const {
    const explorer::Site from = machine.site(thread);
    const auto place = machine.sites_.place(from);
    const std::size_t to = from.index() - place.point.index() + next.index();
    machine.set_word(thread, base() + FrameWords::site, static_cast<Integer>(to));
  }
  void set(Local target, Integer result) const {
    machine.set_word(thread, base() + FrameWords::locals + target.index(), result);
  }
  void set_typed(Local target, Integer result) const {
    const bool truth = procedure().locals[target].type == Type::Bool;
    set(target, truth && result != 0 ? 1 : result);
  }

  void operator()(const Skip& skip) const { go(skip.next); }
  void operator()(const Read& read) const {
    set_typed(read.target, machine.value(read.variable));
    go(read.next);
  }
  void operator()(const Write& write) const {
    machine.set_global(write.variable.index(), value(write.value));
    go(write.next);
  }
  void operator()(const Assign& assign) const {
    const auto result = evaluate(assign.value, machine.locals(thread));
    if (!result) return go(*assign.on_failure);
    set_typed(assign.target, *result);
    go(assign.next);
  }
  void operator()(const Branch& branch) const { go(value(branch.condition) != 0 ? branch.if_true : branch.if_false); }
  void operator()(const Choose& choose) const { go(choose.targets[outcome]); }
  void operator()(const Call& call) {
    const auto depth = static_cast<std::size_t>(machine.word(thread, ThreadWords::frames));
    if (depth >= machine.limits_.frames) {
      bound = Bound::StackDepth;
      return;
    }
    const std::size_t below = base();
    const std::size_t top = machine.memory_.words(machine.space_of(thread)).size();
    push(thread, call.procedure, call.arguments, below, top);
    machine.set_word(thread, ThreadWords::base, static_cast<Integer>(top));
    machine.set_word(thread, ThreadWords::frames, static_cast<Integer>(depth + 1));
  }
  void operator()(const Spawn& spawn) {
    const auto number = static_cast<std::size_t>(machine.word(thread, ThreadWords::spawned)) + 1;
    // Names of threads that were started on other runs do not count.
    std::size_t started = 0;
    for (std::size_t i = 0; i < machine.parents_.size(); ++i) started += machine.exists(ThreadId{i}) ? 1U : 0U;
    if (started > machine.limits_.threads) {
      bound = Bound::Threads;
      return;
    }
    const ThreadId child = machine.child(thread, number);
    assert(!machine.exists(child));
    machine.memory_.resize(machine.space_of(child), ThreadWords::size);
    push(child, spawn.procedure, spawn.arguments, 0, ThreadWords::size);
    machine.set_status(child, Status::Running);
    machine.set_word(child, ThreadWords::base, ThreadWords::size);
    machine.set_word(child, ThreadWords::frames, 1);
    machine.set_word(thread, ThreadWords::spawned, static_cast<Integer>(number));
    note_memberships(spawn, child);
    go(spawn.next);
    bound = machine.run_invisible(child);
  }
  void operator()(const Enter& enter) const {
    const MonitorRegion& region = procedure().regions[enter.region];
    if (!region.lock) {
      change_records([&](auto& records) { records.push_back({depth(), MemberWords::region, 0}); });
      return go(region.body);
    }
    machine.set_held(thread, *region.lock, machine.times_held(thread, *region.lock) + 1);
    go(region.body);
  }
  void operator()(const Leave& leave) const {
    const MonitorRegion& region = procedure().regions[*machine.node(machine.site(thread)).region];
    if (!region.lock) {
      if (wait_for_next()) return;
      change_records([](auto& records) {
        const auto last = std::ranges::find(records.rbegin(), records.rend(), MemberWords::region, &MemberRecord::slot);
        assert(last != records.rend());
        records.erase(std::next(last).base());
      });
      return go(region.exits[leave.exit]);
    }
    assert(machine.times_held(thread, *region.lock) > 0);
    machine.set_held(thread, *region.lock, machine.times_held(thread, *region.lock) - 1);
    go(region.exits[leave.exit]);
  }
  void operator()(const Wait& wait) const {
    const std::size_t times = machine.times_held(thread, wait.lock);
    machine.set_status(thread, Status::Waiting);
    machine.set_word(thread, ThreadWords::given_up, static_cast<Integer>(times));
    if (times > 0) machine.set_held(thread, wait.lock, 0);
  }
  void operator()(const Notify& notify) {
    const auto waiting = waiting_for(machine, explorer::Monitor{notify.lock.index()});
    go(notify.next);
    const std::size_t first = notify.all ? 0 : outcome;
    const std::size_t last = notify.all ? waiting.size() : std::min<std::size_t>(first + 1, waiting.size());
    for (std::size_t i = first; i < last && !bound; ++i) {
      // Who held no lock when the wait began has none to take again, and goes on at once.
      machine.set_status(waiting[i], Status::Notified);
      if (machine.word(waiting[i], ThreadWords::given_up) > 0) continue;
      const auto& wait = std::get<Wait>(machine.node(machine.site(waiting[i])).instruction);
      machine.wake(waiting[i], wait);
      bound = machine.run_invisible(waiting[i]);
    }
  }
  void operator()(const Join& join) const {
    if (!wait_for_next()) go(join.next);
  }
  void operator()(const Forget& forget) const {
    for (Group group : forget.groups) empty(group);
    go(forget.next);
  }
  void operator()(const Print& print) const { go(print.next); }
  void operator()(const Assert& assertion) const {
    if (value(assertion.condition) != 0)
      go(assertion.next);
    else
      machine.set_status(thread, Status::Failed);
  }
  void operator()(const Return& ret) const {
    const Integer result = ret.value ? value(*ret.value) : 0;
    if (!pop()) return;
    const auto& call = std::get<Call>(machine.node(machine.site(thread)).instruction);
    if (call.result) set(*call.result, result);
    go(call.next);
  }
  void operator()(const Raise&) const {
    if (machine.word(thread, ThreadWords::frames) == 1) {
      change_records([](auto& records) { records.clear(); });
      return machine.set_status(thread, Status::Uncaught);
    }
    pop();
    go(std::get<Call>(machine.node(machine.site(thread)).instruction).on_throw);
  }

 private:
  [[nodiscard]] Integer depth() const { return machine.word(thread, ThreadWords::frames); }
  template <class Change>
  void change_records(const Change& change) const {
    std::vector<MemberRecord> records = machine.records(thread);
    const std::vector<MemberRecord> before = records;
    change(records);
    if (records != before) machine.set_records(thread, records);
  }
  void empty(Group group) const {
    const Integer slot = MemberWords::group + static_cast<Integer>(group.index());
    change_records([&](auto& records) {
      std::erase_if(records,
                    [&](const MemberRecord& record) { return record.frame == depth() && record.slot == slot; });
    });
  }
  void note_memberships(const Spawn& spawn, ThreadId child) const {
    const auto member = static_cast<Integer>(2 * child.index());
    for (const Membership& membership : spawn.memberships) {
      if (membership.replace) empty(membership.group);
      const Integer slot = MemberWords::group + static_cast<Integer>(membership.group.index());
      change_records([&](auto& records) { records.push_back({depth(), slot, member + (membership.all ? 1 : 0)}); });
    }
    change_records([&](auto& records) {
      if (std::ranges::any_of(records, [](const MemberRecord& record) { return record.slot == MemberWords::region; }))
        records.push_back({depth(), MemberWords::in_region, member + 1});
    });
  }
  // The first thread that is waited for has ended: from now on its offspring is waited for, if that counts. False if
  // there is nobody to wait for.
  [[nodiscard]] bool wait_for_next() const {
    std::vector<MemberRecord> records = machine.records(thread);
    const auto first = machine.first_awaited(thread, records);
    if (!first) return false;
    const MemberRecord over = records[*first];
    assert(machine.is_over(over.thread()));
    records.erase(records.begin() + static_cast<std::ptrdiff_t>(*first));
    if (over.all())
      for (Integer i = machine.word(over.thread(), ThreadWords::spawned); i > 0; --i) {
        const auto child = static_cast<Integer>(machine.child(over.thread(), static_cast<std::size_t>(i)).index());
        records.insert(records.begin() + static_cast<std::ptrdiff_t>(*first), {over.frame, over.slot, 2 * child + 1});
      }
    machine.set_records(thread, records);
    return true;
  }

  // A frame of the procedure at `top` of the words of a thread, with arguments of this one.
  void push(ThreadId owner, ProcedureId id, const std::vector<Expression>& arguments, std::size_t below,
            std::size_t top) const {
    const Procedure& callee = machine.program_.procedures[id];
    machine.memory_.resize(machine.space_of(owner), top + FrameWords::locals + callee.locals.size());
    machine.set_word(owner, top + FrameWords::below, static_cast<Integer>(below));
    machine.set_word(owner, top + FrameWords::site, static_cast<Integer>(machine.sites_[{id, callee.entry}].index()));
    // The caller's frame still is the current one, and its locals come before the new frame.
    for (std::size_t i = 0; i < arguments.size(); ++i)
      machine.set_word(owner, top + FrameWords::locals + i, value(arguments[i]));
  }
  // False if the thread has ended.
  bool pop() const {
    const std::size_t top = base();
    const Integer depth = machine.word(thread, ThreadWords::frames);
    change_records([&](auto& records) {
      std::erase_if(records, [&](const MemberRecord& record) {
        return record.frame == depth && record.slot >= MemberWords::group;
      });
    });
    if (depth == 1) {
      machine.set_status(thread, Status::Ended);
      machine.set_word(thread, ThreadWords::frames, 0);
      machine.memory_.resize(machine.space_of(thread), ThreadWords::size);
      return false;
    }
    machine.set_word(thread, ThreadWords::base, machine.word(thread, top + FrameWords::below));
    machine.set_word(thread, ThreadWords::frames, depth - 1);
    machine.memory_.resize(machine.space_of(thread), top);
    return true;
  }
};

void ProgramMachine::wake(ThreadId thread, const Wait& wait) {
  const auto times = static_cast<std::size_t>(word(thread, ThreadWords::given_up));
  if (times > 0) set_held(thread, wait.lock, times);
  set_status(thread, Status::Running);
  set_word(thread, ThreadWords::given_up, 0);
  Interpreting{*this, thread, 0, {}}.go(wait.next);
}

bool ProgramMachine::is_invisible(ThreadId thread) const {
  const explorer::Site at = site(thread);
  const Node& here = node(at);
  const auto region_lock = [&](Region region) {
    return program_.procedures[sites_.place(at).procedure].regions[region].lock;
  };
  if (const auto* enter = std::get_if<Enter>(&here.instruction)) {
    const auto lock = region_lock(enter->region);
    return !lock || times_held(thread, *lock) > 0;
  }
  if (std::holds_alternative<Leave>(here.instruction)) {
    const auto lock = region_lock(*here.region);
    return lock ? times_held(thread, *lock) > 1 : !first_awaited(thread, records(thread));
  }
  if (std::holds_alternative<Join>(here.instruction)) return !first_awaited(thread, records(thread));
  if (const auto* choose = std::get_if<Choose>(&here.instruction)) return choose->targets.size() == 1;
  return !(std::holds_alternative<Read>(here.instruction) || std::holds_alternative<Write>(here.instruction) ||
           std::holds_alternative<Wait>(here.instruction) || std::holds_alternative<Notify>(here.instruction) ||
           std::holds_alternative<Spawn>(here.instruction));
}

std::optional<Bound> ProgramMachine::run_invisible(ThreadId thread) {
  while (status(thread) == Status::Running && is_invisible(thread)) {
    // Whoever stops here is before a Pause.
    if (++instructions_ > limits_.invisible_instructions) return std::nullopt;
    executed_ |= class_of_site_[site(thread).index()];
    Interpreting interpreting{*this, thread, 0, {}};
    std::visit(interpreting, node(site(thread)).instruction);
    if (interpreting.bound) return interpreting.bound;
  }
  return std::nullopt;
}

std::optional<Bound> ProgramMachine::step(explorer::Step step) {
  assert(view(*this, step.thread).enabled);
  instructions_ = 0;
  const ThreadId thread = step.thread;
  std::optional<Bound> bound;
  executed_ |= class_of_site_[site(thread).index()];
  const Instruction& instruction = node(site(thread)).instruction;
  if (status(thread) == Status::Notified) {
    wake(thread, std::get<Wait>(instruction));
  } else if (!is_invisible(thread)) {
    Interpreting interpreting{*this, thread, step.outcome, {}};
    std::visit(interpreting, instruction);
    bound = interpreting.bound;
  }
  if (!bound) bound = run_invisible(thread);
  if (!bound) refresh();
  return bound;
}

void ProgramMachine::undo(std::size_t mark) {
  if (mark == memory_.mark()) return;
  memory_.undo(mark, [this](Space space, std::uint32_t index) { touch(space, index); });
  refresh();
}

void ProgramMachine::touch(Space space, std::uint32_t index) {
  if (space == 0) return update_component(index);
  view_changed_[(space - 1) / 2] = 1;
  component_changed_[(space - 1) / 2] = 1;
}

Action ProgramMachine::action_of(ThreadId thread) {
  const explorer::Site at = site(thread);
  const Node& here = node(at);
  const auto action = [&](ActionKind kind, std::size_t object) {
    return Action{kind, static_cast<std::uint32_t>(object), at};
  };
  if (const auto* wait = std::get_if<Wait>(&here.instruction); wait != nullptr && status(thread) != Status::Running)
    return action(ActionKind::Reacquire, wait->lock.index());
  if (is_invisible(thread)) return action(ActionKind::Pause, 0);
  const std::vector<MemberRecord> known = records(thread);
  if (const auto first = first_awaited(thread, known)) return action(ActionKind::Join, known[*first].thread().index());
  const auto lock_of = [&](Region region) {
    return *program_.procedures[sites_.place(at).procedure].regions[region].lock;
  };
  if (const auto* read = std::get_if<Read>(&here.instruction)) return action(ActionKind::Read, read->variable.index());
  if (const auto* write = std::get_if<Write>(&here.instruction))
    return action(ActionKind::Write, write->variable.index());
  if (const auto* enter = std::get_if<Enter>(&here.instruction))
    return action(ActionKind::Acquire, lock_of(enter->region).index());
  if (std::holds_alternative<Leave>(here.instruction))
    return action(ActionKind::Release, lock_of(*here.region).index());
  if (const auto* wait = std::get_if<Wait>(&here.instruction))
    return action(times_held(thread, wait->lock) > 0 ? ActionKind::Wait : ActionKind::UnheldWait, wait->lock.index());
  if (const auto* notify = std::get_if<Notify>(&here.instruction)) {
    const bool held = times_held(thread, notify->lock) > 0;
    if (notify->all) return action(held ? ActionKind::NotifyAll : ActionKind::UnheldNotifyAll, notify->lock.index());
    return action(held ? ActionKind::Notify : ActionKind::UnheldNotify, notify->lock.index());
  }
  if (std::holds_alternative<Spawn>(here.instruction)) {
    const auto number = static_cast<std::size_t>(word(thread, ThreadWords::spawned)) + 1;
    return action(ActionKind::Start, child(thread, number).index());
  }
  assert(std::holds_alternative<Choose>(here.instruction));
  return action(ActionKind::Choice, 0);
}

void ProgramMachine::describe(ThreadId thread) {
  explorer::ThreadView view;
  switch (status(thread)) {
    case Status::Absent: view.status = explorer::ThreadStatus::Absent; break;
    case Status::Ended: view.status = explorer::ThreadStatus::Ended; break;
    case Status::Waiting: view.status = explorer::ThreadStatus::Waiting; break;
    case Status::Failed:
    case Status::Uncaught:
      view.status = explorer::ThreadStatus::Failed;
      view.failure = status(thread) == Status::Failed ? explorer::Failure::Assertion : explorer::Failure::Exception;
      view.next = {ActionKind::Pause, 0, site(thread)};
      break;
    case Status::Running:
    case Status::Notified: view.status = explorer::ThreadStatus::Standing; break;
  }
  if (view.status == explorer::ThreadStatus::Waiting || view.status == explorer::ThreadStatus::Standing)
    view.next = action_of(thread);  // may add threads
  views_[thread.index()] = view;
}

// What changed is described anew. Who can move depends on others, and is computed for all.
void ProgramMachine::refresh() {
  // NOLINTNEXTLINE(modernize-loop-convert): they become more meanwhile
  for (std::size_t i = 0; i < view_changed_.size(); ++i) {
    if (view_changed_[i] == 0) continue;
    describe(ThreadId{i});
    view_changed_[i] = 0;
  }
  for (std::size_t i = 0; i < views_.size(); ++i) {
    explorer::ThreadView& view = views_[i];
    if (view.status != explorer::ThreadStatus::Standing) continue;
    view.enabled = true;
    view.outcomes = 1;
    view.blocked_on.reset();
    if (explorer::acquiring_kinds.contains(view.next.kind)) {
      const auto holder = owner(Lock{view.next.object});
      if (!holder || *holder == ThreadId{i}) continue;
      view.enabled = false;
      view.blocked_on = holder;
    } else if (view.next.kind == ActionKind::Join) {
      const ThreadId member = thread_of(view.next);
      if (is_over(member)) continue;
      view.enabled = false;
      view.blocked_on = member;
    } else if (view.next.kind == ActionKind::Notify || view.next.kind == ActionKind::UnheldNotify) {
      const std::size_t waiting = waiting_for(*this, explorer::Monitor{view.next.object}).size();
      view.outcomes = static_cast<std::uint32_t>(std::max<std::size_t>(1, waiting));
    } else if (view.next.kind == ActionKind::Choice) {
      view.outcomes = static_cast<std::uint32_t>(std::get<Choose>(node(view.next.site).instruction).targets.size());
    }
  }
}

std::span<const std::uint32_t> ProgramMachine::components() {
  for (std::size_t i = 0; i < component_changed_.size(); ++i) {
    if (component_changed_[i] == 0) continue;
    components_[globals() + i] =
        thread_components_.number_of(memory_.words(space_of(ThreadId{i})), memory_.words(members_space(ThreadId{i})));
    component_changed_[i] = 0;
  }
  return components_;
}

std::uint64_t ProgramMachine::on_stacks() const {
  std::uint64_t classes = 0;
  for (std::size_t i = 0; i < parents_.size(); ++i)
    for_each_frame(ThreadId{i}, [&](explorer::Site site) { classes |= class_of_site_[site.index()]; });
  return classes;
}

// Threads add up, in whatever order this machine has numbered them.
StateName ProgramMachine::state_name() {
  const auto now = components();
  StateName name{1, 2};
  for (Variable variable : program_.variables.keys())
    name = mixed(name, {variable.index(), static_cast<std::uint64_t>(value(variable))});
  while (thread_names_.size() < parents_.size())
    thread_names_.push_back(name_of_text(this->name(ThreadId{thread_names_.size()})));
  for (Lock lock : program_.locks.keys())
    if (const auto holder = owner(lock))
      name = mixed(name, mixed(thread_names_[holder->index()], {lock.index(), times_held(*holder, lock)}));
  StateName threads;
  for (std::size_t i = 0; i < parents_.size(); ++i) {
    const std::uint32_t component = now[globals() + i];
    if (component == 0) continue;
    const StateName each = mixed(thread_names_[i], thread_components_.name_of(component, thread_names_));
    threads.high += each.high;
    threads.low += each.low;
  }
  return mixed(name, threads);
}

void ProgramMachine::restore(std::span<const std::uint32_t> components) {
  memory_.forget_trail();
  executed_ = 0;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const std::uint32_t component = i < components.size() ? components[i] : 0;
    if (i < globals()) {
      if (components_[i] == component) continue;
      memory_.raw(0)[i] = component < large_component ? Integer{component} : large_values_[component - large_component];
      components_[i] = component;
      continue;
    }
    const std::size_t thread = i - globals();
    if (component_changed_[thread] == 0 && components_[i] == component) continue;
    thread_components_.restore(component, memory_.raw(space_of(ThreadId{thread})),
                               memory_.raw(members_space(ThreadId{thread})));
    components_[i] = component;
    component_changed_[thread] = 0;
    view_changed_[thread] = 1;
  }
  refresh();
}

}  // namespace lockwood::program
