// Finds values of the wrong kind and misspelt fields before anything is sent: `value: yes` is a boolean in YAML, and
// `port: "80"` a string.
//
//   for (const Error& error : CheckTypes(manifest, schema, resource.type)) …
//   // web.yaml:12: spec.containers[name=app].env[name=DEBUG].value: expected a string, found a boolean
//   // (true); put the text in quotes
//
// Differs from kubectl: it lets the server find them, which names neither file nor line.
//
// Checks only values for which the schema states one kind. It leaves ranges, the contents of free-form objects and all formats but base64,
// for which people often take the text itself, to the server. null is always valid: it deletes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"
#include "value/path.h"

namespace smp {

// Use kFind only with the server's own schema of a built-in kind, because another version has other fields, or with that of
// a CRD (definition.h). Finds what the server refuses with fieldValidation=Strict; of a custom resource, also that an object
// without fields is none.
//
// kFindInApply: what it refuses in a server-side apply, which looks only for fields that structured-merge-diff has no type
// for: not in an object of a custom resource whose schema names no fields, nor below x-kubernetes-preserve-unknown-fields.
enum class UnknownFields { kLeave, kFind, kFindInApply };

struct TypeProblem {
  enum class Kind {
    kWrongType,
    kUnknownField,
    kExclusive,  // fields of which only one may be set
    kNotBase64   // of a built-in kind; of others the rules of the schema tell (validation.h)
  };
  Kind kind;
  FieldPath path;
  const Value* at;      // the value, in the manifest
  TypeKind wanted;      // of kWrongType
  std::string message;  // what is wrong
  std::string advice;   // what to do; may be empty
};

// Whether messages may have values. kHide: the object is a Secret.
enum class ValuesInMessages { kShow, kHide };

// Returns all problems in the order of the object. Linear.
std::vector<TypeProblem> FindTypeProblems(const Document& manifest, const Schema& schema, TypeId type,
                                          UnknownFields unknown, ValuesInMessages values);

// Return the words for values of this kind: "a string", "an integer".
std::string_view WordsFor(TypeKind kind);
std::string_view WordsFor(Kind kind);

// The same as errors, with path and line.
std::vector<Error> CheckTypes(const Document& manifest, const Schema& schema, TypeId type,
                              UnknownFields unknown = UnknownFields::kLeave);

}  // namespace smp
