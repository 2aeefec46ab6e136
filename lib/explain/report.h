// Report: a verified patch as rows for people and programs, each with path, operation, reason and values. It is built
// once from the plan; text.h and json.h print it. Secret values are masked here, so that no printer can forget to.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "explain/access_facts.h"
#include "explain/hit_objects.h"
#include "explain/message.h"
#include "explain/of_others.h"
#include "explain/pod_facts.h"
#include "explain/port_facts.h"
#include "explain/reach_facts.h"
#include "explain/role_facts.h"
#include "explain/settings_facts.h"
#include "schema/schema.h"
#include "smp/keep_live.h"
#include "smp/managed_fields.h"
#include "smp/smp.h"
#include "value/document.h"
#include "value/path.h"

namespace smp::explain {

enum class RowOp { kSet, kDelete, kMove, kKeep };
std::string_view RowOpName(RowOp op);  // "set"

struct ReportRow {
  FieldPath path;
  RowOp op = RowOp::kSet;
  Reason reason = Reason::kChanged;
  std::string message;  // one sentence without a trailing period
  // nullptr: absent. If `masked`, do not print these values; print masked_live and masked_outcome instead.
  const Value* original = nullptr;
  const Value* live = nullptr;
  const Value* modified = nullptr;
  const Value* outcome = nullptr;
  bool drifted = false;           // live has another value or order than last-applied, not only another spelling of it
  bool stored_otherwise = false;  // the server stored what was applied otherwise (ServerStoredOtherwise)
  // A list or map of a custom resource that is replaced as a whole, but that another version of its CRD merges, or merged: who takes a
  // part away leaves no entry then.
  bool may_have_lost_parts = false;
  bool shows_outcome = false;  // a map or list whose outcome says more than `modified` and the defaults
  bool masked = false;
  std::string masked_live;  // "***" and a digest, "" if absent
  std::string masked_outcome;
  Source source;       // where the manifest sets the value
  std::string policy;  // override policy, rule and operation that wrote it (at `source`); "" if no policy did
  Source overridden;   // where the manifest has the value that the policy replaced, if it has one
  // How the server patches the field, by its schema: "merge", "set", "atomic", "retainKeys"; "" for scalars and maps.
  std::string strategy;
  std::vector<std::string> keys;       // merge key(s) of the list, when strategy is "merge"
  std::vector<FieldManager> managers;  // the owners in live, those that the message tells of; empty for op move
  std::vector<OrderedItem> order;      // of op move: the items, in the manifest's order
};

// Counts of rows that are shown only on request.
struct HiddenRows {
  size_t noise = 0;      // bookkeeping: the last-applied annotation, unless nothing else changes
  size_t live_only = 0;  // fields that only live has and that are kept
  size_t ignored = 0;    // nobody wants to see them (ignore.h)
};

enum class Action { kCreate, kChange, kRecord, kUnchanged, kPrune, kRecreate, kError };
std::string_view ActionName(Action action);        // "create"
std::string_view NameInComparison(Action action);  // "only-here", of kCreate

// The two states of an object that -o diff compares (states.h). A null is an object that does not exist.
struct ObjectStates {
  Value before, after;
  Document memory;  // that the values point into, beside the schema's
};

// What apply would send to write an object. Of a Secret the body is masked, unless secrets are shown.
struct Request {
  std::string method;
  std::string path;  // with query, relative to the server
  std::string content_type;
  Document body;
  bool redacted = false;
};

// A Service, a Secret or an IngressClass that an object names, and did not name before.
struct NamedObject {
  std::string kind, name_space, name;  // name_space "": of the cluster
  std::string words;  // "DB_URL db-2": the setting, and the host; "backend web", "shop-tls": of an Ingress
};

// How many Pods a workload has, and how many an autoscaler allows at most; 0: the object has no such number.
struct ScaleFacts {
  int64_t replicas_before = 0, replicas = 0, most_before = 0, most = 0;
  bool stops = false;           // there are Pods, and there will be none
  bool deletes_claims = false;  // a StatefulSet gets fewer Pods, and whenScaled is Delete
  // Somebody scaled a workload to 0, which leaves no manager, and the manifest does not say how many there are.
  bool stays_at_zero = false;
};

struct ObjectReport {
  std::string api_version;
  std::string
      kind;  // in words (object_names.h): with its group, "Service.serving.knative.dev", where it may be taken for another
  std::string name_space, name;
  Source source;                   // of the manifest
  bool namespace_is_said = false;  // SayNamespaceOnce
  Action action = Action::kUnchanged;
  bool is_taken_over = false;  // nobody applied it before: a program, or somebody's command, has made it
  bool compared = false;       // with the object there; nothing is applied (comparison.h)
  bool new_pods =
      false;      // a new object that starts Pods, or a change of a Pod template that makes a controller replace them
  PodFacts pods;  // of the Pods that it starts
  std::string
      pods_stay;  // why a controller does not replace Pods of which the template changes: "updateStrategy OnDelete"
  std::vector<NeededObject> needs_now;                     // NeedsOf the Pods as they are in the cluster
  std::vector<NeededObject> keys_needed_now, keys_needed;  // KeysNeededBy the Pods as they are, and as they will be
  std::set<std::string> keys_before, keys_after;           // of a ConfigMap or Secret
  std::string account;                                     // AccountOf
  // A workload that apply leaves beside it: "StatefulSet of the same name", "DaemonSet kube-system/flannel", or
  // "Deployment old; Service web reaches both"; "": none.
  std::string left_workload;
  bool replaces_left =
      false;  // such a workload stays, though it may run no Pods; or webhooks that call the same Service
  std::string
      not_carried;  // what others have set in such an object, and this one has otherwise: "replicas 6 → 3; by kubectl (scale)"
  std::vector<std::string> left_images;  // of that workload
  std::vector<NamedObject>
      names;  // Services of changed settings (changed_hosts.h), backends, TLS Secrets and class of an Ingress
  // NamedObject::words of those that neither the input nor the server has.
  std::vector<std::string> no_service, no_certificate, no_class;
  std::vector<std::string> lost_fields;  // fields of live that the version in which it is written has no place for
  std::vector<std::string> invalid;  // what the server's validation refuses: "spec: a Service needs ports, unless …"
  // Of an Ingress that will be created: "shop.example.com: Ingress old, which has whitelist-source-range" of one that is left beside it.
  std::vector<std::string> shares_hosts;
  bool changes_spec = false;             // not only metadata
  TrafficPolicy policy;                  // of a NetworkPolicy, as it will be or, if it is deleted, as it is
  bool orphans = false;                  // it is deleted without what it holds (--cascade=orphan)
  std::vector<FieldManager> deleted_of;  // who has written an object that is deleted
  std::string_view loses;  // what is lost with an object that is deleted: "all objects of that kind"; static
  // There is no last-applied object to compare with, or none that is used (it is sent as a server-side apply), or it is made of live, so
  // that it lacks what somebody removed.
  bool lacks_record = false;
  bool becomes_server_side = false;     // --server-side, and its field manager has not applied the object so far
  std::string applied_since;            // who applied another manifest since the file was written; "": nobody
  std::vector<Setting> reads_at_start;  // of Pods that run, and go on: SettingsReadAtStart
  std::set<std::string> changed_keys;   // of a ConfigMap or Secret; "": all
  std::vector<UnreadSetting> unread;    // of a Pod template that changes
  AccessFacts access;                   // what a change gives to others
  std::vector<std::string> calls;       // of new webhooks: CalledServices
  RoleFacts role;                       // of a role or a binding
  std::optional<HitObjects> hits;       // of a CRD that changes; nullopt: its objects were not looked at
  ReachFacts reach;                     // of a Service or a workload
  PortFacts ports_before, ports_after;
  ScaleFacts scale;
  PodSecurity enforced;                   // of a Namespace, as it will be
  std::vector<std::string> refused_pods;  // why admission refuses new Pods: "Pod Security baseline: privileged"
  bool is_default = false, becomes_default = false;  // of a StorageClass or IngressClass: IsDefaultClass
  std::vector<std::string> other_defaults;           // those that are the default, too: "standard"
  // Ports of it that objects outside of the input name: "Ingress public".
  std::vector<std::pair<std::string, NamedPort>> ports_of_others;
  // The patch as it would be sent; of a Secret it is masked. Absent for creations.
  struct PatchInfo {
    std::string type;             // "strategic", "merge", "json"
    std::optional<size_t> bytes;  // of the body; nullopt if it is redacted, because the length tells of the values
    std::string encoding;         // "plain", …
    bool guarded = false;
    std::string why;
    Document body;
    bool redacted = false;  // the patch of a Secret, unless secrets are shown
  };
  std::optional<PatchInfo> patch;
  std::vector<ReportRow> rows;  // sorted by path, list items in outcome order
  HiddenRows hidden;
  std::set<std::string> ignored_by;             // who asked to ignore rows: "--ignore", the name of a file
  std::vector<FieldManager> appliers;           // with the time of their last apply; empty if managedFields name nobody
  std::vector<FieldsOfManager> of_others;       // what they added and apply keeps; no difference
  std::vector<FieldPath> privileges;            // those of of_others that give rights (privileges.h)
  size_t kept_of_others = 0;                    // how many of hidden.live_only have such a field
  std::optional<std::chrono::sys_seconds> now;  // ReportOptions::now
  std::vector<std::string> warnings;
  std::vector<std::string> not_compared;  // names of fields that differ, but are left out of a comparison
  std::string unasked;  // why there is no answer of the server (--ask-server); "": there is, or nobody wanted one
  std::optional<ObjectStates> states;     // only if the format shows them
  std::vector<Request> requests;          // likewise; in the order in which they are sent
  std::optional<Error> error;             // of a refusal, with the rows that were refused
  std::vector<std::string> also_refused;  // paths of further fields that are refused for the reason of the error
  bool is_going = false;                  // it is being deleted
  bool is_absent = false;                 // known of an object with an error: it does not exist
  std::string way_out;                    // what can be done about the error; "": nothing is known

  // Returns true if an apply would write something.
  bool differs() const { return action != Action::kUnchanged && action != Action::kError; }
  // Returns true if Pods start from the template: at once, or later, by a CronJob.
  bool starts_pods() const { return new_pods || (kind == "CronJob" && differs()); }

  std::vector<Document> keep_alive;      // documents that the rows point into
  std::shared_ptr<const Schema> schema;  // likewise, for the defaults in it
};

struct ReportContext {
  std::string name, cluster, server, user, name_space;
};

enum class Asked { kNobody, kServer };

// An object of earlier manifests that apply leaves in the cluster.
struct LeftObject {
  std::string kind, name_space, name;
  std::string changed = {};  // "args; by kubectl-edit": what others changed in it
  std::string account = {};  // of a workload with Pods, as in RoleFacts::subjects; "": of others
};

struct Report {
  std::optional<ReportContext> context;  // nullopt: offline
  std::optional<ReportContext> here;     // where the objects are that are compared with those of `context`; or nullopt
  Asked asked = Asked::kNobody;          // kServer: in a dry run (--ask-server)
  std::string asking_flag = "--ask-server";  // how to let the server be asked
  bool prunes = false;                       // what apply would delete is among the objects
  bool forces = false;                       // apply would delete and create again what cannot be changed
  std::vector<ObjectReport> objects;
  std::optional<std::vector<LeftObject>> left;  // as far as one can tell; nullopt: nobody looked for them
};

enum class Secrets { kMask, kShow };
enum class Show { kChanges, kLiveOnly };

struct ReportOptions {
  Secrets secrets = Secrets::kMask;
  Show show = Show::kChanges;
  std::string field_manager = {};  // as which apply writes; "": unknown
  // Sentences say how long before `now` a manager wrote; nullopt: they give the time as it is in managedFields, so that
  // the same objects always have the same report.
  std::optional<std::chrono::sys_seconds> now = std::nullopt;
};

// The schema must outlive the report.
struct KindOfObject {
  const Schema* schema = nullptr;
  TypeId type = kNoType;
};

struct ChangeContext {
  std::vector<KeptField> kept = {};               // their rows come after the others
  std::optional<Document> answer = std::nullopt;  // what the server would store, if it was asked
  bool adopted = false;                           // live has no last-applied object: the plan's is adopted
  SentAs sent_as = SentAs::kClientSide;
  const FieldOwners* owners = nullptr;  // of live; nullptr: they are read from its managedFields
  bool goes_back = false;  // to client-side apply: the plan's last-applied object is what live's Apply entry owns
};

// Returns true if a row of the report changes something.
bool HasChange(const ObjectReport& report);

// Reports an existing object. `patch` was planned from `live` and `modified`, the manifest as the last-applied
// annotation will store it. Where only that annotation will change, the report has one row, about it (Action::kRecord).
// A report with an action that differs has a row. Rows point into the last-applied object that the patch was planned with:
// the caller adds it to keep_alive.
ObjectReport ReportChange(const Document& modified, const Document& live, const VerifiedPatch& patch,
                          const KindOfObject& kind, const ReportOptions& options, const ChangeContext& context = {});
// Reports an object that does not exist yet.
ObjectReport ReportCreation(const Document& modified, const KindOfObject& kind, const ReportOptions& options,
                            const std::optional<Document>& answer = std::nullopt);
// Reports an existing object that --force deletes and creates again: `patch` was planned, but the server would refuse it.
ObjectReport ReportRecreation(const Document& modified, const Document& live, const VerifiedPatch& patch,
                              const KindOfObject& kind, const ReportOptions& options);
// Reports an object that is no longer in any manifest and would be deleted.
ObjectReport ReportPruned(const GroupVersionKind& gvk, const std::string& name_space, const std::string& name);

// Adds what is lost with the object: rights, hosts, limits of traffic, claims.
void AddFactsOfPruned(const Value& live, ObjectReport& report);

// Returns what ObjectReport::loses says of a StatefulSet with which its claims go; "" of others.
std::string_view HeldByClaims(const Value& live);
// Reports an object that could not be explained; `manifest` may be null if it could not be read.
ObjectReport ReportError(const Document& manifest, Error error);

// Frees the rows, and the documents that they and the patch point into. The rest stays.
void ForgetRows(ObjectReport& report);

// Fills in apiVersion, kind, names and source from a manifest.
ObjectReport DescribeObject(const Document& manifest);

}  // namespace smp::explain
