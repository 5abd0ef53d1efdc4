#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/process/stop.hpp"
#include "frontend/java/pointsto/propagation.hpp"
#include "frontend/java/pointsto/universe.hpp"

namespace lockwood::java {

// A procedure in a context.
struct ProcedureCopy {
  ProcedureId procedure;
  ContextId context;
  NodeId first_node;  // of its locals, in a row
};

// A call that may happen.
struct CallEdge {
  CopyId caller;
  CallId call;
  CopyId callee;
  friend auto operator<=>(const CallEdge&, const CallEdge&) = default;
};

// Which objects each reference may be to, and who may call whom, for all runs that begin with the entry points.
// What follows (facts, lowering) asks here and nowhere else.
class PointsTo {
 public:
  [[nodiscard]] Universe& universe() const { return *universe_; }
  [[nodiscard]] const IdVector<CopyId, ProcedureCopy>& copies() const { return copies_; }
  [[nodiscard]] const Procedure& procedure(CopyId copy) const { return universe_->procedure(copies_[copy].procedure); }
  // main, and nothing else so far.
  [[nodiscard]] const std::vector<CopyId>& entries() const { return entries_; }
  // Copies that run before anything of their class is used: initialisers, by class.
  [[nodiscard]] const std::map<jvm::ClassId, CopyId>& initialisers() const { return initialisers_; }

  [[nodiscard]] const ObjectSet& objects(CopyId copy, Local local) const {
    return graph_->objects(NodeId{copies_[copy].first_node.index() + local.index()});
  }
  // Of a register with a reference, in a copy of code.
  [[nodiscard]] const ObjectSet& objects(CopyId copy, jvm::Register value) const;
  [[nodiscard]] const ObjectSet& objects(ObjectId object, FieldKey field) const;
  [[nodiscard]] const ObjectSet& static_objects(FieldKey field) const;
  // Classes of exceptions that leave the copy.
  [[nodiscard]] const ObjectSet& thrown(CopyId copy) const { return objects(copy, procedure(copy).thrown); }

  // The callees of a call in the order of their ids; callers of a copy as edges, in order.
  [[nodiscard]] std::span<const CallEdge> callees(CopyId copy, CallId call) const;
  // Of all calls that the instruction makes. Of code.
  [[nodiscard]] std::span<const CallEdge> callees_at(CopyId copy, jvm::InstructionId at) const;
  [[nodiscard]] std::span<const CallEdge> calls_of(CopyId copy) const;
  [[nodiscard]] std::span<const CallEdge> callers(CopyId copy) const;
  [[nodiscard]] const Call& call(const CallEdge& edge) const { return procedure(edge.caller).calls[edge.call]; }
  // The copies that make an object of an allocation.
  [[nodiscard]] const std::vector<CopyId>& makers(ObjectId object) const;
  // All fields of objects that hold something, and the static ones, in order.
  [[nodiscard]] const std::vector<std::pair<ObjectId, FieldKey>>& object_fields() const { return object_fields_; }

  // What the program may do and the analysis does not see, in the order of discovery.
  [[nodiscard]] const std::vector<Gap>& gaps() const { return gaps_; }

  struct Statistics {
    Propagation::Counts counts;
    std::size_t nodes = 0;
    std::size_t insensitive = 0;  // procedures that were given up
    std::size_t restarts = 0;
  };
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }

 private:
  friend class PointsToSolver;
  friend PointsTo points_to(JavaProgram& program, const library::Library& models, const PointsToOptions& options,
                            StopToken stop);
  std::shared_ptr<Universe> universe_;
  std::unique_ptr<Propagation> graph_;
  IdVector<CopyId, ProcedureCopy> copies_;
  std::vector<CopyId> entries_;
  std::map<jvm::ClassId, CopyId> initialisers_;
  std::unordered_map<std::uint64_t, NodeId> field_nodes_;  // by object and field
  std::unordered_map<std::uint32_t, NodeId> static_nodes_;
  std::vector<std::pair<ObjectId, FieldKey>> object_fields_;
  std::vector<CallEdge> by_caller_;  // sorted
  std::vector<CallEdge> by_callee_;
  std::unordered_map<std::uint32_t, std::vector<CopyId>> makers_;  // by object
  std::vector<Gap> gaps_;
  Statistics statistics_;
};

// Throws InputError if the main class is not there or not clear, and Interrupted when a stop is requested.
[[nodiscard]] PointsTo points_to(JavaProgram& program, const library::Library& models, const PointsToOptions& options,
                                 StopToken stop = {});

// The main class that is meant: the one of the options, of the manifest, or the only one. Internal name.
[[nodiscard]] std::string main_class(JavaProgram& program, const PointsToOptions& options);

// The slow, obvious twin in tests computes on the same universe; it begins with these.
struct EntryPoint {
  ProcedureId procedure;
  ObjectId arguments;  // an array of unknown strings
};
[[nodiscard]] EntryPoint entry_point(Universe& universe, JavaProgram& program);
// What a field of this object may hold without an assignment: the library fills its own objects.
[[nodiscard]] std::optional<ObjectId> initial_value(Universe& universe, ObjectId object, FieldKey field);

}  // namespace lockwood::java
