#include "kube/object_ref.h"

#include <utility>

#include "base/strings.h"
#include "net/percent.h"

namespace smp::kube {
namespace {

bool IsUnreserved(char c) { return IsAlnum(c) || c == '-' || c == '.' || c == '_' || c == '~'; }

// Same checks as IsValidPathSegmentName in apimachinery, api/validation/path. `what`: describes the name in errors.
Status CheckSegment(std::string_view what, std::string_view name) {
  std::string_view why;
  if (name == ".") why = "may not be '.'";
  if (name == "..") why = "may not be '..'";
  if (name.find('/') != name.npos) why = "may not contain '/'";
  if (name.find('%') != name.npos) why = "may not contain '%'";
  if (why.empty()) return Ok();
  return Error::InvalidArgument(StrCat("invalid ", what, " \"", name, "\": [", why, "]"));
}

}  // namespace

std::string EscapeUrl(std::string_view text) { return net::PercentEncoded(text, &IsUnreserved); }

bool IsDefinition(const GroupVersionKind& gvk) {
  return gvk.group == "apiextensions.k8s.io" && gvk.kind == "CustomResourceDefinition";
}

bool IsApiService(const GroupVersionKind& gvk) {
  return gvk.group == "apiregistration.k8s.io" && gvk.kind == "APIService";
}

bool IsNamespace(const GroupVersionKind& gvk) { return gvk.group.empty() && gvk.kind == "Namespace"; }

ObjectRef DefinitionRef(std::string name) {
  return {{"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}, "customresourcedefinitions", "", std::move(name)};
}

ObjectRef CollectionOf(ObjectRef ref) {
  ref.name.clear();
  return ref;
}

std::string ObjectPath(const ObjectRef& ref) {
  std::string path = ref.gvk.group.empty() ? "/api" : "/apis/" + EscapeUrl(ref.gvk.group);
  path += "/" + EscapeUrl(ref.gvk.version);
  if (!ref.name_space.empty()) path += "/namespaces/" + EscapeUrl(ref.name_space);
  path += "/" + EscapeUrl(ref.plural);
  if (!ref.name.empty()) path += "/" + EscapeUrl(ref.name);
  if (!ref.subresource.empty()) path += "/" + EscapeUrl(ref.subresource);
  return path;
}

Status CheckPathSegments(const ObjectRef& ref) {
  SMP_TRY(CheckSegment("API group", ref.gvk.group));
  SMP_TRY(CheckSegment("API version", ref.gvk.version));
  SMP_TRY(CheckSegment("resource", ref.plural));
  SMP_TRY(CheckSegment("namespace", ref.name_space));
  SMP_TRY(CheckSegment("resource name", ref.name));
  return CheckSegment("subresource", ref.subresource);
}

}  // namespace smp::kube
