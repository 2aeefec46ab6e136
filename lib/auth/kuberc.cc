#include "auth/kuberc.h"

#include <algorithm>
#include <filesystem>

#include "auth/config_node.h"
#include "base/environment.h"
#include "base/process.h"
#include "base/read_file.h"
#include "base/strings.h"
#include "base/user_folders.h"
#include "yaml/read_yaml.h"

namespace smp::auth {
namespace {

using Policy = PluginPolicy::Kind;

constexpr size_t kMaxFileBytes = 1UL << 20;

Result<Policy> ReadPolicy(const ConfigNode& root) {
  SMP_ASSIGN(const std::string name, ReadString(root, "credentialPluginPolicy"));
  if (name.empty() || name == "AllowAll") return Policy::kAllowAll;
  if (name == "DenyAll") return Policy::kDenyAll;
  if (name == "Allowlist") return Policy::kAllowlist;
  return NodeError(*Child(root, "credentialPluginPolicy"),
                   StrCat("unknown plugin policy: \"", name, "\"; must be one of: AllowAll, DenyAll, Allowlist"));
}

// `name` is what `command` was called before Kubernetes 1.36.
Result<std::string> ReadAllowed(const ConfigNode& item) {
  if (!item.value->is_object()) return WrongKind(item, "a mapping with a command");
  SMP_ASSIGN(const std::string name, ReadString(item, "name"));
  SMP_ASSIGN(std::string command, ReadString(item, "command"));
  if (command.empty()) command = name;
  if (command.empty()) return NodeError(item, "empty allowlist entry; it needs a command");
  if (!name.empty() && name != command) return NodeError(item, "name and command differ; remove name");
  if (std::filesystem::path(command).lexically_normal() != command) {
    return NodeError(item, StrCat("non-normalized file path: \"", command, "\""));
  }
  return command;
}

// The rules of client-go's ValidatePluginPolicy.
Status CheckPolicy(const ConfigNode& root, const PluginPolicy& policy) {
  const std::optional<ConfigNode> list = Child(root, "credentialPluginAllowlist");
  if (policy.kind == Policy::kAllowlist) {
    if (list && !policy.allowlist.empty()) return Ok();
    return NodeError(root, "credentialPluginPolicy is Allowlist, but credentialPluginAllowlist is missing or empty");
  }
  if (!list) return Ok();
  return NodeError(*list, "credentialPluginAllowlist is given, but credentialPluginPolicy is not Allowlist");
}

bool IsPreference(const ConfigNode& root) {
  return root.value->StringOr("kind") == "Preference" &&
         root.value->StringOr("apiVersion").starts_with("kubectl.config.k8s.io/");
}

Result<PluginPolicy> ReadPreference(const ConfigNode& root) {
  PluginPolicy policy{.file = root.source.file};
  SMP_ASSIGN(policy.kind, ReadPolicy(root));
  SMP_ASSIGN(const std::vector<ConfigNode> items, ListChildren(root, "credentialPluginAllowlist"));
  for (const ConfigNode& item : items) {
    SMP_ASSIGN(std::string command, ReadAllowed(item));
    policy.allowlist.push_back(std::move(command));
  }
  SMP_TRY(CheckPolicy(root, policy));
  return policy;
}

// Returns the path of `command`, or "" if it is not on PATH (as exec.LookPath).
std::string Resolved(const std::string& command) {
  const Result<std::string> found = FindProgram(command);
  return found.ok() ? *found : std::string();
}

bool IsAllowed(const std::string& command, const std::string& program, const PluginPolicy& policy) {
  return std::any_of(policy.allowlist.begin(), policy.allowlist.end(), [&](const std::string& entry) {
    return entry == command || entry == program || Resolved(entry) == program;
  });
}

}  // namespace

Result<PluginPolicy> ParsePluginPolicy(std::string_view text, const std::string& file) {
  const yaml::YamlFile documents = yaml::ParseYamlFile(text, file);
  if (documents.items.empty()) return PluginPolicy{.file = file};
  // The documents are versions of the same preferences; use the first that we understand.
  for (const yaml::YamlFile::Item& item : documents.items) {
    SMP_TRY(item.document);
    const Document& document = *item.document;
    const ConfigNode root{&document, &document.root(), "", {file, document.LineOf(&document.root())}};
    if (IsPreference(root)) return ReadPreference(root);
  }
  return Error{
      ErrorCode::kParse, "not a kuberc file: it does not contain a Preference of kubectl.config.k8s.io", "", {file, 0}};
}

Result<PluginPolicy> LoadPluginPolicy(const std::string& kuberc_flag) {
  if (ToLower(Environment("KUBECTL_KUBERC")) == "false") return PluginPolicy{};
  if (Environment("KUBERC") == "off") {
    if (kuberc_flag.empty()) return PluginPolicy{};
    return Error::InvalidArgument("disabling kuberc via KUBERC=off and passing kuberc flag are mutually exclusive");
  }
  std::string file = kuberc_flag.empty() ? Environment("KUBERC") : kuberc_flag;
  const bool chosen = !file.empty();
  if (!chosen) file = InHome(".kube/kuberc");
  if (file.empty()) return PluginPolicy{};
  const Result<std::string> text = ReadWholeFile(file, kMaxFileBytes, "the kuberc");
  if (!text.ok() && !chosen && text.error().code == ErrorCode::kNotFound) return PluginPolicy{};
  if (!text.ok()) return Error::InvalidArgument(text.error().message);
  return ParsePluginPolicy(*text, file);
}

Result<std::string> AllowedProgram(const std::string& command, const PluginPolicy& policy) {
  const auto refused = [&](std::string_view why) {
    return Error::Refused(StrCat("plugin \"", command, "\" not allowed: ", why, " of ", policy.file));
  };
  if (policy.kind == Policy::kDenyAll) return refused("credentialPluginPolicy is DenyAll");
  SMP_ASSIGN(std::string program, FindProgram(command));
  if (policy.kind == Policy::kAllowlist && !IsAllowed(command, program, policy)) {
    return refused("it is not in the credentialPluginAllowlist");
  }
  return program;
}

}  // namespace smp::auth
