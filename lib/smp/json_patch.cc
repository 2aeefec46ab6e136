#include "smp/json_patch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "value/json.h"
#include "value/json_pointer.h"

namespace smp {

namespace {

using Pointer = std::vector<std::string_view>;  // reference tokens, unescaped

struct OpenNode;

// A value, or an array or object that is being changed. Only what lies on the path of an operation is opened, so that
// an operation costs the length of its path and not the size of the document.
struct Node {
  Value value;
  std::unique_ptr<OpenNode> open;
};

struct OpenNode {
  Kind kind;
  std::map<std::string_view, Node> members;
  std::vector<Node> items;
};

void Open(Node& node) {
  if (node.open != nullptr || node.value.is_scalar()) return;
  auto open = std::make_unique<OpenNode>();
  open->kind = node.value.kind();
  if (node.value.is_array()) {
    for (const Value& item : node.value.Items()) open->items.push_back({item, nullptr});
  } else {
    for (const Member& m : node.value.Members())
      open->members.emplace_hint(open->members.end(), m.name, Node{m.value, {}});
  }
  node.open = std::move(open);
}

// The node's value as it is now; it is closed by that, so that asking again costs nothing.
const Value& Close(Node& node, Arena& arena) {
  if (node.open == nullptr) return node.value;
  if (node.open->kind == Kind::kArray) {
    std::vector<Value> items;
    for (Node& item : node.open->items) items.push_back(Close(item, arena));
    node.value = arena.Array(items);
  } else {
    std::vector<Member> members;
    for (auto& [name, member] : node.open->members) members.push_back({name, Close(member, arena)});
    node.value = arena.SortedObject(members);
  }
  node.open.reset();
  return node.value;
}

// Levels of arrays and objects. Recursion is safe in this file: inputs are at most kMaxDepth deep, and nothing is put
// in that would exceed it.
size_t Height(const Value& value) {
  size_t below = 0;
  if (value.is_array()) {
    for (const Value& item : value.Items()) below = std::max(below, Height(item));
  } else if (value.is_object()) {
    for (const Member& m : value.Members()) below = std::max(below, Height(m.value));
  }
  return value.is_scalar() ? 0 : below + 1;
}

size_t BytesOf(const Value& value) {
  size_t bytes = sizeof(Value) + (value.is_string() ? value.size() : 0);
  if (value.is_array()) {
    for (const Value& item : value.Items()) bytes += BytesOf(item);
  } else if (value.is_object()) {
    for (const Member& m : value.Members()) bytes += m.name.size() + BytesOf(m.value);
  }
  return bytes;
}

bool SameNumber(int64_t i, double d) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63, the first double beyond int64
  return d >= -kLimit && d < kLimit && std::trunc(d) == d && static_cast<int64_t>(d) == i;
}

// RFC 6902 section 4.6: numbers are equal if they are numerically equal, so 1 and 1.0 are (unlike ==).
bool Equal(const Value& a, const Value& b) {
  if (a.is_int() && b.is_double()) return SameNumber(a.AsInt(), b.AsDouble());
  if (a.is_double() && b.is_int()) return SameNumber(b.AsInt(), a.AsDouble());
  if (a.kind() != b.kind()) return false;
  if (a.is_array()) return std::equal(a.Items().begin(), a.Items().end(), b.Items().begin(), b.Items().end(), Equal);
  if (!a.is_object()) return a == b;
  const auto same = [](const Member& x, const Member& y) { return x.name == y.name && Equal(x.value, y.value); };
  return std::equal(a.Members().begin(), a.Members().end(), b.Members().begin(), b.Members().end(), same);
}

// RFC 6901 section 4: ~1 is /, ~0 is ~, and nothing else may follow a ~.
Result<std::string_view> Unescaped(std::string_view token, Arena& arena) {
  if (token.find('~') == std::string_view::npos) return token;
  std::string out;
  for (size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      out += token[i];
      continue;
    }
    const char code = i + 1 < token.size() ? token[++i] : '\0';
    if (code != '0' && code != '1')
      return Error::PatchFormat("in a JSON pointer ~ is followed by 0 (for ~) or 1 (for /)");
    out += code == '0' ? '~' : '/';
  }
  return arena.Copy(out);
}

Result<Pointer> ParsePointer(std::string_view text, Arena& arena) {
  Pointer out;
  if (text.empty()) return out;
  if (text.front() != '/') return Error::PatchFormat("a JSON pointer is empty or begins with /");
  if (std::count(text.begin(), text.end(), '/') > kMaxDepth) {
    return Error::PatchFormat(StrCat("the JSON pointer has more than ", kMaxDepth, " parts"));
  }
  for (const std::string_view token : Split(text.substr(1), '/')) {
    SMP_ASSIGN(const std::string_view name, Unescaped(token, arena));
    out.push_back(name);
  }
  return out;
}

Result<size_t> ParseIndex(std::string_view token) {
  const std::optional<size_t> index = ParseListIndex(token);
  if (!index) return Error::PatchFormat(StrCat("\"", token, "\" is no index of a list"));
  return *index;
}

Error NoSuchMember(std::string_view name) { return Error::PatchFormat(StrCat("there is no member \"", name, "\"")); }

Error NoSuchItem(size_t index, size_t size) {
  return Error::PatchFormat(StrCat("there is no item ", index, ": the list has ", size));
}

class Patcher {
 public:
  Patcher(const Value& target, Arena& arena) : arena_(arena), root_{target, nullptr} {}

  Status Apply(const Value& operation) {
    SMP_ASSIGN(const std::string_view op, Text(operation, "op"));
    SMP_ASSIGN(const std::string_view path_text, Text(operation, "path"));
    SMP_ASSIGN(const Pointer path, ParsePointer(path_text, arena_));
    if (op == "add") return AddValue(path, operation);
    if (op == "remove") return Remove(path);
    if (op == "replace") return Replace(path, operation);
    if (op == "move") return Move(path, operation);
    if (op == "copy") return Copy(path, operation);
    if (op == "test") return Test(path, operation);
    return Error::PatchFormat(StrCat("unknown op \"", op, "\"; it must be add, remove, replace, move, copy or test"));
  }

  Value Finish() { return Close(root_, arena_); }

 private:
  static Result<std::string_view> Text(const Value& operation, std::string_view name) {
    const Value* text = operation.Find(name);
    if (text == nullptr || !text->is_string()) return Error::PatchFormat(StrCat("needs \"", name, "\", a string"));
    return text->AsString();
  }

  static Result<const Value*> ValueOf(const Value& operation) {
    const Value* value = operation.Find("value");
    if (value == nullptr) return Error::PatchFormat("needs \"value\"");
    return value;
  }

  Result<Pointer> From(const Value& operation) {
    SMP_ASSIGN(const std::string_view text, Text(operation, "from"));
    return ParsePointer(text, arena_);
  }

  static Result<Node*> Child(Node& node, std::string_view token) {
    Open(node);
    if (node.open == nullptr) return Error::PatchFormat(StrCat("nothing is below a ", KindName(node.value.kind())));
    if (node.open->kind == Kind::kObject) {
      const auto at = node.open->members.find(token);
      if (at == node.open->members.end()) return NoSuchMember(token);
      return &at->second;
    }
    SMP_ASSIGN(const size_t index, ParseIndex(token));
    if (index >= node.open->items.size()) return NoSuchItem(index, node.open->items.size());
    return &node.open->items[index];
  }

  Result<Node*> Walk(Pointer::const_iterator begin, Pointer::const_iterator end) {
    Node* node = &root_;
    for (auto token = begin; token != end; ++token) {
      SMP_ASSIGN(node, Child(*node, *token));
    }
    return node;
  }

  Result<Node*> Find(const Pointer& path) { return Walk(path.begin(), path.end()); }
  // REQUIRES: !path.empty().
  Result<Node*> FindParent(const Pointer& path) { return Walk(path.begin(), path.end() - 1); }

  static Status CheckDepth(const Pointer& path, const Value& value) {
    if (path.size() + Height(value) <= kMaxDepth) return Ok();
    return Error::Refused(StrCat("the result would be nested deeper than ", kMaxDepth, " levels"));
  }

  Status Insert(const Pointer& path, const Value& value) {
    SMP_TRY(CheckDepth(path, value));
    if (path.empty()) {
      root_ = {value, nullptr};
      return Ok();
    }
    SMP_ASSIGN(Node * parent, FindParent(path));
    Open(*parent);
    if (parent->open == nullptr)
      return Error::PatchFormat(StrCat("nothing can be put below a ", KindName(parent->value.kind())));
    if (parent->open->kind == Kind::kObject) {
      parent->open->members[path.back()] = {value, nullptr};
      return Ok();
    }
    std::vector<Node>& items = parent->open->items;
    size_t index = items.size();
    if (path.back() != "-") {
      SMP_ASSIGN(index, ParseIndex(path.back()));
    }
    if (index > items.size()) return NoSuchItem(index, items.size());
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(index), Node{value, nullptr});
    return Ok();
  }

  Result<Node> Take(const Pointer& path) {
    if (path.empty()) return Error::PatchFormat("the whole document cannot be removed");
    SMP_ASSIGN(Node * parent, FindParent(path));
    SMP_ASSIGN(Node * child, Child(*parent, path.back()));
    Node taken = std::move(*child);
    if (parent->open->kind == Kind::kObject) {
      parent->open->members.erase(path.back());
    } else {
      parent->open->items.erase(parent->open->items.begin() + (child - parent->open->items.data()));
    }
    return taken;
  }

  Status AddValue(const Pointer& path, const Value& operation) {
    SMP_ASSIGN(const Value* value, ValueOf(operation));
    return Insert(path, *value);
  }

  Status Remove(const Pointer& path) {
    SMP_TRY(Take(path));
    return Ok();
  }

  Status Replace(const Pointer& path, const Value& operation) {
    SMP_ASSIGN(const Value* value, ValueOf(operation));
    SMP_ASSIGN(Node * node, Find(path));
    SMP_TRY(CheckDepth(path, *value));
    *node = {*value, nullptr};
    return Ok();
  }

  Status Move(const Pointer& path, const Value& operation) {
    SMP_ASSIGN(const Pointer from, From(operation));
    SMP_ASSIGN(Node * source, Find(from));
    if (from == path) return Ok();
    // RFC 6902 section 4.4: "from" must not be a proper prefix of "path".
    if (path.size() > from.size() && std::equal(from.begin(), from.end(), path.begin())) {
      return Error::PatchFormat("a value cannot be moved into itself");
    }
    const Value value = Close(*source, arena_);
    SMP_TRY(Take(from));
    return Insert(path, value);
  }

  Status Copy(const Pointer& path, const Value& operation) {
    SMP_ASSIGN(const Pointer from, From(operation));
    SMP_ASSIGN(Node * source, Find(from));
    const Value value = Close(*source, arena_);
    copied_bytes_ += BytesOf(value);
    if (copied_bytes_ > kMaxCopiedBytes) {
      return Error::Refused(StrCat("the copy operations copy more than ", kMaxCopiedBytes >> 20, " MiB"));
    }
    return Insert(path, value);
  }

  Status Test(const Pointer& path, const Value& operation) {
    SMP_ASSIGN(const Value* value, ValueOf(operation));
    SMP_ASSIGN(Node * node, Find(path));
    if (!Equal(Close(*node, arena_), *value)) return Error::Conflict("the value is another one than the test expects");
    return Ok();
  }

  Arena& arena_;
  Node root_;
  size_t copied_bytes_ = 0;
};

// "operation 2 (remove /spec/x): …"
Error AtOperation(size_t number, const Value& operation, Error error) {
  error.message = StrCat("operation ", number, " (", operation.StringOr("op", "?"), " ",
                         WriteJson(Value::UnownedString(operation.StringOr("path"))), "): ", error.message);
  return error;
}

// Collects the operations on maps.
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
  if (!patch.is_array()) return Error::PatchFormat("a JSON patch is a list of operations");
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
