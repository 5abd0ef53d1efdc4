#include <doctest/doctest.h>

#include <sstream>

#include "dpn/formats/dot.hpp"
#include "dpn/formats/json_format.hpp"
#include "dpn/formats/symbol_order.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/generate.hpp"
#include "dpn/model/network_builder.hpp"

namespace lockwood::dpn {

TEST_CASE("whoever makes, reads or writes a model listens to a request to stop") {
  StopSource source;
  const StopToken stop{source};
  const auto make = [&](const Family& family) { return generate(family, {}, stop); };
  for (const Family& family : families()) {
    CAPTURE(family.name);
    source.reset();
    const ModelFile model = make(family);
    const std::string text = to_dpn(model.network, model.queries, {}, stop);
    const std::string json = to_json(model.network, model.queries, stop);
    CHECK(parse_dpn(text, "m.dpn", stop).network == model.network);
    CHECK(parse_json(json, "m.json", stop).network == model.network);

    source.request(StopReason::Timeout);
    CHECK_THROWS_AS((void)make(family), Interrupted);
    CHECK_THROWS_AS((void)in_order_of_appearance(model, stop), Interrupted);
    CHECK_THROWS_AS((void)to_dpn(model.network, model.queries, {}, stop), Interrupted);
    CHECK_THROWS_AS((void)to_json(model.network, model.queries, stop), Interrupted);
    CHECK_THROWS_AS((void)parse_dpn(text, "m.dpn", stop), Interrupted);
    CHECK_THROWS_AS((void)parse_json(json, "m.json", stop), Interrupted);
    CHECK_THROWS_AS((void)parse_model(json, "m.json", stop), Interrupted);
    std::ostringstream picture;
    CHECK_THROWS_AS(write_dot(picture, model.network, procedures(model.network), stop), Interrupted);
  }
}

TEST_CASE("a builder listens when it has been told to") {
  StopSource source;
  source.request(StopReason::Cancelled);
  NetworkBuilder builder;
  const Head head{builder.control("p"), builder.stack("s")};
  builder.initial(head);
  const Rule rule{head, builder.action("a"), Base{head}};
  builder.add(rule);
  builder.listen_to(StopToken{source});
  CHECK_THROWS_AS(builder.add(rule), Interrupted);
  CHECK_THROWS_AS((void)std::move(builder).build(), Interrupted);
}

}  // namespace lockwood::dpn
