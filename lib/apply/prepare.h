// Prepare: a manifest and what is needed to tell what apply would do with it. Only reads (GET): explain-diff stops
// here, apply goes on to submit.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apply/input_definitions.h"
#include "apply/live_objects.h"
#include "apply/manifests.h"
#include "base/result.h"
#include "compat/compat_patch.h"
#include "kube/client.h"
#include "kube/schema_source.h"
#include "schema/schema.h"
#include "smp/smp.h"
#include "value/document.h"

namespace smp::apply {

// How to treat values of another kind than the schema wants (schema/check.h).
enum class TypeErrors { kRefuse, kWarn, kIgnore };

// How patches are planned.
struct Planning {
  compat::Dialect dialect = compat::Dialect::kVerified;
  // kNo: error conflict if the patch would undo what others did in live.
  compat::Overwrite overwrite = compat::Overwrite::kYes;
};

// Where the objects go.
struct Target {
  kube::Client* client = nullptr;
  kube::SchemaSource* schemas = nullptr;
  std::string name_space;         // from -n, else from the context
  bool name_space_given = false;  // by -n: then manifests must not name another
  TypeErrors type_errors = TypeErrors::kRefuse;
  Planning planning = {};
  LiveObjects* read_ahead = nullptr;  // not owned; consulted before the server
  // not owned; CRDs and Namespaces of an input that is not being applied
  const InputDefinitions* definitions = nullptr;
};

// Everything known of an object before anything is sent. If it does not exist yet, it has no `live` and no `patch`.
struct Prepared {
  Document manifest;  // with its namespace filled in
  kube::ObjectRef ref;
  std::shared_ptr<const Schema> schema;
  Resource resource;
  Document modified;  // the manifest with the last-applied annotation
  Document desired;   // `modified` as the server stores it; the plan compares this (secret_data.h)
  std::optional<Document> live;
  std::optional<Document> original;  // from live's last-applied annotation
  std::optional<VerifiedPatch> patch;
  std::vector<Error> type_errors;  // if they are only warnings
  std::vector<Error> duplicates;   // duplicate items of the manifest that the server accepts: warnings
  // For kubectl's patch (smp/compat_patch.h): the patch is sent despite a refusal, but there may be no plan to explain
  // it.
  std::optional<Error> refusal;
  std::vector<Error> deviations;
  int tries = 0;          // writes sent
  bool unserved = false;  // only Target::definitions knows the kind: the server was not asked

  bool lacks_last_applied() const { return live.has_value() && !original.has_value(); }
};

// Returns the manifest's document with the namespace filled in if it names none. `name_space`: "" for cluster-scoped
// objects.
Document DocumentIn(const Manifest& manifest, const std::string& name_space);

// Returns the server's reference of the object, reading only the schema. Errors as for Prepare.
Result<kube::ObjectRef> FindRef(const Manifest& manifest, const Target& target);

// Resolves the kind, fills in the namespace, gets live and plans. Errors name the object's file and line.
Result<Prepared> Prepare(const Manifest& manifest, const Target& target);

// Plans once more with a fresh live object, after a conflict.
Status PrepareAgain(Prepared& prepared, const Target& target);

// Returns the reasons for the patch's changes, sorted and unique, except those for the last-applied annotation.
std::vector<Reason> ReasonsOf(const Prepared& prepared);

// For planning without a cluster. `live` nullopt: the object does not exist. `original` nullopt: use live's annotation.
// The annotation is planned only if live has one, so that files that never saw a cluster compare as they are.
struct OfflineInput {
  std::optional<Document> live;
  std::optional<Document> original;
  std::string name_space = {};  // from -n; "": live's, for a manifest without one
  Planning planning = {};
};
Result<Prepared> PrepareOffline(const Manifest& manifest, const OfflineInput& input,
                                std::shared_ptr<const Schema> schema);

}  // namespace smp::apply
