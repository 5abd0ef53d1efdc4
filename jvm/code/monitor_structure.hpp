#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockwood::jvm {

// The monitors of a method, and nothing else of it: a flow graph whose nodes enter or exit monitors.
struct MonitorFlow {
  enum class Action : std::uint8_t { None, Enter, Exit };
  struct Node {
    Action action = Action::None;  // the last thing that the node does
    std::uint32_t object = 0;      // of the action; equal numbers are equal objects
    std::vector<std::uint32_t> successors;
    std::vector<std::uint32_t> handlers;  // where exceptions lead, with the monitors held *before* the action
    bool leaves = false;                  // the method ends here, after the action
    bool leaves_by_exception = false;     // or may end by an exception, before the action
  };
  std::vector<Node> nodes;  // 0 is the entry
};

// The monitors that are held at a node, as a list of enters from the inside: rows of `MonitorStructure::stacks`.
struct MonitorStack {
  std::uint32_t enter;                  // a node
  std::optional<std::uint32_t> around;  // the stack around it
};

struct MonitorStructure {
  std::vector<std::uint32_t> ignored_enters;  // nodes, sorted
  std::vector<std::uint32_t> ignored_exits;   // nodes that exit what is not entered, or what is ignored; sorted
  std::vector<MonitorStack> stacks;
  std::vector<std::optional<std::uint32_t>> held;  // by node: the stack before it; nothing if no monitor is held
  // By node: the enter that this exit belongs to; nothing for other nodes.
  std::vector<std::optional<std::uint32_t>> enter_of;
  std::string reason;  // why enters are ignored; empty if there are none
  bool fewest = true;  // no smaller set of ignored enters would do; false if the search was too long
};

struct MonitorSearchLimits {
  std::size_t tries = 3000;             // sets of ignored enters
  std::size_t node_visits = 5'000'000;  // of all tries together
};

// Decides which enters and exits belong together.
//
// The monitors of a method are *structured* if each node is reached with the same stack of monitors on all ways, each
// exit is of the innermost monitor, and the stack is empty wherever the method ends. If they are not, the fewest enters
// are ignored that make the rest structured. Then an exit of an object that is not the innermost one does nothing if
// an ignored enter of the same object can reach it, or if no enter of that object can reach it at all.
[[nodiscard]] MonitorStructure monitor_structure(const MonitorFlow& flow, const MonitorSearchLimits& limits = {});

}  // namespace lockwood::jvm
