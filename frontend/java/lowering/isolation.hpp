#pragma once

#include <vector>

#include "frontend/java/facts/facts.hpp"
#include "frontend/java/lowering/lock_table.hpp"

namespace lockwood::java {

// Which references the model must know more about than their abstract objects: whether they are to the isolated object
// (cells.hpp). These are the bases of accesses, the objects of monitors, and whatever flows to these inside a frame, by
// arguments, by results and by starts of threads. By procedure: all copies are alike. For deadlocks, accesses do not
// count.
class Isolation {
 public:
  Isolation(const Facts& facts, LockTable& locks, Purpose purpose);

  [[nodiscard]] bool is_wanted(ProcedureId procedure, jvm::Register value) const {
    return registers_[procedure.index()][value];
  }
  [[nodiscard]] bool is_parameter_wanted(ProcedureId procedure, std::size_t number) const {
    return parameters_[procedure.index()][number];
  }
  [[nodiscard]] bool is_result_wanted(ProcedureId procedure) const { return results_[procedure.index()]; }

 private:
  struct Value {
    ProcedureId procedure;
    jvm::Register value;
  };
  void want(ProcedureId procedure, jvm::Register value);
  void want_parameter(ProcedureId procedure, std::size_t number);
  void want_result(ProcedureId procedure);
  void begin(ProcedureId procedure);
  void follow(const Value& value);

  const Facts& facts_;
  const PointsTo& flow_;
  LockTable& locks_;
  Purpose purpose_;
  std::vector<IdVector<jvm::Register, bool>> registers_;  // by procedure, of code
  std::vector<std::vector<bool>> parameters_;
  std::vector<bool> results_;
  std::vector<Value> worklist_;
};

}  // namespace lockwood::java
