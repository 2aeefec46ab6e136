// The property behind schema/facts/unions.txt, for all alternatives of all types and without a server: whatever was
// applied and whatever somebody put into live, after a switch there is the manifest's alternative and no other, and
// applying again changes nothing.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/strings.h"
#include "schema/builtin.h"
#include "schema/unions.h"
#include "smp/dump_plan.h"
#include "smp/smp.h"
#include "value/json.h"

namespace smp {
namespace {

class Switches {
 public:
  Switches(const Schema& schema, TypeId type, const Union& fields) : schema_(schema), type_(type), fields_(fields) {
    std::set<std::string> names;
    for (const auto& [field, alternative] : fields.members) names.insert(alternative);
    if (!fields.discriminator.empty()) names.insert("AlternativeWithoutFields");
    alternatives_.assign(names.begin(), names.end());
  }

  // Returns how many switches were tried.
  size_t TryAll() const {
    size_t count = 0;
    for (const std::string& wanted : alternatives_) {
      for (const std::string& live : alternatives_) {
        Try(nullptr, Of(wanted), Of(live));
        for (const std::string& applied : alternatives_) {
          const Document original = Of(applied);
          Try(&original, Of(wanted), Of(live));
          ++count;
        }
      }
    }
    return count;
  }

 private:
  // An object that has this alternative, all of its fields.
  Document Of(std::string_view alternative) const {
    std::vector<std::string> members = {R"("unrelated":"x")"};
    for (const auto& [field, of] : fields_.members) {
      if (of == alternative) members.push_back(StrCat('"', field, "\":", ValueOf(field)));
    }
    if (!fields_.discriminator.empty()) {
      members.push_back(StrCat('"', fields_.discriminator, "\":\"", alternative, '"'));
    }
    return *ParseJson(StrCat("{", Join(members, ","), "}"));
  }

  std::string_view ValueOf(const std::string& field) const {
    const Field* known = schema_.Find(type_, field);
    if (known->is_list) return "[{}]";
    return known->kind == TypeKind::kObject ? "{}" : known->kind == TypeKind::kString ? "\"x\"" : "1";
  }

  void Try(const Document* original, const Document& modified, const Document& live) const {
    DiffInput in = {original == nullptr ? nullptr : &original->root(), &modified.root(), &live.root(), &schema_, type_};
    const auto patch = PlanPatch(in);
    const std::string label = StrCat(schema_.type(type_).name, ": ", WriteJson(modified.root()), " over ",
                                     WriteJson(live.root()), " after ", original ? WriteJson(original->root()) : "-");
    ASSERT_TRUE(patch.ok()) << label << "\n" << ToString(patch.error());
    EXPECT_EQ(WriteJson(patch->outcome.root()), WriteJson(modified.root())) << label;
    in.original = &modified.root();
    in.live = &patch->outcome.root();
    const auto again = PlanPatch(in);
    ASSERT_TRUE(again.ok()) << label;
    EXPECT_TRUE(again->empty()) << label << "\n" << Dump(again->plan);
  }

  const Schema& schema_;
  const TypeId type_;
  const Union& fields_;
  std::vector<std::string> alternatives_;
};

TEST(Switches, BetweenAllAlternativesLeaveTheManifestsAlone) {
  const auto schema = BuiltinSchema();
  size_t count = 0, types = 0;
  for (TypeId id = 1; id < schema->type_count(); ++id) {
    const Type& type = schema->type(id);
    for (const Union& fields : type.unions) {
      if (fields.discriminator.empty() && fields.members.size() < 2) continue;
      count += Switches(*schema, id, fields).TryAll();
      ++types;
    }
  }
  EXPECT_GE(types, 27u);
  EXPECT_GT(count, 30'000u);  // 29 volume sources alone are 24,389
}

}  // namespace
}  // namespace smp
