#include "edit/text_edit.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "edit/proof.h"
#include "edit/text_change.h"
#include "value/json.h"
#include "value/number.h"
#include "value/utf8.h"

namespace smp {

namespace {

constexpr size_t kLongestShown = 200;

std::string Quoted(std::string_view text) { return StrCat("\"", text, "\""); }

// The pointer up to before its step `size`, for messages.
std::string Above(const Pointer& pointer, size_t size) {
  std::string out;
  for (size_t i = 0; i < size; ++i) out += StrCat("/", EscapedToken(pointer[i]));
  return out.empty() ? "the document" : Quoted(out);
}

std::string All(const Pointer& pointer) { return Above(pointer, pointer.size()); }

std::string_view KindOf(const TextNode* node) {
  if (node->kind == TextNode::Kind::kMapping) return "a map";
  if (node->kind == TextNode::Kind::kSequence) return "a list";
  switch (node->value.kind()) {
    case Kind::kNull: return "null";
    case Kind::kBool: return "a boolean";
    case Kind::kString: return "a string";
    default: return "a number";
  }
}

Error At(const TextTree& tree, const TextNode* node, Error error) {
  if (node->in_text) error.source.line = LineAt(tree.text, node->begin);
  return error;
}

std::string Shown(const Value& value) {
  std::string text = WriteJson(value);
  if (text.size() <= kLongestShown) return text;
  return StrCat(Utf8Prefix(text, kLongestShown), "…");
}

// A whole number without a plus sign or leading zeros; negative ones count from the end.
std::optional<int64_t> ParseIndex(std::string_view token) {
  const std::string_view digits = token.starts_with('-') ? token.substr(1) : token;
  if (digits.empty() || (digits.front() == '0' && token.size() > 1)) return std::nullopt;
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return ParseInt64(token);
}

enum class Purpose { kFind, kInsert };

Result<size_t> IndexOf(const TextTree& tree, const TextNode* list, const Pointer& pointer, size_t step,
                       Purpose purpose) {
  const std::string& token = pointer[step];
  const size_t size = list->items->list.size();
  if (token == "-" && purpose == Purpose::kInsert) return size;
  const std::optional<int64_t> index = ParseIndex(token);
  if (!index) {
    return At(tree, list,
              Error::InvalidArgument(StrCat(Above(pointer, step), " is a list, and ", Quoted(token),
                                            " is no index; write a number from 0",
                                            purpose == Purpose::kInsert ? ", or - for the end" : "")));
  }
  const size_t places = purpose == Purpose::kInsert ? size + 1 : size;
  const int64_t at = *index < 0 ? *index + static_cast<int64_t>(places) : *index;
  if (at >= 0 && static_cast<size_t>(at) < places) return static_cast<size_t>(at);
  std::string what = StrCat("the list ", step == 0 ? std::string("of the document") : "at " + Above(pointer, step),
                            " has ", size, size == 1 ? " item" : " items", ", and index ", token, " is beyond its ",
                            *index < 0 ? "beginning" : "end");
  return At(tree, list, purpose == Purpose::kInsert ? Error::InvalidArgument(std::move(what)) : Error::NotFound(what));
}

Error NoMember(const TextTree& tree, const TextNode* mapping, const Pointer& pointer, size_t step) {
  constexpr size_t kMost = 8;
  std::vector<std::string> names;
  size_t count = 0;
  for (const TextEntry* entry : EffectiveMembers(mapping)) {
    if (++count <= kMost) names.push_back(Quoted(entry->spelling));
  }
  std::string has = count == 0 ? "it is empty" : StrCat("it has ", Join(names, ", "), count > kMost ? ", …" : "");
  return At(tree, mapping,
            Error::NotFound(StrCat("there is no ", Quoted(pointer[step]), " in ", Above(pointer, step), "; ", has)));
}

Error NoCollection(const TextTree& tree, const TextNode* node, const Pointer& pointer, size_t step) {
  std::string what = StrCat(step == 0 && node->value.is_null() ? std::string("the document is empty or null")
                                                               : StrCat(Above(pointer, step), " is ", KindOf(node)),
                            ", no map or list, so that ", All(pointer), " cannot be there");
  return At(tree, node, node->value.is_null() ? Error::NotFound(what) : Error::InvalidArgument(what));
}

const TextNode* MemberValue(const TextNode* mapping, std::string_view key) {
  const TextEntry* entry = FindEffective(mapping, key);
  return entry == nullptr ? nullptr : entry->value;
}

Result<const TextNode*> FindAbove(const TextTree& tree, const Pointer& pointer, size_t size) {
  const TextNode* node = tree.root;
  for (size_t step = 0; step < size; ++step) {
    node = Followed(node);
    if (node->kind == TextNode::Kind::kSequence) {
      SMP_ASSIGN(const size_t index, IndexOf(tree, node, pointer, step, Purpose::kFind));
      node = node->items->list.At(index)->value;
    } else if (node->kind == TextNode::Kind::kMapping) {
      const TextNode* value = MemberValue(node, pointer[step]);
      if (value == nullptr) return NoMember(tree, node, pointer, step);
      node = value;
    } else {
      return NoCollection(tree, node, pointer, step);
    }
  }
  return node;
}

// The parent of the place, which may be a copy that others share: for reading.
Result<const TextNode*> ParentOf(const TextTree& tree, const Pointer& pointer) {
  SMP_ASSIGN(const TextNode* parent, FindAbove(tree, pointer, pointer.size() - 1));
  parent = Followed(parent);
  if (!parent->is_collection()) return NoCollection(tree, parent, pointer, pointer.size() - 1);
  return parent;
}

// nullptr: there is none, or `<<` brings in the one that is meant.
TextEntry* OwnMember(const TextNode* mapping, std::string_view key) {
  TextEntry* own = FindMember(mapping, key);
  return own == FindEffective(mapping, key) ? own : nullptr;
}

// The entry of its own that a step needs: a member that `<<` brings in is copied into the mapping.
Result<TextEntry*> OwnEntry(TextTree& tree, TextNode* node, const Pointer& pointer, size_t step) {
  if (node->kind == TextNode::Kind::kSequence) {
    SMP_ASSIGN(const size_t index, IndexOf(tree, node, pointer, step, Purpose::kFind));
    return node->items->list.At(index);
  }
  if (TextEntry* entry = OwnMember(node, pointer[step])) return entry;
  const TextEntry* merged = FindMerged(node, pointer[step]);
  if (merged == nullptr) return NoMember(tree, node, pointer, step);
  SMP_ASSIGN(TextNode * copy, CopyOf(tree, merged->value));
  SMP_TRY(AppendMember(tree, node, pointer[step], copy));
  return OwnMember(node, pointer[step]);
}

// The parent of the place, for writing: on the way aliases are replaced by copies.
Result<TextNode*> OwnParent(TextTree& tree, const Pointer& pointer) {
  TextNode* node = tree.root;
  for (size_t step = 0; step + 1 < pointer.size(); ++step) {
    SMP_ASSIGN(TextEntry * entry, OwnEntry(tree, node, pointer, step));
    if (entry->value->kind == TextNode::Kind::kAlias) {
      SMP_ASSIGN(TextNode * copy, CopyOf(tree, entry->value));
      SMP_TRY(SetValue(tree, entry, copy));
    }
    node = entry->value;
  }
  return node;
}

bool HoldsSame(const TextNode* node, const TextNode* value) {
  Arena arena;
  return SameMeaning(ValueOf(node, arena), ValueOf(value, arena));
}

Status ReplaceRoot(TextTree& tree, TextNode* value) {
  if (!value->is_collection() && !value->value.is_null()) {
    return Error::InvalidArgument(
        StrCat("the whole document can be replaced by a map or a list, not by ", KindOf(value)));
  }
  if (HoldsSame(tree.root, value)) return Ok();
  return SetRoot(tree, value);
}

Status SetMember(TextTree& tree, const Pointer& pointer, TextNode* value) {
  SMP_ASSIGN(TextNode * parent, OwnParent(tree, pointer));
  TextEntry* entry = OwnMember(parent, pointer.back());
  return entry != nullptr ? SetValue(tree, entry, value) : AppendMember(tree, parent, pointer.back(), value);
}

// `value` is in no tree yet.
Status Add(TextTree& tree, const Pointer& pointer, TextNode* value) {
  if (pointer.empty()) return ReplaceRoot(tree, value);
  SMP_ASSIGN(const TextNode* parent, ParentOf(tree, pointer));
  if (parent->kind == TextNode::Kind::kMapping) {
    const TextNode* present = MemberValue(parent, pointer.back());
    if (present != nullptr && HoldsSame(present, value)) return Ok();
    return SetMember(tree, pointer, value);
  }
  SMP_ASSIGN(const size_t index, IndexOf(tree, parent, pointer, pointer.size() - 1, Purpose::kInsert));
  SMP_ASSIGN(TextNode * own, OwnParent(tree, pointer));
  return InsertItem(tree, own, index, value);
}

Status Replace(TextTree& tree, const Pointer& pointer, TextNode* value) {
  if (pointer.empty()) return ReplaceRoot(tree, value);
  SMP_ASSIGN(const TextNode* present, FindNode(tree, pointer));
  if (HoldsSame(present, value)) return Ok();
  SMP_ASSIGN(TextNode * own, OwnParent(tree, pointer));
  if (own->kind == TextNode::Kind::kMapping) return SetMember(tree, pointer, value);
  SMP_ASSIGN(const size_t index, IndexOf(tree, own, pointer, pointer.size() - 1, Purpose::kFind));
  return SetValue(tree, own->items->list.At(index), value);
}

Status Remove(TextTree& tree, const Pointer& pointer) {
  if (pointer.empty()) return Error::InvalidArgument("the whole document cannot be removed");
  SMP_TRY(FindNode(tree, pointer));
  SMP_ASSIGN(TextNode * own, OwnParent(tree, pointer));
  if (own->kind == TextNode::Kind::kMapping) return RemoveMember(tree, own, pointer.back());
  SMP_ASSIGN(const size_t index, IndexOf(tree, own, pointer, pointer.size() - 1, Purpose::kFind));
  return RemoveItem(tree, own, index);
}

Status Test(const TextTree& tree, const Pointer& pointer, const Value& wanted) {
  SMP_ASSIGN(const TextNode* node, FindNode(tree, pointer));
  Arena arena;
  const Value found = ValueOf(node, arena);
  if (SameMeaning(found, wanted)) return Ok();
  return At(tree, node,
            Error::Conflict(
                StrCat("the test of ", All(pointer), " failed: wanted ", Shown(wanted), ", found ", Shown(found))));
}

bool IsPrefix(const Pointer& prefix, const Pointer& pointer) {
  return prefix.size() <= pointer.size() && std::equal(prefix.begin(), prefix.end(), pointer.begin());
}

// The same place whose indices count from the front, so that it means the same after another operation.
Result<Pointer> WithPlainIndices(const TextTree& tree, Pointer pointer) {
  const TextNode* node = tree.root;
  for (size_t step = 0; step < pointer.size(); ++step) {
    node = Followed(node);
    if (node->kind == TextNode::Kind::kSequence) {
      SMP_ASSIGN(const size_t index, IndexOf(tree, node, pointer, step, Purpose::kFind));
      pointer[step] = std::to_string(index);
      node = node->items->list.At(index)->value;
    } else {
      node = MemberValue(node, pointer[step]);
    }
  }
  return pointer;
}

// Whether both lead to one place, by indices from either end; by then `source` counts from the front only.
bool IsSamePlace(const TextTree& tree, const Pointer& source, const Pointer& to) {
  if (to.size() != source.size() || to.empty() || to.back() != source.back() || !ParentOf(tree, to).ok()) return false;
  const auto above = WithPlainIndices(tree, Pointer(to.begin(), to.end() - 1));
  return above.ok() && std::equal(above->begin(), above->end(), source.begin());
}

// Where the second half of a move fails, what was removed comes back.
Status PutBack(TextTree& tree, const Pointer& pointer, TextNode* value) {
  SMP_ASSIGN(TextNode * parent, OwnParent(tree, pointer));
  if (parent->kind == TextNode::Kind::kMapping) return AppendMember(tree, parent, pointer.back(), value);
  SMP_ASSIGN(const size_t index, IndexOf(tree, parent, pointer, pointer.size() - 1, Purpose::kInsert));
  return InsertItem(tree, parent, index, value);
}

Status Move(TextTree& tree, const Pointer& from, const Pointer& to) {
  SMP_ASSIGN(const TextNode* node, FindNode(tree, from));
  if (from == to) return Ok();
  if (IsPrefix(from, to)) {
    return Error::InvalidArgument(StrCat(All(from), " cannot be moved into itself (", All(to), ")"));
  }
  SMP_ASSIGN(const Pointer source, WithPlainIndices(tree, from));
  if (IsSamePlace(tree, source, to)) return Ok();
  SMP_ASSIGN(TextNode * value, CopyOf(tree, node));
  SMP_TRY(Remove(tree, source));
  Status added = Add(tree, to, value);
  if (!added) SMP_TRY(PutBack(tree, source, value));
  return added;
}

Status Copy(TextTree& tree, const Pointer& from, const Pointer& to) {
  SMP_ASSIGN(const TextNode* node, FindNode(tree, from));
  SMP_ASSIGN(TextNode * value, CopyOf(tree, node));
  return Add(tree, to, value);
}

Result<Value> ValueOfEdit(const Edit& edit) {
  if (!edit.value) return Error::InvalidArgument("the operation needs a value");
  return *edit.value;
}

// RFC 7396: a null says that there shall be nothing.
Value WithoutNulls(const Value& value, Arena& arena) {
  if (!value.is_object()) return value;
  std::vector<Member> members;
  for (const Member& member : value.Members()) {
    if (!member.value.is_null()) members.push_back({member.name, WithoutNulls(member.value, arena)});
  }
  return arena.Object(std::move(members));
}

Status MergeMember(TextTree& tree, Pointer& at, const Value& value);

Status MergeMap(TextTree& tree, Pointer& at, const Value& patch) {
  for (const Member& member : patch.Members()) {
    at.emplace_back(member.name);
    SMP_TRY(MergeMember(tree, at, member.value));
    at.pop_back();
  }
  return Ok();
}

// The depth of `value` is limited (kMaxDepth), and so the recursion.
Status MergeMember(TextTree& tree, Pointer& at, const Value& value) {
  SMP_ASSIGN(const TextNode* parent, ParentOf(tree, at));
  const TextNode* present = MemberValue(parent, at.back());
  if (value.is_null()) return present == nullptr ? Ok() : Remove(tree, at);
  if (value.is_object() && present != nullptr && Followed(present)->kind == TextNode::Kind::kMapping) {
    return MergeMap(tree, at, value);
  }
  Arena arena;
  SMP_ASSIGN(TextNode * node, NodeOfValue(tree, WithoutNulls(value, arena)));
  return Add(tree, at, node);
}

}  // namespace

Result<const TextNode*> FindNode(const TextTree& tree, const Pointer& pointer) {
  return FindAbove(tree, pointer, pointer.size());
}

Status ApplyEdit(TextTree& tree, const Edit& edit) {
  SMP_ASSIGN(const Pointer path, ParseJsonPointer(edit.path));
  if (edit.kind == EditKind::kRemove) return Remove(tree, path);
  if (edit.kind == EditKind::kMove || edit.kind == EditKind::kCopy) {
    SMP_ASSIGN(const Pointer from, ParseJsonPointer(edit.from));
    return edit.kind == EditKind::kMove ? Move(tree, from, path) : Copy(tree, from, path);
  }
  SMP_ASSIGN(const Value value, ValueOfEdit(edit));
  if (edit.kind == EditKind::kTest) return Test(tree, path, value);
  SMP_ASSIGN(TextNode * node, NodeOfValue(tree, value));
  return edit.kind == EditKind::kAdd ? Add(tree, path, node) : Replace(tree, path, node);
}

Status MergeInto(TextTree& tree, const Value& patch) {
  if (!patch.is_object())
    return Error::InvalidArgument(StrCat("only a map can be merged, not ", KindName(patch.kind())));
  if (tree.root->kind == TextNode::Kind::kScalar) {  // null, which stands for an empty map
    Arena arena;
    const Value value = WithoutNulls(patch, arena);
    if (value.empty()) return Ok();
    SMP_ASSIGN(TextNode * node, NodeOfValue(tree, value));
    return SetRoot(tree, node);
  }
  if (tree.root->kind != TextNode::Kind::kMapping) {
    return Error::InvalidArgument("the document is a list, and only into a map can be merged");
  }
  Pointer at;
  return MergeMap(tree, at, patch);
}

}  // namespace smp
