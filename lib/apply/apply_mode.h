// How apply writes an object: client-side, with the last-applied annotation, or server-side, where the annotations would
// be larger than the server accepts. Decided by reading alone, so that apply and explain-diff decide alike.
//
//   live                           the annotations fit              they are too large
//   absent                         create, with the annotation      server-side
//   annotation                     client-side                      migrate, server-side, remove the annotation
//   no annotation, Apply entry     server-side                      server-side
//   neither                        client-side                      migrate, server-side
//
// The Apply entry is that of our manager in metadata.managedFields. With RecordIn::kAnnotation such an object is applied
// client-side again, and one that is too large is refused.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/document.h"

namespace smp::apply {

struct Planning;
struct Prepared;

// TotalAnnotationSizeLimitB of k8s.io/apimachinery: bytes of the keys and values of all annotations of an object.
inline constexpr size_t kMaxAnnotationBytes = 262'144;

// Where apply records what it applied.
enum class RecordIn { kWhereItFits, kAnnotation };

struct ApplyMode {
  bool server_side = false;
  bool too_large = false;           // the annotations with last-applied would be
  size_t annotation_bytes = 0;      // with last-applied, live-only ones included
  bool removes_annotation = false;  // of last-applied, and its entry in managedFields
  bool goes_back = false;           // client-side again: our Apply entry becomes one of client-side apply
  // Client-side managers whose fields become ours before the apply, as far as last-applied names them.
  std::set<std::string> migrates = {};

  bool migration() const { return removes_annotation || !migrates.empty(); }
};

// Returns the size of an object's annotations as the server counts it.
size_t AnnotationBytes(const Value& object);

// Returns the entry of `manager` with operation Apply, not of a subresource; nullopt if `live` has none.
std::optional<Value> ApplyEntryOf(const Value& live, std::string_view manager);

// Returns what the entry owns in `live`, with the object's values, as a manifest.
Document OwnedBy(const Value& entry, const Document& live);

// Returns what the object's Apply entry of `manager` owns. nullopt if the object has a last-applied annotation, which is
// the record then, or no such entry.
std::optional<Document> ServerSideRecord(const Document& live, std::string_view manager);

// Returns true if the plan must be that of an object which client-side apply takes over from server-side apply.
bool GoesBack(const Prepared& prepared, const Planning& planning);

// REQUIRES: `prepared` has been planned client-side, if live exists.
ApplyMode ModeOf(const Prepared& prepared, const Planning& planning);

// Returns an error refused, with the ways out, if the mode is client-side only because RecordIn::kAnnotation was asked for
// and the annotations are too large.
Status CheckFits(const ApplyMode& mode, const Planning& planning);

// Returns metadata.managedFields as the apply will find them: those of live, or those after the migration. A client-side
// entry is first reduced to the fields that last-applied names, so that the apply removes no default, allocated value or
// injected field; without last-applied, nothing is left of it. Always has an entry of ours.
std::vector<Value> EntriesAfterMigration(const Prepared& prepared, const ApplyMode& mode, const std::string& manager,
                                         Arena& arena);

// Returns metadata.managedFields after ApplyMode::goes_back: our Apply entry belongs to the client-side manager.
std::vector<Value> EntriesAfterReturn(const Value& live, const std::string& manager, const std::string& client_side,
                                      Arena& arena);

}  // namespace smp::apply
