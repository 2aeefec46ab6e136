#include "smp/refused_items.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "smp/align.h"
#include "smp/merge_place.h"
#include "smp/server_side_merge.h"

namespace smp {

namespace {

using Why = Refused::Why;

bool HasKey(const Value& item, const KeyRule& rule) {
  for (size_t k = 0; k < rule.fields->size(); ++k) {
    if (KeyOf(item, rule, k) != nullptr) return true;
  }
  return false;
}

class Finder {
 public:
  std::optional<Refused> In(const Value& value, const MergePlace& at) {
    if (value.is_array()) return InList(value, at);
    for (const Member& m : value.Members()) {
      if (auto found = Below(PathStep::Field(m.name), m.value, at.Member(m.name))) return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<Refused> Below(PathStep step, const Value& value, const MergePlace& at) {
    if (value.is_scalar()) return std::nullopt;
    path_.push_back(std::move(step));
    std::optional<Refused> found = In(value, at);
    path_.pop_back();
    return found;
  }

  std::optional<Refused> InList(const Value& list, const MergePlace& at) {
    const bool merged = at.is_merged(list);
    const KeyRule rule = merged ? RuleOfItems(at) : KeyRule();
    std::set<std::string> steps;
    for (size_t i = 0; i < list.size(); ++i) {
      const Value& item = list.Items()[i];
      const PathStep step = PathStep::Index(static_cast<int64_t>(i));
      if (const auto why = merged ? WhyRefused(item, rule, at.place.storage, steps) : std::nullopt) {
        path_.push_back(step);
        Refused out = {path_, *why};
        path_.pop_back();
        return out;
      }
      if (auto found = Below(step, item, at.Item())) return found;
    }
    return std::nullopt;
  }

  // `steps`: those of the items before, to which that of the item is added.
  static std::optional<Why> WhyRefused(const Value& item, const KeyRule& rule, Storage storage,
                                       std::set<std::string>& steps) {
    if (item.is_null()) return Why::kNullItem;
    if (rule.fields == nullptr ? !item.is_scalar() : !item.is_object()) return std::nullopt;  // an error of its type
    if (rule.fields != nullptr && !HasKey(item, rule)) {
      // In the documents of Go types, most keys have the default "".
      if (storage == Storage::kAsWritten) return Why::kNoKey;
    }
    return steps.insert(ItemStep(item, rule)).second ? std::nullopt : std::optional(Why::kTwice);
  }

  FieldPath path_;
};

}  // namespace

std::optional<Refused> FirstRefusedItem(const Value& manifest, const Schema& schema, TypeId type) {
  return Finder().In(manifest, {PlaceOfObject(schema, type), nullptr});
}

}  // namespace smp
