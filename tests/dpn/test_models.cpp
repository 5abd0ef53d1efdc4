#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/process/text_file.hpp"
#include "dpn/formats/json_format.hpp"
#include "dpn/formats/text_format.hpp"
#include "dpn/generators/generate.hpp"

using namespace lockwood;
using namespace lockwood::dpn;

namespace {

const std::filesystem::path root = LOCKWOOD_SOURCE_DIR;

std::vector<std::filesystem::path> model_paths() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator{root / "models"})
    if (entry.path().extension() == ".dpn") paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

std::string refusal(const std::string& path) {
  try {
    (void)load_model(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "loaded";
}

// A file in a directory that is gone after the test.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lockwood.XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string file(const std::string& name, std::string_view content) const {
    write_text_file((path_ / name).string(), content);
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// The complete models in a manual: its blocks ```dpn … ```.
std::vector<std::string> blocks(std::string_view text, std::string_view language) {
  std::vector<std::string> found;
  const std::string fence = "```" + std::string{language} + "\n";
  for (std::size_t at = text.find(fence); at != std::string_view::npos; at = text.find(fence, at)) {
    at += fence.size();
    const std::size_t end = text.find("```", at);
    found.emplace_back(text.substr(at, end - at));
    at = end + 3;
  }
  return found;
}

}  // namespace

TEST_CASE("all models load without warnings and say what their queries answer") {
  CHECK(model_paths().size() >= 25);
  for (const auto& path : model_paths()) {
    CAPTURE(path.string());
    const ModelFile model = load_model(path.string());
    for (const Diagnostic& warning : model.warnings) FAIL_CHECK(to_text(warning));
    CHECK(model.queries.size() >= 5);
    const auto expects = [&](Verdict verdict) {
      return std::ranges::any_of(model.queries, [verdict](const Query& query) { return query.expected == verdict; });
    };
    CHECK(expects(Verdict::Reachable));
    CHECK(expects(Verdict::Unreachable));
    CHECK(std::ranges::all_of(model.queries, [](const Query& query) { return query.expected.has_value(); }));
    CHECK(read_text_file(path.string()).starts_with("// "));
    CHECK(parse_dpn(to_dpn(model.network, model.queries), "m.dpn").network == model.network);
    CHECK(parse_json(to_json(model.network, model.queries), "m.json").queries == model.queries);
  }
}

TEST_CASE("the philosophers among the models are the generated ones") {
  for (const std::int64_t ordered : {0, 1})
    for (std::int64_t n = 2; n <= 5; ++n) {
      const std::string name =
          "philosophers-" + std::string{ordered != 0 ? "ordered-" : ""} + std::to_string(n) + ".dpn";
      const ModelFile stored = load_model((root / "models" / name).string());
      const std::vector<ParameterValue> values{{"n", n}, {"ordered", ordered}};
      const ModelFile made = generate(family_named("philosophers"), values);
      CAPTURE(name);
      CHECK(stored.network == made.network);
      CHECK(stored.queries == made.queries);
    }
}

TEST_CASE("the examples in the manual are complete models") {
  const std::string manual = read_text_file((root / "docs" / "dpn-format.md").string());
  const std::vector<std::string> models = blocks(manual, "dpn");
  CHECK(models.size() >= 5);
  for (const std::string& text : models) {
    CAPTURE(text);
    CHECK(parse_dpn(text, "manual").warnings.empty());
  }
  const std::vector<std::string> documents = blocks(manual, "json");
  CHECK(documents.size() >= 1);
  for (const std::string& text : documents) {
    CAPTURE(text);
    CHECK(parse_json(text, "manual").warnings.empty());
  }
}

TEST_CASE("the format of a file is told by its name or its first characters") {
  const TemporaryDirectory directory;
  const ModelFile model = load_model((root / "models" / "fig1.dpn").string());
  const std::string text = to_dpn(model.network, model.queries);
  const std::string json = to_json(model.network, model.queries);
  CHECK(load_model(directory.file("a.dpn", text)).network == model.network);
  CHECK(load_model(directory.file("a.json", json)).network == model.network);
  CHECK(load_model(directory.file("a", json)).network == model.network);
  CHECK(load_model(directory.file("b", text)).network == model.network);
  CHECK(refusal(directory.file("b.json", text)).find("malformed JSON") != std::string::npos);
  CHECK(refusal(directory.file("c.dpn", "{ (a) }")).find("expected 'dpn'") != std::string::npos);
}

TEST_CASE("what cannot be read is an error that says why") {
  const TemporaryDirectory directory;
  CHECK(refusal(directory.path()).find("is a directory") != std::string::npos);
  CHECK(refusal(directory.path() + "/absent").find("No such file") != std::string::npos);
  CHECK(refusal(directory.file("empty.dpn", "")).find("the file is empty") != std::string::npos);
  CHECK(refusal(directory.file("empty.json", "")).find("malformed JSON") != std::string::npos);
  const std::string secret = directory.file("secret.dpn", "dpn {}");
  REQUIRE(::chmod(secret.c_str(), 0) == 0);
  if (::geteuid() != 0) CHECK(refusal(secret).find("Permission denied") != std::string::npos);
}
