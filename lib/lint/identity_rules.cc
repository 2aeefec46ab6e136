#include <string_view>

#include "apply/manifests.h"
#include "lint/checks.h"

namespace smp::lint {

void CheckIdentity(Sink& sink) {
  const Object& object = sink.object();
  if (object.manifest) return;
  const Value* metadata = object.root().Find("metadata");
  const Value* name = metadata == nullptr ? nullptr : metadata->Find("name");
  const bool has_name = name != nullptr && !name->is_null();
  if (has_name && object.has_type() && !name->is_string()) return;  // a wrong type
  const auto manifest = apply::ToManifest(object.document);
  if (manifest.ok()) return;
  const bool wrong_name = has_name && !name->is_string();
  Said said = {.rule = "no-object", .at = wrong_name ? name : nullptr, .message = manifest.error().message};
  const bool generates = !has_name && metadata != nullptr && metadata->Find("generateName") != nullptr;
  if (generates) {
    said.rule = "generate-name";
    said.at = metadata->Find("generateName");
    said.path = {PathStep::Field("metadata"), PathStep::Field("generateName")};
    said.message = "kubectl apply cannot find an object again whose name the server makes; it refuses generateName";
    said.advice = "give it a metadata.name, or create it with kubectl create";
  }
  // Other files are among manifests in many folders.
  const Value& root = object.root();
  const bool is_another_file = root.Find("apiVersion") == nullptr && root.Find("kind") == nullptr;
  if (is_another_file) said.severity = Severity::kWarning;
  if (apply::IsKustomization(object.document)) said.severity = Severity::kInfo;
  sink.Add(std::move(said));
}

}  // namespace smp::lint
