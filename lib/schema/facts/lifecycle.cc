#include "schema/facts/lifecycle.h"

#include <map>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "schema/facts/fact_lines.h"

namespace smp {

// The text of lifecycle.txt, in a source file that CMakeLists.txt generates.
std::string_view LifecycleText();

namespace {

constexpr int kMostSuccessors = 8;  // one after the other

// "apps/v1/Deployment"; nullopt for "-".
std::optional<GroupVersionKind> ParseSuccessor(std::string_view text) {
  auto gvk = ParseGvk(text);
  return gvk.ok() ? std::optional(*std::move(gvk)) : std::nullopt;
}

std::map<GroupVersionKind, Lifecycle> ParseTable() {
  std::map<GroupVersionKind, Lifecycle> out;
  for (const FactLine& line : FactLines(LifecycleText())) {
    const std::vector<std::string_view> words = Split(line.text, ' ');
    const auto gvk = ParseGvk(StrCat(words[0], "/", words[1]));
    if (!gvk.ok()) continue;
    out[*gvk] = {ParseRelease(words[2]).value_or(Release{}), ParseRelease(words[3]).value_or(Release{}),
                 ParseRelease(words[4]), ParseSuccessor(words[5])};
  }
  return out;
}

}  // namespace

const Lifecycle* FindLifecycle(const GroupVersionKind& gvk) {
  static const std::map<GroupVersionKind, Lifecycle> kTable = ParseTable();
  const auto at = kTable.find(gvk);
  return at == kTable.end() ? nullptr : &at->second;
}

std::optional<GroupVersionKind> SuccessorIn(const Release& release, const Lifecycle& lifecycle) {
  std::optional<GroupVersionKind> out = lifecycle.successor;
  for (int i = 0; out && i < kMostSuccessors; ++i) {
    const Lifecycle* next = FindLifecycle(*out);
    if (next == nullptr || !next->removed || release < *next->removed) return out;
    out = next->successor;
  }
  return std::nullopt;
}

}  // namespace smp
