#include "smp/compose.h"

#include "base/strings.h"
#include "smp/directives.h"
#include "smp/merge.h"
#include "smp/merge_fields.h"

namespace smp {

namespace {

bool IsCarried(std::string_view name) {
  return name == kRetainKeysDirective || IsOrderKey(name) || IsDeleteFromListKey(name);
}

class Composer : public FieldMerger {
 public:
  using FieldMerger::FieldMerger;

  // Returns the fields and directives of both patches. Error: patch-format if the directives contradict each other.
  Result<Value> Maps(const Value& a, const Value& b, TypeId type) override {
    if (b.Find(kPatchDirective) != nullptr) return Merge(a, b, schema_, type, arena_);
    std::vector<Member> fields, directives;
    for (const Member& m : a.Members()) (IsCarried(m.name) ? directives : fields).push_back(m);
    std::vector<FieldPatch> todo;
    for (const Member& m : b.Members()) {
      if (IsCarried(m.name)) {
        const Value* other = a.Find(m.name);
        if (other != nullptr && !IsDeleteFromListKey(m.name) && !(*other == m.value)) {
          return Error::PatchFormat(StrCat(m.name, " differs between the deleted and the changed items"));
        }
        directives.push_back(m);
      }
      if (m.name == kRetainKeysDirective || IsDeleteFromListKey(m.name)) continue;
      SMP_ASSIGN(const FieldPatch field, ReadMember(m));
      todo.push_back(field);
    }
    SMP_ASSIGN(const Value merged, MergeFields(fields, JoinedByName(std::move(todo)), type));
    std::vector<Member> out(merged.Members().begin(), merged.Members().end());
    out.insert(out.end(), directives.begin(), directives.end());
    return arena_.Object(std::move(out));
  }

 protected:
  std::optional<Value> Replaced(const Value& patch) override { return Stripped(patch, Nulls::kKeep, arena_); }
};

}  // namespace

Result<Value> Compose(const Value& a, const Value& b, const Schema& schema, TypeId type, Arena& arena) {
  return Composer(schema, arena).Maps(a, b, type);
}

}  // namespace smp
