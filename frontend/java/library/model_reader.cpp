#include "frontend/java/library/model_reader.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/text/printable.hpp"
#include "base/text/suggestion.hpp"
#include "frontend/java/library/class_names.hpp"
#include "frontend/java/library/effect_parser.hpp"
#include "frontend/java/library/model_scanner.hpp"
#include "frontend/java/library/token_cursor.hpp"
#include "jvm/archive/class_name.hpp"
#include "jvm/classfile/descriptor.hpp"

namespace lockwood::java::library {
namespace {

constexpr std::string_view object_class = "java/lang/Object";
constexpr std::size_t max_parameters = 255;
constexpr std::size_t max_likeness = 64;  // a class like a class like …

// The effects of a method, still to be read.
struct PendingEffects {
  std::size_t text;
  std::size_t class_draft;
  std::size_t method;
  std::size_t token;
};

// A class whose entries are read without their effects.
struct ClassDraft {
  ClassModel model;
  std::size_t text;  // where it was opened last
  Token name;        // there
  std::vector<std::pair<std::string, Token>> supertypes;
  std::string like;  // empty if it is like nothing
  bool like_synchronized = false;
  bool like_done = false;
  std::set<std::pair<std::string, std::string>>
      in_this_text;  // methods that the text has given: a second one is an error
};

// Reads in three passes, since texts refer to each other: the names of all classes; entries, with signatures; effects,
// which need the signatures of what they call. Then classes that are like others get what the others have.
class ModelReader {
 public:
  explicit ModelReader(std::span<const ModelText> texts) {
    for (const ModelText& text : texts) {
      errors_.push_back(std::make_unique<ModelErrors>(text.file, text.text));
      tokens_.push_back(scan_models(text.text, *errors_.back()));
    }
  }

  Library read() {
    for (std::size_t text = 0; text < tokens_.size(); ++text) declare_classes(text);
    for (std::size_t text = 0; text < tokens_.size(); ++text) read_entries(text);
    refuse_errors();
    for (ClassDraft& draft : drafts_) add_supertypes(draft);
    refuse_errors();
    refuse_cycles();
    for (ClassDraft& draft : drafts_) copy_like(draft, 0);
    refuse_errors();
    for (ClassDraft& draft : drafts_) library_.add(draft.model);
    read_all_effects();
    check_fields();
    refuse_errors();
    copy_effects();
    for (ClassDraft& draft : drafts_) library_.add(std::move(draft.model));
    library_.check_invariants();
    return std::move(library_);
  }

 private:
  void refuse_errors() {
    std::vector<Diagnostic> all;
    for (const auto& errors : errors_)
      all.insert(all.end(), errors->diagnostics().begin(), errors->diagnostics().end());
    if (!all.empty()) throw InputError{std::move(all)};
  }

  [[nodiscard]] static bool begins_class(const TokenCursor& cursor) {
    return (cursor.at("class") || cursor.at("interface")) && cursor.peek(1).kind == TokenKind::Word;
  }

  void declare_classes(std::size_t text) {
    TokenCursor cursor{tokens_[text], *errors_[text]};
    while (cursor.peek().kind != TokenKind::End) {
      if (begins_class(cursor)) {
        cursor.next();
        const std::string name = internal(read_dotted(cursor));
        if (jvm::is_class_name(name)) names_.declare(name);
      }
      cursor.skip_entry();
    }
  }
  [[nodiscard]] static std::string internal(std::string name) {
    std::ranges::replace(name, '.', '/');
    return name;
  }

  // ---- Entries ----
  void read_entries(std::size_t text) {
    TokenCursor cursor{tokens_[text], *errors_[text]};
    for (ClassDraft& draft : drafts_) draft.in_this_text.clear();
    std::optional<std::size_t> open;
    while (cursor.peek().kind != TokenKind::End && !errors_[text]->full()) {
      try {
        if (cursor.at_line_end()) {
          cursor.next();
        } else if (begins_class(cursor)) {
          open = class_header(cursor, text);
        } else if (!open) {
          cursor.fail(cursor.peek(), "an entry is before the first class");
        } else {
          entry(cursor, text, *open);
        }
      } catch (const BrokenEntry&) {
        cursor.skip_entry();
      }
    }
  }

  std::size_t class_header(TokenCursor& cursor, std::size_t text) {
    const bool is_interface = cursor.next().text == "interface";
    const Token name_token = cursor.peek();
    std::string name = internal(read_dotted(cursor));
    if (!jvm::is_class_name(name)) cursor.fail(name_token, "'" + shown_name(name) + "' cannot name a class");
    const auto [row, is_new] = draft_of_.emplace(name, drafts_.size());
    if (is_new) {
      ClassModel model{.name = std::move(name),
                       .is_interface = is_interface,
                       .file = std::string{errors_[text]->file()},
                       .at = errors_[text]->position(name_token.offset)};
      drafts_.push_back({.model = std::move(model), .text = text, .name = name_token});
    }
    ClassDraft& draft = drafts_[row->second];
    if (!is_new && draft.text == text) cursor.fail(name_token, "this file has the class already");
    if (draft.model.is_interface != is_interface)
      cursor.fail(name_token, is_interface ? "an earlier model says that this is a class"
                                           : "an earlier model says that this is an interface");
    draft.text = text;
    draft.name = name_token;
    if (cursor.accept(":")) {
      draft.supertypes.clear();
      do {
        const Token at = cursor.peek();
        draft.supertypes.emplace_back(names_.read_class(cursor), at);
      } while (cursor.accept(","));
    }
    if (cursor.accept("like")) {
      draft.like = names_.read_class(cursor);
      draft.like_synchronized = cursor.accept("synchronized");
    }
    cursor.expect_line_end();
    return row->second;
  }

  void entry(TokenCursor& cursor, std::size_t text, std::size_t class_draft) {
    ClassModel& model = drafts_[class_draft].model;
    const bool is_declaration = cursor.peek(1).kind == TokenKind::Word;
    if (is_declaration && cursor.peek(2).text != "(" && cursor.accept("state")) {
      model.states.push_back(field_name(cursor));
    } else if (is_declaration && cursor.peek(2).text == ":" && cursor.accept("field")) {
      const ModelField field = field_name(cursor);
      cursor.expect(":", "before the type");
      model.fields.push_back({field, names_.read_type(cursor)});
    } else if (is_declaration && cursor.peek(2).kind == TokenKind::Word && cursor.accept("constant")) {
      std::string name{cursor.next().text};
      model.constants.push_back({std::move(name), names_.read_type(cursor)});
    } else {
      return method(cursor, text, class_draft);
    }
    cursor.expect_line_end();
  }

  ModelField field_name(TokenCursor& cursor) {
    const ModelField field = library_.intern_field(cursor.expect_word("a name").text);
    declared_.insert(field);
    return field;
  }

  void method(TokenCursor& cursor, std::size_t text, std::size_t class_draft) {
    const Token first = cursor.peek();
    MethodModel method;
    while (cursor.peek(1).kind == TokenKind::Word && (cursor.at("static") || cursor.at("synchronized")))
      (cursor.next().text == "static" ? method.is_static : method.is_synchronized) = true;
    if (cursor.accept("*")) {
      method.name = "*";
      method.is_wildcard = true;
    } else {
      signature(cursor, method);
    }
    cursor.expect(":", "before the effects");
    method.file = std::string{errors_[text]->file()};
    method.at = errors_[text]->position(first.offset);
    const std::size_t body = cursor.index();
    cursor.skip_entry();

    ClassDraft& draft = drafts_[class_draft];
    if (!draft.in_this_text.emplace(method.name, method.parameter_descriptor()).second)
      cursor.fail(first, "this file has the method already");
    auto& methods = draft.model.methods;
    const auto same = std::ranges::find_if(methods, [&](const MethodModel& other) {
      return other.name == method.name && other.parameters == method.parameters;
    });
    const auto index = static_cast<std::size_t>(same - methods.begin());
    if (same != methods.end()) {
      *same = std::move(method);
      std::erase_if(pending_, [&](const PendingEffects& other) {
        return other.class_draft == class_draft && other.method == index;
      });
    } else {
      methods.push_back(std::move(method));
    }
    pending_.push_back({text, class_draft, index, body});
  }

  // `[TYPE] NAME(TYPE, …)`.
  void signature(TokenCursor& cursor, MethodModel& method) {
    if (!cursor.at_word())
      cursor.fail_expected("a method, such as 'add(Object): …', or 'state', 'field', 'constant', 'class', 'interface'");
    if (cursor.peek(1).text != "(") {
      if (cursor.at("void")) {
        cursor.next();
      } else {
        method.result = names_.read_type(cursor);
      }
    }
    method.name = cursor.expect_word("the name of a method").text;
    cursor.expect("(", "before the parameters");
    while (!cursor.at(")")) {
      method.parameters.push_back(names_.read_type(cursor));
      if (method.parameters.size() > max_parameters) cursor.fail(cursor.peek(), "a method has at most 255 parameters");
      if (!cursor.accept(",")) break;
    }
    cursor.expect(")", "after the parameters");
  }

  // ---- Supertypes ----
  void error_at(const ClassDraft& draft, const Token& token, std::string message, std::string hint = {}) {
    errors_[draft.text]->add(token.offset, token.text.size(), std::move(message), std::move(hint));
  }

  void add_supertypes(ClassDraft& draft) {
    ClassModel& model = draft.model;
    if (model.name != object_class) model.superclass = object_class;
    for (std::size_t i = 0; i < draft.supertypes.size(); ++i) {
      const auto& [name, at] = draft.supertypes[i];
      const auto found = draft_of_.find(name);
      if (name == object_class && !model.is_interface && i == 0) continue;
      if (found == draft_of_.end()) {
        error_at(draft, at, "the supertype '" + jvm::java_class_name(name) + "' has no model",
                 "a line 'class " + jvm::java_class_name(name) + "' is enough");
      } else if (drafts_[found->second].model.is_interface) {
        model.interfaces.push_back(name);
      } else if (model.is_interface) {
        error_at(draft, at, "the supertypes of an interface are interfaces");
      } else if (i > 0) {
        error_at(draft, at, "the superclass is the first of the supertypes");
      } else {
        model.superclass = name;
      }
    }
  }

  void refuse_cycles() {
    enum class Mark : std::uint8_t { New, Open, Done };
    std::vector<Mark> marks(drafts_.size(), Mark::New);
    // Depth first without recursion: each row is a class and the number of supertypes that it has visited.
    for (std::size_t start = 0; start < drafts_.size(); ++start) {
      std::vector<std::pair<std::size_t, std::size_t>> path{{start, 0}};
      while (!path.empty()) {
        auto& [draft, visited] = path.back();
        if (visited == 0 && marks[draft] == Mark::Done) {
          path.pop_back();
          continue;
        }
        marks[draft] = Mark::Open;
        const std::vector<std::string> supertypes = supertypes_of(drafts_[draft]);
        if (visited == supertypes.size()) {
          marks[draft] = Mark::Done;
          path.pop_back();
          continue;
        }
        const auto next = draft_of_.find(supertypes[visited++]);
        if (next == draft_of_.end()) continue;
        if (marks[next->second] == Mark::Open) {
          error_at(drafts_[next->second], drafts_[next->second].name, "the class is a supertype of itself");
          refuse_errors();
        }
        if (marks[next->second] == Mark::New) path.emplace_back(next->second, 0);
      }
    }
  }
  [[nodiscard]] static std::vector<std::string> supertypes_of(const ClassDraft& draft) {
    std::vector<std::string> all = draft.model.interfaces;
    if (draft.model.superclass) all.push_back(*draft.model.superclass);
    return all;
  }

  // ---- Classes like others ----
  // Signatures, so that effects can call them; what they do comes with copy_effects.
  void copy_like(ClassDraft& draft, std::size_t depth) {
    if (draft.like.empty() || draft.like_done) return;
    draft.like_done = true;
    const auto found = draft_of_.find(draft.like);
    if (found == draft_of_.end())
      return error_at(draft, draft.name, "'" + jvm::java_class_name(draft.like) + "' has no model");
    if (&drafts_[found->second] == &draft) return error_at(draft, draft.name, "the class is like itself");
    if (depth > max_likeness) return error_at(draft, draft.name, "too many classes are like each other in a row");
    ClassDraft& other = drafts_[found->second];
    if (!other.like.empty() && !other.like_done) copy_like(other, depth + 1);
    for (ModelField state : other.model.states)
      if (std::ranges::find(draft.model.states, state) == draft.model.states.end()) draft.model.states.push_back(state);
    for (const TypedField& typed : other.model.fields)
      if (std::ranges::find(draft.model.fields, typed.field, &TypedField::field) == draft.model.fields.end())
        draft.model.fields.push_back(typed);
    if (draft.supertypes.empty()) {
      draft.model.superclass = other.model.superclass;
      draft.model.interfaces = other.model.interfaces;
    }
    for (std::size_t i = 0; i < other.model.methods.size(); ++i) {
      const MethodModel& method = other.model.methods[i];
      if (method.is_static) continue;
      const bool own = std::ranges::any_of(draft.model.methods, [&](const MethodModel& mine) {
        return mine.name == method.name && mine.parameters == method.parameters;
      });
      if (own) continue;
      MethodModel copy = method;
      copy.is_synchronized |= draft.like_synchronized && method.name != "<init>" && !method.is_abstract;
      copies_.push_back(
          {found->second, i, static_cast<std::size_t>(&draft - drafts_.data()), draft.model.methods.size()});
      draft.model.methods.push_back(std::move(copy));
    }
  }

  // A call of a method of `this` in a copy is one of the class that has the copy: it need not be a subtype of the
  // other.
  static void call_own_methods(Effects& effects, const std::string& other, const std::string& own) {
    const auto rename = [&](MethodCall& call) {
      if (call.receiver && *call.receiver == Value{This{}, {}} && call.method.owner == other) call.method.owner = own;
      for (Handler& handler : call.handler) call_own_methods(handler.body, other, own);
    };
    for (Effect& effect : effects) {
      if (auto* call = std::get_if<MethodCall>(&effect.kind)) rename(*call);
      if (auto* spawn = std::get_if<ThreadSpawn>(&effect.kind)) rename(spawn->call);
      if (auto* block = std::get_if<Repetition>(&effect.kind)) call_own_methods(block->body, other, own);
      if (auto* block = std::get_if<SynchronizedBlock>(&effect.kind)) call_own_methods(block->body, other, own);
      if (auto* block = std::get_if<OnResult>(&effect.kind)) call_own_methods(block->body, other, own);
    }
  }

  // In the order of the copying, so a copy of a copy has its effects in time.
  void copy_effects() {
    for (const Copy& copy : copies_) {
      const MethodModel& from = drafts_[copy.from].model.methods[copy.from_method];
      MethodModel& to = drafts_[copy.to].model.methods[copy.to_method];
      to.effects = from.effects;
      call_own_methods(to.effects, drafts_[copy.from].model.name, drafts_[copy.to].model.name);
      to.locals = from.locals;
      to.never_null = from.never_null;
      to.is_abstract = from.is_abstract;
    }
  }

  // ---- Effects ----
  void read_all_effects() {
    for (const PendingEffects& pending : pending_) {
      if (errors_[pending.text]->full()) continue;
      TokenCursor cursor{tokens_[pending.text], *errors_[pending.text]};
      cursor.jump(pending.token);
      ClassDraft& draft = drafts_[pending.class_draft];
      const EffectScope scope{library_, names_, library_.find(draft.model.name).value(), uses_[pending.text]};
      try {
        read_effects(cursor, scope, draft.model.methods[pending.method]);
      } catch (const BrokenEntry&) {
      }
    }
  }

  void check_fields() {
    std::set<ModelField> known = declared_;
    known.insert(library_.array_elements());
    for (const auto& [text, uses] : uses_) known.insert(uses.stored.begin(), uses.stored.end());
    for (const auto& [text, uses] : uses_)
      for (const FieldUse& use : uses.uses) {
        const auto& fields = use.is_state ? declared_ : known;
        if (fields.contains(use.field) || use.field == library_.array_elements()) continue;
        const std::string_view name = library_.name(use.field);
        Suggestion suggestion{name};
        for (ModelField field : fields) suggestion.consider(library_.name(field));
        errors_[text]->add(use.offset, name.size(),
                           use.is_state ? "no class has a state '" + shown_name(name) + "'"
                                        : "nothing is ever stored into the field '" + shown_name(name) + "'",
                           suggestion.hint());
      }
  }

  struct Copy {
    std::size_t from;
    std::size_t from_method;
    std::size_t to;
    std::size_t to_method;
  };

  Library library_;
  ClassNames names_;
  std::vector<std::unique_ptr<ModelErrors>> errors_;
  std::vector<std::vector<Token>> tokens_;
  std::vector<ClassDraft> drafts_;
  std::map<std::string, std::size_t, std::less<>> draft_of_;
  std::vector<PendingEffects> pending_;
  std::vector<Copy> copies_;
  std::map<std::size_t, FieldUses> uses_;  // by text
  std::set<ModelField> declared_;
};

}  // namespace

Library read_library(std::span<const ModelText> texts) { return ModelReader{texts}.read(); }

Library library_with(std::vector<ModelText> texts) {
  std::vector<ModelText> all = bundled_models();
  all.insert(all.end(), std::make_move_iterator(texts.begin()), std::make_move_iterator(texts.end()));
  return read_library(all);
}

}  // namespace lockwood::java::library
