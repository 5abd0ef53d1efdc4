#include "frontend/report/html/html_page.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text/json.hpp"
#include "base/text/json_dump.hpp"
#include "frontend/report/json/finding_json.hpp"
#include "page_parts.hpp"

namespace lockwood::reports {
namespace {

// A script element ends at the first `</script`, and `<!--` changes how it is read, wherever they stand; in JSON a `<`
// only occurs in strings, where it can be written otherwise.
std::string script_safe(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (char c : json) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

using findings::Finding;
using Json = nlohmann::ordered_json;

constexpr std::size_t max_findings = 1000;

// Two accesses that cannot meet are no findings, even if they were asked for.
bool is_apart(const Finding& finding) {
  return finding.rule == findings::Rule::Race && finding.outcome == findings::Outcome::Excluded;
}

const char* word_of(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

// As many as the page may have, the most severe ones, in their order.
Json listed(std::vector<const Finding*> findings, StopToken stop) {
  if (findings.size() > max_findings) {
    std::ranges::stable_sort(findings, {}, [](const Finding* finding) { return findings::severity_of(*finding); });
    findings.resize(max_findings);
  }
  Json list = Json::array();
  for (const Finding* finding : findings) {
    Json shown = findings::to_json(*finding, stop);
    shown["severity"] = word_of(findings::severity_of(*finding));
    if (finding->as_expected) shown["as_expected"] = *finding->as_expected;
    list.push_back(std::move(shown));
  }
  return list;
}

// How many there are of each verdict, in the order in which these occur; those that are ignored last.
Json counts_of(const std::vector<const Finding*>& findings) {
  Json counts = Json::object();
  std::size_t ignored = 0;
  for (const Finding* finding : findings) {
    const char* word = findings::verdict_text(finding->rule, finding->outcome);
    if (finding->suppressed && finding->outcome == findings::Outcome::Found)
      ++ignored;
    else
      counts[word] = counts.value(word, 0) + 1;
  }
  if (ignored > 0) counts["ignored"] = ignored;
  return counts;
}

// What page.js reads.
Json data_of(const PageContent& content, StopToken stop) {
  std::vector<const Finding*> found;
  std::vector<const Finding*> apart;
  for (const Finding& finding : content.findings) (is_apart(finding) ? apart : found).push_back(&finding);
  for (const Finding& pair : content.background) apart.push_back(&pair);
  Json sources = Json::array();
  for (const std::string& path : content.sources.paths())
    sources.push_back({{"path", path}, {"lines", content.sources.lines(path)}});
  Json data{{"command", content.command},   {"version", content.version},
            {"title", content.title},       {"digest", content.digest},
            {"stopped", content.stopped},   {"counts", counts_of(found)},
            {"found", found.size()},        {"findings", listed(found, stop)},
            {"apart", apart.size()},        {"background", listed(apart, stop)},
            {"sources", std::move(sources)}};
  if (!content.assumptions.empty())
    data["assumptions"] =
        findings::to_json(std::vector<findings::Assumption>{content.assumptions.begin(), content.assumptions.end()});
  if (!content.model.is_null()) data["model"] = content.model;
  return data;
}

}  // namespace

std::string html_page(const PageContent& content, StopToken stop) {
  const std::string json = script_safe(dumped(data_of(content, stop), no_indentation, stop));
  std::string page;
  std::string_view rest = page_html;
  // The template names its parts; what is put in is not looked at again.
  while (!rest.empty()) {
    const std::size_t mark = std::min(rest.find("{{"), rest.size());
    page += rest.substr(0, mark);
    rest.remove_prefix(mark);
    if (rest.empty()) break;
    const std::string_view name = rest.substr(2, rest.find("}}") - 2);
    rest.remove_prefix(name.size() + 4);
    if (name == "style")
      page += page_css;
    else if (name == "script")
      page.append(lanes_js).append(graphs_js).append(page_js);
    else if (name == "data")
      page += json;
  }
  return page;
}

}  // namespace lockwood::reports
