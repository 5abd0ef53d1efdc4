#include "frontend/java/facts/unique_objects.hpp"

#include <fmt/format.h>

namespace lockwood::java {
namespace {

std::string allocation_reason(const PointsTo& flow, const CodeShapes& shapes, const Executions& executions,
                              ObjectId object) {
  const AllocationSite& site = flow.universe().sites()[flow.universe().objects()[object].site];
  const auto& makers = flow.makers(object);
  if (makers.empty()) return "nobody makes it";
  if (makers.size() > 1) return fmt::format("it is made in {} contexts", makers.size());
  if (site.in_loop || (site.instruction && shapes[site.procedure].in_loop(*site.instruction)))
    return "it is made in a loop";
  if (!executions.once[makers.front()])
    return fmt::format("{} may run more than once: {}", flow.universe().name(flow.procedure(makers.front())),
                       executions.reason[makers.front()]);
  return {};
}

}  // namespace

UniqueObjects unique_objects(const PointsTo& flow, const CodeShapes& shapes, const Executions& executions) {
  const auto& objects = flow.universe().objects();
  UniqueObjects result{IdVector<ObjectId, bool>(objects.size()), IdVector<ObjectId, std::string>(objects.size())};
  for (ObjectId object : objects.keys()) {
    switch (objects[object].kind) {
      case ObjectKind::Allocation: result.reason[object] = allocation_reason(flow, shapes, executions, object); break;
      case ObjectKind::ClassObject:
      case ObjectKind::StringConstant:
      case ObjectKind::Constant: break;
      case ObjectKind::Unknown:
        result.reason[object] = "it stands for all objects of its type that are not known";
        break;
      case ObjectKind::Implicit: result.reason[object] = "the machine makes a new one each time"; break;
      case ObjectKind::Method:
      case ObjectKind::Constructor: result.reason[object] = "reflection makes a new one each time"; break;
    }
    result.unique[object] = result.reason[object].empty();
  }
  return result;
}

}  // namespace lockwood::java
