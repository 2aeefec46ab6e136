#include "explain/danger.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/reading_order.h"

namespace smp::explain {

namespace {

struct DangerOfField {
  std::string_view name;
  Danger danger;
};

// Whatever changes below these fields is as dangerous as they are.
constexpr DangerOfField kFields[] = {{"volumes", Danger::kData},
                                     {"volumeClaimTemplates", Danger::kData},
                                     {"volumeDevices", Danger::kData},
                                     {"volumeMounts", Danger::kData},
                                     {"envFrom", Danger::kCredentials},
                                     {"imagePullSecrets", Danger::kCredentials},
                                     {"args", Danger::kProgram},
                                     {"command", Danger::kProgram},
                                     {"replicas", Danger::kRollout},
                                     {"strategy", Danger::kRollout},
                                     {"updateStrategy", Danger::kRollout},
                                     {"selector", Danger::kSelector},
                                     {"automountServiceAccountToken", Danger::kAccount},
                                     {"serviceAccountName", Danger::kAccount},
                                     {"hostIPC", Danger::kSecurity},
                                     {"hostNetwork", Danger::kSecurity},
                                     {"hostPID", Danger::kSecurity},
                                     {"securityContext", Danger::kSecurity},
                                     {"livenessProbe", Danger::kProbes},
                                     {"readinessProbe", Danger::kProbes},
                                     {"startupProbe", Danger::kProbes},
                                     {"resources", Danger::kResources},
                                     {"annotations", Danger::kLabels},
                                     {"labels", Danger::kLabels}};

bool IsCredential(std::string_view variable) {
  constexpr std::string_view kParts[] = {"auth", "cert", "credential", "key", "passw", "secret", "token", "username"};
  const std::string name = ToLower(variable);
  return std::ranges::any_of(kParts, [&](std::string_view part) { return name.find(part) != name.npos; });
}

// `depth`: of the field env, which the item follows.
Danger DangerOfVariable(const FieldPath& path, size_t depth) {
  const bool has_name = depth + 1 < path.size() && !path[depth + 1].keys.empty();
  return has_name && IsCredential(path[depth + 1].keys.front().second) ? Danger::kCredentials : Danger::kOther;
}

std::optional<Danger> DangerAt(const FieldPath& path, size_t depth) {
  const PathStep& step = path[depth];
  const bool is_last = depth + 1 == path.size();
  if (step.kind == PathStep::Kind::kKey) {
    const bool is_container = is_last && depth > 0 && IsContainerList(path[depth - 1].name);
    return is_container ? std::optional(Danger::kContainers) : std::nullopt;
  }
  if (step.name == "image") {
    const bool of_init = std::ranges::find(path, "initContainers", &PathStep::name) != path.end();
    return of_init ? Danger::kContainers : Danger::kImage;  // beside a whole container, their images say little
  }
  if (step.name == "env") return DangerOfVariable(path, depth);
  const auto* const at = std::ranges::find(kFields, step.name, &DangerOfField::name);
  return at == std::end(kFields) ? std::nullopt : std::optional(at->danger);
}

}  // namespace

Danger DangerOf(const FieldPath& path) {
  for (size_t depth = 0; depth < path.size(); ++depth) {
    if (const auto danger = DangerAt(path, depth)) return *danger;
  }
  return Danger::kOther;
}

bool HasUrl(std::string_view text) { return text.find("://") != text.npos; }

bool NamesPassword(std::string_view name) {
  constexpr std::string_view kEnds[] = {"accesskey",  "apikey",     "credential", "credentials", "idrsa", "pass",
                                        "passphrase", "privatekey", "secret",     "secretkey",   "token"};
  std::string word = ToLower(name);
  std::erase_if(word, [](char c) { return c == '_' || c == '-' || c == '.'; });
  return word.find("passw") != word.npos ||
         std::ranges::any_of(kEnds, [&](std::string_view end) { return word.ends_with(end); });
}

bool MentionsPassword(std::string_view text) {
  const size_t scheme = text.find("://");
  const size_t user = scheme == text.npos ? text.npos : text.find(':', scheme + 3);
  if (user != text.npos && text.find('@', user) != text.npos) return true;  // https://user:password@host
  const auto is_of_name = [](char c) { return IsAlnum(c) || c == '_' || c == '-' || c == '.'; };
  for (size_t at = text.find_first_of("=:"); at != text.npos; at = text.find_first_of("=:", at + 1)) {
    size_t end = at;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '"')) --end;
    size_t begin = end;
    while (begin > 0 && is_of_name(text[begin - 1])) --begin;
    if (NamesPassword(text.substr(begin, end - begin))) return true;
  }
  return false;
}

bool EndsInPassword(const FieldPath& path) {
  if (path.empty()) return false;
  const PathStep* item = path.size() > 1 && path.back().name == "value" ? &path[path.size() - 2] : nullptr;
  return NamesPassword(path.back().name) || (item != nullptr && !item->keys.empty() && NamesPassword(FirstKey(*item)));
}

bool IsPassword(const FieldPath& path) {
  if (path.size() > 1 && path[0].name == "data") return NamesPassword(path[1].name);
  for (size_t i = 1; i < path.size(); ++i) {
    if (path[i - 1].name == "annotations") return NamesPassword(path[i].name);
    const bool is_variable = path[i - 1].name == "env" && !path[i].keys.empty();
    if (is_variable) return NamesPassword(FirstKey(path[i]));
  }
  return false;
}

}  // namespace smp::explain
