#include "smp/merge.h"

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "smp/directives.h"
#include "smp/merge_fields.h"
#include "value/at.h"
#include "value/path.h"

namespace smp {

namespace {

Result<std::vector<FieldPatch>> ReadFields(const Value& patch) {
  std::vector<FieldPatch> out;
  out.reserve(patch.size());
  for (const Member& m : patch.Members()) {
    if (m.name == kRetainKeysDirective) continue;
    SMP_ASSIGN(const FieldPatch field, ReadMember(m));
    out.push_back(field);
  }
  return JoinedByName(std::move(out));
}

// Returns the members of live that the patch's $retainKeys, `names`, keeps.
Result<std::vector<Member>> Retained(const Value& live, const Value& patch, const Value& names) {
  if (!names.is_array()) return Error::PatchFormat("$retainKeys must be a list of field names");
  ViewSet keep;
  for (const Value& name : names.Items()) {
    if (!name.is_scalar()) return Error::PatchFormat("$retainKeys must be a list of field names");
    if (name.is_string()) keep.insert(name.AsString());
  }
  for (const Member& m : patch.Members()) {
    const bool field = m.name != kRetainKeysDirective && !IsOrderKey(m.name) && !IsDeleteFromListKey(m.name);
    if (!field || m.value.is_null() || keep.contains(m.name)) continue;
    return Error::PatchFormat(StrCat("$retainKeys does not name `", m.name, "`, which the patch sets"));
  }
  std::vector<Member> out(live.Members().begin(), live.Members().end());
  std::erase_if(out, [&](const Member& m) { return !keep.contains(m.name); });
  return out;
}

class ServerMerger : public FieldMerger {
 public:
  using FieldMerger::FieldMerger;

  Result<Value> Maps(const Value& live, const Value& patch, TypeId type) override {
    if (const Value* directive = patch.Find(kPatchDirective)) return Directive(patch, *directive);
    SMP_ASSIGN(const std::vector<FieldPatch> fields, ReadFields(patch));
    const Value* names = patch.Find(kRetainKeysDirective);
    if (names == nullptr) return MergeFields(live.Members(), fields, type);
    SMP_ASSIGN(const std::vector<Member> retained, Retained(live, patch, *names));
    return MergeFields(retained, fields, type);
  }

 protected:
  std::optional<Value> Replaced(const Value& patch) override {
    return patch.is_null() ? std::nullopt : Stripped(patch, Nulls::kDrop, arena_);
  }

 private:
  Result<Value> Directive(const Value& patch, const Value& directive) {
    const std::string_view word = directive.is_string() ? directive.AsString() : std::string_view();
    if (word == kPatchReplace) return Verbatim(WithoutAt(patch, {}, {kPatchDirective}, arena_));
    if (word == kPatchDelete) return arena_.SortedObject({});
    return Error::PatchFormat("$patch must be \"replace\" or \"delete\" in an object");
  }
};

class ProposalMerger : public ServerMerger {
 public:
  using ServerMerger::ServerMerger;

 protected:
  Value Verbatim(const Value& patch) override { return *Stripped(patch, Nulls::kDrop, arena_); }
};

Status CheckExclusion(std::span<const Value> items) {
  const auto any = [&](std::string_view word) {
    return std::any_of(items.begin(), items.end(), [&](const Value& v) { return v.StringOr(kPatchDirective) == word; });
  };
  if (!any(kPatchReplace) || !any(kPatchDelete)) return Ok();
  return Error::PatchFormat("$patch: replace and $patch: delete are mutually exclusive");
}

// Error: patch-format if the patch contains, at any depth, a directive that is unknown or contradicts another.
Status CheckDirectives(const Value& v) {
  if (v.is_array()) {
    SMP_TRY(CheckExclusion(v.Items()));
    for (size_t i = 0; i < v.size(); ++i) {
      if (auto status = CheckDirectives(v.Items()[i]); !status.ok()) {
        return Under(PathStep::Index(static_cast<int64_t>(i)), std::move(status).error());
      }
    }
  }
  if (!v.is_object()) return Ok();
  for (const Member& m : v.Members()) {
    if (m.name.starts_with('$') && !IsDirective(m.name)) {
      return Error::PatchFormat(
          StrCat("\"", m.name,
                 "\" is not a directive; the directives are $patch, $retainKeys, $setElementOrder/<list> and "
                 "$deleteFromPrimitiveList/<list>"));
    }
    if (auto status = CheckDirectives(m.value); !status.ok())
      return Under(PathStep::Field(m.name), std::move(status).error());
  }
  return Ok();
}

// Replaces maps with `$patch: delete` by null, which means the same.
Value WithNullsForDeletions(const Value& patch, Arena& arena) {
  if (patch.is_array()) {
    std::vector<Value> items;
    for (const Value& item : patch.Items()) items.push_back(WithNullsForDeletions(item, arena));
    return arena.Array(items);
  }
  if (!patch.is_object()) return patch;
  std::vector<Member> members;
  for (const Member& m : patch.Members()) {
    members.push_back({m.name, IsDeletion(m.value) ? Value() : WithNullsForDeletions(m.value, arena)});
  }
  return arena.SortedObject(members);
}

}  // namespace

Result<Value> Merge(const Value& live, const Value& patch, const Schema& schema, TypeId type, Arena& arena,
                    MergeRules rules) {
  if (!live.is_object() || !patch.is_object()) return Error::PatchFormat("the patch and its target must be objects");
  if (rules == MergeRules::kServer) return ServerMerger(schema, arena).Maps(live, patch, type);
  SMP_TRY(CheckDirectives(patch));
  return ProposalMerger(schema, arena).Maps(live, WithNullsForDeletions(patch, arena), type);
}

}  // namespace smp
