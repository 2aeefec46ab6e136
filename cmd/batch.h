// --batch: JSON lines in, JSON lines out. Each input line gets one output line, in the same order. Lines that are there already are
// answered on all processors; no answer waits for a line that is not there yet, so that a program can keep the tool running and send it
// requests. A request that cannot be answered causes an error for its line only.
//
//   {"id":7,"target":{…},"patch":{…}}   →   {"id":7,"result":{…}}   or
//   {"id":7,"error":{"code":"merge-key","path":"spec.x","message":"…"}}
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cmd/command.h"
#include "value/document.h"

namespace smp::cmd {

inline constexpr size_t kMaxBatchLine = 64UL << 20;

// Returns the members of the answer after `id`, in output order. Their values live in the request or in the arena. Called by several
// threads at once.
using BatchHandler = std::function<Result<std::vector<Member>>(const Value& request, Arena& arena)>;

// Answers requests until the input ends. Returns kExitOk unless the input cannot be read or the output cannot be
// written.
int RunBatch(Io& io, const BatchHandler& handler);

// Read the member `name` of a request. A null counts as absent. Errors: invalid-argument, with `name` as the path.
Result<const Value*> ObjectOrAbsent(const Value& request, std::string_view name);  // nullptr if absent
Result<const Value*> ObjectIn(const Value& request, std::string_view name);
Result<std::string_view> TextOr(const Value& request, std::string_view name, std::string_view fallback);
Result<bool> BoolOr(const Value& request, std::string_view name, bool fallback);

// Error: invalid-argument for the first of the flags `names` that was given although --batch does not allow it.
Status RefuseBesideBatch(const ParsedFlags& flags, const std::vector<std::string>& names);

}  // namespace smp::cmd
