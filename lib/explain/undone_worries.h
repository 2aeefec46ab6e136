// What there is to worry about in what others have set: what an apply undoes of it, what it takes away, and what it keeps.
#pragma once

#include <set>

#include "base/name_some.h"
#include "explain/report.h"
#include "explain/worries.h"

namespace smp::explain {

// The rows that undo what others have set. Of a document in a text this is expensive to find out, so that it is done once an
// object.
using UndoingRows = std::set<const ReportRow*>;
UndoingRows RowsThatUndo(const ObjectReport& object);

// Returns who of others owns what a row changes.
NamesOnce OthersOf(const ReportRow& row, const ObjectReport& object);

// Adds "replicas 3 → 1; by kubectl-edit 5m ago".
void AddUndone(const ObjectReport& object, const UndoingRows& undone, FoundWorries& out);

// Returns false for what a webhook says of when it is asked: that gives nobody anything.
bool IsPrivilege(const FieldPath& path);

// Adds "limits memory: 512Mi; by kubectl-set": what somebody set by hand, or with another tool, and what stays.
void AddKept(const ObjectReport& object, FoundWorries& out);

// Adds "by kubectl-edit 5m ago" of an object that is deleted with what they set.
void AddDeletedOfOthers(const ObjectReport& object, FoundWorries& out);

}  // namespace smp::explain
