#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "dpn/formats/model_file.hpp"
#include "frontend/lsp/network_facts.hpp"
#include "frontend/lsp/shown_diagnostic.hpp"
#include "frontend/lsp/text.hpp"
#include "frontend/lw/program_text.hpp"
#include "frontend/lw/text_lines.hpp"
#include "frontend/program/lowering/lowering.hpp"
#include "frontend/program/lowering/warnings.hpp"

namespace lockwood::lsp {

enum class Language { Program, Model };

struct ReadingOptions {
  program::LoweringOptions lowering;
  std::vector<program::WarningCode> silenced;
};

// A program and what is computed of it when it is first needed, by whatever thread needs it.
class ProgramFacts {
 public:
  // `earlier`: of a text before, whose network may be the same.
  ProgramFacts(lw::ProgramText source, program::LoweringOptions options, std::shared_ptr<NetworkFacts> earlier = {})
      : source_{std::move(source)}, options_{std::move(options)}, earlier_{std::move(earlier)} {}

  [[nodiscard]] const lw::ProgramText& source() const { return source_; }
  // Throws InputError.
  [[nodiscard]] const program::Lowered& lowered() const;
  // Of its network, or of an earlier one that is the same but for names and places. Throws InputError.
  [[nodiscard]] std::shared_ptr<NetworkFacts> network_facts() const;
  // The same if it is there already, or else those of the text before; perhaps none.
  [[nodiscard]] std::shared_ptr<NetworkFacts> last_network_facts() const;

 private:
  const lw::ProgramText source_;
  const program::LoweringOptions options_;
  // What is there once stays. Each has a mutex of its own: who needs the one need not wait for the other.
  mutable std::mutex lowered_mutex_;
  mutable std::shared_ptr<const program::Lowered> lowered_;
  mutable std::mutex facts_mutex_;
  mutable std::shared_ptr<NetworkFacts> facts_;
  mutable std::shared_ptr<NetworkFacts> earlier_;  // until there are facts
};

// What a text says: immutable, and shared by whoever works on it while the document has gone on.
struct Reading {
  Text text;
  lw::TextLines lines;  // as the readers of programs and models count them
  std::vector<Remark> remarks;
  std::shared_ptr<const ProgramFacts> program;  // if it is a program without errors
  std::shared_ptr<const dpn::ModelFile> model;  // if it is a model without errors
  std::shared_ptr<NetworkFacts> model_facts;    // of it, likewise
};

// `name` is that of the file, as messages show it. A reading of an earlier text, if there is one, makes it faster: of a
// program, only the procedure is read in which the texts differ, unless they differ elsewhere, too.
[[nodiscard]] std::shared_ptr<const Reading> read(Text text, const std::string& name, Language language,
                                                  const ReadingOptions& options, const Reading* before = nullptr);

// The diagnostic as a remark on the text that it is about.
[[nodiscard]] Remark remark_of(const Diagnostic& diagnostic, const lw::TextLines& lines, std::string_view text);

}  // namespace lockwood::lsp
