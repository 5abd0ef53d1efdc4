#pragma once

#include <memory>
#include <set>

#include "frontend/java/facts/booleans.hpp"
#include "frontend/java/facts/exceptions.hpp"
#include "frontend/java/facts/executions.hpp"
#include "frontend/java/facts/final_fields.hpp"
#include "frontend/java/facts/local_objects.hpp"
#include "frontend/java/facts/nullness.hpp"
#include "frontend/java/facts/ownership.hpp"
#include "frontend/java/facts/threads.hpp"
#include "frontend/java/facts/unique_objects.hpp"

namespace lockwood::java {

// All facts about a program: what the lowering to a model asks, beside points-to itself. The result of points-to must
// outlive it. Facts refer to each other, so they stay where they are.
struct Facts {
  explicit Facts(const PointsTo& flow, StopToken stop = {});
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  const PointsTo& flow;
  CodeShapes shapes;
  ProcedureCalls calls;
  Executions executions;
  UniqueObjects unique;
  Constructors constructors;
  FieldWrites writes;
  std::set<FieldKey> final_fields;
  Nullness nullness;
  ImplicitFacts implicit;
  ThreadFacts threads;
  HeldReceivers held;
  Exceptions exceptions;
  Ownership ownership;
  IdVector<ObjectId, bool> thread_local_objects;
  TrackedBooleans booleans;
};

}  // namespace lockwood::java
