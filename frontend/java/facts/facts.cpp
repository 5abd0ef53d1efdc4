#include "frontend/java/facts/facts.hpp"

namespace lockwood::java {

Facts::Facts(const PointsTo& points_to, StopToken stop)
    : flow{points_to},
      shapes{points_to.universe()},
      calls{procedure_calls(flow)},
      executions{java::executions(flow, shapes, stop)},
      unique{unique_objects(flow, shapes, executions)},
      constructors{flow, calls, shapes},
      writes{field_writes(flow, calls)},
      final_fields{effectively_final_fields(flow, calls, shapes, constructors, writes)},
      nullness{flow, calls, shapes, constructors, writes, stop},
      implicit{implicit_facts(flow, calls, shapes, nullness, stop)},
      threads{thread_facts(flow, shapes, executions)},
      held{flow, calls, shapes, constructors},
      exceptions{flow, calls, shapes, nullness, implicit, threads, held, stop},
      ownership{flow, calls, shapes, stop},
      thread_local_objects{java::thread_local_objects(flow, threads)},
      booleans{tracked_booleans(flow, calls)} {}

}  // namespace lockwood::java
