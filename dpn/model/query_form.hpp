#pragma once

#include "dpn/model/query.hpp"

namespace lockwood::dpn {

// The form in which the query is written: its own if that can say it, which for `reach` and `conflict` is one step of
// one or two sets without restrictions; else that of an iteration, which asks the same.
[[nodiscard]] inline QueryForm fitting_form(const Query& query) {
  const QueryStep& first = query.steps.front();
  const bool plain = query.steps.size() == 1 && first.avoiding.empty() && first.requiring.empty();
  const std::size_t sets = query.form == QueryForm::Reach ? 1 : 2;
  return plain && first.positions.size() == sets ? query.form : QueryForm::Iterate;
}

}  // namespace lockwood::dpn
