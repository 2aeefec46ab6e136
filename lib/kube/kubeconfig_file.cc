#include "kube/kubeconfig_file.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/strings.h"
#include "kube/read_file.h"
#include "value/base64.h"
#include "value/yaml.h"

namespace smp {
namespace {

constexpr size_t kMaxFileBytes = 64UL << 20;

// A value of the file together with where it stands.
struct Node {
  const Document* document;
  const Value* value;
  std::string path;
  Source source;
};

Error NodeError(const Node& node, std::string message) {
  return {ErrorCode::kParse, std::move(message), node.path, node.source};
}

Error WrongKind(const Node& node, std::string_view expected) {
  return NodeError(node, StrCat("expected ", expected, ", found ", KindName(node.value->kind())));
}

Node ChildNode(const Node& parent, const Value* value, std::string path) {
  const int line = parent.document->LineOf(value);
  return {parent.document, value, std::move(path), {parent.source.file, line > 0 ? line : parent.source.line}};
}

// Nothing where the member is absent or null.
std::optional<Node> Child(const Node& parent, std::string_view name) {
  const Value* value = parent.value->Find(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return ChildNode(parent, value, parent.path.empty() ? std::string(name) : StrCat(parent.path, ".", name));
}

Result<std::string> ReadString(const Node& parent, std::string_view name) {
  const std::optional<Node> node = Child(parent, name);
  if (!node) return std::string();
  if (!node->value->is_string()) return WrongKind(*node, "a string (quote it)");
  return std::string(node->value->AsString());
}

Result<bool> ReadBool(const Node& parent, std::string_view name) {
  const std::optional<Node> node = Child(parent, name);
  if (!node) return false;
  if (!node->value->is_bool()) return WrongKind(*node, "true or false");
  return node->value->AsBool();
}

// Paths in a kubeconfig count from the folder of the kubeconfig (client-go, ResolveLocalPaths).
std::string Resolve(const std::string& path, const std::string& kubeconfig) {
  if (path.empty() || std::filesystem::path(path).is_absolute()) return path;
  return (std::filesystem::path(kubeconfig).parent_path() / path).lexically_normal().string();
}

Result<std::string> ReadPath(const Node& parent, std::string_view name) {
  SMP_ASSIGN(const std::string path, ReadString(parent, name));
  return Resolve(path, parent.source.file);
}

// `name` is a path, `name`-data the bytes.
Result<Pem> ReadPem(const Node& parent, const std::string& name) {
  Pem pem;
  SMP_ASSIGN(pem.file, ReadPath(parent, name));
  SMP_ASSIGN(const std::string encoded, ReadString(parent, name + "-data"));
  std::optional<std::string> data = DecodeBase64(encoded);
  if (!data) {
    const Node node = *Child(parent, name + "-data");
    return NodeError(node, StrCat("this is not base64; to name a file, use ", name));
  }
  pem.data = *std::move(data);
  if (pem.data.empty() || pem.file.empty()) return pem;
  return NodeError(parent, StrCat(name, " and ", name, "-data are both specified; remove one of them"));
}

Result<ContextEntry> ReadContext(const Node& node) {
  ContextEntry entry;
  entry.source = node.source;
  SMP_ASSIGN(entry.cluster, ReadString(node, "cluster"));
  SMP_ASSIGN(entry.user, ReadString(node, "user"));
  SMP_ASSIGN(entry.name_space, ReadString(node, "namespace"));
  return entry;
}

Result<ClusterEntry> ReadCluster(const Node& node) {
  ClusterEntry entry;
  entry.source = node.source;
  SMP_ASSIGN(entry.server, ReadString(node, "server"));
  SMP_ASSIGN(entry.tls_server_name, ReadString(node, "tls-server-name"));
  SMP_ASSIGN(entry.proxy_url, ReadString(node, "proxy-url"));
  SMP_ASSIGN(entry.insecure_skip_tls_verify, ReadBool(node, "insecure-skip-tls-verify"));
  SMP_ASSIGN(entry.certificate_authority, ReadPem(node, "certificate-authority"));
  return entry;
}

// "an exec credential plugin (aws)", "the auth-provider \"gcp\"", or "".
Result<std::string> ReadPlugin(const Node& node) {
  if (const std::optional<Node> exec = Child(node, "exec")) {
    if (!exec->value->is_object()) return WrongKind(*exec, "a mapping");
    SMP_ASSIGN(const std::string command, ReadString(*exec, "command"));
    return StrCat("an exec credential plugin (\"", command, "\")");
  }
  if (const std::optional<Node> provider = Child(node, "auth-provider")) {
    if (!provider->value->is_object()) return WrongKind(*provider, "a mapping");
    SMP_ASSIGN(const std::string name, ReadString(*provider, "name"));
    return StrCat("the auth-provider \"", name, "\"");
  }
  return std::string();
}

Result<UserEntry> ReadUser(const Node& node) {
  UserEntry entry;
  entry.source = node.source;
  SMP_ASSIGN(entry.token, ReadString(node, "token"));
  SMP_ASSIGN(entry.token_file, ReadPath(node, "tokenFile"));
  SMP_ASSIGN(entry.username, ReadString(node, "username"));
  SMP_ASSIGN(entry.password, ReadString(node, "password"));
  SMP_ASSIGN(entry.impersonate, ReadString(node, "as"));
  SMP_ASSIGN(entry.plugin, ReadPlugin(node));
  SMP_ASSIGN(entry.client_certificate, ReadPem(node, "client-certificate"));
  SMP_ASSIGN(entry.client_key, ReadPem(node, "client-key"));
  return entry;
}

// One `{name: N, MEMBER: {…}}` of a list; a MEMBER that is missing is an empty one.
template <class Entry>
Result<std::pair<std::string, Entry>> ReadNamed(const Node& item, std::string_view member,
                                                Result<Entry> (*read)(const Node&)) {
  if (!item.value->is_object()) return WrongKind(item, "a mapping with a name");
  SMP_ASSIGN(std::string name, ReadString(item, "name"));
  const std::optional<Node> body = Child(item, member);
  if (!body) return std::pair(std::move(name), Entry{.source = item.source});
  if (!body->value->is_object()) return WrongKind(*body, "a mapping");
  SMP_ASSIGN(Entry entry, read(*body));
  return std::pair(std::move(name), std::move(entry));
}

// The entries of one list of one file. Error: parse, also for a name that stands in the list twice, as client-go says.
template <class Entry>
Result<std::map<std::string, Entry>> ReadEntries(const Node& root, std::string_view list, std::string_view member,
                                                 Result<Entry> (*read)(const Node&)) {
  std::map<std::string, Entry> entries;
  const std::optional<Node> node = Child(root, list);
  if (!node) return entries;
  if (!node->value->is_array()) return WrongKind(*node, "a list");
  size_t index = 0;
  for (const Value& value : node->value->Items()) {
    const Node item = ChildNode(*node, &value, StrCat(list, "[", index++, "]"));
    SMP_ASSIGN(auto named, ReadNamed(item, member, read));
    if (entries.contains(named.first)) {
      return NodeError(item, StrCat("duplicate name \"", named.first, "\" in this list; remove one of the two"));
    }
    entries.insert(std::move(named));
  }
  return entries;
}

Status AddRoot(const Node& root, Kubeconfig& config) {
  if (!root.value->is_object()) return WrongKind(root, "a kubeconfig (kind: Config)");
  SMP_ASSIGN(const std::string kind, ReadString(root, "kind"));
  if (!kind.empty() && kind != "Config") {
    return NodeError(root, StrCat("this is no kubeconfig: kind is \"", kind, "\" and not Config"));
  }
  SMP_ASSIGN(const std::string current, ReadString(root, "current-context"));
  SMP_ASSIGN(auto contexts, ReadEntries<ContextEntry>(root, "contexts", "context", &ReadContext));
  SMP_ASSIGN(auto clusters, ReadEntries<ClusterEntry>(root, "clusters", "cluster", &ReadCluster));
  SMP_ASSIGN(auto users, ReadEntries<UserEntry>(root, "users", "user", &ReadUser));
  if (config.current_context.empty()) config.current_context = current;
  config.contexts.merge(contexts);  // keeps what is there: the first file wins
  config.clusters.merge(clusters);
  config.users.merge(users);
  return Ok();
}

std::vector<std::string> FilesToRead() {
  std::vector<std::string> files;
  const char* list = std::getenv("KUBECONFIG");
  if (list != nullptr && *list != '\0') {
#ifdef _WIN32
    constexpr char kSeparator = ';';
#else
    constexpr char kSeparator = ':';
#endif
    for (const std::string_view file : Split(list, kSeparator)) {
      const bool seen = std::find(files.begin(), files.end(), file) != files.end();
      if (!file.empty() && !seen) files.emplace_back(file);
    }
    return files;
  }
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') files.push_back(StrCat(home, "/.kube/config"));
  return files;
}

Status AddFile(const std::string& file, const std::string& text, Kubeconfig& config) {
  config.files.push_back(file);
  return AddKubeconfigText(text, file, config);
}

}  // namespace

Status AddKubeconfigText(std::string_view text, const std::string& file, Kubeconfig& config) {
  YamlFile parsed = ParseYamlFile(text, file);
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

}  // namespace smp
