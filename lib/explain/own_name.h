// The name of an object where its own changes repeat it: in labels, images, ports, keys of a ConfigMap. With a placeholder
// there, the changes of forty services that differ in nothing else are the same, and are shown once.
#pragma once

#include <string>
#include <string_view>

#include "value/document.h"
#include "value/path.h"
#include "value/value.h"

namespace smp::explain {

inline constexpr std::string_view kOwnName = "‹name›";

// Returns the text with the placeholder for each `name` that is no part of a longer word: "shop/web:1.2" → "shop/‹name›:1.2".
std::string WithoutOwnName(std::string_view text, std::string_view name);

FieldPath WithoutOwnName(FieldPath path, std::string_view name);

// nullptr for nullptr. What does not have the name is shared with `value`.
const Value* WithoutOwnName(const Value* value, std::string_view name, Arena& arena);

}  // namespace smp::explain
