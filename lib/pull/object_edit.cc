#include "pull/object_edit.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/line_diff.h"
#include "base/strings.h"
#include "edit/inner_document.h"
#include "edit/text_edit.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/path_match.h"
#include "value/redact.h"
#include "value/utf8.h"

namespace smp::pull {

namespace {

using edit::Draft;
using edit::TextNode;

JsonPointer Below(JsonPointer at, std::string token) {
  at.push_back(std::move(token));
  return at;
}

// --- Where a path leads

// Returns the position of the item that the step names; nullopt if there is none.
std::optional<size_t> FindItem(const Value& list, const PathStep& step) {
  const Value* item = ValueAt(list, {step});
  if (item == nullptr) return std::nullopt;
  return static_cast<size_t>(item - list.Items().data());
}

// Returns the position for an item that only live has: after the nearest item before it in live that the list has.
size_t PlaceOfNew(const Value& list, const Change& change) {
  const auto live = change.live_list == nullptr ? std::span<const Value>() : change.live_list->Items();
  const auto step_of = [&](const Value& item) {
    return item.is_object() ? KeyStep(item, change.keys) : PathStep::Element(item);
  };
  const auto at = change.live_list == nullptr ? std::nullopt : FindItem(*change.live_list, change.path.back());
  if (!at) return list.size();
  for (size_t i = *at; i-- > 0;) {
    if (const auto before = FindItem(list, step_of(live[i]))) return *before + 1;
  }
  return 0;
}

// Where a change is made: the pointer to a value that is there, or that can be added to what is there.
struct Spot {
  JsonPointer at;
  const Value* present = nullptr;  // nullptr: nothing is there yet
  bool is_item = false;
};

Error NotThere(const FieldPath& path, size_t steps) {
  const FieldPath above(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(steps));
  return Error::NotFound(StrCat("the file has no ", ToString(above)));
}

// Returns the name of a field. In a path that somebody wrote, a quoted name may mean one, too.
std::string NameOf(const PathStep& step) {
  const bool quoted = step.kind == PathStep::Kind::kElement && step.element.size() >= 2;
  return quoted ? step.element.substr(1, step.element.size() - 2) : step.name;
}

// Goes down one step. Returns false if nothing is there.
bool Descend(Spot& spot, const PathStep& step) {
  const Value& parent = *spot.present;
  spot.is_item = parent.is_array();
  if (!spot.is_item) {
    const std::string name = NameOf(step);
    spot.at.push_back(name);
    spot.present = parent.Find(name);
    return spot.present != nullptr;
  }
  const auto index = FindItem(parent, step);
  if (index) spot.at.push_back(std::to_string(*index));
  spot.present = index ? &parent.Items()[*index] : nullptr;
  return index.has_value();
}

// Wraps the value into the maps and lists that are missing above it.
Value Wrapped(const FieldPath& path, size_t first_missing, Value value, Arena& arena) {
  for (size_t i = path.size(); i-- > first_missing;) {
    const PathStep& step = path[i];
    value = step.kind == PathStep::Kind::kField ? arena.Object({{arena.Copy(step.name), value}})
                                                : arena.Array(std::vector<Value>{value});
  }
  return value;
}

// --- stringData

bool IsData(const FieldPath& path) {
  return path.size() == 2 && path[0].name == "data" && path[1].kind == PathStep::Kind::kField;
}

// Returns the change as the file of a Secret has it: in stringData, decoded, if the key is there or data is not.
Result<Change> AsInFile(const Value& object, const Change& change, Arena& arena) {
  if (!IsSecret(object) || !IsData(change.path)) return change;
  const Value* texts = object.Find("stringData");
  const Value* data = object.Find("data");
  const std::string& key = change.path[1].name;
  const bool in_texts = texts != nullptr && texts->Find(key) != nullptr;
  const bool in_data = data != nullptr && data->Find(key) != nullptr;
  if (!in_texts && (in_data || texts == nullptr || data != nullptr)) return change;
  Change out = change;
  out.path[0].name = "stringData";
  if (!change.value) return out;
  const auto decoded = change.value->is_string() ? DecodeBase64(change.value->AsString()) : std::nullopt;
  if (!decoded || !IsValidUtf8(*decoded)) {
    return Error::Refused("live's value is no text, which stringData cannot hold; move the key to data");
  }
  out.value = arena.String(*decoded);
  return out;
}

// --- Aliases

std::string AnchorLine(const edit::TextTree& tree, const TextNode* anchored) {
  return StrCat("line ", edit::LineAt(tree.text, anchored->begin));
}

bool HasUsers(const edit::TextTree& tree, const TextNode* node) {
  return node->anchored && tree.users.contains(node) && !tree.users.at(node).empty();
}

// Returns why the draft's text must not be written alone; "" if it may.
std::string WhyShared(const edit::TextTree& tree, const Draft& draft) {
  if (draft.place == nullptr) return "";
  const TextNode* written = draft.place->value;
  if (draft.merged) {
    return StrCat("the value is merged by << from ", AnchorLine(tree, written), "; change it by hand where it belongs");
  }
  if (written->kind == TextNode::Kind::kAlias) {
    return StrCat("the value is an alias (", AnchorLine(tree, written), ") of that on ",
                  AnchorLine(tree, written->target), "; change it by hand where it belongs");
  }
  if (HasUsers(tree, written)) {
    return StrCat("the value has an anchor on ", AnchorLine(tree, written), " and is used on ",
                  AnchorLine(tree, tree.users.at(written).front()), ", too; change it by hand");
  }
  return "";
}

// Returns an anchored node in the draft's text that is used elsewhere; nullptr if there is none.
const TextNode* SharedInside(const edit::TextTree& tree, const Draft& draft) {
  if (draft.place == nullptr) return nullptr;
  const auto inside = std::ranges::find_if(tree.anchored, [&](const TextNode* node) {
    return node->begin >= draft.place->begin && node->begin < draft.place->end && HasUsers(tree, node);
  });
  return inside == tree.anchored.end() ? nullptr : *inside;
}

}  // namespace

Result<int> DocumentEdit::Apply(const JsonPointer& object, const Change& asked, Arena& arena) {
  line_ = 0;
  SMP_ASSIGN(MutableTree::Node * node, wanted_.Find(object));
  const Value root = wanted_.Current(*node);
  SMP_ASSIGN(const Change change, AsInFile(root, asked, arena));
  Spot spot = {object, &root};
  size_t steps = 0;
  while (steps < change.path.size() && spot.present != nullptr && !spot.present->is_scalar()) {
    const Value* parent = spot.present;
    if (Descend(spot, change.path[steps++])) continue;
    if (!change.value) return NotThere(change.path, steps);
    const bool is_item = parent->is_array();
    if (is_item && steps < change.path.size()) return NotThere(change.path, steps);
    if (is_item) spot.at.push_back(std::to_string(PlaceOfNew(*parent, change)));
    SMP_TRY(Put(spot.at, Wrapped(change.path, steps, *change.value, arena), arena));
    return line_;
  }
  if (steps < change.path.size()) return NotThere(change.path, steps);
  SMP_TRY(change.value ? Rewrite(spot.at, *spot.present, *change.value, arena) : Remove(spot.at));
  return line_;
}

Status DocumentEdit::Put(const JsonPointer& at, const Value& value, Arena& arena) {
  return Add(at, *arena.Keep(value));
}

// The recursion is bounded by the parser's kMaxDepth.
Status DocumentEdit::Rewrite(const JsonPointer& at, const Value& from, const Value& to, Arena& arena) {
  if (from == to) return Ok();
  if (from.is_object() && to.is_object() && !from.empty() && !to.empty()) return RewriteMap(at, from, to, arena);
  if (from.is_array() && to.is_array() && !from.empty() && !to.empty()) return RewriteList(at, from, to, arena);
  return Replace(at, *arena.Keep(to));
}

Status DocumentEdit::RewriteMap(const JsonPointer& at, const Value& from, const Value& to, Arena& arena) {
  for (const Member& m : to.Members()) {
    const Value* present = from.Find(m.name);
    const JsonPointer below = Below(at, std::string(m.name));
    SMP_TRY(present == nullptr ? Put(below, m.value, arena) : Rewrite(below, *present, m.value, arena));
  }
  for (const Member& m : from.Members()) {
    if (to.Find(m.name) == nullptr) SMP_TRY(Remove(Below(at, std::string(m.name))));
  }
  return Ok();
}

// Items that are equal stay. One that another takes the place of is rewritten, so that what they share stays, too.
Status DocumentEdit::RewriteList(const JsonPointer& at, const Value& from, const Value& to, Arena& arena) {
  std::map<std::string, uint32_t> numbers;
  const auto numbered = [&](const Value& list) {
    std::vector<uint32_t> out;
    for (const Value& item : list.Items()) {
      out.push_back(numbers.try_emplace(WriteJson(item), static_cast<uint32_t>(numbers.size())).first->second);
    }
    return out;
  };
  const std::vector<uint32_t> before = numbered(from), after = numbered(to);
  const std::vector<LineEdit> edits = DiffLines(before, after);
  using Kind = LineEdit::Kind;
  size_t index = 0;
  for (size_t i = 0; i < edits.size();) {
    if (edits[i].kind == Kind::kKeep) {
      ++index;
      ++i;
      continue;
    }
    std::vector<size_t> removed, added;
    for (; i < edits.size() && edits[i].kind == Kind::kRemove; ++i) removed.push_back(edits[i].before);
    for (; i < edits.size() && edits[i].kind == Kind::kAdd; ++i) added.push_back(edits[i].after);
    const size_t both = std::min(removed.size(), added.size());
    for (size_t k = 0; k < both; ++k, ++index) {
      SMP_TRY(Rewrite(Below(at, std::to_string(index)), from.Items()[removed[k]], to.Items()[added[k]], arena));
    }
    for (size_t k = both; k < removed.size(); ++k) SMP_TRY(Remove(Below(at, std::to_string(index))));
    for (size_t k = both; k < added.size(); ++k, ++index) {
      SMP_TRY(Put(Below(at, std::to_string(index)), to.Items()[added[k]], arena));
    }
  }
  return Ok();
}

// --- Operations

Status DocumentEdit::Add(const JsonPointer& at, const Value& value) {
  SMP_TRY(CheckIsAlone(at));
  SMP_TRY(edit::ApplyEdit(draft_, {edit::EditKind::kAdd, ToString(at), {}, value}));
  SMP_TRY(wanted_.Add(at, value));
  return Ok();
}

Status DocumentEdit::Replace(const JsonPointer& at, const Value& value) {
  SMP_TRY(CheckIsAlone(at));
  SMP_TRY(edit::ApplyEdit(draft_, {edit::EditKind::kReplace, ToString(at), {}, value}));
  SMP_TRY(wanted_.Replace(at, value));
  return Ok();
}

Status DocumentEdit::Remove(const JsonPointer& at) {
  SMP_TRY(CheckIsAlone(at));
  SMP_TRY(edit::ApplyEdit(draft_, {edit::EditKind::kRemove, ToString(at)}));
  SMP_TRY(wanted_.Remove(at));
  return Ok();
}

// Error: refused, if other values would have to be written, too, because the text shares them by anchors and aliases.
Status DocumentEdit::CheckIsAlone(const JsonPointer& at) {
  const edit::TextTree& tree = *draft_.tree;
  for (size_t size = 0; size <= at.size(); ++size) {
    const JsonPointer prefix(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(size));
    const auto draft = edit::FindDraft(draft_, prefix);
    if (!draft.ok()) break;
    if (std::string why = WhyShared(tree, **draft); !why.empty()) return Error::Refused(std::move(why));
    if (size < at.size()) continue;
    if (const TextNode* shared = SharedInside(tree, **draft)) {
      return Error::Refused(
          StrCat("the anchor on ", AnchorLine(tree, shared), " is used elsewhere; change it by hand"));
    }
  }
  Note(at);
  return Ok();
}

// Remembers the line of the first operation of a change.
void DocumentEdit::Note(const JsonPointer& at) {
  if (line_ > 0) return;
  for (size_t size = at.size() + 1; size-- > 0 && line_ == 0;) {
    const JsonPointer prefix(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(size));
    const auto draft = edit::FindDraft(draft_, prefix);
    if (!draft.ok() || (*draft)->place == nullptr) continue;
    const edit::TextEntry& place = *(*draft)->place;
    line_ = edit::LineAt(draft_.tree->text, size == at.size() ? place.begin : place.end);
  }
}

}  // namespace smp::pull
