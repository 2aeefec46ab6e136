// --batch: JSON lines in, JSON lines out. One line answers one line, in the same order, flushed at once, so that a
// program can keep the tool running and ask it; a line that cannot be answered is an error for that line only.
//
//   {"id":7,"target":{…},"patch":{…}}   →   {"id":7,"result":{…}}   or
//   {"id":7,"error":{"code":"merge-key","path":"spec.x","message":"…"}}
#ifndef SMP_CMD_BATCH_H_
#define SMP_CMD_BATCH_H_

#include <functional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cmd/command.h"
#include "value/document.h"

namespace smp {

inline constexpr size_t kMaxBatchLine = 64UL << 20;

// The members of the answer behind `id`, in this order. Their values live in the request or in the arena.
using BatchHandler = std::function<Result<std::vector<Member>>(const Value& request, Arena& arena)>;

// Until the input ends. The exit status: kExitOk, unless the input cannot be read or the output not be written.
int RunBatch(Io& io, const BatchHandler& handler);

// Parts of a request. A null counts as absent. Errors: invalid-argument, with the name as path.
Result<const Value*> ObjectOrAbsent(const Value& request, std::string_view name);  // nullptr: absent
Result<const Value*> ObjectIn(const Value& request, std::string_view name);
Result<std::string_view> TextOr(const Value& request, std::string_view name, std::string_view fallback);
Result<bool> BoolOr(const Value& request, std::string_view name, bool fallback);

// Error: invalid-argument, naming the first of `names` that was given beside --batch.
Status RefuseBesideBatch(const ParsedFlags& flags, const std::vector<std::string>& names);

}  // namespace smp

#endif  // SMP_CMD_BATCH_H_
