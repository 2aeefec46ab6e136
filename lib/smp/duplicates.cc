#include "smp/duplicates.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "schema/walk_path.h"
#include "smp/align.h"
#include "smp/plan.h"

namespace smp {

namespace {

// Returns "twice, at web.yaml:14 and web.yaml:19" or "3 times, at …".
std::string HowOften(const std::vector<Source>& places) {
  std::vector<std::string> names;
  for (const Source& place : places) {
    if (!place.file.empty()) names.push_back(ToString(place));
  }
  const std::string times = places.size() == 2 ? "twice" : StrCat(places.size(), " times");
  if (names.empty()) return times;
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? StrCat(times, ", at ", last) : StrCat(times, ", at ", Join(names, ", "), " and ", last);
}

class Finder {
 public:
  explicit Finder(const Schema& schema) : schema_(schema) {}

  // The recursion is bounded by the parser's kMaxDepth.
  void Look(const Value& value, TypeId id) {
    if (id == kNoType) return;
    const Type& type = schema_.type(id);
    if (value.is_array()) return LookAtItems(value, type.additional, nullptr);
    for (const Member& member : value.Members()) {
      if (member.value.is_scalar()) continue;
      const Field* field = schema_.Find(id, member.name);
      path_.push_back({.name = member.name});
      if (field != nullptr && member.value.is_array()) {
        LookAtList(member.value, *field, type.storage);
      } else {
        Look(member.value, field != nullptr ? field->type : type.additional);
      }
      path_.pop_back();
    }
  }

  std::vector<DuplicateItems> Take() && { return std::move(found_); }

 private:
  void LookAtList(const Value& list, const Field& field, Storage storage) {
    const Duplicates duplicates = DuplicatesIn(field, storage);
    if (list.size() > 1 && IsKeyed(field, duplicates)) FindIn(list, field, duplicates);
    LookAtItems(list, field.type, &field);
  }

  void LookAtItems(const Value& list, TypeId type, const Field* field) {
    int64_t index = 0;
    for (const Value& item : list.Items()) {
      if (!item.is_scalar()) {
        path_.push_back({.item = &item, .index = index, .list = field});
        Look(item, type);
        path_.pop_back();
      }
      ++index;
    }
  }

  // The server refuses duplicates in the list maps and sets of custom resources.
  static Duplicates DuplicatesIn(const Field& field, Storage storage) {
    const bool custom = storage == Storage::kAsWritten && field.patch.list != ListMerge::kAtomic;
    return field.duplicates == Duplicates::kUnknown && custom ? Duplicates::kRefused : field.duplicates;
  }

  // Returns true if the items have identities at all.
  static bool IsKeyed(const Field& field, Duplicates duplicates) {
    return duplicates != Duplicates::kUnknown || field.patch.list == ListMerge::kKeyed;
  }

  void FindIn(const Value& list, const Field& field, Duplicates duplicates) {
    const bool by_fields = !field.identity_keys.empty();
    const KeyRule rule = by_fields ? RuleOfKeys(field, schema_) : KeyRule{.numbers = Numbers::kByValue};
    const auto items = Identities::Of(list.Items(), rule, Keyless::kUnique);
    if (!items.ok()) return;
    const PositionIndex index(*items);
    if (!index.has_duplicates()) return;
    std::vector<std::vector<const Value*>> same(list.size());
    for (size_t i = 0; i < list.size(); ++i) {
      const size_t first = index.First(*items, i);
      if (first != kNoPlace) same[first].push_back(&list.Items()[i]);
    }
    for (std::vector<const Value*>& group : same) {
      if (group.size() > 1) Add(field, duplicates, std::move(group));
    }
  }

  void Add(const Field& field, Duplicates duplicates, std::vector<const Value*> items) {
    const Value& item = *items.front();
    FieldPath path = ToFieldPath(path_);
    path.push_back(item.is_object() ? KeyStep(item, field.identity_keys) : PathStep::Element(item));
    found_.push_back({std::move(path), std::move(items), duplicates});
  }

  const Schema& schema_;
  std::vector<WalkStep> path_;
  std::vector<DuplicateItems> found_;
};

}  // namespace

std::string_view ConsequenceOf(Duplicates duplicates) {
  switch (duplicates) {
    case Duplicates::kRefused: return "; the server accepts only one, so remove the others";
    case Duplicates::kLastWins: return "; only the last one takes effect";
    case Duplicates::kKept: return "; the server keeps them all";
    case Duplicates::kUnknown: break;
  }
  return "";
}

std::vector<DuplicateItems> FindDuplicateItems(const Document& manifest, const Schema& schema, TypeId type) {
  Finder finder(schema);
  finder.Look(manifest.root(), type);
  return std::move(finder).Take();
}

DuplicateFindings FindDuplicates(const Document& manifest, const Schema& schema, TypeId type) {
  DuplicateFindings out;
  for (const DuplicateItems& found : FindDuplicateItems(manifest, schema, type)) {
    std::vector<Source> places;
    for (const Value* item : found.items) places.push_back(manifest.SourceOf(item));
    Error error = Error::Schema(StrCat("appears ", HowOften(places), ConsequenceOf(found.meaning)));
    error.path = ToString(found.path);
    error.source = places.back();
    (found.meaning == Duplicates::kRefused ? out.refused : out.taken).push_back(std::move(error));
  }
  return out;
}

}  // namespace smp
