#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "dpn/formats/model_file.hpp"
#include "frontend/lsp/model_names.hpp"
#include "frontend/lsp/shown_diagnostic.hpp"
#include "frontend/lw/program_text.hpp"

// Another name for something. A renaming changes no meaning: the text with the new name is read again, and all that is
// named in it must be what it was before.
namespace lockwood::lsp {

// Why something cannot be renamed, as a sentence.
class NotRenamed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The text with the changes made. They ascend and do not overlap.
[[nodiscard]] std::string changed(std::string_view text, const std::vector<Change>& changes);

// Throws NotRenamed if the name has to stay, whatever the new one would be: `main` does.
void check_renamable(const lw::ProgramText& program, lw::NameId name);

// The new name at all places: declaration, uses, and comments that say which findings to ignore. Throws NotRenamed.
[[nodiscard]] std::vector<Change> renaming(const lw::ProgramText& program, lw::NameId name, std::string_view to);

// The same for a name of a model. One that stands for things of several kinds is not renamed.
void check_renamable(const dpn::ModelFile& model, const ModelName& name);
// `names`: of the text.
[[nodiscard]] std::vector<Change> renaming(std::string_view text, const dpn::ModelFile& model,
                                           const std::vector<ModelName>& names, const ModelName& name,
                                           std::string_view to);

}  // namespace lockwood::lsp
