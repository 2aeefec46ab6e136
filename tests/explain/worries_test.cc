#include "explain/worries.h"

#include <gtest/gtest.h>

#include <list>

#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/testing.h"
#include "explain/worry_lines.h"
#include "value/json.h"

namespace smp::explain {
namespace {

// Returns "undoes changes made in the cluster (live → after apply): replicas; takes rights away: list pods".
std::string In(const ObjectReport& object) {
  std::vector<std::string> out;
  for (const auto& [worry, fields] : WorriesOf(object)) out.push_back(StrCat(WordsOf(worry), ": ", fields.all));
  return Join(out, "; ");
}

class WorriesTest : public testing::Test {
 protected:
  const Value* Keep(std::string_view json) {
    documents_.push_back(*ParseJson(json));
    return &documents_.back().root();
  }

  ObjectReport Report(std::string_view kind, FieldPath path, Reason reason, std::string_view before,
                      std::string_view after) {
    ObjectReport out;
    out.kind = kind;
    out.action = Action::kChange;
    ReportRow row;
    row.op = RowOp::kSet;
    row.path = std::move(path);
    row.reason = reason;
    row.live = Keep(before);
    row.outcome = Keep(after);
    out.rows.push_back(std::move(row));
    return out;
  }

  FieldPath Path(std::initializer_list<std::string_view> names) {
    FieldPath out;
    for (const std::string_view name : names) out.push_back(PathStep::Field(name));
    return out;
  }

  std::list<Document> documents_;
};

TEST_F(WorriesTest, NothingIsUndoneIfOnlyTheManifestChanged) {
  const ObjectReport object = Report("Deployment", Path({"spec", "replicas"}), Reason::kChanged, "2", "3");
  EXPECT_EQ(In(object), "");
  EXPECT_FALSE(WorriesOf(object).contains(Worry::kUndoes));
}

TEST_F(WorriesTest, WhatWasAppliedTellsAnUpgradeFromAReset) {
  ObjectReport object = Report("Deployment", Path({"spec", "replicas"}), Reason::kConflict, "7", "3");
  object.rows[0].original = Keep("2");
  EXPECT_EQ(In(object), "undoes changes made in the cluster (live → after apply): replicas 7 → 3 (2 was applied)");
  object = Report("Deployment", Path({"spec", "image"}), Reason::kConflict, R"("a/web:2")", R"("a/web:4")");
  object.rows[0].original = Keep(R"("a/web:3")");
  EXPECT_NE(In(object).find("web 2 → 4 (3 was applied)"), std::string::npos) << In(object);
}

TEST_F(WorriesTest, DriftAndConflictsAreUndone) {
  for (const Reason reason : {Reason::kDrift, Reason::kConflict, Reason::kRestored, Reason::kAtomic}) {
    const ObjectReport object = Report("Deployment", Path({"spec", "replicas"}), reason, "7", "3");
    EXPECT_EQ(In(object), "undoes changes made in the cluster (live → after apply): replicas 7 → 3");
    EXPECT_TRUE(WorriesOf(object).contains(Worry::kUndoes));
  }
}

TEST_F(WorriesTest, WhatAnotherManagerOwnsIsUndoneForAnyReason) {
  ObjectReport object = Report("Deployment", Path({"spec", "replicas"}), Reason::kChanged, "7", "3");
  object.rows[0].managers = {{.name = "mallory", .operation = "Update"}};
  EXPECT_EQ(In(object), "undoes changes made in the cluster (live → after apply): replicas 7 → 3; by mallory");
}

TEST_F(WorriesTest, AnOperatorThatLooksAfterOtherNamespaces) {
  const auto says = [&](const char* variable, const char* field, std::string_view before, std::string_view after) {
    FieldPath path = Path({"spec", "template", "spec", "containers"});
    path.push_back(PathStep::Key({{"name", "\"web\""}}));
    path.push_back(PathStep::Field("env"));
    path.push_back(PathStep::Key({{"name", StrCat("\"", variable, "\"")}}));
    path.push_back(PathStep::Field(field));
    return In(Report("Deployment", path, Reason::kChanged, before, after));
  };
  const std::string start = "looks after other namespaces than before: env WATCH_NAMESPACE ";
  EXPECT_EQ(says("WATCH_NAMESPACE", "value", R"("a")", R"("")"), start + "a → all");
  EXPECT_EQ(says("WATCH_NAMESPACE", "valueFrom", "null", R"({"fieldRef":{"fieldPath":"metadata.namespace"}})"),
            start + "all → metadata.namespace");
  EXPECT_EQ(says("NAMESPACE", "value", R"("a")", R"("b")"), "") << "its own, most often";
}

TEST_F(WorriesTest, PasswordsInVariablesAreNotNamed) {
  FieldPath path = Path({"spec", "template", "spec", "containers"});
  path.push_back(PathStep::Key({{"name", "\"web\""}}));
  ObjectReport object = Report("Deployment", path, Reason::kRemoved, "{}", "null");
  object.rows[0].op = RowOp::kDelete;
  object.rows[0].managers = {{.name = "kubectl-set", .operation = "Update"}};
  const auto with = [&](std::string_view name, std::string_view value) {
    return Keep(StrCat(R"({"name":"web","env":[{"name":")", name, R"(","value":")", value, R"("}]})"));
  };
  object.rows[0].original = with("DB_PASSWORD", "hunter2"), object.rows[0].live = with("DB_PASSWORD", "hunter3");
  EXPECT_EQ(In(object),
            "removes what others have changed: -containers web (was changed: env[name=DB_PASSWORD].value); by "
            "kubectl-set");
  path.push_back(PathStep::Field("env"));
  object.rows[0].path = path;
  object.rows[0].original = Keep(R"([{"name":"DB_PASSWORD","value":"hunter2"}])");
  object.rows[0].live = Keep(R"([{"name":"DB_PASSWORD","value":"hunter3"}])");
  EXPECT_EQ(In(object),
            "removes what others have changed: -env (was changed: [name=DB_PASSWORD].value); by kubectl-set");
  path.push_back(PathStep::Key({{"name", "\"DB_PASSWORD\""}}));
  object.rows[0].path = path;
  object.rows[0].original = Keep(R"({"name":"DB_PASSWORD","value":"hunter2"})");
  object.rows[0].live = Keep(R"({"name":"DB_PASSWORD","value":"hunter3"})");
  EXPECT_EQ(In(object), "removes what others have changed: -env DB_PASSWORD; by kubectl-set");
}

TEST_F(WorriesTest, EachManagerIsNamedWithWhatItSet) {
  ObjectReport object = Report("Deployment", Path({"spec", "replicas"}), Reason::kDrift, "7", "3");
  object.rows[0].managers = {{.name = "kubectl", .operation = "Update", .subresource = "scale"}};
  const auto add = [&](std::string_view name, std::vector<FieldManager> managers) {
    object.rows.push_back(object.rows[0]);
    object.rows.back().path = Path({"spec", name});
    object.rows.back().managers = std::move(managers);
  };
  const FieldManager edit = {.name = "kubectl-edit", .operation = "Update"};
  add("a", {});
  add("b", {edit});
  add("c", {edit});
  EXPECT_EQ(
      In(object),
      "undoes changes made in the cluster (live → after apply): replicas 7 → 3; by kubectl (scale); b 7 → 3, c 7 → 3; "
      "by kubectl-edit; a 7 → 3");
}

// The manifest changes another part of the same rules.
TEST_F(WorriesTest, OfRightsOnlyThoseAreUndoneThatChangedInLive) {
  const auto rules = [](std::string_view verbs, std::string_view resource) {
    return StrCat(R"([{"apiGroups":[""],"resources":["pods"],"verbs":[)", verbs,
                  R"(]},{"apiGroups":[""],"resources":[")", resource, R"("],"verbs":["get"]}])");
  };
  const auto undone = [&](std::string_view applied, std::string_view live) {
    ObjectReport object = Report("ClusterRole", Path({"rules"}), Reason::kConflict, rules(live, "nodes"),
                                 rules(R"("get","list")", "events"));
    object.rows[0].original = Keep(rules(applied, "nodes"));
    return WorriesOf(object)[Worry::kUndoes].all;
  };
  EXPECT_EQ(undone(R"("get","list")", R"("get","list","delete")"), "rules -delete pods");
  EXPECT_EQ(undone(R"("get","list")", R"("get","delete")"), "rules -delete pods; +list pods");
  EXPECT_EQ(undone(R"("get")", R"("get","list")"),
            "");  // the manifest gives the same
  ObjectReport taken = Report("ClusterRole", Path({"rules"}), Reason::kOwned, rules(R"("get","delete")", "nodes"),
                              rules(R"("get")", "nodes"));
  EXPECT_EQ(WorriesOf(taken)[Worry::kUndoes].all, "rules -delete pods") << "nobody knows what was applied";
}

TEST_F(WorriesTest, OfNamedItemsTheFieldsAreUndoneThatChangedInLive) {
  const std::string applied = R"([{"name":"rs0","size":3,"mode":"a"}])",
                    live = R"([{"name":"rs0","size":5,"mode":"a"}])",
                    manifest = R"([{"name":"rs0","size":3,"mode":"b"}])";
  for (const auto& [reason, after] : {std::pair(Reason::kConflict, manifest), std::pair(Reason::kDrift, applied)}) {
    ObjectReport object = Report("Widget", Path({"spec", "replsets"}), reason, live, after);
    object.rows[0].original = Keep(applied);
    EXPECT_EQ(In(object), "undoes changes made in the cluster (live → after apply): replsets[name=rs0].size 5 → 3");
  }
}

// In a list that gets or loses items, an index may mean another item.
TEST_F(WorriesTest, OfListsWithoutNamesItemsAreToldWhereNoneComesOrGoes) {
  const auto undone = [&](std::string_view more, std::string_view new_one) {
    const auto list = [&](std::string_view item, std::string_view added = "") {
      return StrCat("[", added, item, more, "]");
    };
    ObjectReport object = Report("Widget", Path({"spec", "parts"}), Reason::kConflict, list(R"({"size":5,"mode":"a"})"),
                                 list(R"({"size":3,"mode":"b"})", new_one));
    object.rows[0].original = Keep(list(R"({"size":3,"mode":"a"})"));
    return WorriesOf(object)[Worry::kUndoes].all;
  };
  EXPECT_EQ(undone(R"(,{"size":1})", ""), "parts[0].size 5 → 3");
  EXPECT_EQ(undone("", ""), "parts[0].size 5 → 3");
  EXPECT_EQ(undone(R"(,{"size":1})", R"({"size":7},)"), "parts");
}

TEST_F(WorriesTest, OneQuantityInTwoFormsIsNoChange) {
  ObjectReport object = Report("LimitRange", Path({"spec", "limits"}), Reason::kConflict,
                               R"([{"type":"Container","default":{"cpu":"500m","memory":"4Gi"}}])",
                               R"([{"type":"Container","default":{"cpu":"0.5","memory":"1Gi"}}])");
  object.rows[0].original = Keep(R"([{"type":"Container","default":{"cpu":"1","memory":"1Gi"}}])");
  EXPECT_EQ(WorriesOf(object)[Worry::kUndoes].all, "limits[type=Container].default.memory 4Gi → 1Gi");
}

TEST_F(WorriesTest, AnExpressionIsToldAsAWhole) {
  const auto terms = [](std::string_view more) {
    return StrCat(R"([{"matchExpressions":[{"key":"a","operator":"Exists"})", more, "]}]");
  };
  ObjectReport object = Report("DaemonSet", Path({"nodeSelectorTerms"}), Reason::kDrift,
                               terms(R"(,{"key":"disk","operator":"NotIn","values":["hdd","tape"]})"), terms(""));
  object.rows[0].original = Keep(terms(""));
  EXPECT_EQ(WorriesOf(object)[Worry::kUndoes].all, "nodeSelectorTerms -disk NotIn hdd|tape");
}

// Scaling to 0 and up again leaves no manager; neither does the default of a CRD.
TEST_F(WorriesTest, ReplicasWithoutAManagerWereScaledUnlessACrdHasThemAsDefault) {
  const auto undone = [&](const char* api_version, const char* live) {
    ObjectReport object = Report("Kafka", Path({"spec", "replicas"}), Reason::kOwned, live, "5");
    object.rows[0].message = "live has a value, and managedFields name nobody (default, admission, scaling)";
    object.api_version = api_version;
    return WorriesOf(object).contains(Worry::kUndoes);
  };
  EXPECT_TRUE(undone("apps/v1", "3"));
  EXPECT_FALSE(undone("apps/v1", "1"));
  EXPECT_FALSE(undone("example.com/v1", "3"));
}

TEST_F(WorriesTest, SourcesThatALoadBalancerLetsIn) {
  EXPECT_EQ(In(Report("Service", Path({"spec", "loadBalancerSourceRanges"}), Reason::kChanged, R"(["10.0.0.0/8"])",
                      R"(["0.0.0.0/0"])")),
            "is reached in another way: loadBalancerSourceRanges -10.0.0.0/8, +0.0.0.0/0");
}

TEST_F(WorriesTest, TolerationsAreToldByWhatTheyTolerate) {
  const char* live = R"([{"key":"dedicated","operator":"Equal","value":"gpu","effect":"NoSchedule"},)"
                     R"({"key":"a","operator":"Exists","tolerationSeconds":30}])";
  ObjectReport object =
      Report("DaemonSet", Path({"spec", "tolerations"}), Reason::kConflict, live, R"([{"operator":"Exists"}])");
  object.rows[0].original = Keep("[]");
  EXPECT_EQ(WorriesOf(object)[Worry::kUndoes].all, "tolerations -dedicated=gpu:NoSchedule, -a for 30s, +all taints");
  EXPECT_EQ(ChangedFields(object), "tolerations (-dedicated=gpu:NoSchedule, -a for 30s, +all taints, changed in live)");
}

TEST_F(WorriesTest, WhatSomebodyStoppedStartsAgain) {
  const auto rank = [&](const char* live) {
    return WorriesOf(Report("Deployment", Path({"spec", "replicas"}), Reason::kDrift, live, "2"))[Worry::kUndoes].rank;
  };
  EXPECT_EQ(rank("0"), WorryWords::Rank::kFirst);
  EXPECT_EQ(rank("1"), WorryWords::Rank::kUsual);
}

// What means the same, or only people see, comes behind what matters.
TEST_F(WorriesTest, WhatIsUndoneWithoutHarmIsTold) {
  ObjectReport object = Report("ClusterRole", Path({"rules"}), Reason::kDrift,
                               R"([{"apiGroups":[""],"resources":["pods"],"verbs":["get","list"]}])",
                               R"([{"apiGroups":[""],"resources":["pods"],"verbs":["list","get"]}])");
  object.rows[0].original = Keep(R"([{"apiGroups":[""],"resources":["pods"],"verbs":["list","get"]}])");
  const WorryWords undone = WorriesOf(object)[Worry::kUndoes];
  EXPECT_EQ(undone.all, "rules (what was added stays allowed)");
  EXPECT_EQ(undone.rank, WorryWords::Rank::kHarmless);
}

// The order of named items matters where the list is compared itself, so that live's and the record's cannot be compared.
TEST_F(WorriesTest, WhatCannotBeComparedMayBeUndone) {
  ObjectReport object =
      Report("Widget", Path({"spec", "steps"}), Reason::kConflict, R"([{"name":"b","size":1},{"name":"a","size":5}])",
             R"([{"name":"b","size":1},{"name":"a","size":3}])");
  object.rows[0].original = Keep(R"([{"name":"a","size":2},{"name":"b","size":1}])");
  EXPECT_TRUE(WorriesOf(object).contains(Worry::kUndoes));
}

TEST_F(WorriesTest, WhatTheManifestHasTakenOverIsNotUndone) {
  ObjectReport object = Report("ClusterRole", Path({"rules"}), Reason::kConflict,
                               R"([{"apiGroups":[""],"resources":["pods"],"verbs":["get","list"]}])",
                               R"([{"apiGroups":[""],"resources":["pods"],"verbs":["list","get"]}])");
  object.rows[0].original = Keep(R"([{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}])");
  EXPECT_FALSE(WorriesOf(object).contains(Worry::kUndoes));
  const auto text = [&](std::string_view applied, std::string_view live, std::string_view after) {
    ObjectReport map = Report("ConfigMap", Path({"data", "conf"}), Reason::kConflict, live, after);
    map.rows[0].original = Keep(applied);
    return WorriesOf(map)[Worry::kUndoes].all;
  };
  EXPECT_EQ(text(R"("t=1\nw=2\n")", R"("t=7\nw=2\n")", R"("t=7\nw=3\n")"), "");
  EXPECT_NE(text(R"("t=1\nw=2\n")", R"("t=7\nw=2\n")", R"("t=1\nw=3\n")"), "");
  EXPECT_EQ(text(R"(["--t=1","--w=2"])", R"(["--t=7","--w=2"])", R"(["--t=7","--w=3"])"), "");
  EXPECT_NE(text(R"(["--t=1","--w=2"])", R"(["--t=7","--w=2"])", R"(["--t=1","--w=3"])"), "");
}

TEST_F(WorriesTest, LinesOfLiveAreUndoneByPlaceAndOrder) {
  const auto undoes = [&](std::string_view applied, std::string_view live, std::string_view after) {
    ObjectReport map = Report("ConfigMap", Path({"data", "conf"}), Reason::kConflict, live, after);
    map.rows[0].original = Keep(applied);
    return WorriesOf(map).contains(Worry::kUndoes);
  };
  // The text has the line that goes elsewhere, too.
  EXPECT_TRUE(undoes(R"("port 1\na {\n deny\n}\nb {\n}\n")", R"("port 1\na {\n deny\n}\nb {\n deny\n}\n")",
                     R"("port 2\na {\n deny\n}\nb {\n}\n")"));
  EXPECT_FALSE(undoes(R"("port 1\na {\n deny\n}\nb {\n}\n")", R"("port 1\na {\n deny\n}\nb {\n deny\n}\n")",
                      R"("port 2\na {\n deny\n}\nb {\n deny\n}\n")"));
  // The order of lines, and of items.
  EXPECT_TRUE(undoes(R"("allow all\ndeny 10\n")", R"("deny 10\nallow all\n")", R"("allow all\ndeny 10\n# end\n")"));
  EXPECT_TRUE(undoes(R"(["a","b"])", R"(["b","a"])", R"(["a","b","c"])"));
  EXPECT_FALSE(undoes(R"(["a","b","c"])", R"(["b","a","c"])", R"(["x","b","a","c"])"));
  EXPECT_FALSE(undoes(R"("a=1\nb=2\nc=3\nd=4\n")", R"("a=1\nc=3\nb=2\nd=4\n")", R"("x=0\na=1\nc=3\nb=2\nd=4\n")"));
  // What live has taken away comes back.
  EXPECT_TRUE(undoes(R"("a b\nc d\ne f\n")", R"("a b\ne f\n")", R"("a b\nc d\ne g\n")"));
  EXPECT_FALSE(undoes(R"("a b\nc d\ne f\n")", R"("a b\ne f\n")", R"("a b\ne g\n")"));
  EXPECT_TRUE(undoes(R"("a b\nc d\ne f\ng h\n")", R"("a b\nc d\ng h\n")", R"("e f\na b\nc d\ng h\n")"));
  // Of equal lines, one is as good as the other.
  EXPECT_FALSE(
      undoes(R"("p 1\na {\n x\n}\n")", R"("p 1\na {\n x\n}\nb {\n y\n}\n")", R"("p 2\na {\n x\n}\nb {\n y\n}\n")"));
  EXPECT_FALSE(undoes(R"("p 1\na {\n x\n}\nb {\n y\n}\n")", R"("p 1\na {\n x\n}\n")", R"("p 2\na {\n x\n}\n")"));
  EXPECT_FALSE(undoes(R"(["-p","1","-v"])", R"(["-p","1","-v","-v"])", R"(["-p","2","-v","-v"])"));
  // What documents say decides, not their commas; and lines where it is not clear which one was changed.
  EXPECT_TRUE(undoes(R"("{\n \"l\": 1,\n \"d\": true,\n \"p\": 80\n}")", R"("{\n \"l\": 1,\n \"p\": 80\n}")",
                     R"("{\n \"l\": 1,\n \"d\": true\n}")"));
  EXPECT_TRUE(undoes(R"("l=i\nd=true\n")", R"("l=i\n")", R"("l=i\nd=verbose\n")"));
  EXPECT_TRUE(undoes(R"(["--d","1","--a","2"])", R"(["--d","2","--a","3"])", R"(["--d","3","--a","3"])"));
  EXPECT_TRUE(undoes(R"("a:\n- host: g\n  v: 2\n")", R"("a:\n- host: b\n  v: 2\n- host: g\n  v: 3\n")",
                     R"("a:\n- host: b\n  v: 1\n- host: g\n  v: 3\n")"));
  EXPECT_FALSE(undoes(R"("{\"h\": [\"a\"]}")", R"("{\"h\": [\"a\", \"b\"]}")", R"("{\"h\": [\"a\", \"b\", \"c\"]}")"));
  EXPECT_FALSE(
      undoes(R"([{"from":[{"p":1}]}])", R"([{"from":[{"p":1},{"p":2}]}])", R"([{"from":[{"p":1},{"p":2},{"p":3}]}])"));
  EXPECT_TRUE(undoes(R"([{"from":[{"p":1}]}])", R"([{"from":[{"p":1},{"p":2}]}])", R"([{"from":[{"p":1},{"p":3}]}])"));
  EXPECT_TRUE(undoes(R"([{"name":"a","v":1},{"name":"b","v":1}])", R"([{"name":"b","v":1},{"name":"a","v":1}])",
                     R"([{"name":"a","v":2},{"name":"b","v":1}])"));
  // What live took away comes back in another form.
  EXPECT_TRUE(undoes(R"([{"host":"a","p":1},{"host":"b","p":1}])", R"([{"host":"a","p":1}])",
                     R"([{"host":"a","p":2},{"host":"b","p":2}])"));
  EXPECT_TRUE(undoes(R"("u:\n- name: a\n  r: 1\n- name: b\n  r: 1\n")", R"("u:\n- name: a\n  r: 1\n")",
                     R"("u:\n- name: a\n  r: 1\n- name: b\n  r: 2\n")"));
  EXPECT_TRUE(undoes(R"("one 1\ntwo 1\n")", R"("one 1\n")", R"("one 2\ntwo 2\n")"));
  // The manifest changes the next line, and keeps the new one.
  EXPECT_FALSE(undoes(R"("a b\nc d\n")", R"("a b\nnew one\nc d\n")", R"("a x\nnew one\nc d\n")"));
  EXPECT_TRUE(undoes(R"(["s","--t=30","--a=read"])", R"(["s","--t=60"])", R"(["s","--t=60","--a=write"])"));
  EXPECT_TRUE(undoes(R"("s {\n p 80;\n index on;\n}\ns {\n p 81;\n index on;\n}\n")",
                     R"("s {\n p 80;\n index on;\n}\ns {\n p 81;\n}\n")",
                     R"("s {\n p 80;\n index on;\n}\ns {\n p 81;\n index on; json;\n}\n")"))
      << "another block has the line, too";
}

TEST_F(WorriesTest, WhoWritesWebhooksDecidesWhatIsAllowed) {
  const auto rules = [](std::string_view verbs) {
    return StrCat(
        R"([{"apiGroups":["admissionregistration.k8s.io"],"resources":["validatingwebhookconfigurations"],"verbs":[)",
        verbs, "]}]");
  };
  EXPECT_EQ(In(Report("ClusterRole", Path({"rules"}), Reason::kChanged, rules(R"("get")"), rules(R"("get","patch")"))),
            "gives far-reaching rights: patch validatingwebhookconfigurations.admissionregistration.k8s.io");
  EXPECT_EQ(In(Report("ClusterRole", Path({"rules"}), Reason::kChanged, "[]", rules(R"("get")"))), "");
}

TEST_F(WorriesTest, AllOfAGroupReachesFarIfItIsOfKubernetes) {
  const auto rules = [](std::string_view group) {
    return StrCat(R"([{"apiGroups":[")", group, R"("],"resources":["*"],"verbs":["get"]}])");
  };
  for (const char* group : {"", "*", "apps", "rbac.authorization.k8s.io"}) {
    EXPECT_TRUE(WorriesOf(Report("ClusterRole", Path({"rules"}), Reason::kChanged, "[]", rules(group)))
                    .contains(Worry::kRightsGiven))
        << group;
  }
  EXPECT_EQ(In(Report("ClusterRole", Path({"rules"}), Reason::kChanged, "[]", rules("config.example.com"))), "");
}

TEST_F(WorriesTest, VersionsOfACrdThatGo) {
  const std::string both = R"([{"name":"v1","served":true},{"name":"v1beta1","served":true}])",
                    one = R"([{"name":"v1","served":true}])",
                    stopped = R"([{"name":"v1","served":true},{"name":"v1beta1","served":false}])";
  const std::string told = "stops serving API versions: v1beta1";
  EXPECT_EQ(In(Report("CustomResourceDefinition", Path({"spec", "versions"}), Reason::kChanged, both, one)), told);
  EXPECT_EQ(In(Report("CustomResourceDefinition", Path({"spec", "versions"}), Reason::kChanged, both, stopped)), told);
  EXPECT_EQ(In(Report("CustomResourceDefinition", Path({"spec", "versions"}), Reason::kChanged, one, both)), "");
}

TEST_F(WorriesTest, AnotherVersionInWhichObjectsAreStored) {
  const std::string
      before = R"([{"name":"v1","served":true,"storage":false},{"name":"v1beta1","served":true,"storage":true}])",
      after = R"([{"name":"v1","served":true,"storage":true},{"name":"v1beta1","served":true,"storage":false}])";
  EXPECT_EQ(In(Report("CustomResourceDefinition", Path({"spec", "versions"}), Reason::kChanged, before, after)),
            "stores objects as another API version: v1beta1 → v1");
}

TEST_F(WorriesTest, ServicesThatAreReachedInAnotherWay) {
  EXPECT_EQ(In(Report("Service", Path({"spec", "type"}), Reason::kChanged, R"("LoadBalancer")", R"("NodePort")")),
            "is reached in another way: type LoadBalancer → NodePort");
  EXPECT_EQ(In(Report("StorageClass", Path({"spec", "type"}), Reason::kChanged, R"("a")", R"("b")")), "");
}

TEST_F(WorriesTest, PortsOfAServiceThatGo) {
  FieldPath path = Path({"spec", "ports"});
  path.push_back(PathStep::Key({{"port", "9090"}, {"protocol", "\"TCP\""}}));
  ObjectReport object = Report("Service", path, Reason::kRemoved, R"({"port":9090,"protocol":"TCP"})", "null");
  object.rows[0].outcome = nullptr;
  EXPECT_EQ(In(object), "") << "only a row that removes it";
  object.rows[0].op = RowOp::kDelete;
  EXPECT_EQ(In(object), "is reached in another way: -ports 9090");
  object.rows[0].path.push_back(PathStep::Field("name"));
  EXPECT_EQ(In(object), "") << "the port stays";
}

TEST_F(WorriesTest, ObjectsOfAnotherApplication) {
  const FieldPath label = Path({"metadata", "labels", "app.kubernetes.io/instance"});
  EXPECT_EQ(In(Report("ClusterRole", label, Reason::kChanged, R"("shop")", R"("blog")")),
            "takes objects from another application: shop → blog");
  EXPECT_EQ(In(Report("ClusterRole", Path({"metadata", "labels", "tier"}), Reason::kChanged, R"("a")", R"("b")")), "");
}

TEST_F(WorriesTest, WhichItemIsRefused) {
  const auto refused = [&](std::string_view path) {
    ObjectReport object = Report("Service", Path({"spec", "ports"}), Reason::kChanged, "1", "2");
    object.action = Action::kError;
    object.error = Error::Refused("foretold: Required value");
    object.error->path = path;
    return WorriesOf(object).at(Worry::kRefused).all;
  };
  EXPECT_EQ(refused("spec.ports[1].name"), "ports[1].name: Required value");
  EXPECT_EQ(refused("spec.replicas"), "replicas: Required value");
  EXPECT_EQ(refused("spec.containers[name=web].args"), "args: Required value");
  EXPECT_EQ(refused("data"), "data: Required value");
}

TEST_F(WorriesTest, AManifestThatIsOlderThanWhatWasApplied) {
  ObjectReport object = Report("Deployment", Path({"spec", "replicas"}), Reason::kChanged, "2", "3");
  object.applied_since = "argocd-controller";
  EXPECT_EQ(In(object), "another manifest was applied since this file was written: by argocd-controller");
}

TEST_F(WorriesTest, RightsThatReachFar) {
  const std::string_view none = R"([{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}])";
  const auto with = [&](std::string_view rule) {
    const std::string rules = StrCat(none.substr(0, none.size() - 1), ",", rule, "]");
    return In(Report("ClusterRole", Path({"rules"}), Reason::kChanged, none, rules));
  };
  EXPECT_EQ(with(R"({"apiGroups":[""],"resources":["secrets","services"],"verbs":["get"]})"),
            "gives far-reaching rights: get secrets");
  EXPECT_EQ(with(R"({"apiGroups":[""],"resources":["pods/exec"],"verbs":["create"]})"),
            "gives far-reaching rights: create pods/exec");
  EXPECT_EQ(with(R"({"apiGroups":["rbac.authorization.k8s.io"],"resources":["clusterroles"],"verbs":["*"]})"),
            "gives far-reaching rights: * clusterroles.rbac.authorization.k8s.io");
  EXPECT_EQ(with(R"({"apiGroups":["apps"],"resources":["deployments"],"verbs":["*"]})"), "");
  EXPECT_EQ(with(R"({"apiGroups":["rbac.authorization.k8s.io"],"resources":["roles"],"verbs":["bind"]})"),
            "gives far-reaching rights: bind roles.rbac.authorization.k8s.io");
  EXPECT_EQ(with(R"({"apiGroups":["apps"],"resources":["deployments"],"verbs":["get"]})"), "");
  EXPECT_EQ(with(R"({"apiGroups":[""],"resources":["persistentvolumeclaims"],"verbs":["get","delete"]})"),
            "gives far-reaching rights: delete, get persistentvolumeclaims");
  EXPECT_EQ(with(R"({"apiGroups":[""],"resources":["persistentvolumeclaims"],"verbs":["get","list"]})"), "");
}

TEST_F(WorriesTest, WhatPeopleSetStaysAndWhatControllersSetIsNotTold) {
  ObjectReport object = Report("Deployment", Path({"spec", "replicas"}), Reason::kChanged, "2", "3");
  object.of_others = {{.manager = {.name = "kubectl-edit", .operation = "Update"},
                       .paths = {Path({"metadata", "annotations", "oncall"}), Path({"spec", "hostNetwork"})},
                       .values = {"maria", "true"}},
                      {.manager = {.name = "kube-controller-manager", .operation = "Update"},
                       .paths = {Path({"metadata", "annotations", "deployment.kubernetes.io/revision"})},
                       .values = {"4"}}};
  object.privileges = {Path({"spec", "hostNetwork"})};
  EXPECT_EQ(
      In(object),
      "keeps privileges that others added: spec.hostNetwork; by kubectl-edit; keeps what others set in the cluster: "
      "annotations oncall: maria; by kubectl-edit");
}

TEST_F(WorriesTest, ItemsWithoutANameInATextThatNobodyApplied) {
  const std::string_view
      live = R"("- {arn: 'arn:aws:iam::1:role/eks-worker-role'}\n- {arn: 'arn:aws:iam::1:role/eks-worker-arm64'}\n")",
      now = R"("- arn: arn:aws:iam::1:role/eks-worker-role\n")";
  EXPECT_EQ(
      WorriesOf(Report("ConfigMap", Path({"data", "mapRoles"}), Reason::kOwned, live, now)).at(Worry::kUndoes).all,
      "mapRoles -arn …aws:iam::1:role/eks-worker-arm64");
}

TEST_F(WorriesTest, APlaceholderInASecretIsNamedByItsKey) {
  const auto secret = [](std::string_view value) {
    return StrCat("apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {token: ", value, "}\n");
  };
  const auto of = [&](std::string_view value) { return WorriesOf(Change(secret("c2VjcmV0"), secret(value))); };
  EXPECT_EQ(of("WU9VUl9UT0tFTg==").at(Worry::kPlaceholder).all, "token");
  EXPECT_FALSE(of("c2VjcmV0Mg==").contains(Worry::kPlaceholder));
}

TEST_F(WorriesTest, SettingsWithAnotherAddress) {
  const auto of = [&](std::string_view before, std::string_view after, Reason reason = Reason::kChanged) {
    const auto quoted = [](std::string_view text) { return StrCat("\"", text, "\""); };
    return In(Report("ConfigMap", Path({"data", "DB"}), reason, quoted(before), quoted(after)));
  };
  EXPECT_EQ(of("postgres://me@db:5432/shop", "postgres://me@db-2.corp:5432/shop"),
            "settings name another address: DB db → db-2.corp");
  EXPECT_EQ(of("http://db:1/a", "http://db:2/b"), "") << "the same host";
  EXPECT_EQ(of("db", "db-2"), "") << "it may be anything";
}

TEST_F(WorriesTest, TheImageOfWhatAnOperatorStarts) {
  EXPECT_EQ(In(Report("CrdbCluster", Path({"spec", "image", "name"}), Reason::kChanged,
                      R"("cockroachdb/cockroach:v22.1.0")", R"("cockroachdb/cockroach:v25.4.2")")),
            "runs another major version: cockroach v22.1.0 → v25.4.2");
}

TEST_F(WorriesTest, SchemasThatMayRefuseObjects) {
  const std::string_view loose = R"([{"name":"v1","schema":{"openAPIV3Schema":{"properties":{"a":{},"b":{}}}}}])",
                         strict = R"([{"name":"v1","schema":{"openAPIV3Schema":{"properties":{"a":{"minimum":1}}}}}])";
  const FieldPath path = Path({"spec", "versions"});
  EXPECT_EQ(In(Report("CustomResourceDefinition", path, Reason::kChanged, loose, strict)),
            "drops fields of a schema: existing values are no longer served, and lost at the next write: b; stricter "
            "schema: existing objects that "
            "break the new rules may be refused at their next change: minimum 1 in a");
  EXPECT_EQ(In(Report("CustomResourceDefinition", path, Reason::kChanged, strict, loose)), "");
}

TEST_F(WorriesTest, UnknownFieldsThatAreNoLongerKept) {
  const std::string_view keeps =
                             R"([{"name":"v1","schema":{"openAPIV3Schema":{"properties":{
              "spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}])",
                         described =
                             R"([{"name":"v1","schema":{"openAPIV3Schema":{"properties":{
              "spec":{"type":"object","required":["a"],"properties":{"a":{}}}}}}}])";
  EXPECT_EQ(In(Report("CustomResourceDefinition", Path({"spec", "versions"}), Reason::kChanged, keeps, described)),
            "drops fields of a schema: existing values are no longer served, and lost at the next write: unknown "
            "fields in spec; stricter "
            "schema: existing objects that break the new rules may be refused at their next change: spec.a is now "
            "required");
}

TEST_F(WorriesTest, UnknownFieldsThatADefinitionNoLongerKeeps) {
  const FieldPath path = Path({"spec", "preserveUnknownFields"});
  const std::string_view told =
      "drops fields of a schema: existing values are no longer served, and lost at the next write: unknown fields in "
      "all objects";
  ObjectReport object = Report("CustomResourceDefinition", path, Reason::kChanged, "true", "false");
  EXPECT_EQ(In(object), told);
  object.rows[0].op = RowOp::kDelete;
  object.rows[0].outcome = nullptr;
  EXPECT_EQ(In(object), told) << "false is the default";
  EXPECT_EQ(In(Report("CustomResourceDefinition", path, Reason::kChanged, "false", "true")), "");
}

TEST_F(WorriesTest, ObjectsThatLeaveAFieldOutGetAnotherDefault) {
  const auto versions = [](std::string_view more) {
    return StrCat(R"([{"name":"v1","schema":{"openAPIV3Schema":{"properties":{"a":{"type":"string")", more, "}}}}}]");
  };
  const auto in = [&](std::string_view before, std::string_view after) {
    return In(Report("CustomResourceDefinition", Path({"spec", "versions"}), Reason::kChanged, versions(before),
                     versions(after)));
  };
  EXPECT_EQ(in(R"(,"default":"audit")", R"(,"default":"Enforce")"),
            "changes defaults of a schema: what objects without the field get: "
            "a audit "
            "→ Enforce");
  EXPECT_EQ(in("", R"(,"default":"audit")"), "") << "often what a controller did before";
}

TEST_F(WorriesTest, PrivilegesThatStay) {
  ObjectReport object = Report("Deployment", Path({"spec", "replicas"}), Reason::kChanged, "2", "3");
  object.privileges = {Path({"spec", "hostNetwork"})};
  EXPECT_EQ(In(object), "keeps privileges that others added: spec.hostNetwork");
}

TEST_F(WorriesTest, ImagesOfAnotherRegistry) {
  const FieldPath path = Path({"spec", "image"});
  const auto with = [&](std::string_view kind, std::string_view before, std::string_view after) {
    return In(Report(kind, path, Reason::kChanged, before, after));
  };
  EXPECT_EQ(with("Pod", R"("nginx:1")", R"("ghcr.io/x/nginx:1")"),
            "takes images from another place: docker.io → ghcr.io");
  EXPECT_EQ(with("Pod", R"("nginx:1")", R"("docker.io/library/nginx:1.2")"), "");
}

TEST_F(WorriesTest, AnotherMajorVersionOnExistingData) {
  const auto with = [&](std::string_view kind, std::string_view after, bool keeps_data) {
    ObjectReport object = Report(kind, Path({"spec", "image"}), Reason::kChanged, R"("postgres:15.4")", after);
    object.pods.keeps_data = keeps_data;
    return In(object);
  };
  EXPECT_EQ(with("StatefulSet", R"("postgres:16-alpine")", true),
            "runs another major version on existing data: postgres 15.4 → 16-alpine");
  EXPECT_EQ(with("StatefulSet", R"("postgres:16-alpine")", false),
            "runs another major version: postgres 15.4 → 16-alpine");
  EXPECT_EQ(with("StatefulSet", R"("postgres:15.5")", true), "");
  EXPECT_EQ(with("Deployment", R"("postgres:16.0")", true),
            "runs another major version on existing data: postgres 15.4 → 16.0");
}

TEST_F(WorriesTest, SkippedMinorVersions) {
  EXPECT_EQ(
      In(Report("Deployment", Path({"spec", "image"}), Reason::kChanged, R"("ceph:v1.16.0")", R"("ceph:v1.18.0")")),
      "skips minor versions: ceph v1.16.0 → v1.18.0");
}

TEST_F(WorriesTest, WhatAnObjectGivesToOthers) {
  ObjectReport object = Report("RoleBinding", Path({"x"}), Reason::kChanged, "1", "2");
  object.access = {.redirects = {"n/a → n/b"}, .laxer = "baseline → privileged"};
  EXPECT_EQ(
      In(object),
      "allows Pods more (label pod-security.kubernetes.io/enforce): baseline → privileged; sends requests to another "
      "service: n/a → n/b");
}

TEST_F(WorriesTest, AFieldThatBecomesRequired) {
  const std::string_view before = R"([{"name":"v1","schema":{"openAPIV3Schema":{"properties":{"a":{}}}}}])",
                         after =
                             R"([{"name":"v1","schema":{"openAPIV3Schema":{"properties":{"a":{}},"required":["a"]}}}])";
  EXPECT_EQ(In(Report("CustomResourceDefinition", Path({"spec", "versions"}), Reason::kChanged, before, after)),
            "stricter schema: existing objects that break the new rules may be refused at their next change: a is now "
            "required");
}

TEST_F(WorriesTest, AnotherValidationRuleIsNamed) {
  const auto with = [](std::string_view rule) {
    return StrCat(
        R"([{"name":"v1","schema":{"openAPIV3Schema":{"properties":{"a":{"x-kubernetes-validations":[{"rule":")", rule,
        R"("}]}}}}}])");
  };
  const std::string before = with("self < 2"), after = with("self < 1");
  EXPECT_EQ(In(Report("CustomResourceDefinition", Path({"spec", "versions"}), Reason::kChanged, before, after)),
            "stricter schema: existing objects that break the new rules may be refused at their next change: new rule "
            "\"self < 1\" in a");
}

TEST_F(WorriesTest, AMapThatGoesIsNamedWithWhatIsInIt) {
  ObjectReport object =
      Report("ConfigMap", Path({"data"}), Reason::kExplicitNull, R"({"size":"64m","time":"300s"})", "{}");
  object.rows[0].op = RowOp::kDelete;
  object.rows[0].outcome = nullptr;
  object.rows[0].managers = {{.name = "kubectl-edit", .operation = "Update"}};
  EXPECT_EQ(In(object),
            "undoes changes made in the cluster (live → after apply): -data (size: 64m, time: 300s); by kubectl-edit");
}

TEST_F(WorriesTest, OtherSecretsThanBeforeAreNamed) {
  ObjectReport object = Report("Deployment", Path({"spec", "template"}), Reason::kChanged, "{}", R"({"a":"b"})");
  object.new_pods = true;
  object.needs_now = {{"Secret", "old", "key"}, {"ConfigMap", "web-57mh2m4k5c"}};
  object.pods.needs = {{"Secret", "new", "key"}, {"ConfigMap", "web-842fk9bd4t"}};
  EXPECT_EQ(WorriesOf(object).at(Worry::kOtherSettings).all, "-Secret old, +Secret new");
  object.pods.needs = {{"Secret", "old", "other"}, {"Secret", "new"}};
  EXPECT_EQ(WorriesOf(object).at(Worry::kOtherSettings).all, "-ConfigMap web, +Secret new");
  object.pods.needs = object.needs_now;
  EXPECT_FALSE(WorriesOf(object).contains(Worry::kOtherSettings));
}

TEST_F(WorriesTest, AnItemThatTheManifestRemovesIsNotUndone) {
  ObjectReport object =
      Report("DaemonSet", Path({"spec", "initContainers"}), Reason::kRemoved, R"({"name":"mount"})", "{}");
  object.rows[0].op = RowOp::kDelete;
  object.rows[0].outcome = nullptr;
  object.rows[0].managers = {{.name = "kubectl-set", .operation = "Update"}};
  EXPECT_EQ(In(object), "removes what others have changed: -initContainers; by kubectl-set");
}

TEST_F(WorriesTest, SettingsThatAreTurnedOn) {
  EXPECT_EQ(In(Report("ConfigMap", Path({"data", "USE_OPERATOR"}), Reason::kChanged, R"("false")", R"("true")")),
            "turns settings on or off: USE_OPERATOR false → true");
  EXPECT_EQ(In(Report("ConfigMap", Path({"data", "USE_OPERATOR"}), Reason::kDrift, R"("false")", R"("true")")),
            "undoes changes made in the cluster (live → after apply): USE_OPERATOR false → true")
      << "told once";
}

TEST_F(WorriesTest, WhatIsAppliedServerSideIsNobodysChange) {
  ObjectReport object =
      Report("ConfigMap", Path({"metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"}),
             Reason::kDrift, R"("{}")", R"("{\"a\":1}")");
  object.rows[0].managers = {{.name = "kubectl-last-applied", .operation = "Apply"}};
  EXPECT_EQ(In(object), "");
}

TEST_F(WorriesTest, WhatProtectsContainersIsNoWorry) {
  const FieldPath context = Path({"spec", "template", "spec", "securityContext"});
  const auto switched = [&](const char* field, std::string_view before, std::string_view after) {
    FieldPath path = context;
    path.push_back(PathStep::Field(field));
    return In(Report("Deployment", path, Reason::kChanged, before, after));
  };
  EXPECT_EQ(switched("allowPrivilegeEscalation", "true", "false"), "");
  EXPECT_EQ(switched("allowPrivilegeEscalation", "false", "true"),
            "turns settings on or off: allowPrivilegeEscalation false → true");
  EXPECT_EQ(switched("runAsNonRoot", "false", "true"), "");
  const auto removed = [&](std::string_view value) {
    ObjectReport object = Report("Deployment", context, Reason::kRemoved, value, "{}");
    object.rows[0].op = RowOp::kDelete;
    object.rows[0].outcome = nullptr;
    return In(object);
  };
  EXPECT_EQ(removed(R"({"privileged":true,"capabilities":{"add":["SYS_ADMIN"]}})"), "");
  EXPECT_EQ(removed(R"({"privileged":true,"seccompProfile":{}})"), "removes safeguards: -securityContext");
}

TEST_F(WorriesTest, AnotherSelectorOfAService) {
  EXPECT_EQ(In(Report("Service", Path({"spec", "selector", "app"}), Reason::kChanged, R"("old")", R"("new")")),
            "is reached in another way: selector app old → new");
}

TEST_F(WorriesTest, ImagesOfARefusedObjectAreNotApplied) {
  ObjectReport object = Report("Deployment", Path({"spec", "template", "spec", "containers", "image"}),
                               Reason::kChanged, R"("a/operator:1.2")", R"("a/operator:2.0")");
  object.action = Action::kError;
  object.error = Error::Refused("field is immutable");
  object.error->path = "spec.selector";
  EXPECT_EQ(In(object),
            "will be refused, and stays as it is: selector: field is immutable; not applied: operator 1.2 → 2.0");
}

TEST_F(WorriesTest, HowTheServerCallsAWebhook) {
  const std::string kind = "MutatingWebhookConfiguration";
  EXPECT_EQ(In(Report(kind, Path({"webhooks", "failurePolicy"}), Reason::kChanged, R"("Ignore")", R"("Fail")")),
            "changes what the API server asks webhooks or policies, or what it does if they fail: failurePolicy Ignore "
            "→ Fail");
  EXPECT_EQ(
      In(Report("CustomResourceDefinition", Path({"spec", "conversion"}), Reason::kRemoved,
                R"({"strategy":"Webhook","webhook":{}})", R"({"strategy":"None"})")),
      "changes what the API server asks webhooks or policies, or what it does if they fail: conversion Webhook → None");
  ObjectReport object =
      Report("CustomResourceDefinition", Path({"spec", "conversion", "webhook"}), Reason::kRemoved, "{}", "{}");
  object.rows[0].op = RowOp::kDelete;
  object.rows[0].outcome = nullptr;
  EXPECT_EQ(In(object),
            "changes what the API server asks webhooks or policies, or what it does if they fail: -webhook");
}

TEST_F(WorriesTest, AJobThatRunsIsNamedWithWhatItRuns) {
  ObjectReport object = Report("Job", Path({"spec", "x"}), Reason::kChanged, "1", "2");
  object.action = Action::kCreate;
  object.new_pods = true;
  object.pods.runs = "certgen:v1.6 create --host=a";
  EXPECT_EQ(In(object), "runs as soon as it is created: certgen:v1.6 create --host=a");
}

TEST_F(WorriesTest, WhatNewPodsMayDoAndRun) {
  ObjectReport object = Report("DaemonSet", Path({"spec", "x"}), Reason::kChanged, "1", "2");
  object.pods = {.node_rights = {"privileged", "hostPath /dev"}, .moving_images = {"app:latest"}};
  EXPECT_EQ(In(object),
            "gives Pods access to their nodes: privileged, hostPath /dev; "
            "images whose tags move: Pods run what the tag points to when it is pulled: app:latest");
}

TEST_F(WorriesTest, ARefusalNamesWhatChangesBelowItsField) {
  ObjectReport object = Report("Job", Path({"spec", "template", "metadata", "labels", "version"}), Reason::kChanged,
                               R"("1.14")", R"("1.15")");
  object.action = Action::kError;
  object.error = Error::Refused("field is immutable");
  object.error->path = "spec.template";
  EXPECT_EQ(In(object),
            "will be refused, and stays as it is: template: field is immutable (labels version 1.14 → 1.15)");
}

TEST_F(WorriesTest, ARefusalNamesAllFieldsThatMayNotChange) {
  ObjectReport object = Report("StatefulSet", Path({"spec", "serviceName"}), Reason::kChanged, R"("a")", R"("b")");
  object.action = Action::kError;
  object.error = Error::Refused(
      "foretold: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template' are forbidden");
  object.error->path = "spec.serviceName";
  EXPECT_EQ(In(object), "will be refused, and stays as it is: serviceName a → b: may not change once set");
  object.also_refused = {"spec.podManagementPolicy", "spec.volumeClaimTemplates"};
  EXPECT_EQ(
      In(object),
      "will be refused, and stays as it is: serviceName, podManagementPolicy, volumeClaimTemplates: may not change "
      "once set");
}

TEST_F(WorriesTest, WhoDoesNotGetTheRoleOfARefusedBinding) {
  ObjectReport object = Report("RoleBinding", Path({"roleRef", "name"}), Reason::kChanged, R"("old")", R"("new")");
  object.action = Action::kError;
  object.error = Error::Refused("foretold: cannot change roleRef");
  object.error->path = "roleRef";
  object.role = {.role = "Role shop/new", .subjects = {"Group new"}, .subjects_before = {"ServiceAccount shop/web"}};
  EXPECT_EQ(In(object),
            "will be refused, and stays as it is: roleRef: cannot change roleRef (roleRef name old → new); "
            "it goes on giving old to ServiceAccount shop/web, not Role shop/new");
  object.role.subjects_before.push_back("Group dev");
  EXPECT_NE(In(object).find("; it goes on giving old to ServiceAccount shop/web, Group dev, not Role shop/new"),
            std::string::npos);
}

TEST_F(WorriesTest, ARefusedObjectThatIsNewIsNotCreated) {
  ObjectReport object;
  object.action = Action::kError;
  object.error = Error::Refused("must be no more than 63 characters");
  object.is_absent = true;
  EXPECT_EQ(In(object), "does not exist, and will not be created: must be no more than 63 characters");
}

TEST_F(WorriesTest, ARefusedObjectStaysAsItIsAndAComparisonHasNone) {
  ObjectReport object = Report("Deployment", Path({"spec", "replicas"}), Reason::kDrift, "2", "3");
  object.compared = true;
  EXPECT_EQ(In(object), "");
  object.compared = false;
  object.action = Action::kError;
  object.error = Error::Refused("field is immutable");
  object.error->path = "spec.replicas";
  EXPECT_EQ(In(object), "will be refused, and stays as it is: replicas 2 → 3: field is immutable");
  object.error->path = R"(metadata.annotations["a.b/c"])";
  EXPECT_EQ(In(object), R"(will be refused, and stays as it is: metadata.annotations["a.b/c"]: field is immutable)");
  object.error->path = "status.storedVersions[0]";
  object.error->message =
      "Invalid value: \"v1\": missing from spec.versions; v1 was a storage version, and must remain";
  EXPECT_EQ(In(object), "will be refused, and stays as it is: storedVersions[0]: \"v1\": missing from spec.versions");
  object.error->path = R"(metadata.annotations["a.b/c"])";
  object.error->message = "field is immutable";
  object.rows.clear();
  EXPECT_EQ(In(object),
            R"(cannot be explained, and will not be sent: metadata.annotations["a.b/c"]: field is immutable)");
}

TEST_F(WorriesTest, VersionsThatACustomResourceAsksFor) {
  ObjectReport object =
      Report("Postgres", Path({"spec", "postgresql", "version"}), Reason::kChanged, "\"13\"", "\"16\"");
  EXPECT_EQ(In(object), "") << "of Kubernetes itself";
  object.api_version = "db.example.com/v1";
  EXPECT_EQ(In(object), "runs another major version: version 13 → 16");
  object.rows[0].outcome = Keep("\"13.1\"");
  EXPECT_EQ(In(object), "");
  object.rows[0].outcome = Keep("16");
  EXPECT_EQ(In(object), "runs another major version: version 13 → 16");
}

TEST_F(WorriesTest, AnotherProgramAndATagThatMoved) {
  const auto image = [&](std::string_view before, std::string_view after) {
    return In(Report("ConfigMap", Path({"data", "docker_image"}), Reason::kChanged, StrCat("\"", before, "\""),
                     StrCat("\"", after, "\"")));
  };
  EXPECT_EQ(image("a/postgres:13", "a/psql:15"), "runs another image: postgres:13 → psql:15");
  EXPECT_EQ(image("a/spilo-13:2.0-p2", "a/spilo-16:3.2-p3"),
            "runs another major version: spilo-13 2.0-p2 → spilo-16 3.2-p3");
  EXPECT_EQ(image("a/mongo:latest", "a/mongo:4.4"),
            "may run an older version: the tag before moved: mongo latest → 4.4");
  EXPECT_EQ(image("a/mongo:4.4", "a/mongo:4.4.1"), "");
  EXPECT_EQ(image("x", "y"), "");
}

TEST_F(WorriesTest, WhatIsLostWithAnObjectThatIsDeleted) {
  ObjectReport object;
  object.action = Action::kPrune;
  EXPECT_EQ(In(object), "");
  object.loses = "all objects of that kind";
  EXPECT_EQ(In(object), "is deleted with what it holds: all objects of that kind");
}

TEST_F(WorriesTest, ARemovedFieldThatSomebodyChangedIsUndone) {
  ObjectReport object = Report("Deployment", Path({"spec", "replicas"}), Reason::kRemoved, "0", "1");
  object.rows[0].original = Keep("2");
  object.rows[0].drifted = true;
  EXPECT_EQ(In(object),
            "undoes changes made in the cluster (live → after apply): replicas 0 → 1 (no longer in the manifest; "
            "starts again)");
  object.rows[0].original = Keep("0");
  object.rows[0].drifted = false;
  EXPECT_EQ(In(object), "");
}

}  // namespace
}  // namespace smp::explain
