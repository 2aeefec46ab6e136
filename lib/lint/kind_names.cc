#include "lint/kind_names.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/spelling.h"
#include "base/strings.h"

namespace smp::lint {

namespace {

// Smaller is preferred.
auto RankOf(const GroupVersionKind& gvk) {
  const int stability = gvk.version.find("alpha") != std::string::npos  ? 2
                        : gvk.version.find("beta") != std::string::npos ? 1
                                                                        : 0;
  return std::make_tuple(!gvk.group.empty(), stability, gvk.group);
}

bool IsPreferred(const GroupVersionKind& a, const GroupVersionKind& b) {
  if (RankOf(a) != RankOf(b)) return RankOf(a) < RankOf(b);
  return a.version > b.version;
}

std::vector<GroupVersionKind> KindsCalled(std::string_view name, const std::vector<Resource>& known) {
  const std::string wanted = ToLower(name);
  std::vector<GroupVersionKind> out;
  for (const Resource& resource : known) {
    if (wanted == ToLower(resource.gvk.kind) || wanted == resource.plural) out.push_back(resource.gvk);
  }
  std::ranges::sort(out, IsPreferred);
  return out;
}

Error UnknownKind(std::string_view name, const std::vector<Resource>& known) {
  std::vector<std::string> kinds;
  for (const Resource& resource : known) {
    if (std::ranges::find(kinds, resource.gvk.kind) == kinds.end()) kinds.push_back(resource.gvk.kind);
  }
  const std::vector<std::string> meant = SpelledLike(name, kinds);
  return Error::InvalidArgument(StrCat("unknown kind \"", name, "\"",
                                       meant.empty() ? "" : StrCat("; did you mean ", meant[0], "?"),
                                       meant.empty() ? "; name its CRD with --schema, or use --from-server" : ""));
}

// Returns true, and cuts the group off the path, if the path begins with it: "apps.spec" for the group apps.
bool TakeGroup(std::string_view group, std::string_view& path) {
  if (group.empty() || !path.starts_with(group)) return false;
  if (path.size() > group.size() && path[group.size()] != '.') return false;
  path.remove_prefix(std::min(path.size(), group.size() + 1));
  return true;
}

Result<NamedKind> ParseWithSlashes(std::string_view text) {
  const size_t dot = text.find('.', text.rfind('/'));
  NamedKind out;
  SMP_ASSIGN(out.gvk, ParseGvk(text.substr(0, dot)));
  if (dot != text.npos) out.path = text.substr(dot + 1);
  return out;
}

}  // namespace

Result<NamedKind> ParseKindAndPath(std::string_view text, const std::vector<Resource>& known) {
  if (text.find('/') != text.npos) return ParseWithSlashes(text);
  const size_t dot = std::min(text.find('.'), text.size());
  std::vector<GroupVersionKind> kinds = KindsCalled(text.substr(0, dot), known);
  if (kinds.empty()) return UnknownKind(text.substr(0, dot), known);
  std::string_view path = text.substr(std::min(dot + 1, text.size()));
  auto meant = std::ranges::find_if(kinds, [&](const GroupVersionKind& gvk) { return TakeGroup(gvk.group, path); });
  if (meant == kinds.end()) meant = kinds.begin();
  NamedKind out = {.gvk = *meant, .path = std::string(path)};
  kinds.erase(meant);
  out.others = std::move(kinds);
  return out;
}

}  // namespace smp::lint
