#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "dpn/formats/model_file.hpp"

namespace lockwood::dpn {

// The `.dpn` text format: a superset of the format of the sDPN tool. Its manual is docs/dpn-format.md.
//
// Symbols are numbered in the order of their first appearance in the file, in naming sections, the initial
// configuration and the rules; the printer lists in naming sections the symbols whose number would differ otherwise.
// So reading what was printed gives the same network, ids included.

// Reads a network and its queries. `file` is the name shown in diagnostics. Throws InputError with all errors found, up
// to a limit; reading goes on at the next rule, section or query after an error. Throws Interrupted if asked to stop.
[[nodiscard]] ModelFile parse_dpn(std::string_view text, std::string_view file, StopToken stop = {});

// Reads queries about the network, as they follow it in a file. Throws InputError as parse_dpn does.
[[nodiscard]] std::vector<Query> parse_queries(const Network& network, std::string_view text, std::string_view file);

// A remark on a rule, for a comment behind it: one line, or nothing.
using RuleComment = std::function<std::string(RuleId)>;

// The model as a file that parse_dpn reads back to an equal one. Labels and names must be UTF-8. Throws Interrupted if
// asked to stop.
[[nodiscard]] std::string to_dpn(const Network& network, std::span<const Query> queries, const RuleComment& remark = {},
                                 StopToken stop = {});

// A rule as one line of a file, without the end of line.
[[nodiscard]] std::string to_text(const Network& network, const Rule& rule);

// A query as one line of a file, without the end of line and the expected verdict. A query whose steps do not fit its
// form (a conflict of three sets) is written as an iteration, which asks the same.
[[nodiscard]] std::string to_text(const Network& network, const Query& query);

}  // namespace lockwood::dpn
