// The parts of one object's block in the text for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "explain/report.h"
#include "explain/text.h"
#include "explain/text_rows.h"
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

}  // namespace smp::explain
