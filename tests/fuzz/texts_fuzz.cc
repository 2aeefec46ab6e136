// Two texts, separated by a NUL → what explain-diff shows of a value that changes from one to the other: files in strings
// compared inside, or lines. Nothing in it is obeyed by a terminal, and equal texts do not differ.
#include "explain/inner_changes.h"
#include "explain/style.h"
#include "explain/text_rows.h"
#include "fuzz/check.h"
#include "value/escape.h"
#include "value/utf8.h"

using namespace smp;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string texts = ReplaceInvalidUtf8(TextOf(data, size));  // as the readers of JSON and YAML do
  const size_t end = texts.find('\0');
  if (end == texts.npos) return 0;
  const Value before = Value::UnownedString(std::string_view(texts).substr(0, end));
  const Value after = Value::UnownedString(std::string_view(texts).substr(end + 1));
  const auto same = explain::ChangesInside(before, before);
  Check(!same || same->changes.empty(), "a text does not differ from itself", before.AsString());
  const explain::TextRow row = {.path = {PathStep::Field("data")}, .sign = '~', .before = &before, .after = &after};
  const std::string rows = explain::Rendered(explain::PrintRows({row}, 2, {}), explain::Color::kNo);
  const std::string shown = WithoutWorkflowCommands(rows);  // as explain-diff prints all of its lines
  Check(Visible(shown) == shown, "no terminal obeys what is shown", shown);
  return 0;
}
