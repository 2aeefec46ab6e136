// Prepare: a manifest and what is needed to say what apply would do with it. Reads only (GET); explain-diff stops here,
// apply goes on to submit.h.
#ifndef SMP_APPLY_PREPARE_H_
#define SMP_APPLY_PREPARE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apply/input_definitions.h"
#include "apply/live_objects.h"
#include "apply/manifests.h"
#include "base/result.h"
#include "kube/client.h"
#include "kube/schema_source.h"
#include "schema/schema.h"
#include "smp/compat_patch.h"
#include "smp/smp.h"
#include "value/document.h"

namespace smp {

// What becomes of values of another kind than the schema wants (schema/check.h).
enum class TypeErrors { kRefuse, kWarn, kIgnore };

// How patches are planned.
struct Planning {
  Dialect dialect = Dialect::kVerified;
  // kNo: error conflict where the patch would undo what others did in live.
  Overwrite overwrite = Overwrite::kYes;
};

// Where the objects go.
struct Target {
  Client* client = nullptr;
  SchemaSource* schemas = nullptr;
  std::string name_space;         // of -n, else of the context
  bool name_space_given = false;  // by -n: then a manifest may say no other
  TypeErrors type_errors = TypeErrors::kRefuse;
  Planning planning = {};
  LiveObjects* read_ahead = nullptr;              // not owned; looked into before the server is asked
  const InputDefinitions* definitions = nullptr;  // not owned; of an input that will not be applied
};

// Everything that is known of an object before anything is sent. Not there yet: no `live` and no `patch`.
struct Prepared {
  Document manifest;  // with its namespace filled in
  ObjectRef ref;
  std::shared_ptr<const Schema> schema;
  Resource resource;
  Document modified;  // the manifest with the last-applied annotation
  Document desired;   // that as the server stores it, which is what is planned (secret_data.h)
  std::optional<Document> live;
  std::optional<Document> original;  // what live's annotation records
  std::optional<VerifiedPatch> patch;
  std::vector<Error> type_errors;  // where they are no more than warnings
  std::vector<Error> twins;        // items that stand twice in the manifest, where the server takes that: warnings
  // Of kubectl's patch (smp/compat_patch.h): it is sent in any case, but for an explanation there may be no plan.
  std::optional<Error> refusal;
  std::vector<Error> deviations;
  int tries = 0;          // writes that were sent
  bool unserved = false;  // of a kind that only Target::definitions knows: the server was not asked

  bool lacks_last_applied() const { return live.has_value() && !original.has_value(); }
};

// What is wanted of the server, before anything is asked of it but the schema. Errors as of Prepare.
Result<ObjectRef> FindRef(const Manifest& manifest, const Target& target);

// Resolves the kind, fills in the namespace, gets live and plans. Errors name the object's file and line.
Result<Prepared> Prepare(const Manifest& manifest, const Target& target);

// Once more with a fresh live object, after a conflict.
Status PrepareAgain(Prepared& prepared, const Target& target);

// Why its patch changes what it changes, sorted, each once; the last-applied annotation apart.
std::vector<Reason> ReasonsOf(const Prepared& prepared);

// Without a cluster: `live` nullopt: the object does not exist. `original` nullopt: live's annotation says. The
// annotation is planned only when live has one, so that files that never saw a cluster compare as they are.
struct OfflineInput {
  std::optional<Document> live;
  std::optional<Document> original;
  std::string name_space = {};  // of -n; "": live's, for a manifest that names none
  Planning planning = {};
};
Result<Prepared> PrepareOffline(const Manifest& manifest, const OfflineInput& input,
                                std::shared_ptr<const Schema> schema);

}  // namespace smp

#endif  // SMP_APPLY_PREPARE_H_
