// Any bytes → a format, a text and operations. The text is read as the reader reads it; an edit of what it says is what
// the text says after the edit; without an edit nothing changes.
#include <string>

#include "edit/inner_document.h"
#include "edit/text_reader.h"
#include "edit/text_tree.h"
#include "fuzz/check.h"
#include "value/json.h"

using namespace smp;

namespace {

// The operations stand behind the text, one a line, behind a line of its own: `add /a {"b":1}`, `move /a /b`.
constexpr std::string_view kSeparator = "\n====\n";

std::string_view Word(std::string_view& rest) {
  const size_t end = std::min(rest.find(' '), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

void Apply(edit::InnerDocument& document, std::string_view line) {
  const std::string_view kind = Word(line);
  if (kind == "merge") {
    if (const auto patch = ParseJson(line); patch.ok()) (void)document.Merge(patch->root());
    return;
  }
  edit::Edit edit;
  edit.path = Word(line);
  if (kind == "remove") {
    edit.kind = edit::EditKind::kRemove;
    (void)document.Apply(edit);
    return;
  }
  if (kind == "move" || kind == "copy") {
    edit.kind = kind == "move" ? edit::EditKind::kMove : edit::EditKind::kCopy;
    edit.from = line;
    (void)document.Apply(edit);
    return;
  }
  const auto value = ParseJson(line);
  if (!value.ok()) return;
  edit.kind = kind == "add" ? edit::EditKind::kAdd : kind == "test" ? edit::EditKind::kTest : edit::EditKind::kReplace;
  edit.value = value->root();
  (void)document.Apply(edit);
}

std::string Said(const edit::InnerDocument& document) {
  const Result<Document> all = document.Find("");
  const auto again = ParseJson(WriteJson(all->root()));  // 1.0 and 1 are one in YAML
  return again.ok() ? WriteJson(again->root()) : std::string();
}

void Edited(edit::InnerDocument document, std::string_view operations, edit::DataFormat format) {
  while (!operations.empty()) {
    const size_t end = std::min(operations.find('\n'), operations.size());
    Apply(document, operations.substr(0, end));
    operations.remove_prefix(std::min(end + 1, operations.size()));
  }
  const Result<std::string> proved = document.Write();
  Check(proved.ok(), "no edit is refused by its proof", operations);
  const std::string& written = *proved;
  if (written.size() > 100'000) return;  // aliases make large values out of short texts
  const auto again = edit::InnerDocument::Parse(written, format);
  Check(again.ok(), "what is written can be read", written);
  Check(Said(*again) == Said(document), "what is written says what the edits made", written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input = TextOf(data, size);
  if (input.empty()) return 0;
  const edit::DataFormat format = input.front() == 'j' ? edit::DataFormat::kJson : edit::DataFormat::kYaml;
  const size_t end = std::min(input.find(kSeparator), input.size());
  const std::string_view text = input.substr(1, std::max<size_t>(end, 1) - 1);
  Result<edit::InnerDocument> document = edit::InnerDocument::Parse(text, format);
  if (!document.ok()) return 0;
  Check(*document->Write() == text, "without an edit nothing changes", text);
  Edited(*std::move(document), input.substr(std::min(end + kSeparator.size(), input.size())), format);
  return 0;
}
