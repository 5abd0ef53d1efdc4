#include "solver/construction/cut_tree.hpp"

namespace lockwood::solver::reference {

using dpn::NodeKind;
using treeauto::Symbol;
using treeauto::Term;
using treeauto::TransducerState;

treeauto::Transducer cut_tree_transducer(const dpn::TreeAlphabet& alphabet) {
  treeauto::Transducer transducer{alphabet.symbols(), alphabet.symbols()};
  const TransducerState uncut = transducer.add_state(true);  // ⊥: no cut in the own thread
  const TransducerState cut = transducer.add_state(true);    // ⊤
  for (Symbol symbol : alphabet.symbols().symbols()) {
    const dpn::NodeLabel& label = alphabet.label(symbol);
    const Term copy = Term::copy(symbol, rank(label.kind));
    switch (label.kind) {
      case NodeKind::Nil:
      case NodeKind::Ret: transducer.add(symbol, {}, uncut, copy); break;
      case NodeKind::Base:
      case NodeKind::Join:
      case NodeKind::Forget:
      case NodeKind::NCall:
      case NodeKind::Acq:
        for (TransducerState state : {uncut, cut}) transducer.add(symbol, {state}, state, copy);
        break;
      case NodeKind::RCall:
      case NodeKind::Use: {
        const NodeKind open = label.kind == NodeKind::RCall ? NodeKind::NCall : NodeKind::Acq;
        const Symbol entered = alphabet.symbol({open, label.what, label.reentrance});
        transducer.add(symbol, {cut, uncut}, cut, Term::copy(entered, 1));
        for (TransducerState state : {uncut, cut}) transducer.add(symbol, {uncut, state}, state, copy);
        break;
      }
      case NodeKind::Spawn:
        for (TransducerState thread : {uncut, cut})
          for (TransducerState state : {uncut, cut}) transducer.add(symbol, {thread, state}, state, copy);
        break;
      case NodeKind::Cut:
        transducer.add(symbol, {uncut}, cut, Term::node(alphabet.symbol({NodeKind::Nil, label.what})));
        break;
    }
  }
  return transducer;
}

}  // namespace lockwood::solver::reference
