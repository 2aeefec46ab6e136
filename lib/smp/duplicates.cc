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

std::string_view Consequence(Duplicates duplicates) {
  switch (duplicates) {
    case Duplicates::kRefused: return "; the server accepts only one, so remove the others";
    case Duplicates::kLastWins: return "; only the last one takes effect";
    case Duplicates::kKept: return "; the server keeps them all";
    case Duplicates::kUnknown: break;
  }
  return "";
}

class Finder {
 public:
  Finder(const Document& manifest, const Schema& schema) : manifest_(manifest), schema_(schema) {}

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

  DuplicateFindings Take() && { return std::move(findings_); }

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
    std::vector<std::vector<Source>> places(list.size());
    for (size_t i = 0; i < list.size(); ++i) {
      const size_t first = index.First(*items, i);
      if (first != kNoPlace) places[first].push_back(manifest_.SourceOf(&list.Items()[i]));
    }
    for (size_t i = 0; i < list.size(); ++i) {
      if (places[i].size() > 1) Add(list.Items()[i], field, duplicates, places[i]);
    }
  }

  void Add(const Value& item, const Field& field, Duplicates duplicates, const std::vector<Source>& places) {
    Error error = Error::Schema(StrCat("appears ", HowOften(places), Consequence(duplicates)));
    FieldPath path = ToFieldPath(path_);
    path.push_back(item.is_object() ? KeyStep(item, field.identity_keys) : PathStep::Element(item));
    error.path = ToString(path);
    error.source = places.back();
    (duplicates == Duplicates::kRefused ? findings_.refused : findings_.taken).push_back(std::move(error));
  }

  const Document& manifest_;
  const Schema& schema_;
  std::vector<WalkStep> path_;
  DuplicateFindings findings_;
};

}  // namespace

DuplicateFindings FindDuplicates(const Document& manifest, const Schema& schema, TypeId type) {
  Finder finder(manifest, schema);
  finder.Look(manifest.root(), type);
  return std::move(finder).Take();
}

}  // namespace smp
