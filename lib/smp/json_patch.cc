#include "smp/json_patch.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "value/equality.h"
#include "value/json.h"
#include "value/json_pointer.h"
#include "value/mutable_tree.h"

namespace smp {

namespace {

// Recursion is safe in this file: values are at most kMaxDepth deep.
size_t BytesOf(const Value& value) {
  size_t bytes = sizeof(Value) + (value.is_string() ? value.size() : 0);
  if (value.is_array()) {
    for (const Value& item : value.Items()) bytes += BytesOf(item);
  } else if (value.is_object()) {
    for (const Member& m : value.Members()) bytes += m.name.size() + BytesOf(m.value);
  }
  return bytes;
}

class Patcher {
 public:
  Patcher(const Value& target, Arena& arena) : tree_(target, arena) {}

  Status Apply(const Value& operation) {
    SMP_ASSIGN(const std::string_view op, Text(operation, "op"));
    SMP_ASSIGN(const JsonPointer path, Pointer(operation, "path"));
    if (op == "remove") return Changed(tree_.Remove(path));
    if (op == "move") return Move(path, operation);
    if (op == "copy") return Copy(path, operation);
    if (op != "add" && op != "replace" && op != "test") {
      return Error::PatchFormat(StrCat("unknown op \"", op, "\"; it must be add, remove, replace, move, copy or test"));
    }
    const Value* value = operation.Find("value");
    if (value == nullptr) return Error::PatchFormat("needs \"value\"");
    if (op == "add") return Changed(tree_.Add(path, *value));
    return op == "test" ? Test(path, *value) : Changed(tree_.Replace(path, *value));
  }

  Value Finish() { return tree_.root(); }

 private:
  static Result<std::string_view> Text(const Value& operation, std::string_view name) {
    const Value* text = operation.Find(name);
    if (text == nullptr || !text->is_string()) return Error::PatchFormat(StrCat("needs \"", name, "\", a string"));
    return text->AsString();
  }

  static Result<JsonPointer> Pointer(const Value& operation, std::string_view name) {
    SMP_ASSIGN(const std::string_view text, Text(operation, name));
    return ParseJsonPointer(text);
  }

  static Status Changed(const Result<MutableTree::Node*>& node) { return node.ok() ? Ok() : Status(node.error()); }

  Result<Value> Get(const JsonPointer& path) {
    SMP_ASSIGN(MutableTree::Node * node, tree_.Find(path));
    return tree_.Current(*node);
  }

  Status Move(const JsonPointer& path, const Value& operation) {
    SMP_ASSIGN(const JsonPointer from, Pointer(operation, "from"));
    SMP_ASSIGN(const Value value, Get(from));
    if (from == path) return Ok();
    // RFC 6902 section 4.4: "from" must not be a proper prefix of "path".
    if (path.size() > from.size() && std::equal(from.begin(), from.end(), path.begin())) {
      return Error::PatchFormat("a value cannot be moved into itself");
    }
    SMP_TRY(tree_.Remove(from));
    return Changed(tree_.Add(path, value));
  }

  Status Copy(const JsonPointer& path, const Value& operation) {
    SMP_ASSIGN(const JsonPointer from, Pointer(operation, "from"));
    SMP_ASSIGN(const Value value, Get(from));
    copied_bytes_ += BytesOf(value);
    if (copied_bytes_ > kMaxCopiedBytes) {
      return Error::Refused(StrCat("the copy operations copy more than ", kMaxCopiedBytes >> 20, " MiB"));
    }
    return Changed(tree_.Add(path, value));
  }

  Status Test(const JsonPointer& path, const Value& wanted) {
    SMP_ASSIGN(const Value value, Get(path));
    if (!SameByNumber(value, wanted)) return Error::Conflict("the value differs from the expected value");
    return Ok();
  }

  MutableTree tree_;
  size_t copied_bytes_ = 0;
};

// Prefixes the message with "operation 2 (remove /spec/x): ".
Error AtOperation(size_t number, const Value& operation, Error error) {
  if (error.code != ErrorCode::kConflict && error.code != ErrorCode::kRefused) error.code = ErrorCode::kPatchFormat;
  error.message = StrCat("operation ", number, " (", operation.StringOr("op", "?"), " ",
                         WriteJson(Value::UnownedString(operation.StringOr("path"))), "): ", error.message);
  return error;
}

// Collects the operations that turn one map into another.
class Operations {
 public:
  explicit Operations(Arena& arena) : arena_(arena) {}

  void Between(const Value& live, const Value& outcome, const std::string& path) {
    for (const Member& m : live.Members()) {
      if (outcome.Find(m.name) == nullptr) Add("remove", Below(path, m.name), nullptr);
    }
    for (const Member& m : outcome.Members()) {
      const Value* there = live.Find(m.name);
      if (there == nullptr) {
        Add("add", Below(path, m.name), &m.value);
      } else if (there->is_object() && m.value.is_object()) {
        Between(*there, m.value, Below(path, m.name));
      } else if (*there != m.value) {
        Add("replace", Below(path, m.name), &m.value);
      }
    }
  }

  Value Take() { return arena_.Array(operations_); }

 private:
  static std::string Below(const std::string& path, std::string_view name) {
    return StrCat(path, "/", EscapedToken(name));
  }

  void Add(std::string_view op, const std::string& path, const Value* value) {
    std::vector<Member> members = {{"op", Value::UnownedString(op)}, {"path", arena_.String(path)}};
    if (value != nullptr) members.push_back({"value", *value});
    operations_.push_back(arena_.Object(std::move(members)));
  }

  Arena& arena_;
  std::vector<Value> operations_;
};

}  // namespace

Result<Value> ApplyJsonPatch(const Value& target, const Value& patch, Arena& arena) {
  if (!patch.is_array()) return Error::PatchFormat("a JSON patch must be a list of operations");
  if (patch.size() > kMaxPatchOperations) {
    return Error::Refused(
        StrCat("a JSON patch may have ", kMaxPatchOperations, " operations; this one has ", patch.size()));
  }
  Patcher patcher(target, arena);
  for (size_t i = 0; i < patch.size(); ++i) {
    const Value& operation = patch.Items()[i];
    if (auto status = patcher.Apply(operation); !status.ok())
      return AtOperation(i + 1, operation, std::move(status).error());
  }
  return patcher.Finish();
}

Value CreateJsonPatch(const Value& live, const Value& outcome, Arena& arena) {
  Operations operations(arena);
  operations.Between(live, outcome, {});
  return operations.Take();
}

}  // namespace smp
