// All that is known of a field, as a document: for the `schema` command.
#pragma once

#include <vector>

#include "lint/schema_place.h"
#include "value/document.h"

namespace smp::lint {

// Returns an object with these members, each only if it says something (lists are of texts unless stated otherwise):
//
// clang-format off
//   apiVersion, kind, path
//   schema         where it is from
//   type           "list of Container"; component: the name of the type in OpenAPI documents
//   patch          what a patch does with the value: "merged by name"; insideReplaced: the path above that is replaced as a whole
//   mergeKeys      by which servers and kubectl pair the items of a list; identityKeys: which tell two items apart
//   duplicates     what the server does with items with the same identity
//   excludes       fields beside it that may not be set with it; excludedBy: the field that names which of them is set
//   unions         of the value: a list of {discriminator, fields}
//   default        the value that the server sets; defaultFrom: who says so
//   setByServer    true: the server sets a value that depends on other things
//   nullable       true: the server stores null
//   immutable      when the server refuses a change
//   notKept        when the server accepts the field and does not keep it
//   values         what the server takes
//   examples       a list of {directive, meaning, patch}
//   fields         of the value, a list of {name, type, patch}
// clang-format on
Document DescribePlace(const SchemaPlace& place);

}  // namespace smp::lint
