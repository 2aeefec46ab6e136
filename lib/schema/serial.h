// The compiled schema as text: what is embedded in the program (builtin.h) and kept in the disk cache. It has one line
// per type, field or resource, so that a diff of two servers' schemas is readable. The reader checks ids, counts and
// lines: every input yields a Schema or an error.
//
//   # any comment
//   smp-schema 8 2 1 1                              version of the format; numbers of types, resources and kinds
//   V 1.30                                          release of the server, where it is known
//   To :io.k8s.api.core.v1.Service                  a type: kind letter and flags, [additional type,] [name]
//    clusterIP s#1                                  its fields, sorted: name, kind letter and type, then what applies:
//    ports l:io.k8s…Port mM k=port i=port,protocol  flags, patch keys, identity keys,
//    protocol s#1 ="TCP"                            default as JSON
//   U type localhostProfile=LocalhostProfile        a union of the type above: discriminator, then field=value
//   O - a=a b=b                                     a union by presence (schema.h)
//   Ta [#1                                          a list in additionalProperties
//   L M i=name                                      that a server-side apply merges: list type, identity keys
//   Ts                                              a type without a name: referred to as #1, the next one as #2
//   R - v1 Service services ns :io.k8s… status      resource: group, version, kind, plural, scope, type, subresources
//   K - v1 Service :io.k8s.api.core.v1.Service      kind: group, version, kind, type
//
// Kinds: * any, s string, i integer, n number, b boolean, o object, a array, l list (a field with `type: array`),
// x int-or-string, q quantity, t time, y bytes.
// Flags of a field: s m strategy merge of a set, by keys; r replace; t retainKeys; S M list type set, map; g a map
// that is granular though its type is atomic; n nullable; z omits zero; b w u duplicates are kept, the last wins, are
// refused. Identity keys are omitted if they are the patch keys. Flags of a type: p preserves unknown fields, e embedded,
// n nullable, a atomic map, w stored as written, m rounds quantities to thousandths; then "+TYPE" additional properties,
// "[TYPE" elements, or other members of a custom resource. Both may have "f=WORDS", with which the server refuses a
// change (schema.h). Scope: n namespaced or c cluster, then s if strategic merge patches are accepted, d if dry runs are.
// Names: "-" is the empty name; blanks, control characters and , = # % are %XX.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"

namespace smp {

inline constexpr size_t kMaxSchemaBytes = 16UL << 20;  // one group-version is far below 1 MB

std::string SerializeSchema(const Schema& schema);
// Error: parse, with the line.
Result<std::shared_ptr<const Schema>> ParseSchema(std::string_view text);

// Returns the lines that describe one type completely. They refer to other types by label, labels[id].
std::string SerializeType(const Type& type, const std::vector<std::string>& labels);

}  // namespace smp
