// What there is to worry about where the schemas of a CRD change.
#pragma once

#include <string_view>

#include "explain/report.h"
#include "explain/worries.h"

namespace smp::explain {

inline constexpr std::string_view kPreserve = "preserveUnknownFields";  // of the spec of a CRD

// Adds what the new versions of a CRD refuse, drop or set; `row` changes spec.versions.
void AddSchemas(const ReportRow& row, FoundWorries& out);

// Adds "unknown fields in all objects" to the fields that the schemas drop: a CRD of the first API may keep what no schema describes.
void AddUnknownGone(const ObjectReport& object, FoundWorries& out);

// Of what changes in a schema, tells only what hurts an object that exists.
void TellHits(const HitObjects& hits, FoundWorries& out);

}  // namespace smp::explain
