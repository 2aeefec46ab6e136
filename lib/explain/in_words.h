// What all formats for people say of objects and reports, in a few words. Nothing is escaped here: each format does that
// in its own way.
#pragma once

#include <string>
#include <string_view>

#include "explain/report.h"

namespace smp::explain {

std::string NameOf(const ObjectReport& object);  // "Deployment default/web"; the file if it could not be read

std::string_view ActionWords(const ObjectReport& object);  // "will change"
std::string_view CountedAs(Action action);                 // "to change"
std::string CountObjects(const Report& report);  // "3 objects: 1 to change, 2 unchanged; 4 ignored (.smpignore)"
std::string CountIgnored(const Report& report);  // "4 ignored (--ignore, .smpignore)"; "" if there are none

// Says where the two sides of a comparison are: two lines "there: context a, …", "here:  context b, …", escaped; empty otherwise.
std::string ComparedPlaces(const Report& report);
std::string ContextWords(const ReportContext& context);  // "context a, server https://…, user b, namespace c"

// What the report does not say: what the server would make of it, objects that only other manifests had, fields that only live has. "" if that is all.
std::string NotAsked(const Report& report);
bool MayLeaveObjects(const Report& report);  // an upgrade without --prune
enum class LeftLength { kAll, kBrief };      // kBrief: fewer names, and only "edited" where others changed something
std::string LeftObjects(const Report& report,
                        LeftLength length = LeftLength::kAll);  // of such an upgrade, or that nobody looked for them
std::string OnlyInLive(const Report& report);
std::string NotCompared(const Report& report);  // fields that differ, but not by what anybody decided

}  // namespace smp::explain
