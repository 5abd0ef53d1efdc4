#include "solver/query/tree_alphabet.hpp"

#include <array>
#include <cassert>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "dpn/semantics/describe.hpp"

namespace lockwood::dpn {

using treeauto::Symbol;

namespace {

struct Variant {
  NodeKind kind;
  Reentrance reentrance;
  friend bool operator==(const Variant&, const Variant&) = default;
};

// The labels that a rule of a kind can have, in the order of their symbols.
std::span<const Variant> variants_of(RuleKind kind) {
  static constexpr std::array base{Variant{NodeKind::Base, Reentrance::No}};
  static constexpr std::array call{Variant{NodeKind::NCall, Reentrance::No}, Variant{NodeKind::RCall, Reentrance::No}};
  static constexpr std::array ret{Variant{NodeKind::Ret, Reentrance::No}};
  static constexpr std::array spawn{Variant{NodeKind::Spawn, Reentrance::No}};
  static constexpr std::array join{Variant{NodeKind::Join, Reentrance::No}};
  static constexpr std::array forget{Variant{NodeKind::Forget, Reentrance::No}};
  static constexpr std::array monitor{Variant{NodeKind::Acq, Reentrance::No}, Variant{NodeKind::Use, Reentrance::No},
                                      Variant{NodeKind::Acq, Reentrance::Yes}, Variant{NodeKind::Use, Reentrance::Yes}};
  switch (kind) {
    case RuleKind::Base: return base;
    case RuleKind::Call: return call;
    case RuleKind::Return: return ret;
    case RuleKind::Spawn: return spawn;
    case RuleKind::Join: return join;
    case RuleKind::Forget: return forget;
    case RuleKind::Monitor: break;
  }
  return monitor;
}

std::string_view word_of(Variant variant) {
  switch (variant.kind) {
    case NodeKind::Nil: return "NIL";
    case NodeKind::Ret: return "RET";
    case NodeKind::Base: return "BASE";
    case NodeKind::NCall: return "NCALL";
    case NodeKind::RCall: return "RCALL";
    case NodeKind::Spawn: return "SPAWN";
    case NodeKind::Acq: return variant.reentrance == Reentrance::Yes ? "REACQ" : "ACQ";
    case NodeKind::Use: return variant.reentrance == Reentrance::Yes ? "REUSE" : "USE";
    case NodeKind::Join: return "JOIN";
    case NodeKind::Forget: return "FORGET";
    case NodeKind::Cut: break;
  }
  return "CUT";
}

void append_part(std::string& name, std::string_view part) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  static constexpr std::string_view special = ":.#%>[];";
  name += '.';
  for (char letter : part) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '(') {
      name += '[';
    } else if (letter == ')') {
      name += ']';
    } else if (letter == ',') {
      name += ';';
    } else if (byte <= 0x20 || byte == 0x7F || special.find(letter) != std::string_view::npos) {
      name += '%';
      name += digits[byte >> 4U];
      name += digits[byte & 15U];
    } else {
      name += letter;
    }
  }
}

void append_head(std::string& name, const Network& network, Head head) {
  if (network.control_states().size() > 1) append_part(name, network.control_states().name(head.control));
  append_part(name, network.stack_symbols().name(head.top));
}

std::optional<Lock> lock_of(const Rule& rule) {
  const auto* monitor = std::get_if<Monitor>(&rule.effect);
  return monitor == nullptr ? std::nullopt : std::optional{monitor->lock};
}

}  // namespace

TreeAlphabet::TreeAlphabet(const Network& network) : network_{&network} {
  add_heads(NodeKind::Nil);
  add_rules();
  first_cut_ = labels_.size();
  add_heads(NodeKind::Cut);
  symbols_ = std::exchange(builder_, {}).build();
  assert(symbols_.size() == labels_.size());  // the names are pairwise different
}

void TreeAlphabet::add_heads(NodeKind kind) {
  for (ControlState control : network_->control_states().keys())
    for (StackSymbol top : network_->stack_symbols().keys()) {
      std::string name{word_of({kind, Reentrance::No})};
      append_head(name, *network_, {control, top});
      builder_.add(name, rank(kind));
      labels_.push_back({kind, Head{control, top}});
    }
}

void TreeAlphabet::add_rules() {
  std::map<std::tuple<RuleKind, Head, Action, std::optional<Lock>>, std::size_t> alike;
  for (RuleId id : network_->rules().keys()) {
    const Rule& rule = network_->rule(id);
    const std::size_t ordinal = ++alike[{rule.kind(), rule.from, rule.action, lock_of(rule)}];
    first_of_rule_.push_back(static_cast<std::uint32_t>(labels_.size()));
    for (const Variant& variant : variants_of(rule.kind())) {
      std::string name{word_of(variant)};
      append_head(name, *network_, rule.from);
      append_part(name, network_->actions().name(rule.action));
      if (const auto lock = lock_of(rule)) append_part(name, network_->locks().name(*lock));
      if (ordinal > 1) name += "#" + std::to_string(ordinal);
      builder_.add(name, rank(variant.kind));
      labels_.push_back({variant.kind, id, variant.reentrance});
    }
  }
}

Symbol TreeAlphabet::symbol(const NodeLabel& label) const {
  if (const auto* head = std::get_if<Head>(&label.what))
    return Symbol{(label.kind == NodeKind::Cut ? first_cut_ : 0) + number_of(*head)};
  const RuleId rule = std::get<RuleId>(label.what);
  std::size_t number = first_of_rule_[rule];
  for (const Variant& variant : variants_of(network_->rule(rule).kind())) {
    if (variant == Variant{label.kind, label.reentrance}) break;
    ++number;
  }
  assert(labels_[Symbol{number}] == label);
  return Symbol{number};
}

std::string describe(const TreeAlphabet& alphabet, Symbol symbol) {
  const NodeLabel& label = alphabet.label(symbol);
  const Network& network = alphabet.network();
  if (const auto* head = std::get_if<Head>(&label.what)) {
    const std::string where = describe(network, *head);
    return label.kind == NodeKind::Nil ? "a thread is at " + where : "a thread goes on to the next step at " + where;
  }
  std::string text = describe(network, network.rule(std::get<RuleId>(label.what)));
  if (label.reentrance == Reentrance::Yes) text += ", with the lock held already";
  if (label.kind == NodeKind::NCall || label.kind == NodeKind::Acq) text += ", has not returned";
  if (is_returning(label.kind)) text += ", has returned";
  return text;
}

// Both kinds of trees are sequences of nodes in preorder.
treeauto::Tree to_tree(const TreeAlphabet& alphabet, const ExecutionTree& tree) {
  std::vector<Symbol> preorder;
  preorder.reserve(tree.size());
  for (NodeId node : tree.nodes()) preorder.push_back(alphabet.symbol(label_of(tree, node)));
  return {alphabet.symbols(), std::move(preorder)};
}

ExecutionTree to_execution_tree(const TreeAlphabet& alphabet, const treeauto::Tree& tree) {
  TreeBuilder builder;
  builder.reserve(tree.size());
  for (Symbol symbol : tree.preorder()) {
    const NodeLabel& label = alphabet.label(symbol);
    if (label.kind == NodeKind::Nil) {
      builder.nil(std::get<Head>(label.what));
      continue;
    }
    if (label.kind == NodeKind::Cut) {
      builder.cut(std::get<Head>(label.what));
      continue;
    }
    const RuleId rule = std::get<RuleId>(label.what);
    switch (label.kind) {
      case NodeKind::Ret: builder.ret(rule); break;
      case NodeKind::Base: builder.base(rule); break;
      case NodeKind::NCall: builder.ncall(rule); break;
      case NodeKind::RCall: builder.rcall(rule); break;
      case NodeKind::Spawn: builder.spawn(rule); break;
      case NodeKind::Acq: builder.acq(rule, label.reentrance); break;
      case NodeKind::Use: builder.use(rule, label.reentrance); break;
      case NodeKind::Join: builder.join(rule); break;
      case NodeKind::Forget: builder.forget(rule); break;
      case NodeKind::Nil:
      case NodeKind::Cut: break;
    }
  }
  return std::move(builder).build();
}

}  // namespace lockwood::dpn
