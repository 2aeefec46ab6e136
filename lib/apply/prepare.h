// Prepare: reads everything needed to plan the apply of one manifest, and plans it. Never writes to the server:
// explain-diff stops here, apply continues with submit.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apply/apply_mode.h"
#include "apply/input_definitions.h"
#include "apply/live_objects.h"
#include "apply/manifests.h"
#include "base/result.h"
#include "compat/compat_patch.h"
#include "kube/client.h"
#include "kube/schema_source.h"
#include "schema/schema.h"
#include "smp/keep_live.h"
#include "smp/managed_fields.h"
#include "smp/server_side_plan.h"
#include "smp/smp.h"
#include "value/document.h"

namespace smp::apply {

// How to treat values whose type does not match the schema (schema/check.h).
enum class TypeErrors { kRefuse, kWarn, kIgnore };

// A server-side apply (server_side.h).
struct ServerSidePlanning {
  std::string manager{kServerSideManager};
  bool force_conflicts = false;
};

// How to compute patches.
struct Planning {
  compat::Dialect dialect = compat::Dialect::kVerified;
  // kNo: error conflict, if the patch would revert changes that others made to the live object.
  compat::Overwrite overwrite = compat::Overwrite::kYes;
  std::vector<KeepPath> keep_live = {};  // of --keep-live; the manifest's own are added (keep_annotation.h)
  std::vector<std::string> adopt =
      {};  // managers whose fields are `original` where live has no last-applied annotation
  std::optional<ServerSidePlanning> server_side = {};   // nullopt: client-side
  std::string server_side_manager{kServerSideManager};  // whose Apply entry counts as ours (apply_mode.h)
  RecordIn record_in = RecordIn::kWhereItFits;
  bool force_conflicts = false;  // take fields over that others apply server-side
  bool may_switch = true;        // false: client-side, whatever apply_mode.h says
  bool guards_renames = true;    // false: nothing is sent, so that unrecorded.h need not refuse
};

// The cluster and namespace to apply to, and options for planning.
struct Target {
  kube::Client* client = nullptr;
  kube::SchemaSource* schemas = nullptr;
  std::string name_space;         // from -n, else from the context
  bool name_space_given = false;  // by -n: a manifest with another namespace is an error
  TypeErrors type_errors = TypeErrors::kRefuse;
  Planning planning = {};
  LiveObjects* read_ahead = nullptr;  // not owned; asked before the server; may be nullptr
  // not owned; the input's CRDs and Namespaces, for dry runs and explain-diff; nullptr: none
  const InputDefinitions* definitions = nullptr;
};

// Everything known about an object before anything is sent. `live` and `patch` are nullopt if it does not exist yet.
struct Prepared {
  Document manifest;  // with its namespace filled in
  kube::ObjectRef ref;
  std::shared_ptr<const Schema> schema;
  Resource resource;
  Document modified;  // the manifest with the last-applied annotation, which a server-side apply does not write
  // What the server is to store (stored_form.h), which the plan compares with live: `modified`, or, of a new object, the
  // manifest. With the fields of live that are kept.
  Document desired;
  std::vector<KeptField> kept;  // what the plan would have changed without --keep-live
  // With paths to keep: what --force creates anew, with all that live has there; nullopt: `modified`.
  std::optional<Document> anew;
  std::optional<Document> live;
  std::optional<Document> original;  // from live's last-applied annotation, or adopted
  // With paths to keep in a server-side apply: what of live only the manager owns, into which `kept` points.
  std::optional<Document> owned;
  bool adopted = false;
  bool keeps_data = false;  // `original` HasStringDataAlone (secret_data.h)
  // Of a server-side apply; nullopt: client-side. Without force_conflicts, the server refuses it if there are conflicts.
  struct ServerSide {
    ServerSidePlanning planning;
    std::vector<FieldConflict> conflicts = {};
    std::vector<FieldPath> clashes = {};  // ServerSidePlan::clashes
    std::vector<Refused> refused = {};    // ServerSidePlan::refused
    bool migrates = false;                // fields of client-side managers become the manager's
    bool keeps_removed = false;           // the server refuses the request after the migration, which removes fields
    std::optional<Error> refusal_of_first = std::nullopt;  // of the request before the migration, for another reason
  };
  std::optional<ServerSide> server_side;
  std::vector<KeepPath>
      unmatched;                   // paths of --keep-live and the annotation that name nothing in an object that exists
  std::vector<std::string> notes;  // warnings about Planning::adopt and such paths of the annotation
  std::vector<std::string> lost;   // fields for which a version that the input brings has no place
  std::string lost_values;         // these fields and what live has there, for a plan
  std::optional<VerifiedPatch> patch;
  ApplyMode mode;
  // If apply chose to be server-side (`mode`): live with its managedFields after the migration.
  std::optional<Document> migrated;
  std::vector<Error> type_errors;  // reported as warnings (TypeErrors::kWarn)
  std::vector<Error> duplicates;   // warnings: duplicate list items that the server accepts
  // Set only for the kubectl dialects (compat_patch.h): why we would refuse the patch. It is sent anyway, but may lack
  // a plan.
  std::optional<Error> refusal;
  std::vector<Error> deviations;
  // Of ServerQuestions (ask_server.h): what the server would store, or its refusal, or why it could not be asked. A
  // refusal may also be foretold (foretold_refusals.h).
  std::optional<Document> answer;
  std::optional<Error> server_refusal;
  std::string unasked;
  // Why --force would not recreate the object: the server would refuse the new one.
  std::optional<Error> recreation_refusal;
  // `live` was listed a while ago (LiveObjects::Listed), so a patch is guarded, whatever SubmitOptions say.
  bool aged = false;
  int tries = 0;  // writes sent
  // Of --force: what to say instead of deleting what somebody else has created after the deletion.
  std::string created_by_others;
  bool lost_annotation = false;   // a migration was stored, though a later try may find live without annotation
  bool defined_by_input = false;  // `schema` is from Target::definitions
  bool unserved = false;          // only Target::definitions has the kind in this version; `live` is of another version

  // Returns true if apply is about to write the annotation of an object that lacks it, and does not know what it lacks.
  bool lacks_last_applied() const {
    return live.has_value() && (adopted || !original.has_value()) && !server_side && !mode.goes_back;
  }
};

// Returns the manifest's document as it is applied: with metadata.namespace set to `name_space` if it has none, and with "" for
// annotations without a value. `name_space`: "" for cluster-scoped objects, whose manifests lose their namespace, as with
// kubectl.
Document DocumentIn(const Manifest& manifest, const std::string& name_space);

// Returns the object without nulls, which mean "absent" to client-side apply, except where a custom resource stores them.
// The server creates objects with them, and stores "" for one in a map of strings.
Document WithoutNullFields(const Document& object, const Prepared& prepared);

// Returns the reference by which the server finds the object; reads only the schema. Errors as for Prepare.
Result<kube::ObjectRef> FindRef(const Manifest& manifest, const Target& target);

// Returns where the object was when an earlier run asked the server, which is not asked now; nullopt if nobody knows.
std::optional<kube::ObjectRef> GuessRef(const Manifest& manifest, const Target& target);

// Resolves the kind, fills in the namespace and checks the manifest (check_manifest.h); plans nothing. Sets manifest, ref,
// schema, resource, duplicates and type_errors. Errors as for Prepare.
Result<Prepared> Resolve(const Manifest& manifest, const Target& target);

// Does this, reads the live object and plans. Errors name the object's file and line.
Result<Prepared> Prepare(const Manifest& manifest, const Target& target);

// The same for an object that will be deleted before, with what it belongs to: does not read it.
Result<Prepared> PrepareAsNew(const Manifest& manifest, const Target& target);

// Plans another text of the manifest of `before` against the live object that was read for that. Sends nothing.
Result<Prepared> PrepareEdited(const Manifest& manifest, const Prepared& before, const Planning& planning);

// Reads the live object again and plans again, after a conflict.
Status PrepareAgain(Prepared& prepared, const Target& target);

// Returns the reasons for the patch's changes, sorted, unique, without those for the last-applied annotation.
std::vector<Reason> ReasonsOf(const Prepared& prepared);

// For planning without a cluster. `live` nullopt: the object does not exist. `original` nullopt: use live's
// last-applied annotation. The annotation is planned only if live has it, so plain manifests can be compared.
struct OfflineInput {
  std::optional<Document> live;
  std::optional<Document> original;
  std::string name_space = {};  // from -n; "": a manifest without namespace gets live's
  Planning planning = {};
  const InputDefinitions* definitions = nullptr;  // not owned; the input's CRDs, whose kinds are known, too
};
Result<Prepared> PrepareOffline(const Manifest& manifest, const OfflineInput& input,
                                const std::shared_ptr<const Schema>& builtin);

// For the difference between two live objects of one name: plans what would make the object there, in the namespace of
// `target`, what `here` is (ManifestForm). Its manifest form is the last-applied object, so that all that only it has goes.
// `there` nullopt: it does not exist. Sends nothing but what the schema needs. REQUIRES: `here` has the namespace there.
Result<Prepared> PrepareComparison(const Manifest& here, const std::optional<Document>& there, const Target& target);

}  // namespace smp::apply
