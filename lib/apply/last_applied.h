// The last-applied annotation, in which apply stores the last manifest that it applied. Byte-compatible with kubectl,
// so that both tools can be used on the same object.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"
#include "value/metadata.h"

namespace smp::apply {

// Returns the manifest in the annotation of `live`, nullopt if `live` has no annotation. `null` is an empty manifest, as to
// kubectl. Error: parse, if the annotation is anything else than a JSON object (the message explains how to fix it).
Result<std::optional<Document>> ReadLastApplied(const Value& live);

// Returns the raw text of the annotation of `live`; "" if it has no annotation.
std::string_view LastAppliedTextOf(const Value& live);

// Returns the annotation's text for a manifest: the manifest as JSON in Go's format, without the annotation itself,
// always with metadata.annotations, and with a final newline.
std::string LastAppliedText(const Value& manifest);

// Returns the manifest with its last-applied annotation, as apply sends it. Shares the manifest's memory and lines.
Document WithLastApplied(const Document& manifest);
Document WithLastApplied(const Document& manifest, std::string_view text);  // `text`: the annotation's value

// Returns the object without the annotation. Shares memory and lines.
Document WithoutLastApplied(const Document& object);

// Returns `part` with what names the object: apiVersion, kind, name and namespace. Shares the memory of both.
Value WithNamesOf(const Value& object, const Value& part, Arena& arena);

// Returns the document with metadata.namespace set to `name_space`. Shares memory and lines.
Document WithNamespace(const Document& document, std::string_view name_space);

// Returns the document without metadata.namespace. Shares memory and lines.
Document WithoutNamespace(const Document& document);

// Returns the manifest with "" in place of each annotation of the object that is null, as kubectl reads annotations to record
// the manifest (since 1.33). Any other null means that the field is absent. Shares memory and lines.
Document WithNullAnnotationsEmpty(const Document& manifest);

}  // namespace smp::apply
