// Any bytes → a file, and the live object of its first manifest. Whatever gets into the file, it reads as the manifest with the
// change; without a change nothing changes.
#include <string>

#include "apply/manifests.h"
#include "fuzz/check.h"
#include "pull/file_edit.h"
#include "value/json.h"

using namespace smp;

namespace {

// The path and the new value (none: it is removed) follow the text, after a line of their own: `data.a "x"`.
constexpr std::string_view kSeparator = "\n====\n";

void Pull(std::string_view text, const apply::Manifest& manifest, const pull::Change& change) {
  const pull::ObjectChanges changes[] = {{&manifest, {}, {&change}}};
  const auto edited = pull::EditFileText(text, "fuzz.yaml", changes);
  if (!edited.ok()) return;
  Check(edited->written.size() == 1, "each change is told of", text);
  if (!edited->written.front().why.empty()) return Check(edited->text == text, "what is left changes nothing", text);
  const apply::Manifests again = apply::ParseManifests(edited->text, "fuzz.yaml");
  const apply::Manifests before = apply::ParseManifests(text, "fuzz.yaml");
  Check(again.items.size() <= before.items.size(), "no object is added", edited->text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input = TextOf(data, size);
  const size_t end = std::min(input.find(kSeparator), input.size());
  const std::string_view text = input.substr(0, end);
  const std::string_view rest = input.substr(std::min(end + kSeparator.size(), input.size()));
  const size_t space = std::min(rest.find(' '), rest.size());
  const auto pattern = ParsePathPattern(rest.substr(0, space));
  if (!pattern.ok() || pattern->empty()) return 0;
  pull::Change change;
  for (const auto& step : *pattern) {
    if (!step) return 0;
    change.path.push_back(*step);
  }
  const auto value = ParseJson(rest.substr(std::min(space + 1, rest.size())));
  if (value.ok()) change.value = value->root();
  for (const auto& manifest : apply::ParseManifests(text, "fuzz.yaml").items) {
    if (manifest.ok()) Pull(text, *manifest, change);
  }
  return 0;
}
