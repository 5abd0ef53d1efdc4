#include "frontend/lw/syntax.hpp"

#include <type_traits>

namespace lockwood::lw {
namespace {

// For constant and for changeable statements alike.
template <class Statement>
auto blocks_in(Statement& statement) {
  using BlockPointer = std::conditional_t<std::is_const_v<Statement>, const Block*, Block*>;
  std::vector<BlockPointer> blocks;
  if (auto* chosen = std::get_if<IfStatement>(&statement.form)) {
    for (auto& arm : chosen->arms) blocks.push_back(&arm.block);
    if (chosen->otherwise) blocks.push_back(&*chosen->otherwise);
  } else if (auto* loop = std::get_if<WhileStatement>(&statement.form)) {
    blocks.push_back(&loop->block);
  } else if (auto* choice = std::get_if<ChooseStatement>(&statement.form)) {
    for (auto& branch : choice->branches) blocks.push_back(&branch);
  } else if (auto* sync = std::get_if<SyncStatement>(&statement.form)) {
    blocks.push_back(&sync->block);
  } else if (auto* finish = std::get_if<FinishStatement>(&statement.form)) {
    blocks.push_back(&finish->block);
  } else if (auto* attempt = std::get_if<TryStatement>(&statement.form)) {
    blocks.push_back(&attempt->block);
    blocks.push_back(&attempt->handler);
  } else if (auto* inner = std::get_if<BlockStatement>(&statement.form)) {
    blocks.push_back(&inner->block);
  }
  return blocks;
}

}  // namespace

std::vector<const Block*> blocks_of(const Statement& statement) { return blocks_in(statement); }
std::vector<Block*> blocks_of(Statement& statement) { return blocks_in(statement); }

}  // namespace lockwood::lw
