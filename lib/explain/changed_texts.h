// Says in a few words what differs between two lists of texts, such as the arguments of a program, or between two texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "value/value.h"

namespace smp::explain {

// Returns "--level info → debug, drop --old, add --new=1", of images "solver v1.14 → v1.15". Of more than `longest` bytes, returns what is
// added and removed as numbers, "--level info → debug, 3 added, 1 removed", or all of it. "" if a value is no list of texts, if one is
// very long, or if only the order differs. With `applied`, what was applied last, returns only what undoes a change of live.
std::string ChangeOfTexts(const Value& before, const Value& after, size_t longest, const Value* applied = nullptr);

// Returns "worker_processes 1; → 4;" where one line changes, "+ gzip on;" where one is new, "-4 lines: server { …" where some go. Where
// that has more than `longest` bytes, returns only the words that change, "+ gzip", or "+3 -1 lines". "" if the texts are equal.
std::string ChangeOfLines(std::string_view before, std::string_view after, size_t longest);

// Returns only the lines that undo a change of live: "worker_processes 8 → 2", "- gzip on;", "+ gzip on;" where live lost a line.
// "" if nobody can tell.
std::string ChangeOfLinesUndone(std::string_view live, std::string_view after, std::string_view applied,
                                size_t longest);

// Returns "+ ^lxc" for words that a long line gains, "- a" for those that it loses, "a → b"; "" if several parts differ.
std::string ChangeWithinLine(std::string_view before, std::string_view after);

// Returns "-dedicated=gpu:NoSchedule, +all taints" of two lists of tolerations, whose items say little by themselves: first what is no
// longer tolerated.
std::string ChangeOfTolerations(const Value& before, const Value& after);

}  // namespace smp::explain
