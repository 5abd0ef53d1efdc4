#include "jvm/code/ssa_form.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "jvm/code/dominators.hpp"

namespace lockwood::jvm {
namespace {

struct PlacedPhi {
  Variable variable;
  Temporary result;
  std::uint32_t first_operand;  // in phi_operands_, one for each predecessor
};

// Where the blocks of a variable are: read before they write it, and written.
struct Occurrences {
  std::vector<Block> reads;
  std::vector<Block> writes;
};

class Renamer {
 public:
  Renamer(Translation translation, MethodBody body, const CodeAttribute& code, const LocalNames& names)
      : translation_{std::move(translation)}, body_{std::move(body)}, names_{names} {
    lines_ = code.lines;
    std::ranges::stable_sort(lines_, {}, &LineNumber::begin);
  }

  MethodBody run() {
    find_dominators();
    place_phis();
    rename();
    drop_useless_phis();
    assemble();
    return std::move(body_);
  }

 private:
  // ---- dominators and edges

  void find_dominators() {
    Successors predecessors(body_.blocks.size());
    for (Block block : body_.blocks.keys())
      for (Block before : body_.blocks[block].predecessors)
        predecessors[block.index()].push_back(static_cast<std::uint32_t>(before.index()));
    const auto dominators = immediate_dominators(predecessors);
    frontiers_ = dominance_frontiers(predecessors, dominators, max_phi_operands);
    if (frontiers_.empty()) throw MalformedBytes{0, "the control flow of the method is too tangled"};
    children_ = IdVector<Block, std::vector<Block>>(body_.blocks.size());
    for (Block block : body_.blocks.keys()) {
      const Block dominator{dominators[block.index()]};
      body_.immediate_dominators.push_back(dominator);
      if (block != dominator) children_[dominator].push_back(block);
    }
    // By block: which predecessor it is of each block that follows.
    out_edges_ = IdVector<Block, std::vector<OutEdge>>(body_.blocks.size());
    for (Block block : body_.blocks.keys()) {
      std::uint32_t position = 0;
      for (Block before : body_.blocks[block].predecessors) out_edges_[before].push_back({block, position++});
    }
  }

  // ---- phis

  [[nodiscard]] IdVector<Variable, Occurrences> occurrences() const {
    IdVector<Variable, Occurrences> result(translation_.variables.size());
    const auto add = [](std::vector<Block>& blocks, Block block) {
      if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
    };
    const auto read = [&](Source source, Block block) {
      if (source.is_variable()) add(result[source.variable()].reads, block);
    };
    for (Block id : translation_.blocks.keys()) {
      const TranslatedBlock& block = translation_.blocks[id];
      for (std::uint32_t i = block.first; i < block.last; ++i) {
        const TranslatedInstruction& instruction = translation_.instructions[i];
        for (std::uint32_t k = 0; k < instruction.operand_count; ++k)
          read(translation_.operands[instruction.first_operand + k], id);
      }
      for (const auto& [variable, source] : block.definitions) {
        read(source, id);
        add(result[variable].writes, id);
      }
    }
    return result;
  }

  void place_phis() {
    phis_ = IdVector<Block, std::vector<PlacedPhi>>(body_.blocks.size());
    const auto all = occurrences();
    // Marks are numbers of variables, so that they need not be cleared.
    IdVector<Block, std::uint32_t> live(body_.blocks.size(), 0);
    IdVector<Block, std::uint32_t> writes(body_.blocks.size(), 0);
    IdVector<Block, std::uint32_t> has_phi(body_.blocks.size(), 0);
    for (Variable variable : all.keys()) {
      const Occurrences& where = all[variable];
      if (where.reads.empty()) continue;
      const auto mark = static_cast<std::uint32_t>(variable.index() + 1);
      for (Block block : where.writes) writes[block] = mark;
      mark_live(variable, where.reads, mark, live, writes);
      // With a single write there is nothing to choose from: it dominates all reads.
      if (where.writes.size() < 2) continue;
      std::vector<Block> worklist = where.writes;
      while (!worklist.empty()) {
        const Block block = worklist.back();
        worklist.pop_back();
        for (std::uint32_t number : frontiers_[block.index()]) {
          const Block join{number};
          if (has_phi[join] == mark || live[join] != mark) continue;
          has_phi[join] = mark;
          add_phi(join, variable);
          if (writes[join] != mark) worklist.push_back(join);
        }
      }
    }
  }

  // Marks the blocks at whose beginning the variable will be read: backwards from the reads to the writes.
  void mark_live(Variable variable, const std::vector<Block>& reads, std::uint32_t mark,
                 IdVector<Block, std::uint32_t>& live, const IdVector<Block, std::uint32_t>& writes) const {
    std::vector<Block> worklist = reads;
    for (Block block : reads) live[block] = mark;
    while (!worklist.empty()) {
      const Block block = worklist.back();
      worklist.pop_back();
      if (block.index() == 0) fail_unwritten(variable, reads.front());
      for (Block before : body_.blocks[block].predecessors) {
        if (writes[before] == mark || live[before] == mark) continue;
        live[before] = mark;
        worklist.push_back(before);
      }
    }
  }

  [[noreturn]] void fail_unwritten(Variable variable, Block block) const {
    const auto& info = translation_.variables[variable];
    const std::string what = info.local ? "local " + std::to_string(*info.local) : "a slot of the operand stack";
    throw MalformedBytes{body_.blocks[block].offset,
                         what + " is read as " + std::string{to_string(info.type)} + ", but it need not be written"};
  }

  void add_phi(Block block, Variable variable) {
    const std::size_t count = body_.blocks[block].predecessors.size();
    const auto first = static_cast<std::uint32_t>(phi_operands_.size());
    if (first + count > max_phi_operands)
      throw MalformedBytes{body_.blocks[block].offset, "the method has too many locals at too many joins"};
    const auto& info = translation_.variables[variable];
    const Temporary result = translation_.temporaries.push_back(
        {info.type, info.local ? names_.name(*info.local, body_.blocks[block].offset) : std::string_view{}});
    phi_operands_.resize(first + count, result);
    phis_[block].push_back({variable, result, first});
  }

  // ---- renaming

  // Walks the dominator tree. `current_` is what each variable holds; what a block changes is undone when its subtree
  // is done.
  void rename() {
    current_ = IdVector<Variable, std::optional<Temporary>>(translation_.variables.size());
    renamed_.reserve(translation_.operands.size());
    renamed_.resize(translation_.operands.size(), Temporary{0});
    struct Frame {
      Block block;
      std::size_t undo;
      std::size_t next_child;
    };
    std::vector<Frame> stack;
    const auto enter = [&](Block block) {
      stack.push_back({block, undo_.size(), 0});
      rename_block(block);
    };
    enter(Block{0});
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next_child < children_[top.block].size()) {
        enter(children_[top.block][top.next_child++]);
        continue;
      }
      for (; undo_.size() > top.undo; undo_.pop_back()) current_[undo_.back().first] = undo_.back().second;
      stack.pop_back();
    }
  }

  void write(Variable variable, Temporary value) {
    undo_.emplace_back(variable, current_[variable]);
    current_[variable] = value;
  }
  [[nodiscard]] Temporary resolved(Source source) const {
    if (!source.is_variable()) return source.temporary();
    assert(current_[source.variable()]);  // mark_live has seen a write on every way
    return *current_[source.variable()];
  }

  void rename_block(Block id) {
    for (const PlacedPhi& phi : phis_[id]) write(phi.variable, phi.result);
    const TranslatedBlock& block = translation_.blocks[id];
    for (std::uint32_t i = block.first; i < block.last; ++i) {
      const TranslatedInstruction& instruction = translation_.instructions[i];
      for (std::uint32_t k = 0; k < instruction.operand_count; ++k)
        renamed_[instruction.first_operand + k] = resolved(translation_.operands[instruction.first_operand + k]);
    }
    // Exceptions find the variables as they are here (BasicBlock): the block has either handlers or changed locals, and
    // nobody looks at the operand stack in a handler.
    fill_phis(id, true);
    std::vector<Temporary> values;
    values.reserve(block.definitions.size());
    for (const auto& [variable, source] : block.definitions) values.push_back(resolved(source));
    for (std::size_t i = 0; i < values.size(); ++i) write(block.definitions[i].first, values[i]);
    fill_phis(id, false);
  }

  void fill_phis(Block id, bool exceptional) {
    for (const OutEdge& edge : out_edges_[id]) {
      const auto& handlers = body_.blocks[id].handlers;
      const bool is_handler = std::ranges::find(handlers, edge.to) != handlers.end();
      if (is_handler != exceptional) continue;
      for (const PlacedPhi& phi : phis_[edge.to]) {
        assert(current_[phi.variable]);
        phi_operands_[phi.first_operand + edge.position] = *current_[phi.variable];
      }
    }
  }

  // ---- phis that are not needed

  Temporary representative(Temporary temporary) {
    while (replaced_[temporary] != temporary) {
      replaced_[temporary] = replaced_[replaced_[temporary]];
      temporary = replaced_[temporary];
    }
    return temporary;
  }

  void drop_useless_phis() {
    replaced_ = IdVector<Temporary, Temporary>(translation_.temporaries.size(), Temporary{0});
    for (Temporary temporary : replaced_.keys()) replaced_[temporary] = temporary;
    // Each pass is linear. What a few passes leave is correct, and value numbers see through it.
    constexpr std::size_t max_passes = 20;
    bool changed = true;
    for (std::size_t pass = 0; changed && pass < max_passes; ++pass) {
      changed = false;
      for (Block block : phis_.keys())
        for (const PlacedPhi& phi : phis_[block]) changed = replace_if_trivial(block, phi) || changed;
    }
    mark_used_phis();
  }

  bool replace_if_trivial(Block block, const PlacedPhi& phi) {
    if (representative(phi.result) != phi.result) return false;
    std::optional<Temporary> only;
    for (std::size_t i = 0; i < body_.blocks[block].predecessors.size(); ++i) {
      const Temporary operand = representative(phi_operands_[phi.first_operand + i]);
      if (operand == phi.result || operand == only) continue;
      if (only) return false;
      only = operand;
    }
    assert(only);  // a phi of nothing but itself would have no write before it
    replaced_[phi.result] = *only;
    auto& name = translation_.temporaries[*only].name;
    if (name.empty()) name = translation_.temporaries[phi.result].name;
    return true;
  }

  // A phi is used if an instruction reads it, or a phi that is used.
  void mark_used_phis() {
    used_ = IdVector<Temporary, bool>(translation_.temporaries.size());
    IdVector<Temporary, std::optional<std::pair<Block, std::uint32_t>>> phi_of(translation_.temporaries.size());
    for (Block block : phis_.keys())
      for (const PlacedPhi& phi : phis_[block]) phi_of[phi.result] = std::pair{block, phi.first_operand};
    std::vector<Temporary> worklist;
    const auto use = [&](Temporary temporary) {
      temporary = representative(temporary);
      if (used_[temporary]) return;
      used_[temporary] = true;
      worklist.push_back(temporary);
    };
    for (Temporary operand : renamed_) use(operand);
    while (!worklist.empty()) {
      const auto phi = phi_of[worklist.back()];
      worklist.pop_back();
      if (!phi) continue;
      for (std::size_t i = 0; i < body_.blocks[phi->first].predecessors.size(); ++i)
        use(phi_operands_[phi->second + i]);
    }
  }

  // ---- the result

  [[nodiscard]] std::optional<std::uint16_t> line_of(std::uint32_t offset) const {
    const auto after = std::ranges::upper_bound(lines_, offset, {}, &LineNumber::begin);
    return after == lines_.begin() ? std::nullopt : std::optional{std::prev(after)->line};
  }

  // Numbers registers in the order of instructions, then writes all instructions down.
  void assemble() {
    registers_ = IdVector<Temporary, std::optional<Register>>(translation_.temporaries.size());
    const auto is_kept = [&](const PlacedPhi& phi) {
      return used_[phi.result] && representative(phi.result) == phi.result;
    };
    for (Block id : body_.blocks.keys()) {
      for (const PlacedPhi& phi : phis_[id])
        if (is_kept(phi)) define(phi.result);
      const TranslatedBlock& block = translation_.blocks[id];
      for (std::uint32_t i = block.first; i < block.last; ++i)
        if (const auto result = translation_.instructions[i].result) define(*result);
    }
    for (Block id : body_.blocks.keys()) {
      BasicBlock& basic = body_.blocks[id];
      basic.begin = InstructionId{body_.instructions.size()};
      for (const PlacedPhi& phi : phis_[id]) {
        if (!is_kept(phi)) continue;
        append({.operation = Phi{}, .offset = basic.offset, .result = registers_[phi.result]},
               std::span{phi_operands_}.subspan(phi.first_operand, basic.predecessors.size()));
      }
      const TranslatedBlock& block = translation_.blocks[id];
      for (std::uint32_t i = block.first; i < block.last; ++i) {
        const TranslatedInstruction& from = translation_.instructions[i];
        append({.operation = from.operation,
                .offset = from.offset,
                .result = from.result ? registers_[*from.result] : std::nullopt},
               std::span{renamed_}.subspan(from.first_operand, from.operand_count));
      }
      basic.end = InstructionId{body_.instructions.size()};
    }
    body_.switches = std::move(translation_.switches);
    body_.dynamic_calls = std::move(translation_.dynamic_calls);
  }

  void define(Temporary temporary) {
    assert(!registers_[temporary]);
    const auto& info = translation_.temporaries[temporary];
    registers_[temporary] = body_.registers.push_back({info.type, InstructionId{0}, info.name});
  }

  void append(Instruction instruction, std::span<const Temporary> operands) {
    instruction.line = line_of(instruction.offset);
    instruction.first_operand = static_cast<std::uint32_t>(body_.operands.size());
    instruction.operand_count = static_cast<std::uint32_t>(operands.size());
    for (Temporary operand : operands) {
      const auto number = registers_[representative(operand)];
      assert(number);
      body_.operands.push_back(*number);
    }
    const auto result = instruction.result;
    const InstructionId id = body_.instructions.push_back(std::move(instruction));
    if (result) body_.registers[*result].definition = id;
  }

  struct OutEdge {
    Block to;
    std::uint32_t position;  // among the predecessors of `to`
  };

  Translation translation_;
  MethodBody body_;
  const LocalNames& names_;
  std::vector<LineNumber> lines_;  // sorted
  Successors frontiers_;
  IdVector<Block, std::vector<Block>> children_;
  IdVector<Block, std::vector<OutEdge>> out_edges_;
  IdVector<Block, std::vector<PlacedPhi>> phis_;
  std::vector<Temporary> phi_operands_;
  IdVector<Variable, std::optional<Temporary>> current_;
  std::vector<std::pair<Variable, std::optional<Temporary>>> undo_;
  std::vector<Temporary> renamed_;  // operands, as in translation_
  IdVector<Temporary, Temporary> replaced_;
  IdVector<Temporary, bool> used_;
  IdVector<Temporary, std::optional<Register>> registers_;
};

}  // namespace

MethodBody ssa_form(Translation translation, MethodBody body, const CodeAttribute& code, const LocalNames& names) {
  return Renamer{std::move(translation), std::move(body), code, names}.run();
}

}  // namespace lockwood::jvm
