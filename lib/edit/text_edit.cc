#include "edit/text_edit.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "value/equality.h"
#include "value/json.h"
#include "value/number.h"
#include "value/utf8.h"

namespace smp::edit {

namespace {

constexpr size_t kLongestShown = 200;

std::string Quoted(std::string_view text) { return StrCat("\"", text, "\""); }

// Returns the first `size` tokens of the pointer, for messages.
std::string Above(const JsonPointer& pointer, size_t size) {
  std::string out;
  for (size_t i = 0; i < size; ++i) out += StrCat("/", EscapedToken(pointer[i]));
  return out.empty() ? "the document" : Quoted(out);
}

std::string All(const JsonPointer& pointer) { return Above(pointer, pointer.size()); }

std::string_view KindOf(const Draft& draft) {
  if (IsMap(draft)) return "a map";
  if (IsList(draft)) return "a list";
  switch (ScalarOf(draft).kind()) {
    case Kind::kNull: return "null";
    case Kind::kBool: return "a boolean";
    case Kind::kString: return "a string";
    default: return "a number";
  }
}

bool IsNull(const Draft& draft) { return !IsCollection(draft) && ScalarOf(draft).is_null(); }

Error At(const DraftDocument& document, const Draft& draft, Error error) {
  if (draft.origin != nullptr) error.source.line = LineAt(document.tree->text, draft.origin->begin);
  return error;
}

std::string Shown(const Value& value) { return CutEnd(WriteJson(value), kLongestShown); }

// --- Places

enum class Purpose { kFind, kInsert };

// What a pointer points to: a member or item, which may be absent, of the last of `parents`.
struct Place {
  std::vector<Draft*> parents;  // from the root down
  size_t index = 0;             // in a list
  std::string_view name = {};   // in a map
  Draft* present = nullptr;     // nullptr: no such member, or an item will be inserted here

  Draft& parent() const { return *parents.back(); }
};

// Parses a list index without plus sign or leading zeros; negative ones count from the end. nullopt if it is invalid.
std::optional<int64_t> ParseIndex(std::string_view token) {
  const std::string_view digits = token.substr(token.starts_with('-') ? 1 : 0);
  if (!ParseListIndex(digits) || token == "-0") return std::nullopt;
  return ParseInt64(token);
}

Result<size_t> IndexOf(const DraftDocument& document, Draft& list, const JsonPointer& pointer, size_t step,
                       Purpose purpose) {
  const std::string& token = pointer[step];
  const size_t size = Opened(list).list.size();
  if (token == "-" && purpose == Purpose::kInsert) return size;
  const std::optional<int64_t> index = ParseIndex(token);
  if (!index) {
    return At(document, list,
              Error::InvalidArgument(StrCat(Above(pointer, step), " is a list, and ", Quoted(token),
                                            " is not an index; use a number from 0",
                                            purpose == Purpose::kInsert ? ", or - for the end" : "")));
  }
  const size_t places = purpose == Purpose::kInsert ? size + 1 : size;
  const int64_t at = *index < 0 ? *index + static_cast<int64_t>(places) : *index;
  if (at >= 0 && static_cast<size_t>(at) < places) return static_cast<size_t>(at);
  std::string what = StrCat("the list ", step == 0 ? std::string("of the document") : "at " + Above(pointer, step),
                            " has ", size, size == 1 ? " item" : " items", ", and index ", token, " is beyond its ",
                            *index < 0 ? "beginning" : "end");
  return At(document, list,
            purpose == Purpose::kInsert ? Error::InvalidArgument(std::move(what)) : Error::NotFound(what));
}

Error NoMember(const DraftDocument& document, Draft& map, const JsonPointer& pointer, size_t step) {
  constexpr size_t kMost = 8;
  std::vector<std::string> names;
  for (const Draft* member : ChildrenOf(map)) {
    if (names.size() == kMost) break;
    names.push_back(Quoted(member->key_from != nullptr ? member->key_from->spelling : member->name));
  }
  const bool more = Opened(map).members.size() > kMost;
  std::string has = names.empty() ? "it is empty" : StrCat("it has ", Join(names, ", "), more ? ", …" : "");
  return At(document, map,
            Error::NotFound(StrCat("there is no ", Quoted(pointer[step]), " in ", Above(pointer, step), "; ", has)));
}

Error NoCollection(const DraftDocument& document, const Draft& draft, const JsonPointer& pointer, size_t step) {
  std::string what = StrCat(step == 0 && IsNull(draft) ? std::string("the document is empty or null")
                                                       : StrCat(Above(pointer, step), " is ", KindOf(draft)),
                            ", not a map or list, so ", All(pointer), " cannot exist");
  return At(document, draft, IsNull(draft) ? Error::NotFound(what) : Error::InvalidArgument(what));
}

// Sets `place` to what the pointer's token number `step` names in the last of the parents.
Status Descend(const DraftDocument& document, Place& place, const JsonPointer& pointer, size_t step, Purpose purpose) {
  Draft& parent = place.parent();
  place.present = nullptr;
  if (IsList(parent)) {
    SMP_ASSIGN(place.index, IndexOf(document, parent, pointer, step, purpose));
    if (purpose == Purpose::kFind) place.present = Opened(parent).list.At(place.index);
    return Ok();
  }
  if (!IsMap(parent)) return NoCollection(document, parent, pointer, step);
  place.present = FindMember(parent, pointer[step]);
  place.name = place.present != nullptr ? place.present->name : std::string_view(pointer[step]);
  if (place.present == nullptr && purpose == Purpose::kFind) return NoMember(document, parent, pointer, step);
  return Ok();
}

// With kInsert, only the parent must exist. REQUIRES: the pointer is not empty, and outlives the result.
Result<Place> FindPlace(DraftDocument& document, const JsonPointer& pointer, Purpose purpose) {
  Place place;
  place.present = &document.root;
  for (size_t step = 0; step < pointer.size(); ++step) {
    place.parents.push_back(place.present);
    const bool last = step + 1 == pointer.size();
    SMP_TRY(Descend(document, place, pointer, step, last ? purpose : Purpose::kFind));
  }
  return place;
}

// --- Changes

// Marks the drafts as changed. Returns those that were not marked before.
std::vector<Draft*> MarkChanged(const std::vector<Draft*>& drafts) {
  std::vector<Draft*> marked;
  for (Draft* draft : drafts) {
    if (!std::exchange(draft->changed, true)) marked.push_back(draft);
  }
  return marked;
}

Status Spend(DraftDocument& document, const DraftSize& size) {
  document.nodes += size.nodes;
  document.bytes += size.bytes;
  if (document.nodes <= kMaxTextNodes && document.bytes <= kMaxInputBytes) return Ok();
  return Error::InvalidArgument("the operations would make the document too large");
}

Status CheckDepth(const Place& place, const Draft& value) {
  if (place.parents.size() + SizeOf(value).height <= static_cast<size_t>(kMaxDepth)) return Ok();
  return Error::InvalidArgument(StrCat("the operations would nest the document deeper than ", kMaxDepth, " levels"));
}

Result<Draft> NewDraft(DraftDocument& document, const Value& value) {
  Draft draft;
  draft.value = DeepCopy(value, document.arena);
  SMP_TRY(Spend(document, SizeOf(draft)));
  return draft;
}

Result<Draft> SpentCopy(DraftDocument& document, const Draft& draft) {
  SMP_TRY(Spend(document, SizeOf(draft)));
  return CopyOf(draft);
}

// Replaces a value. If `<<` merges it, the map gets a member of its own instead.
void Assign(Draft& present, Draft value, DraftItems* siblings) {
  if (present.merged) {
    present.place = nullptr;
    present.key_from = nullptr;
    present.merged = false;
    present.order = siblings->next_order++;
  }
  present.origin = value.origin;
  present.value = value.value;
  present.changed = value.changed;
  present.items = std::move(value.items);
}

void Insert(DraftDocument& document, const Place& place, Draft value) {
  DraftItems& siblings = Opened(place.parent());
  auto child = std::make_unique<Draft>(std::move(value));
  if (!siblings.is_map) return siblings.list.Insert(place.index, std::move(child));
  child->name = ValidCopy(place.name, document.arena);
  child->order = siblings.next_order++;
  siblings.members.emplace(child->name, std::move(child));
}

bool HoldsSame(const Draft& draft, const Draft& value) {
  Arena arena;
  return SameByNumber(ValueOf(draft, arena), ValueOf(value, arena));
}

Status Set(DraftDocument& document, const Place& place, Draft value) {
  if (place.present != nullptr && HoldsSame(*place.present, value)) return Ok();
  SMP_TRY(CheckDepth(place, value));
  MarkChanged(place.parents);
  if (place.present == nullptr) {
    Insert(document, place, std::move(value));
  } else {
    Assign(*place.present, std::move(value), &Opened(place.parent()));
  }
  return Ok();
}

Status ReplaceRoot(DraftDocument& document, Draft value) {
  if (!IsCollection(value) && !IsNull(value)) {
    return Error::InvalidArgument(
        StrCat("the whole document can only be replaced by a map or a list, not by ", KindOf(value)));
  }
  if (!HoldsSame(document.root, value)) Assign(document.root, std::move(value), nullptr);
  return Ok();
}

// --- Operations

Status Add(DraftDocument& document, const JsonPointer& pointer, Draft value) {
  if (pointer.empty()) return ReplaceRoot(document, std::move(value));
  SMP_ASSIGN(const Place place, FindPlace(document, pointer, Purpose::kInsert));
  return Set(document, place, std::move(value));
}

Status Replace(DraftDocument& document, const JsonPointer& pointer, Draft value) {
  if (pointer.empty()) return ReplaceRoot(document, std::move(value));
  SMP_ASSIGN(const Place place, FindPlace(document, pointer, Purpose::kFind));
  return Set(document, place, std::move(value));
}

std::unique_ptr<Draft> Take(const Place& place) {
  DraftItems& siblings = Opened(place.parent());
  if (!siblings.is_map) return siblings.list.Take(place.index);
  const auto at = siblings.members.find(place.name);
  std::unique_ptr<Draft> taken = std::move(at->second);
  siblings.members.erase(at);
  return taken;
}

void PutBack(const Place& place, std::unique_ptr<Draft> taken) {
  DraftItems& siblings = Opened(place.parent());
  if (!siblings.is_map) return siblings.list.Insert(place.index, std::move(taken));
  siblings.members.emplace(taken->name, std::move(taken));
}

Status Remove(DraftDocument& document, const JsonPointer& pointer) {
  if (pointer.empty()) return Error::InvalidArgument("the whole document cannot be removed");
  SMP_ASSIGN(const Place place, FindPlace(document, pointer, Purpose::kFind));
  MarkChanged(place.parents);
  Take(place);
  return Ok();
}

Status Test(DraftDocument& document, const JsonPointer& pointer, const Value& wanted) {
  SMP_ASSIGN(const Draft* draft, FindDraft(document, pointer));
  Arena arena;
  const Value found = ValueOf(*draft, arena);
  if (SameByNumber(found, wanted)) return Ok();
  return At(document, *draft,
            Error::Conflict(
                StrCat("the test of ", All(pointer), " failed: expected ", Shown(wanted), ", found ", Shown(found))));
}

bool IsPrefix(const JsonPointer& prefix, const JsonPointer& pointer) {
  return prefix.size() <= pointer.size() && std::equal(prefix.begin(), prefix.end(), pointer.begin());
}

Status Move(DraftDocument& document, const JsonPointer& from, const JsonPointer& to) {
  SMP_TRY(FindDraft(document, from));
  if (from == to) return Ok();
  if (IsPrefix(from, to)) {
    return Error::InvalidArgument(StrCat(All(from), " cannot be moved into itself (", All(to), ")"));
  }
  SMP_ASSIGN(const Place source, FindPlace(document, from, Purpose::kFind));
  const Result<Draft*> present = FindDraft(document, to);
  if (present.ok() && *present == source.present) return Ok();
  SMP_ASSIGN(Draft value, SpentCopy(document, *source.present));
  // Take the value before adding it, because Add may replace one of the parents.
  const std::vector<Draft*> marked = MarkChanged(source.parents);
  std::unique_ptr<Draft> taken = Take(source);
  Status added = Add(document, to, std::move(value));
  if (added.ok()) return added;
  PutBack(source, std::move(taken));
  for (Draft* draft : marked) draft->changed = false;
  return added;
}

Status Copy(DraftDocument& document, const JsonPointer& from, const JsonPointer& to) {
  SMP_ASSIGN(const Draft* draft, FindDraft(document, from));
  SMP_ASSIGN(Draft value, SpentCopy(document, *draft));
  return Add(document, to, std::move(value));
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

Status MergeMember(DraftDocument& document, JsonPointer& at, const Value& value);

Status MergeMap(DraftDocument& document, JsonPointer& at, const Value& patch) {
  for (const Member& member : patch.Members()) {
    at.emplace_back(member.name);
    SMP_TRY(MergeMember(document, at, member.value));
    at.pop_back();
  }
  return Ok();
}

// The recursion is bounded by the depth limit of values (kMaxDepth).
Status MergeMember(DraftDocument& document, JsonPointer& at, const Value& value) {
  SMP_ASSIGN(const Place place, FindPlace(document, at, Purpose::kInsert));
  if (value.is_null()) return place.present == nullptr ? Ok() : Remove(document, at);
  if (value.is_object() && place.present != nullptr && IsMap(*place.present)) return MergeMap(document, at, value);
  Arena arena;
  SMP_ASSIGN(Draft draft, NewDraft(document, WithoutNulls(value, arena)));
  return Set(document, place, std::move(draft));
}

}  // namespace

Result<Draft*> FindDraft(DraftDocument& document, const JsonPointer& pointer) {
  SMP_ASSIGN(const Place place, FindPlace(document, pointer, Purpose::kFind));
  return place.present;
}

Status Rearrange(DraftDocument& document, const JsonPointer& pointer, const std::vector<ItemSource>& items) {
  SMP_ASSIGN(const Place place, FindPlace(document, pointer, Purpose::kFind));
  std::vector<std::unique_ptr<Draft>> added(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].index) continue;
    SMP_ASSIGN(Draft draft, NewDraft(document, items[i].value));
    SMP_TRY(CheckDepth(place, draft));
    added[i] = std::make_unique<Draft>(std::move(draft));
  }
  MarkChanged(place.parents);
  place.present->changed = true;
  DraftList& list = Opened(*place.present).list;
  std::vector<std::unique_ptr<Draft>> former = list.TakeAll();
  for (size_t i = 0; i < items.size(); ++i) {
    list.Insert(i, items[i].index ? std::move(former[*items[i].index]) : std::move(added[i]));
  }
  return Ok();
}

Status ApplyEdit(DraftDocument& document, const Edit& edit) {
  SMP_ASSIGN(const JsonPointer path, ParseJsonPointer(edit.path));
  if (edit.kind == EditKind::kRemove) return Remove(document, path);
  if (edit.kind == EditKind::kMove || edit.kind == EditKind::kCopy) {
    SMP_ASSIGN(const JsonPointer from, ParseJsonPointer(edit.from));
    return edit.kind == EditKind::kMove ? Move(document, from, path) : Copy(document, from, path);
  }
  if (!edit.value) return Error::InvalidArgument("the operation needs a value");
  if (edit.kind == EditKind::kTest) return Test(document, path, *edit.value);
  SMP_ASSIGN(Draft draft, NewDraft(document, *edit.value));
  return edit.kind == EditKind::kAdd ? Add(document, path, std::move(draft))
                                     : Replace(document, path, std::move(draft));
}

Status MergeInto(DraftDocument& document, const Value& patch) {
  if (!patch.is_object())
    return Error::InvalidArgument(StrCat("only a map can be merged, not ", KindName(patch.kind())));
  if (IsList(document.root)) {
    return Error::InvalidArgument("the document is a list; values can only be merged into a map");
  }
  JsonPointer at;
  if (IsMap(document.root)) return MergeMap(document, at, patch);
  Arena arena;
  const Value value = WithoutNulls(patch, arena);
  if (value.empty()) return Ok();  // the document is null, which counts as an empty map
  SMP_ASSIGN(Draft draft, NewDraft(document, value));
  return ReplaceRoot(document, std::move(draft));
}

}  // namespace smp::edit
