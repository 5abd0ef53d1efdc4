// The compiled part of the Python package: lockwood/__init__.py makes objects of what it answers.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "base/process/text_file.hpp"
#include "base/text/diagnostic.hpp"
#include "dpn/formats/text_scanner.hpp"
#include "frontend/python/analyses.hpp"
#include "frontend/python/running.hpp"
#include "frontend/python/workspace.hpp"
#include "frontend/report/version.hpp"

namespace py = pybind11;

namespace lockwood::python {
namespace {

// A set, and the workspace in which questions about it are answered.
struct PythonSet {
  WorkspacePtr workspace;
  sets::SetPtr set;
};

// Calls the function, which takes a stop, as run_interruptibly does.
template <class Function>
auto interruptibly(const Workspace& workspace, Function&& function) {
  std::optional<decltype(function(StopToken{}))> result;
  run_interruptibly(workspace.timeout, [&](StopToken stop) { result = function(stop); });
  return std::move(*result);
}

PythonSet made(const PythonSet& part, decltype(sets::Set::what) what) {
  if (sets::depth_of(what) > sets::set_depth_limit) throw InputError{"set", "sets are built of each other too deeply"};
  return {part.workspace, sets::make_set(part.set->model, std::move(what))};
}

template <class Kind>
PythonSet joined(const PythonSet& first, const PythonSet& second) {
  if (first.set->model != second.set->model) throw InputError{"set", "these are sets of different models"};
  return made(first, Kind{first.set, second.set});
}

bool included(const PythonSet& first, const PythonSet& second) {
  if (first.set->model != second.set->model) throw InputError{"set", "these are sets of different models"};
  return interruptibly(*first.workspace,
                       [&](StopToken stop) { return is_included(*first.workspace, first.set, second.set, stop); });
}

std::vector<dpn::Action> actions_named(const Workspace& workspace, const std::vector<std::string>& names) {
  std::vector<dpn::Action> actions;
  for (const std::string& name : names) {
    const auto action = workspace.model->network.actions().find(name);
    if (!action) throw InputError{"post", "the model has no action '" + name + "'"};
    actions.push_back(*action);
  }
  std::ranges::sort(actions);
  actions.erase(std::unique(actions.begin(), actions.end()), actions.end());
  return actions;
}

PythonSet post(const PythonSet& from, bool nolocks, const std::optional<std::vector<std::string>>& only,
               const std::vector<std::string>& avoiding) {
  const Workspace& workspace = *from.workspace;
  std::vector<dpn::Action> avoided = actions_named(workspace, avoiding);
  if (only) {
    const std::vector<dpn::Action> allowed = actions_named(workspace, *only);
    for (dpn::Action action : workspace.model->network.actions().keys())
      if (!std::ranges::binary_search(allowed, action)) avoided.push_back(action);
    std::ranges::sort(avoided);
    avoided.erase(std::unique(avoided.begin(), avoided.end()), avoided.end());
  }
  return made(from,
              sets::Successors{from.set, nolocks ? dpn::Semantics::LockInsensitive : dpn::Semantics::LockSensitive,
                               std::move(avoided)});
}

std::optional<std::chrono::milliseconds> timeout_of(std::optional<double> seconds) {
  if (!seconds) return std::nullopt;
  if (!(*seconds > 0) || *seconds > 1e9) throw InputError{"timeout", "this should be a number of seconds above 0"};
  return std::chrono::milliseconds{static_cast<std::int64_t>(std::ceil(*seconds * 1000))};
}

void translate(std::exception_ptr problem, const py::object& input_error, const py::object& limit_error) {
  try {
    if (problem) std::rethrow_exception(problem);
  } catch (const InputError& error) {
    PyErr_SetString(input_error.ptr(), error.what());
  } catch (const Interrupted& interrupted) {
    PyErr_SetString(interrupted.reason() == StopReason::Timeout ? PyExc_TimeoutError : limit_error.ptr(),
                    interrupted.what());
  }
}

void define_model(py::module_& module) {
  py::class_<Workspace, WorkspacePtr>(module, "Workspace")
      .def(py::init([](const std::string& text, const std::string& path) {
             const auto read = std::make_shared<WorkspacePtr>();
             run_or_abandon([read, text, path] { *read = read_workspace(text, path); });
             return *read;
           }),
           py::arg("text"), py::arg("path"))
      .def_readonly("warnings", &Workspace::warnings)
      .def_readwrite("max_states", &Workspace::max_states)
      .def("set_timeout", [](Workspace& self, std::optional<double> seconds) { self.timeout = timeout_of(seconds); })
      .def_property_readonly("is_program", [](const Workspace& self) { return self.program != nullptr; })
      .def("description", &description, py::call_guard<py::gil_scoped_release>())
      .def("answers",
           [](const Workspace& self, const std::string& queries, bool explain, bool proofs) {
             return interruptibly(self, [&](StopToken stop) {
               return answers(self, queries, {.explain = explain, .proofs = proofs}, stop);
             });
           })
      .def("batch",
           [](const Workspace& self, const std::vector<std::string>& queries, std::size_t jobs, bool schedules) {
             return interruptibly(self,
                                  [&](StopToken stop) { return batch_answers(self, queries, jobs, schedules, stop); });
           })
      .def("rejection_reason",
           [](const Workspace& self, const std::string& query, const std::string& verdict, const std::string& proof) {
             return interruptibly(self,
                                  [&](StopToken stop) { return rejection_reason(self, query, verdict, proof, stop); });
           })
      .def("page",
           [](const Workspace& self, const std::string& analysis, const std::string& options) {
             return interruptibly(self, [&](StopToken stop) { return page(self, analysis, options, stop); });
           })
      .def("parallel_pairs",
           [](const Workspace& self, bool nolocks) {
             return interruptibly(self, [&](StopToken stop) { return parallel_pairs(self, nolocks, stop); });
           })
      .def("deadlocks",
           [](const Workspace& self) {
             return interruptibly(self, [&](StopToken stop) { return deadlocks(self, stop); });
           })
      .def("races",
           [](const Workspace& self) { return interruptibly(self, [&](StopToken stop) { return races(self, stop); }); })
      .def("found",
           [](const Workspace& self, const std::string& analysis, const std::string& options) {
             return interruptibly(self, [&](StopToken stop) { return found(self, analysis, options, stop); });
           })
      .def("guards",
           [](const Workspace& self, bool advice) {
             return interruptibly(self, [&](StopToken stop) { return guards(self, advice, stop); });
           })
      .def(
          "set_of_automaton",
          [](const WorkspacePtr& self, const std::string& automaton) {
            return PythonSet{self, set_of_automaton(*self, automaton)};
          },
          py::call_guard<py::gil_scoped_release>())
      .def("set", [](const WorkspacePtr& self, const std::string& expression) {
        return PythonSet{self, interruptibly(*self, [&](StopToken stop) { return set_of(*self, expression, stop); })};
      });
}

// A question about a set, asked interruptibly.
template <class Answer>
auto question(Answer (*function)(Workspace&, const sets::SetPtr&, StopToken)) {
  return [function](const PythonSet& self) {
    return interruptibly(*self.workspace, [&](StopToken stop) { return function(*self.workspace, self.set, stop); });
  };
}

void define_set(py::module_& module) {
  py::class_<PythonSet>(module, "Set")
      .def("intersection", &joined<sets::Intersection>)
      .def("union", &joined<sets::Union>)
      .def("difference", &joined<sets::Difference>)
      .def("complement", [](const PythonSet& self) { return made(self, sets::Complement{self.set}); })
      .def("reduced", [](const PythonSet& self) { return made(self, sets::Reduced{self.set}); })
      .def("post", &post)
      .def("included", &included)
      .def("empty", question(&is_empty))
      .def("finite", question(&is_finite))
      .def("witness", question(&witness))
      .def("sample",
           [](const PythonSet& self, std::size_t nodes, std::uint64_t seed) {
             return interruptibly(*self.workspace,
                                  [&](StopToken stop) { return sample(*self.workspace, self.set, nodes, seed, stop); });
           })
      .def("count",
           [](const PythonSet& self, std::optional<std::size_t> nodes) {
             return interruptibly(*self.workspace,
                                  [&](StopToken stop) { return count(*self.workspace, self.set, nodes, stop); });
           })
      .def("automaton", question(&automaton))
      .def("timbuk", question(&timbuk))
      .def("dot", question(&dot))
      .def("states", question(&state_count))
      .def("explanation", question(&explanation))
      .def("contains", [](const PythonSet& self, const std::string& term) {
        return interruptibly(*self.workspace,
                             [&](StopToken stop) { return is_member(*self.workspace, term, self.set, stop); });
      });
}

}  // namespace

PYBIND11_MODULE(_lockwood, module) {
  module.doc() = "The compiled part of the package lockwood.";
  static const py::exception<InputError> input_error{module, "InputError", PyExc_ValueError};
  static const py::exception<Interrupted> limit_error{module, "LimitError", PyExc_RuntimeError};
  py::register_exception_translator([](std::exception_ptr problem) { translate(problem, input_error, limit_error); });
  module.attr("version") = std::string{frontend::version()};
  module.def("written_name", &dpn::written_name, "A name as queries write it.");
  module.def("difference", &difference, "What two reports in JSON differ in, by their ids.");
  define_model(module);
  define_set(module);
}

}  // namespace lockwood::python
