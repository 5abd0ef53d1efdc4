#pragma once

#include <utility>

#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn::testing {

// Two threads with two monitors each, as in the figures of the paper: main spawns t; both take a and b in all ways.
// Inside of a, main can spawn another t.
struct CrossedMonitors {
  NetworkBuilder builder;
  ControlState p = builder.control("p");
  Action step = builder.action("step");
  Lock a = builder.lock("a");
  Lock b = builder.lock("b");
  StackSymbol at(const char* name) { return builder.stack(name); }
  Head head(const char* name) { return {p, at(name)}; }
  Network network = [this] {
    builder.initial(head("m1"));
    builder.add({head("m1"), step, Spawn{head("m2"), head("t1")}});     // 0
    builder.add({head("m2"), step, Monitor{head("m3"), at("m6"), a}});  // 1
    builder.add({head("m3"), step, Monitor{head("m4"), at("m5"), b}});  // 2
    builder.add({head("m4"), step, Return{p}});                         // 3
    builder.add({head("m5"), step, Return{p}});                         // 4
    builder.add({head("t1"), step, Monitor{head("t2"), at("t5"), b}});  // 5
    builder.add({head("t2"), step, Base{head("t3")}});                  // 6
    builder.add({head("t2"), step, Monitor{head("t4"), at("t3"), a}});  // 7
    builder.add({head("t4"), step, Return{p}});                         // 8
    builder.add({head("t3"), step, Return{p}});                         // 9
    builder.add({head("t1"), step, Monitor{head("t4"), at("t5"), a}});  // 10
    builder.add({head("m3"), step, Spawn{head("m7"), head("t1")}});     // 11
    return std::move(builder).build();
  }();
};

}  // namespace lockwood::dpn::testing
