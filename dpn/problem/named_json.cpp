#include "dpn/problem/named_json.hpp"

#include <vector>

namespace lockwood::problem {

Json parsed(std::string_view text, std::string_view file, StopToken stop) {
  std::vector<std::set<std::string>> members;  // so far, of the objects around
  const auto take = [&](int /*depth*/, Json::parse_event_t event, const Json& value) {
    stop.check();
    if (event == Json::parse_event_t::object_start) members.emplace_back();
    if (event == Json::parse_event_t::object_end) members.pop_back();
    if (event == Json::parse_event_t::key && !members.back().insert(value.get<std::string>()).second)
      throw InputError{std::string{file}, "an object has the member '" + value.get<std::string>() + "' twice"};
    return true;
  };
  try {
    return Json::parse(text, take);
  } catch (const Json::parse_error& error) {
    throw InputError{{diagnostic_at(file, text, error.byte == 0 ? 0 : error.byte - 1, 1, "this is not JSON")}};
  }
}

}  // namespace lockwood::problem
