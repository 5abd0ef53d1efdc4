#pragma once

#include <map>
#include <optional>
#include <vector>

#include "frontend/java/lowering/lowering_context.hpp"

namespace lockwood::java {

// The field of a lambda's object that has a captured value.
[[nodiscard]] std::string capture_name(std::size_t number);

// The variables in which objects of the library keep what they were given, at any depth: of the objects in the set and
// of those that they hold.
[[nodiscard]] std::vector<program::Variable> contents_of(LoweringContext& context, const ObjectSet& objects);

// The way of values through a method without code, in the graph of its caller. References move as the model says.
// Numbers, texts and whatever else the model does not tell are made of all that comes in: the arguments, the receiver,
// and the states that are read.
class LibraryValues {
 public:
  // `passed`: what comes in, by parameter.
  LibraryValues(LoweringContext& context, Graph& graph, CopyId copy, std::vector<program::Expression> passed);

  // Before everything else.
  [[nodiscard]] program::Point begin(program::Point next);
  // References move inside the method, any number of times.
  [[nodiscard]] program::Point moves(program::Point next);
  // What a call that the method makes passes as this argument.
  [[nodiscard]] program::Expression argument(const Call& call, std::size_t number);
  // All that has come in.
  [[nodiscard]] program::Expression all() { return program::value_of(mixture()); }
  // A local for the result of a call, and what becomes of it.
  [[nodiscard]] program::Local result_local();
  [[nodiscard]] program::Point take_result(const Call& call, program::Local result, program::Point next);
  // The state of objects is read or written.
  [[nodiscard]] program::Point read_state(const ObjectSet& objects, FieldKey state, program::Point next);
  [[nodiscard]] program::Point write_state(const ObjectSet& objects, FieldKey state, program::Point next);
  // After everything else: what goes out.
  [[nodiscard]] program::Point finish(std::optional<program::Local> result, bool is_boolean, program::Point next);

 private:
  [[nodiscard]] program::Local mixture();
  [[nodiscard]] program::Local local(Local reference);
  [[nodiscard]] program::Expression value(std::optional<Local> reference);
  [[nodiscard]] program::Point move(const Statement& statement, program::Point next);
  [[nodiscard]] program::Point read(const Targets<program::Variable>& targets, program::Local into,
                                    program::Point next);
  [[nodiscard]] program::Point write(const Targets<program::Variable>& targets, const program::Expression& value,
                                     program::Point next);
  [[nodiscard]] bool is_opaque() const;
  [[nodiscard]] bool is_result_opaque() const;
  [[nodiscard]] program::Point begin_lambda(program::Point next);

  LoweringContext& context_;
  Graph& graph_;
  CopyId copy_;
  const Procedure& procedure_;
  std::optional<program::Local> mixture_;
  std::map<Local, program::Local> locals_;
  std::vector<program::Expression> passed_;
  std::vector<program::Local> captured_;
};

}  // namespace lockwood::java
