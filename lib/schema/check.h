// Finds values of the wrong kind and misspelt fields before anything is sent: `value: yes` is a boolean in YAML, and
// `port: "80"` a string.
//
//   for (const Error& error : CheckTypes(manifest, schema, resource.type)) …
//   // web.yaml:12: spec.containers[name=app].env[name=DEBUG].value: expected a string, found a boolean
//   // (true); put the text in quotes
//
// Differs from kubectl: it lets the server find them, which names neither file nor line.
//
// Checks only values for which the schema states one kind. It leaves formats, ranges and the contents of free-form objects
// to the server. null is always valid: it deletes.
#pragma once

#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

// Use kFind only with the server's own schema of a built-in kind, because another version has other fields, or with that of
// a CRD (definition.h). Finds what the server refuses with fieldValidation=Strict; of a custom resource, also that an object
// without fields is none.
//
// kFindInApply: what it refuses in a server-side apply, which looks only for fields that structured-merge-diff has no type
// for: not in an object of a custom resource whose schema names no fields, nor below x-kubernetes-preserve-unknown-fields.
enum class UnknownFields { kLeave, kFind, kFindInApply };

// Returns all errors in the order of the object, with path and line. Does not show values of Secrets. Linear.
std::vector<Error> CheckTypes(const Document& manifest, const Schema& schema, TypeId type,
                              UnknownFields unknown = UnknownFields::kLeave);

}  // namespace smp
