#include "lint/fixes.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "edit/draft.h"
#include "edit/inner_document.h"
#include "edit/text_changes.h"
#include "edit/text_edit.h"
#include "edit/text_lines.h"
#include "edit/text_writer.h"
#include "value/json.h"
#include "value/mutable_tree.h"
#include "yaml/read_yaml.h"

namespace smp::lint {

namespace {

using Edits = std::vector<const SafeEdit*>;  // of one part, in the order of the text

// Returns the lines of an entry; empty if something else is on them.
Span LinesOf(const edit::TextTree& tree, Span entry) {
  const edit::TextLines lines(tree);
  if (!lines.IsFirst(entry.begin)) return {};
  return {lines.Begin(entry.begin), lines.TailOf(entry.end, lines.Column(entry.begin))};
}

// Returns the part with scalars rewritten and copies of keys removed.
std::string Rewritten(const apply::TextPart& part, const edit::TextTree& tree, const Edits& edits) {
  edit::TextChanges changes;
  size_t free = 0;  // where the last change ended
  for (const SafeEdit* edit : edits) {
    if (edit->kind == SafeEdit::Kind::kRemove) continue;
    Span span = {edit->span.begin - part.begin, edit->span.end - part.begin};
    if (edit->kind == SafeEdit::Kind::kDropCopy) span = LinesOf(tree, span);
    if (span.empty() || span.begin < free) continue;
    changes.Replace(span.begin, span.end, edit->text);
    free = span.end;
  }
  return changes.AppliedTo(tree.text);
}

// Later ones first, so that the indices of those before them stay.
Result<std::string> WithoutRemoved(std::string text, const Edits& edits) {
  const auto removes = [](const SafeEdit* edit) { return edit->kind == SafeEdit::Kind::kRemove; };
  if (std::ranges::none_of(edits, removes)) return text;
  auto tree = apply::TreeOf(text);
  if (!tree.ok()) return std::move(tree).error();
  edit::DraftDocument draft(*std::move(tree));
  for (auto at = edits.rbegin(); at != edits.rend(); ++at) {
    if (removes(*at)) SMP_TRY(edit::ApplyEdit(draft, {edit::EditKind::kRemove, ToString((*at)->at)}));
  }
  return edit::WriteText(draft);
}

// Returns what the part says after the edits.
Result<Value> Wanted(const Document& before, const Edits& edits, Arena& arena) {
  MutableTree tree(before.root(), arena);
  for (const SafeEdit* edit : edits) {
    if (edit->kind != SafeEdit::Kind::kRewrite) continue;
    SMP_ASSIGN(const Document value, ParseJson(edit->json));
    arena.Retain(value);
    SMP_TRY(tree.Replace(edit->at, value.root()));
  }
  for (auto at = edits.rbegin(); at != edits.rend(); ++at) {
    if ((*at)->kind == SafeEdit::Kind::kRemove) SMP_TRY(tree.Remove((*at)->at));
  }
  return tree.root();
}

// Error: refused, if the new text does not say what it should.
Result<std::string> FixedPart(const apply::TextPart& part, const edit::TextTree& tree, const Edits& edits) {
  SMP_ASSIGN(std::string text, WithoutRemoved(Rewritten(part, tree, edits), edits));
  SMP_ASSIGN(const Document before, yaml::ParseYaml(part.text));
  SMP_ASSIGN(const Document after, yaml::ParseYaml(text));
  Arena arena;
  arena.Retain(before);
  SMP_ASSIGN(const Value wanted, Wanted(before, edits, arena));
  if (after.root() != wanted) return Error::Refused("the edited text would not say what it should");
  return text;
}

class FileFixer {
 public:
  explicit FileFixer(const SourceFile& file) : file_(file) {}

  void Add(Finding& finding) { by_part_[finding.edit->part].push_back(&finding); }

  std::string Write() {
    std::string out;
    size_t at = 0;
    for (auto& [index, findings] : by_part_) {
      const apply::TextPart& part = file_.parts()[index];
      Edits edits;
      for (const Finding* finding : findings) edits.push_back(&*finding->edit);
      const auto fixed = FixedPart(part, *file_.Tree(index), edits);
      if (!fixed.ok()) continue;
      for (Finding* finding : findings) finding->fixed = true;
      out.append(file_.text(), at, part.begin - at).append(*fixed);
      at = part.begin + part.text.size();
    }
    return out.append(file_.text(), at);
  }

 private:
  const SourceFile& file_;
  std::map<size_t, std::vector<Finding*>> by_part_;
};

}  // namespace

std::vector<FixedFile> Fix(Report& report) {
  std::map<size_t, FileFixer> fixers;
  for (Finding& finding : report.findings) {
    if (finding.edit) fixers.try_emplace(finding.file, report.files[finding.file]).first->second.Add(finding);
  }
  std::vector<FixedFile> out;
  for (auto& [file, fixer] : fixers) {
    std::string text = fixer.Write();
    if (text != report.files[file].text()) out.push_back({file, std::move(text)});
  }
  return out;
}

}  // namespace smp::lint
