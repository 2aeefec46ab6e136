// The parts of one object's block in the text for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explain/changed_fields.h"
#include "explain/report.h"
#include "explain/text.h"
#include "explain/text_rows.h"
#include "explain/worries.h"
#include "value/document.h"

namespace smp::explain {

// Returns "Deployment default/web: will change (web.yaml:1)" and a newline, of a failure "! Deployment …". `action`: ActionWords.
std::string PrintHead(const ObjectReport& object, std::string_view action, const TextOptions& options);

// What a body leaves out that differs between the objects that share it.
struct LeftOut {
  bool lines = false;      // where the manifest sets a value
  bool container = false;  // the name of the only container whose fields change: "‹container›" instead
  bool name = false;       // the object's own name in values and keys: a placeholder instead (own_name.h)
};

// Returns "[name=web]" if the rows of the object change fields of this container only, and none is added or removed; else
// "".
std::string OnlyContainer(const ObjectReport& object);

// Returns "web.yaml:7"; "" if the source is unknown.
std::string PlaceOf(const Source& source, const TextOptions& options);

// `arena` holds values that the row points to, if they are no part of the report.
TextRow ToTextRow(const ReportRow& row, const ObjectReport& object, const LeftOut& left_out, const TextOptions& options,
                  Arena& arena);

// Returns why the object is sent as another patch than the usual one; "".
std::string PatchNote(const ObjectReport& object);

// Returns the changes, and why the patch is not the plain one. Of an object with an error, returns the error and the names
// of the fields that do not change because of it; with `wide`, their rows, too.
std::string PrintBody(const ObjectReport& object, const LeftOut& left_out, const TextOptions& options);

// What the text says of an object's rows beside their lines, so that it does not need the rows.
struct AboutRows {
  bool any = false;
  std::string_view action;  // ActionWords, which depend on the rows
  size_t changes = 0;
  ChangedFieldsInWords changed_fields;
  bool says_who_applied = false;  // below the rows
  bool only_metadata = false;     // nothing else changes
  bool one_file = false;          // of a ConfigMap or Secret; nothing else changes but metadata
  bool may_start_pods = false;    // a custom resource that changes an image
  FoundWorries worries = {};      // WorriesOf
};
AboutRows DescribeRows(const ObjectReport& object);

// Returns the lines about what other managers set in the objects, which have the same body; with their names where not all of the
// objects have it.
std::string PrintFieldsOfOthers(const std::vector<const ObjectReport*>& objects, const TextOptions& options);

// Returns "last applied by kubectl-client-side-apply (Update; last write 3d ago)": the newest write of each manager. ""
// if none is known. REQUIRES: !objects.empty().
std::string LastApplied(const std::vector<const ObjectReport*>& objects);

// Returns the warnings, and why there is no answer of the server.
std::vector<std::string> Remarks(const ObjectReport& object);

}  // namespace smp::explain
