#include "frontend/java/facts/code_shape.hpp"

#include <cassert>

#include "base/graph/digraph.hpp"

namespace lockwood::java {
namespace {

using namespace jvm;

template <class Visit>
void for_each_successor(const MethodBody& body, Block block, const Visit& visit) {
  for (Block next : body.blocks[block].successors) visit(next);
  for (Block next : body.blocks[block].handlers) visit(next);
}

}  // namespace

CodeShape::CodeShape(const MethodBody& body)
    : body_{body},
      block_of_(body.instructions.size(), Block{0}),
      in_loop_(body.blocks.size()),
      reached_(body.blocks.size()) {
  std::vector<Edge> edges;
  for (Block block : body.blocks.keys()) {
    for (InstructionId id : body.instructions_of(block)) block_of_[id] = block;
    for_each_successor(body, block, [&](Block next) {
      edges.push_back({static_cast<std::uint32_t>(block.index()), static_cast<std::uint32_t>(next.index())});
      if (next == block) in_loop_[block] = true;
    });
  }
  const Components components = strongly_connected_components(Digraph{body.blocks.size(), edges});
  std::vector<std::size_t> sizes(components.count);
  for (std::uint32_t component : components.of) ++sizes[component];
  for (Block block : body.blocks.keys())
    if (sizes[components.of[block.index()]] > 1) in_loop_[block] = true;
}

bool CodeShape::dominates(Block above, Block below) const {
  while (below > above) below = body_.immediate_dominators[below];
  return above == below;
}

bool CodeShape::dominates(InstructionId above, InstructionId below) const {
  const Block first = block_of_[above];
  const Block second = block_of_[below];
  return first == second ? above < below : dominates(first, second);
}

bool CodeShape::passes(InstructionId first, InstructionId second) const {
  const Block from = block_of_[first];
  const Block to = block_of_[second];
  if (from == to) return first < second;
  if (!dominates(from, to)) return false;
  // Exceptional edges leave from before the instruction that throws.
  for (Block handler : body_.blocks[from].handlers)
    if (handler == to || reaches(handler, to)) return false;
  return true;
}

bool CodeShape::reaches(Block from, Block to) const {
  std::vector<bool>& reached = reached_[from];
  if (reached.empty()) {
    reached.resize(body_.blocks.size());
    std::vector<Block> stack{from};
    while (!stack.empty()) {
      const Block next = stack.back();
      stack.pop_back();
      for_each_successor(body_, next, [&](Block successor) {
        if (reached[successor.index()]) return;
        reached[successor.index()] = true;
        stack.push_back(successor);
      });
    }
  }
  return reached[to.index()];
}

bool CodeShape::may_follow(InstructionId first, InstructionId second) const {
  const Block from = block_of_[first];
  const Block to = block_of_[second];
  if (from == to && first < second) return true;
  return reaches(from, to);
}

const CodeShape& CodeShapes::operator[](ProcedureId id) const {
  if (shapes_.size() <= id.index()) shapes_.resize(id.index() + 1);
  auto& shape = shapes_[id.index()];
  if (!shape) {
    assert(universe_.procedure(id).code);
    shape = std::make_unique<CodeShape>(universe_.procedure(id).code->body);
  }
  return *shape;
}

}  // namespace lockwood::java
