#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids/sequence_table.hpp"
#include "frontend/java/pointsto/points_to.hpp"
#include "frontend/java/pointsto/reflection.hpp"

namespace lockwood::java {

// Instantiates the statements of procedures in contexts as nodes and edges, and adds callees when receivers come in.
class PointsToSolver {
 public:
  PointsToSolver(std::shared_ptr<Universe> universe, StopToken stop);

  // Nothing if there are more copies than the limit. To be called once.
  [[nodiscard]] std::optional<PointsTo> solve(const EntryPoint& entry, std::optional<std::size_t> max_copies);
  [[nodiscard]] std::vector<std::size_t> copies_by_procedure() const;

 private:
  CopyId copy(ProcedureId procedure, ContextId context);
  void instantiate(CopyId copy);
  void drain();
  void notify(Subscriber subscriber, const ObjectSet& news);
  void invoke(CopyId caller, CallId call, ProcedureId target, std::optional<ObjectId> receiver);
  void connect_arguments(CopyId caller, const Call& call, CopyId callee);
  void initialise(jvm::ClassId type);
  void reflect_again(CopyId copy, const Reflect& statement);
  void note_maker(ObjectId object, CopyId copy);
  [[nodiscard]] NodeId node(CopyId copy, Local local) const {
    return NodeId{result_.copies_[copy].first_node.index() + local.index()};
  }
  [[nodiscard]] NodeId field_node(ObjectId object, FieldKey field);
  [[nodiscard]] NodeId static_node(FieldKey field);
  void list_gaps();

  Universe& universe_;
  StopToken stop_;
  PointsTo result_;
  SequenceTable<std::uint32_t> copy_keys_;
  SequenceTable<std::uint32_t> edge_keys_;
  std::vector<CopyId> fresh_;  // not yet instantiated
  std::set<jvm::ClassId> initialised_;
  std::set<std::pair<CopyId, std::string_view>> gaps_;
};

}  // namespace lockwood::java
