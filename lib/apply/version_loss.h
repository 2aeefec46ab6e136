// Fields of a custom resource for which a version has no place: a write in that version loses them, and so does any write if objects are
// stored in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apply/prepare.h"
#include "value/document.h"
#include "value/path.h"

namespace smp::apply {

struct LostFields {
  std::vector<FieldPath> paths;
  Document object;  // in which they are
};

// Returns the CRD of the input by which objects will be read and stored as they are; nullptr: none, or a webhook converts them.
const Value* PlainDefinition(const kube::ObjectRef& ref, const Target& target);

// Removes the fields of live that its new version has no place for, and returns them: whoever writes it in that version loses them.
LostFields RemoveUnknownFields(const Prepared& prepared, Document& live);

// Adds the fields to Prepared::lost and lost_values, and "VERSION has no place for …WORDS" to its notes, if something is written.
void NoteLost(Prepared& prepared, const LostFields& lost, const std::string& version, std::string_view words);

// A version of the input's CRD in which objects will be stored may have no place for what another one has.
void NoteLossInStorage(Prepared& prepared, const Target& target);

// Looks for fields of live that the version in which it is stored has, and the manifest's has no place for. Where the group has other
// versions and something is written, reads the CRD, and live once more. Not where a webhook converts objects, nor where the CRD may not be
// read.
void NoteLossByWrite(Prepared& prepared, const Target& target);

}  // namespace smp::apply
