#include "auth/kubeconfig_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "auth/config_node.h"
#include "base/environment.h"
#include "base/path_syntax.h"
#include "base/read_file.h"
#include "base/strings.h"
#include "base/user_folders.h"
#include "value/base64.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::auth {
namespace {

constexpr size_t kMaxFileBytes = 64UL << 20;

// Paths in a kubeconfig are relative to its folder (client-go, ResolveLocalPaths).
std::string Resolve(const std::string& path, const std::string& kubeconfig) {
  if (path.empty() || std::filesystem::path(path).is_absolute()) return path;
  return (std::filesystem::path(kubeconfig).parent_path() / path).lexically_normal().string();
}

Result<std::string> ReadPath(const ConfigNode& parent, std::string_view name) {
  SMP_ASSIGN(const std::string path, ReadString(parent, name));
  return Resolve(path, parent.source.file);
}

// `name` is a path, `name`-data the bytes.
Result<net::Pem> ReadPem(const ConfigNode& parent, const std::string& name) {
  net::Pem pem;
  SMP_ASSIGN(pem.file, ReadPath(parent, name));
  SMP_ASSIGN(const std::string encoded, ReadString(parent, name + "-data"));
  std::optional<std::string> data = DecodeBase64(encoded);
  if (!data) {
    const ConfigNode node = *Child(parent, name + "-data");
    return NodeError(node, StrCat("invalid base64; to specify a file, use ", name));
  }
  pem.data = *std::move(data);
  const std::optional<ConfigNode> node = Child(parent, pem.data.empty() ? name : name + "-data");
  pem.source = node ? node->source : parent.source;
  if (pem.data.empty() || pem.file.empty()) return pem;
  return NodeError(parent, StrCat(name, " and ", name, "-data are both specified; remove one of them"));
}

Result<ContextEntry> ReadContext(const ConfigNode& node) {
  ContextEntry entry;
  entry.source = node.source;
  SMP_ASSIGN(entry.cluster, ReadString(node, "cluster"));
  SMP_ASSIGN(entry.user, ReadString(node, "user"));
  SMP_ASSIGN(entry.name_space, ReadString(node, "namespace"));
  return entry;
}

// Returns the cluster's settings for exec plugins ("config" of KUBERNETES_EXEC_INFO) as JSON; "" if there are none.
Result<std::string> ReadExecExtension(const ConfigNode& cluster) {
  SMP_ASSIGN(const std::vector<ConfigNode> extensions, ListChildren(cluster, "extensions"));
  for (const ConfigNode& extension : extensions) {
    SMP_ASSIGN(const std::string name, ReadString(extension, "name"));
    const std::optional<ConfigNode> body = Child(extension, "extension");
    if (name == "client.authentication.k8s.io/exec" && body) return WriteJson(*body->value);
  }
  return std::string();
}

Result<ClusterEntry> ReadCluster(const ConfigNode& node) {
  ClusterEntry entry;
  entry.source = node.source;
  SMP_ASSIGN(entry.server, ReadString(node, "server"));
  SMP_ASSIGN(entry.tls_server_name, ReadString(node, "tls-server-name"));
  SMP_ASSIGN(entry.proxy_url, ReadString(node, "proxy-url"));
  SMP_ASSIGN(entry.insecure_skip_tls_verify, ReadBool(node, "insecure-skip-tls-verify"));
  SMP_ASSIGN(entry.disable_compression, ReadBool(node, "disable-compression"));
  SMP_ASSIGN(entry.certificate_authority, ReadPem(node, "certificate-authority"));
  SMP_ASSIGN(entry.exec_extension, ReadExecExtension(node));
  return entry;
}

// client-go's SetDefaults_ExecConfig: v1 requires a mode, v1beta1 has a default.
std::string InteractiveMode(const std::string& given, std::string_view api_version) {
  const bool beta = api_version == "client.authentication.k8s.io/v1beta1";
  return given.empty() && beta ? "IfAvailable" : given;
}

Result<ExecConfig> ReadExec(const ConfigNode& node) {
  ExecConfig exec;
  SMP_ASSIGN(exec.command, ReadString(node, "command"));
  // A bare name is looked up on PATH (client-go, GetAuthInfoFileReferences), so a path must not become one.
  if (IsProgramPath(exec.command)) {
    std::error_code error;
    const std::string kubeconfig = std::filesystem::absolute(node.source.file, error).string();
    exec.command = Resolve(exec.command, error ? node.source.file : kubeconfig);
  }
  SMP_ASSIGN(exec.args, ReadStrings(node, "args"));
  SMP_ASSIGN(const std::vector<ConfigNode> variables, ListChildren(node, "env"));
  for (const ConfigNode& variable : variables) {
    SMP_ASSIGN(const std::string name, ReadString(variable, "name"));
    SMP_ASSIGN(const std::string value, ReadString(variable, "value"));
    exec.environment.emplace_back(name, value);
  }
  SMP_ASSIGN(exec.api_version, ReadString(node, "apiVersion"));
  SMP_ASSIGN(exec.install_hint, ReadString(node, "installHint"));
  SMP_ASSIGN(exec.provide_cluster_info, ReadBool(node, "provideClusterInfo"));
  SMP_ASSIGN(const std::string mode, ReadString(node, "interactiveMode"));
  exec.interactive_mode = InteractiveMode(mode, exec.api_version);
  return exec;
}

Result<Impersonation> ReadImpersonation(const ConfigNode& node) {
  Impersonation as;
  SMP_ASSIGN(as.user, ReadString(node, "as"));
  SMP_ASSIGN(as.uid, ReadString(node, "as-uid"));
  SMP_ASSIGN(as.groups, ReadStrings(node, "as-groups"));
  SMP_ASSIGN(const std::optional<ConfigNode> extra, ObjectChild(node, "as-user-extra"));
  if (!extra) return as;
  for (const Member& member : extra->value->Members()) {
    SMP_ASSIGN(as.extra[std::string(member.name)], ReadStrings(*extra, member.name));
  }
  return as;
}

Result<UserEntry> ReadUser(const ConfigNode& node) {
  UserEntry entry;
  entry.source = node.source;
  SMP_ASSIGN(entry.token, ReadString(node, "token"));
  SMP_ASSIGN(entry.token_file, ReadPath(node, "tokenFile"));
  SMP_ASSIGN(entry.username, ReadString(node, "username"));
  SMP_ASSIGN(entry.password, ReadString(node, "password"));
  SMP_ASSIGN(entry.impersonate, ReadImpersonation(node));
  SMP_ASSIGN(const std::optional<ConfigNode> exec, ObjectChild(node, "exec"));
  if (exec) {
    SMP_ASSIGN(entry.exec, ReadExec(*exec));
  }
  SMP_ASSIGN(const std::optional<ConfigNode> provider, ObjectChild(node, "auth-provider"));
  if (provider) {
    SMP_ASSIGN(entry.auth_provider, ReadString(*provider, "name"));
    if (entry.auth_provider.empty()) return NodeError(*provider, "the auth-provider has no name");
  }
  SMP_ASSIGN(entry.client_certificate, ReadPem(node, "client-certificate"));
  SMP_ASSIGN(entry.client_key, ReadPem(node, "client-key"));
  return entry;
}

// Reads one `{name: N, MEMBER: {…}}` of a list; a missing MEMBER counts as empty.
template <class Entry>
Result<std::pair<std::string, Entry>> ReadNamed(const ConfigNode& item, std::string_view member,
                                                Result<Entry> (*read)(const ConfigNode&)) {
  if (!item.value->is_object()) return WrongKind(item, "a mapping with a name");
  SMP_ASSIGN(std::string name, ReadString(item, "name"));
  SMP_ASSIGN(const std::optional<ConfigNode> body, ObjectChild(item, member));
  if (!body) return std::pair(std::move(name), Entry{.source = item.source});
  SMP_ASSIGN(Entry entry, read(*body));
  return std::pair(std::move(name), std::move(entry));
}

// Returns the entries of one list of one file. Error: parse, also for a duplicate name, as in client-go.
template <class Entry>
Result<std::map<std::string, Entry>> ReadEntries(const ConfigNode& root, std::string_view list, std::string_view member,
                                                 Result<Entry> (*read)(const ConfigNode&)) {
  std::map<std::string, Entry> entries;
  SMP_ASSIGN(const std::vector<ConfigNode> items, ListChildren(root, list));
  for (const ConfigNode& item : items) {
    SMP_ASSIGN(auto named, ReadNamed(item, member, read));
    if (entries.contains(named.first)) {
      return NodeError(item, StrCat("duplicate name \"", named.first, "\" in this list; remove one of the two"));
    }
    entries.insert(std::move(named));
  }
  return entries;
}

Status AddRoot(const ConfigNode& root, Kubeconfig& config) {
  if (!root.value->is_object()) return WrongKind(root, "a kubeconfig (kind: Config)");
  SMP_ASSIGN(const std::string kind, ReadString(root, "kind"));
  if (!kind.empty() && kind != "Config") {
    return NodeError(root, StrCat("not a kubeconfig: kind is \"", kind, "\", expected Config"));
  }
  SMP_ASSIGN(const std::string current, ReadString(root, "current-context"));
  SMP_ASSIGN(auto contexts, ReadEntries<ContextEntry>(root, "contexts", "context", &ReadContext));
  SMP_ASSIGN(auto clusters, ReadEntries<ClusterEntry>(root, "clusters", "cluster", &ReadCluster));
  SMP_ASSIGN(auto users, ReadEntries<UserEntry>(root, "users", "user", &ReadUser));
  if (config.current_context.empty()) config.current_context = current;
  config.contexts.merge(contexts);  // keeps existing entries: the first file wins
  config.clusters.merge(clusters);
  config.users.merge(users);
  return Ok();
}

std::vector<std::string> FilesToRead() {
  std::vector<std::string> files;
  const std::string list = Environment("KUBECONFIG");
  for (const std::string_view file : SplitPathList(list)) {
    const bool seen = std::find(files.begin(), files.end(), file) != files.end();
    if (!file.empty() && !seen) files.emplace_back(file);
  }
  const std::string in_home = list.empty() ? InHome(".kube/config") : "";
  if (!in_home.empty()) files.push_back(in_home);
  return files;
}

Status AddFile(const std::string& file, const std::string& text, Kubeconfig& config) {
  config.files.push_back(file);
  return AddKubeconfigText(text, file, config);
}

}  // namespace

Status AddKubeconfigText(std::string_view text, const std::string& file, Kubeconfig& config) {
  yaml::YamlFile parsed = yaml::ParseYamlFile(text, file);
  if (parsed.items.empty()) return Ok();  // an empty file is an empty kubeconfig
  Result<Document>& document = parsed.items.front().document;
  if (!document.ok()) {
    Error error = std::move(document).error();
    error.message = "error loading config file: " + error.message;
    if (error.source.file.empty()) error.source.file = file;
    return error;
  }
  const Value& root = document->root();
  if (root.is_null()) return Ok();
  return AddRoot({&*document, &root, "", {file, document->LineOf(&root)}}, config);
}

Result<Kubeconfig> ReadKubeconfigFiles(const std::string& explicit_file) {
  Kubeconfig config;
  if (!explicit_file.empty()) {
    Result<std::string> text = ReadWholeFile(explicit_file, kMaxFileBytes, "the kubeconfig");
    if (!text.ok()) return Error::InvalidArgument(StrCat(text.error().message, " - check --kubeconfig"));
    SMP_TRY(AddFile(explicit_file, *text, config));
    return config;
  }
  for (const std::string& file : FilesToRead()) {
    Result<std::string> text = ReadWholeFile(file, kMaxFileBytes, "the kubeconfig");
    if (!text.ok() && text.error().code == ErrorCode::kNotFound) {
      config.missing.push_back(file);
      continue;
    }
    if (!text.ok()) return std::move(text).error();
    SMP_TRY(AddFile(file, *text, config));
  }
  return config;
}

}  // namespace smp::auth
