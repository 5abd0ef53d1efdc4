#pragma once

#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn::testing {

// What small example networks are made of.
struct ExampleParts {
  NetworkBuilder builder;
  ControlState p = builder.control("p");
  Action a = builder.action("a");
  Lock x = builder.lock("x");
  Head at(const char* name) { return {p, builder.stack(name)}; }

  // The first rules of a network: main spawns a thread that takes x for ever; main takes x twice, reentrantly, gives it
  // back, and ends. Monitors have this action.
  void add_reentrant_main(Action sync) {
    builder.initial(at("m1"));
    builder.add({at("m1"), a, Spawn{at("m2"), at("t1")}});                     // 0
    builder.add({at("m2"), sync, Monitor{at("b1"), builder.stack("m3"), x}});  // 1
    builder.add({at("b1"), sync, Monitor{at("c1"), builder.stack("b2"), x}});  // 2
    builder.add({at("c1"), a, Return{p}});                                     // 3
    builder.add({at("b2"), a, Return{p}});                                     // 4
    builder.add({at("t1"), sync, Monitor{at("t2"), builder.stack("t3"), x}});  // 5
    builder.add({at("m3"), a, Return{p}});                                     // 6
  }
};

}  // namespace lockwood::dpn::testing
