// The last-applied annotation: what apply recorded of the manifest, byte-compatible with kubectl so that both tools can
// be used on the same objects in turn.
#ifndef SMP_APPLY_LAST_APPLIED_H_
#define SMP_APPLY_LAST_APPLIED_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"

namespace smp {

inline constexpr std::string_view kLastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

// What the annotation of `live` records; nullopt when there is none. Error: parse, when it is no JSON object (naming
// the way out).
Result<std::optional<Document>> ReadLastApplied(const Value& live);

// The annotation of `live` as it is; "" if there is none.
std::string_view LastAppliedTextOf(const Value& live);

// The text that apply records for a manifest: Go's JSON of it without the annotation itself, with metadata.annotations
// always there, and a line end.
std::string LastAppliedText(const Value& manifest);

// The manifest as apply sends it: with the annotation. Shares the manifest's memory and lines.
Document WithLastApplied(const Document& manifest);
Document WithLastApplied(const Document& manifest, std::string_view text);  // with this text

// The document with `name` of its metadata set. Shares memory and lines.
Document WithMetadata(const Document& document, std::string_view name, std::string_view value);

}  // namespace smp

#endif  // SMP_APPLY_LAST_APPLIED_H_
