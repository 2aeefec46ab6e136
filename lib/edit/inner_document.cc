#include "edit/inner_document.h"

#include <utility>

#include "edit/draft.h"
#include "edit/proof.h"
#include "edit/text_edit.h"
#include "edit/text_reader.h"
#include "edit/text_writer.h"

namespace smp::edit {

struct InnerDocument::State {
  DraftDocument document;
};

InnerDocument::InnerDocument(std::unique_ptr<State> state) : state_(std::move(state)) {}
InnerDocument::~InnerDocument() = default;
InnerDocument::InnerDocument(InnerDocument&&) noexcept = default;
InnerDocument& InnerDocument::operator=(InnerDocument&&) noexcept = default;

Result<InnerDocument> InnerDocument::Parse(std::string_view text, DataFormat format) {
  SMP_ASSIGN(std::unique_ptr<TextTree> tree, format == DataFormat::kJson ? ReadJsonText(text) : ReadYamlText(text));
  return InnerDocument(std::unique_ptr<State>(new State{DraftDocument(std::move(tree))}));
}

Status InnerDocument::Apply(const Edit& edit) { return ApplyEdit(state_->document, edit); }

Status InnerDocument::Merge(const Value& patch) { return MergeInto(state_->document, patch); }

Result<Document> InnerDocument::Find(std::string_view path) const {
  SMP_ASSIGN(const JsonPointer pointer, ParseJsonPointer(path));
  SMP_ASSIGN(const Draft* draft, FindDraft(state_->document, pointer));
  Arena arena;
  const Value value = DeepCopy(ValueOf(*draft, arena), arena);
  return Document(std::move(arena), value);
}

Result<Kind> InnerDocument::KindAt(std::string_view path) const {
  SMP_ASSIGN(const JsonPointer pointer, ParseJsonPointer(path));
  SMP_ASSIGN(const Draft* draft, FindDraft(state_->document, pointer));
  if (IsCollection(*draft)) return IsMap(*draft) ? Kind::kObject : Kind::kArray;
  return ScalarOf(*draft).kind();
}

Result<std::string> InnerDocument::Write() const {
  DraftDocument& document = state_->document;
  if (IsAsInText(document.root)) return document.tree->text;
  std::string text = WriteText(document);
  Arena arena;
  SMP_TRY(ProveText(text, document.tree->format, ValueOf(document.root, arena)));
  return text;
}

}  // namespace smp::edit
