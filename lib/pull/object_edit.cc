#include "pull/object_edit.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/strings.h"
#include "edit/inner_document.h"
#include "edit/text_edit.h"
#include "pull/item_pairs.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/redact.h"
#include "value/utf8.h"

namespace smp::pull {

namespace {

using edit::Draft;
using edit::ItemSource;
using edit::TextNode;

JsonPointer Below(JsonPointer at, std::string token) {
  at.push_back(std::move(token));
  return at;
}

JsonPointer Above(const JsonPointer& at) { return {at.begin(), at.end() - 1}; }

JsonPointer ItemAt(const JsonPointer& list, size_t index) { return Below(list, std::to_string(index)); }

Error NotThere(const Change& change) { return Error::NotFound(StrCat("the file has no ", ToString(change.path))); }

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

std::string Line(const edit::LineNumbers& lines, size_t at) { return StrCat("line ", lines.At(at)); }

bool HasUsers(const edit::TextTree& tree, const TextNode* node) {
  return node->anchored && tree.users.contains(node) && !tree.users.at(node).empty();
}

// Returns why the draft's text must not be written alone; "" if it may.
std::string WhyShared(const edit::TextTree& tree, const edit::LineNumbers& lines, const Draft& draft) {
  if (draft.place == nullptr) return "";
  const TextNode* written = draft.place->value;
  if (draft.merged) {
    return StrCat("the value is merged by << from ", Line(lines, written->begin),
                  "; change it by hand where it belongs");
  }
  if (written->kind == TextNode::Kind::kAlias) {
    return StrCat("the value is an alias (", Line(lines, written->begin), ") of that on ",
                  Line(lines, written->target->begin), "; change it by hand where it belongs");
  }
  if (HasUsers(tree, written)) {
    return StrCat("the value has an anchor on ", Line(lines, written->begin), " and is used on ",
                  Line(lines, tree.users.at(written).front()->begin), ", too; change it by hand");
  }
  return "";
}

// Returns an anchored node in the draft's text that is used elsewhere; nullptr if there is none.
const TextNode* SharedInside(const edit::TextTree& tree, const Draft& draft) {
  if (draft.place == nullptr) return nullptr;
  const auto begins = [](const TextNode* node) { return node->begin; };
  auto at = std::ranges::lower_bound(tree.anchored, draft.place->begin, {}, begins);
  for (; at != tree.anchored.end() && (*at)->begin < draft.place->end; ++at) {
    if (HasUsers(tree, *at)) return *at;
  }
  return nullptr;
}

// --- Lists

// Returns where each item of `to` comes from. An item that takes the place of another is rewritten there, so that what both
// have in common stays as it is written.
std::vector<ItemSource> SourcesOf(const Value& from, const Value& to) {
  std::vector<ItemSource> out;
  const auto pairs = PairItems(from.Items(), to.Items());
  for (size_t i = 0; i < pairs.size(); ++i) out.push_back({pairs[i], to.Items()[i]});
  return out;
}

bool LeavesOrder(const std::vector<ItemSource>& items, size_t size) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].index != i) return false;
  }
  return items.size() == size;
}

}  // namespace

bool DocumentEdit::Apply(const JsonPointer& at, const Value& object, const explain::KindOfObject& kind,
                         std::span<Written> changes) {
  failed_ = false;
  LeaveHalves(changes);
  std::deque<Change> in_file;
  ChangeTree tree;
  for (Written& written : changes) {
    if (!written.why.empty()) continue;
    Result<Change> change = AsInFile(object, *written.change, arena_);
    if (change.ok()) {
      tree.Add(in_file.emplace_back(*std::move(change)), written);
    } else {
      Note(written, Status(std::move(change).error()), 0);
    }
  }
  EditPresent(tree, at, object, Spot::Of(kind));
  LeaveHalves(changes);
  return !failed_;
}

// Of changes that belong together, all or none are made.
void DocumentEdit::LeaveHalves(std::span<Written> changes) {
  std::set<size_t> broken;
  for (const Written& written : changes) {
    if (!written.why.empty() && written.change->group != 0) broken.insert(written.change->group);
  }
  for (Written& written : changes) {
    if (!broken.contains(written.change->group)) continue;
    const bool in_map = written.change->path.back().kind == PathStep::Kind::kField;
    Note(written,
         Error::Refused(
             StrCat("it belongs to another change of this ", in_map ? "map" : "list", ", which cannot be written")),
         0);
  }
}

// --- Down the object. The recursion is bounded by the parser's kMaxDepth.

void DocumentEdit::EditPresent(const ChangeTree& tree, const JsonPointer& at, const Value& present, const Spot& spot) {
  if (tree.change != nullptr) {
    const int line = LineOf(at);
    return Note(tree, tree.sets() ? Rewrite(at, present, *tree.change->value) : Remove(at), line);
  }
  if (present.is_object()) return EditMembers(tree, at, present, spot);
  if (present.is_array()) return EditItems(tree, at, present, spot);
  if (present.is_null() && !tree.children.empty()) return AddAbsent(tree, at, true);
  tree.ForEach([&](Written& written) { Note(written, NotThere(*written.change), 0); });
}

void DocumentEdit::EditMembers(const ChangeTree& tree, const JsonPointer& at, const Value& map, const Spot& spot) {
  for (const auto& [step, child] : tree.children) {
    const std::string name = NameOf(step);
    const Value* member = map.Find(name);
    const JsonPointer below = Below(at, name);
    member == nullptr ? AddAbsent(*child, below, false) : EditPresent(*child, below, *member, spot.Member(name));
  }
}

// `null`: the file has a null there.
void DocumentEdit::AddAbsent(const ChangeTree& tree, const JsonPointer& at, bool null) {
  const std::optional<Value> value = Built(tree);
  if (!value) return;
  const int line = null ? LineOf(at) : EndOf(Above(at));
  Note(tree, null ? Replace(at, *value) : Add(at, *value), line);
}

// Returns a value that has all that the changes set; nullopt, with their reasons, if there is nothing to set it in.
std::optional<Value> DocumentEdit::Built(const ChangeTree& tree) {
  if (tree.sets()) return tree.change->value;
  const auto is_field = [](const ChangeTree::Child& child) { return child.step.kind == PathStep::Kind::kField; };
  const bool is_map = std::ranges::all_of(tree.children, is_field);
  const bool is_list = std::ranges::all_of(tree.children, [](const auto& child) { return child.tree->sets(); });
  if (tree.change != nullptr || (!is_map && !is_list)) {
    tree.ForEach([&](Written& written) { Note(written, NotThere(*written.change), 0); });
    return std::nullopt;
  }
  std::vector<Member> members;
  std::vector<Value> items;
  for (const auto& [step, child] : tree.children) {
    const std::optional<Value> value = Built(*child);
    if (value && is_map) members.push_back({arena_.Copy(step.name), *value});
    if (value && !is_map) items.push_back(*value);
  }
  if (members.empty() && items.empty()) return std::nullopt;
  return is_map ? arena_.Object(std::move(members)) : arena_.Array(items);
}

// --- Lists

struct DocumentEdit::Placed {
  std::vector<size_t> removed;                                      // positions
  std::unordered_map<std::string, size_t> renamed;                  // positions by the identity in live
  std::unordered_map<std::string, const ChangeTree*> added;         // by identity
  std::vector<std::pair<std::string, const ChangeTree*>> in_order;  // those of `added`
};

void DocumentEdit::EditItems(const ChangeTree& tree, const JsonPointer& at, const Value& list, const Spot& spot) {
  const ItemIndex index(list, spot);
  Placed placed;
  for (const auto& [step, child] : tree.children) {
    const bool renames = child->change != nullptr && child->change->instead_of.has_value();
    const std::vector<size_t> found = index.Find(renames ? *child->change->instead_of : step);
    if (found.size() > 1) {
      Note(*child, SeveralItems(at, found), 0);
    } else if (found.empty() && !renames && child->sets()) {
      placed.in_order.emplace_back(IdentityOf(step, spot), child.get());
    } else if (found.empty()) {
      child->ForEach([&](Written& written) { Note(written, NotThere(*written.change), 0); });
    } else if (child->change != nullptr && !child->sets()) {
      const int line = LineOf(ItemAt(at, found.front()));
      const Status may_go = CheckMayGo(ItemAt(at, found.front()));
      if (may_go.ok()) placed.removed.push_back(found.front());
      Note(*child, may_go, line);
    } else {
      if (renames) placed.renamed.emplace(IdentityOf(step, spot), found.front());
      EditPresent(*child, ItemAt(at, found.front()), list.Items()[found.front()], spot.Item());
    }
  }
  if (!placed.removed.empty() || !placed.in_order.empty()) Arrange(placed, at, list, index, spot);
}

Status DocumentEdit::SeveralItems(const JsonPointer& list, const std::vector<size_t>& found) {
  std::vector<std::string> lines;
  for (const size_t i : found) lines.push_back(std::to_string(LineOf(ItemAt(list, i))));
  return Error::Refused(StrCat("the file has this item ", lines.size(), " times, on lines ", Join(lines, ", "),
                               "; leave one of them, or change the file by hand"));
}

// Takes items out, and puts new ones where live has them: after the nearest item before them in live that the file has.
void DocumentEdit::Arrange(const Placed& placed, const JsonPointer& at, const Value& list, const ItemIndex& index,
                           const Spot& spot) {
  std::vector<bool> stays(list.size(), true);
  for (const size_t i : placed.removed) stays[i] = false;
  std::unordered_map<std::string, const ChangeTree*> added(placed.in_order.begin(), placed.in_order.end());
  std::vector<std::vector<const ChangeTree*>> after(list.size() + 1);  // the new items after the first N of the file
  const Value* live = placed.in_order.empty() ? nullptr : placed.in_order.front().second->change->live_list;
  size_t place = 0;
  for (const Value& item : live == nullptr ? std::span<const Value>() : live->Items()) {
    const std::string identity = IdentityOf(item, spot);
    const std::vector<size_t>& there = index.Find(identity);
    const auto renamed = placed.renamed.find(identity);
    if (renamed != placed.renamed.end()) {
      place = renamed->second + 1;
    } else if (there.size() == 1 && stays[there.front()]) {
      place = there.front() + 1;
    } else if (const auto is_new = added.find(identity); is_new != added.end()) {
      after[place].push_back(is_new->second);
      added.erase(is_new);
    }
  }
  for (const auto& [identity, tree] : placed.in_order) {
    if (added.contains(identity)) after.back().push_back(tree);
  }
  std::vector<ItemSource> items;
  for (size_t i = 0; i <= list.size(); ++i) {
    for (const ChangeTree* tree : after[i]) {
      tree->written->line = i == 0 ? LineOf(at) : EndOf(ItemAt(at, i - 1));
      items.push_back({std::nullopt, *tree->change->value});
    }
    if (i < list.size() && stays[i]) items.push_back({i});
  }
  const Status done = Rearrange(at, items);
  if (done.ok()) return;
  for (const auto& [identity, tree] : placed.in_order) Note(*tree, done, 0);
}

// --- Values

Status DocumentEdit::Rewrite(const JsonPointer& at, const Value& from, const Value& to) {
  if (from == to) return Ok();
  if (from.is_object() && to.is_object() && !from.empty() && !to.empty()) return RewriteMap(at, from, to);
  if (from.is_array() && to.is_array() && !from.empty() && !to.empty()) return RewriteList(at, from, to);
  return Replace(at, to);
}

Status DocumentEdit::RewriteMap(const JsonPointer& at, const Value& from, const Value& to) {
  for (const Member& m : to.Members()) {
    const Value* present = from.Find(m.name);
    const JsonPointer below = Below(at, std::string(m.name));
    SMP_TRY(present == nullptr ? Add(below, m.value) : Rewrite(below, *present, m.value));
  }
  for (const Member& m : from.Members()) {
    if (to.Find(m.name) == nullptr) SMP_TRY(Remove(Below(at, std::string(m.name))));
  }
  return Ok();
}

Status DocumentEdit::RewriteList(const JsonPointer& at, const Value& from, const Value& to) {
  const std::vector<ItemSource> items = SourcesOf(from, to);
  if (!LeavesOrder(items, from.size())) {
    std::vector<bool> stays(from.size());
    for (const ItemSource& item : items) {
      if (item.index) stays[*item.index] = true;
    }
    for (size_t i = 0; i < stays.size(); ++i) {
      if (!stays[i]) SMP_TRY(CheckMayGo(ItemAt(at, i)));
    }
    SMP_TRY(Rearrange(at, items));
  }
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].index) SMP_TRY(Rewrite(ItemAt(at, i), from.Items()[*items[i].index], to.Items()[i]));
  }
  return Ok();
}

// --- Operations

Status DocumentEdit::Add(const JsonPointer& at, const Value& value) {
  SMP_TRY(CheckAbove(at));
  SMP_TRY(edit::ApplyEdit(draft_, {edit::EditKind::kAdd, ToString(at), {}, value}));
  SMP_TRY(wanted_.Add(at, *arena_.Keep(value)));
  return Ok();
}

Status DocumentEdit::Replace(const JsonPointer& at, const Value& value) {
  SMP_TRY(CheckIsAlone(at));
  SMP_TRY(edit::ApplyEdit(draft_, {edit::EditKind::kReplace, ToString(at), {}, value}));
  SMP_TRY(wanted_.Replace(at, *arena_.Keep(value)));
  return Ok();
}

Status DocumentEdit::Remove(const JsonPointer& at) {
  SMP_TRY(CheckMayGo(at));
  SMP_TRY(CheckIsNotMerged(at));
  SMP_TRY(edit::ApplyEdit(draft_, {edit::EditKind::kRemove, ToString(at)}));
  SMP_TRY(wanted_.Remove(at));
  return Ok();
}

Status DocumentEdit::Rearrange(const JsonPointer& at, const std::vector<ItemSource>& items) {
  SMP_TRY(CheckAbove(ItemAt(at, 0)));
  SMP_TRY(edit::Rearrange(draft_, at, items));
  SMP_ASSIGN(MutableTree::Node * node, wanted_.Find(at));
  const auto former = wanted_.Current(*node).Items();
  std::vector<Value> now;
  for (const ItemSource& item : items) now.push_back(item.index ? former[*item.index] : item.value);
  SMP_TRY(wanted_.Replace(at, *arena_.Keep(arena_.Array(now))));
  return Ok();
}

// Error: refused, if other values would have to be written, too, because the text shares them by anchors and aliases.
Status DocumentEdit::CheckIsAlone(const JsonPointer& at) {
  if (!at.empty()) SMP_TRY(CheckAbove(at));
  SMP_ASSIGN(const Draft* draft, edit::FindDraft(draft_, at));
  if (std::string why = WhyShared(*draft_.tree, lines_, *draft); !why.empty()) return Error::Refused(std::move(why));
  const TextNode* shared = SharedInside(*draft_.tree, *draft);
  if (shared == nullptr) return Ok();
  return Error::Refused(StrCat("the anchor on ", Line(lines_, shared->begin), " is used elsewhere; change it by hand"));
}

// The same of a value that is removed. An alias may go: what it repeats stays.
Status DocumentEdit::CheckMayGo(const JsonPointer& at) {
  SMP_ASSIGN(const Draft* draft, edit::FindDraft(draft_, at));
  const bool is_alias = draft->place != nullptr && draft->place->value->kind == TextNode::Kind::kAlias;
  return is_alias && !draft->merged ? CheckAbove(at) : CheckIsAlone(at);
}

// The same of the maps and lists around the value.
Status DocumentEdit::CheckAbove(const JsonPointer& at) {
  JsonPointer above;
  for (const std::string& token : at) {
    SMP_ASSIGN(const Draft* draft, edit::FindDraft(draft_, above));
    if (std::string why = WhyShared(*draft_.tree, lines_, *draft); !why.empty()) return Error::Refused(std::move(why));
    above.push_back(token);
  }
  return Ok();
}

// Error: refused, if a member of the same name, which this one overrides, would take its place.
Status DocumentEdit::CheckIsNotMerged(const JsonPointer& at) {
  const auto map = edit::FindDraft(draft_, Above(at));
  if (!map.ok() || (*map)->origin == nullptr || !(*map)->origin->merges) return Ok();
  const edit::TextEntry* merge = edit::MergeWith((*map)->origin, at.back());
  if (merge == nullptr) return Ok();
  return Error::Refused(StrCat("without it, << on ", Line(lines_, merge->begin),
                               " would bring in another value of this name; change it by hand"));
}

// --- What is told of the changes

void DocumentEdit::Note(Written& written, const Status& done, int line) {
  if (!done.ok() && written.why.empty()) {
    written.why = done.error().message;
    failed_ = true;
  }
  if (done.ok() && written.line == 0) written.line = line;
}

void DocumentEdit::Note(const ChangeTree& tree, const Status& done, int line) {
  tree.ForEach([&](Written& written) { Note(written, done, line); });
}

// Returns the line of the value in the old text; 0 if it is not there.
int DocumentEdit::LineOf(const JsonPointer& at) {
  const auto draft = edit::FindDraft(draft_, at);
  const bool is_there = draft.ok() && (*draft)->place != nullptr;
  return is_there ? lines_.At((*draft)->place->begin) : 0;
}

// Returns the line on which it ends.
int DocumentEdit::EndOf(const JsonPointer& at) {
  const auto draft = edit::FindDraft(draft_, at);
  const bool is_there = draft.ok() && (*draft)->place != nullptr;
  return is_there ? lines_.At((*draft)->place->end) : 0;
}

}  // namespace smp::pull
