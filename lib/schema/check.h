// Values of another kind than the schema wants, and misspelt fields, found before anything is sent: `value: yes` in
// YAML is a boolean, and `port: "80"` a string.
//
//   for (const Error& error : CheckTypes(manifest, schema, resource.type)) …
//   // web.yaml:12: spec.containers[name=app].env[name=DEBUG].value: expected a string, found a boolean
//   // (true); put the text in quotes
//
// Differs from kubectl: it lets the server find them, which names neither file nor line.
//
// Only where the schema says one definite kind. Formats and ranges are the server's business, and so is what stands
// below free-form and embedded objects. null is always fine: it deletes.
#ifndef SMP_SCHEMA_CHECK_H_
#define SMP_SCHEMA_CHECK_H_

#include <vector>

#include "base/result.h"
#include "schema/schema.h"
#include "value/document.h"

namespace smp {

// kFind only for kinds and a schema of the server's own: another version has other fields, and what becomes of those
// that a custom resource's schema does not name is for the server to say.
enum class UnknownFields { kLeave, kFind };

// All of them, in the order of the object, with path and line. Values of Secrets are not named. Linear.
std::vector<Error> CheckTypes(const Document& manifest, const Schema& schema, TypeId type,
                              UnknownFields unknown = UnknownFields::kLeave);

}  // namespace smp

#endif  // SMP_SCHEMA_CHECK_H_
