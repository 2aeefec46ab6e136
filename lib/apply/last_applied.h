// The last-applied annotation, in which apply records the manifest. Byte-compatible with kubectl, so that both tools
// can be used on the same object.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/document.h"
#include "value/metadata.h"

namespace smp::apply {

// Returns the manifest in the annotation of `live`, nullopt if there is none. Error: parse, if it is not a JSON object
// (the message says what to do).
Result<std::optional<Document>> ReadLastApplied(const Value& live);

// Returns the annotation of `live` as it is; "" if there is none.
std::string_view LastAppliedTextOf(const Value& live);

// Returns the annotation's text for a manifest: its JSON as Go writes it, without the annotation itself, always with
// metadata.annotations, and with a final newline.
std::string LastAppliedText(const Value& manifest);

// Returns the manifest as apply sends it, with the annotation. Shares the manifest's memory and lines.
Document WithLastApplied(const Document& manifest);
Document WithLastApplied(const Document& manifest, std::string_view text);  // with this text

// Returns the document with that metadata.namespace. Shares memory and lines.
Document WithNamespace(const Document& document, std::string_view name_space);

}  // namespace smp::apply
