// karmada/cases.jsonl: what karmada's own override manager and admission (v1.18.2) answered to inputs of ours; one case
// a line. Where we differ on purpose, karmada/deviations.txt says why; a case that stands there and agrees is an error,
// too. karmada/alternatives.jsonl: the proposal's alternative designs, which karmada never had, by RFC 6902 and 7396.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "base/strings.h"
#include "karmada/testing.h"
#include "tests_dir.h"
#include "value/equality.h"
#include "value/json_pointer.h"
#include "yaml/read_yaml.h"

namespace smp::karmada {
namespace {

std::ifstream Open(const std::string& name) {
  std::ifstream in(StrCat(kTestsDir, "/karmada/", name));
  EXPECT_TRUE(in.good()) << name;
  return in;
}

std::vector<Document> Lines(const std::string& name) {
  std::vector<Document> out;
  std::ifstream in = Open(name);
  for (std::string line; std::getline(in, line);) {
    auto document = ParseJson(line);
    EXPECT_TRUE(document.ok()) << line;
    if (document.ok()) out.push_back(*document);
  }
  return out;
}

// "NAME: REASON" lines.
std::map<std::string, std::string> Deviations() {
  std::map<std::string, std::string> out;
  std::ifstream in = Open("deviations.txt");
  for (std::string line; std::getline(in, line);) {
    const size_t colon = line.find(": ");
    if (!line.starts_with('#') && colon != std::string::npos) out[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return out;
}

bool IsTrue(const Value* value) { return value != nullptr && value->is_bool() && value->AsBool(); }

std::string NameOf(const Document& line) { return std::string(line.root().StringOr("name")); }

// The case's policies; a map of overriders is one rule of a policy in the object's namespace, or for the cluster.
std::vector<Value> PoliciesOf(const Value& line, Arena& arena) {
  if (const Value* list = line.Find("policies")) return {list->Items().begin(), list->Items().end()};
  const Value& policy = *line.Find("policy");
  if (policy.Find("spec") != nullptr) return {policy};
  const Value* metadata = line.Find("object")->Find("metadata");
  const Value* name_space = metadata == nullptr ? nullptr : metadata->Find("namespace");
  std::vector<Member> names = {{"name", arena.String("p")}};
  if (name_space != nullptr) names.push_back({"namespace", *name_space});
  const Value rule = arena.Object({{"overriders", policy}});
  return {arena.Object({{"apiVersion", arena.String("policy.karmada.io/v1alpha1")},
                        {"kind", arena.String(name_space != nullptr ? "OverridePolicy" : "ClusterOverridePolicy")},
                        {"metadata", arena.Object(names)},
                        {"spec", arena.Object({{"overrideRules", arena.Array(std::vector<Value>{rule})}})}})};
}

Result<MemberCluster> ClusterOf(const Value& line) {
  const Value* cluster = line.Find("cluster");
  if (cluster != nullptr && !cluster->is_null()) return ReadClusterFacts(*cluster);
  return MemberCluster{"dummy", std::map<std::string, std::string>(), "", "", std::vector<std::string>()};
}

Result<Document> Answer(const Value& line, const std::vector<Value>& policies) {
  std::vector<OverridePolicy> read;
  const Document nowhere;
  for (const Value& policy : policies) {
    SMP_ASSIGN(OverridePolicy one, ReadOverridePolicy(nowhere, policy, "default"));
    read.push_back(std::move(one));
  }
  SMP_ASSIGN(const MemberCluster cluster, ClusterOf(line));
  SMP_ASSIGN(const Overridden done,
             ApplyPolicies(Document(Arena(), *line.Find("object")), "", read, cluster, Record::kChanges));
  return done.object;
}

const Value* At(const Value& root, const std::string& pointer) {
  const Value* value = &root;
  const auto tokens = ParseJsonPointer(pointer);
  for (const std::string& token : tokens.ok() ? *tokens : JsonPointer()) {
    const auto index = value->is_array() ? ParseListIndex(token) : std::nullopt;
    value = index && *index < value->size() ? &value->Items()[*index] : value->Find(token);
    if (value == nullptr) return nullptr;
  }
  return value;
}

// Our reader refuses directives (%YAML 1.1), which an edit keeps.
std::string_view WithoutDirectives(std::string_view text) {
  while (text.starts_with('%')) text.remove_prefix(std::min(text.size(), text.find('\n')) + 1);
  return text;
}

// What the first document of an inner text says.
Result<Document> Inner(const Value& root, const std::string& path, std::string_view format) {
  const Value* text = At(root, path);
  if (text == nullptr || !text->is_string()) return Error::NotFound(StrCat("there is no text at ", path));
  if (format == "json") return ParseJson(text->AsString());
  yaml::YamlFile file = yaml::ParseYamlFile(WithoutDirectives(text->AsString()), "");
  return file.items.empty() ? Result<Document>(Document()) : std::move(file.items[0].document);
}

// The value with the one at the pointer replaced by null.
Value Without(const Value& value, const JsonPointer& at, size_t depth, Arena& arena) {
  if (depth == at.size()) return Value();
  if (value.is_array()) {
    std::vector<Value> items(value.Items().begin(), value.Items().end());
    const auto index = ParseListIndex(at[depth]);
    if (index && *index < items.size()) items[*index] = Without(items[*index], at, depth + 1, arena);
    return arena.Array(items);
  }
  if (!value.is_object()) return value;
  std::vector<Member> members(value.Members().begin(), value.Members().end());
  for (Member& m : members) {
    if (m.name == at[depth]) m.value = Without(m.value, at, depth + 1, arena);
  }
  return arena.SortedObject(members);
}

// "" when the object is what is wanted: inner texts by what they say, the rest by its data.
std::string Difference(const Value& object, Value wanted, const Value* parsed) {
  Arena arena;
  Value rest = object;
  for (const Value& field : parsed == nullptr ? std::span<const Value>() : parsed->Items()) {
    const std::string path(field.StringOr("path"));
    const auto inner = Inner(object, path, field.StringOr("format"));
    if (!inner.ok()) return StrCat(path, ": ", ToString(inner.error()), " in ", WriteJson(object));
    if (!SameByNumber(inner->root(), *field.Find("value"))) {
      return StrCat(path, " says ", WriteJson(inner->root()), "\n  wanted ", WriteJson(*field.Find("value")),
                    "\n  text ", WriteJson(*At(object, path)));
    }
    const JsonPointer at = *ParseJsonPointer(path);
    rest = Without(rest, at, 0, arena);
    wanted = Without(wanted, at, 0, arena);
  }
  return SameByNumber(rest, wanted) ? "" : StrCat("got ", WriteJson(rest), "\n  wanted ", WriteJson(wanted));
}

// "" when we answer as karmada does: an error where it errs or its admission refuses the policy.
std::string DifferenceFromKarmada(const Value& line, const std::vector<Value>& policies) {
  const bool wants_error = IsTrue(line.Find("error")) || !IsTrue(line.FindPath({"admission", "allowed"}));
  const auto answer = Answer(line, policies);
  if (!answer.ok()) return wants_error ? "" : ToString(answer.error());
  if (wants_error) return StrCat("an error is wanted, got ", WriteJson(answer->root()));
  return Difference(answer->root(), *line.Find("expect"), line.Find("parsed"));
}

TEST(Karmada, AnswersAsWe) {
  const std::map<std::string, std::string> deviations = Deviations();
  size_t cases = 0, deviating = 0;
  for (const Document& line : Lines("cases.jsonl")) {
    Arena arena;
    const std::string difference = DifferenceFromKarmada(line.root(), PoliciesOf(line.root(), arena));
    const auto deviation = deviations.find(NameOf(line));
    ++cases;
    if (deviation == deviations.end()) {
      EXPECT_EQ(difference, "") << NameOf(line);
    } else {
      ++deviating;
      EXPECT_NE(difference, "") << NameOf(line) << " agrees, but is said not to: " << deviation->second;
    }
  }
  EXPECT_EQ(cases, 596u);
  EXPECT_EQ(deviating, deviations.size()) << "a deviation names no case";
}

// The same with the policy as a person wrote it.
TEST(Karmada, AnswersAsWeToPoliciesInYaml) {
  const std::map<std::string, std::string> deviations = Deviations();
  size_t cases = 0;
  for (const Document& line : Lines("cases.jsonl")) {
    const std::string_view text = line.root().StringOr("policyYaml");
    if (text.empty() || deviations.contains(NameOf(line))) continue;
    ++cases;
    const Document policy = Yaml(text);
    EXPECT_EQ(DifferenceFromKarmada(line.root(), {policy.root()}), "") << NameOf(line);
  }
  EXPECT_EQ(cases, 17u);
}

// Where the RFCs would do something that nobody wants, the case recommends something else.
std::string DifferenceFromRecommendation(const Value& line, const Result<Document>& answer) {
  const std::string_view recommended = line.StringOr("recommend");
  const Value& object = *line.Find("object");
  if (recommended == "error") return answer.ok() ? "an error is recommended, got " + WriteJson(answer->root()) : "";
  if (!answer.ok()) return ToString(answer.error());
  if (recommended == "unchanged") return Difference(answer->root(), object, nullptr);
  if (recommended != "treat the empty document as an empty object") return StrCat("recommends ", recommended);
  const Document parsed = Yaml(R"([{path: /data/c.json, format: json, value: {a: 1}}])");
  return Difference(answer->root(), object, &parsed.root());
}

std::string DifferenceFromAlternative(const Value& line) {
  Arena arena;
  const auto answer = Answer(line, PoliciesOf(line, arena));
  if (line.Find("recommend") != nullptr) return DifferenceFromRecommendation(line, answer);
  const Value& wanted = *line.Find("expect");
  if (IsTrue(wanted.Find("error"))) return answer.ok() ? "an error is wanted, got " + WriteJson(answer->root()) : "";
  if (!answer.ok()) return ToString(answer.error());
  const Value& policy = *line.Find("policy");
  const bool json = WriteJson(policy).find("yaml") == std::string::npos;
  std::vector<Value> fields;
  for (const Value& field : wanted.Find("parsed")->Items()) {
    fields.push_back(arena.Object({{"path", *field.Find("path")},
                                   {"format", arena.String(json ? "json" : "yaml")},
                                   {"value", *field.Find("value")}}));
  }
  const Value parsed = arena.Array(fields);
  return Difference(answer->root(), *line.Find("object"), &parsed);
}

TEST(Alternatives, DoWhatTheRfcsSay) {
  size_t cases = 0;
  for (const Document& line : Lines("alternatives.jsonl")) {
    ++cases;
    EXPECT_EQ(DifferenceFromAlternative(line.root()), "") << NameOf(line);
  }
  EXPECT_EQ(cases, 107u);
}

TEST(Alternatives, WithoutAnythingToDoTheTextStaysByteForByte) {
  const std::string object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {x: '{ \"a\":1 , }'}}";
  EXPECT_EQ(Outcome(object, PolicyWith("jsonPlaintextOverrider:\n- {path: /data/x, patch: []}")),
            R"({"apiVersion":"v1","data":{"x":"{ \"a\":1 , }"},"kind":"ConfigMap","metadata":{"name":"c"}})");
}

TEST(Alternatives, HaveNoNegativeIndexes) {
  const std::string object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {x: '[1, {\"-1\": 2}]'}}";
  EXPECT_EQ(Outcome(object, PolicyWith("jsonPlaintextOverrider:\n"
                                       "- {path: /data/x, patch: [{path: /-1, operator: add, value: 3}]}")),
            "error: policy.yaml:8: spec.overrideRules[0].overriders.jsonPlaintextOverrider[0].patch[0]: OverridePolicy "
            "default/p cannot add /-1 in /data/x: the document is a list, and \"-1\" is not a list index");
  EXPECT_EQ(Outcome(object, PolicyWith("jsonPlaintextOverrider:\n"
                                       "- {path: /data/x, patch: [{path: /1/-1, operator: replace, value: 3}]}")),
            R"({"apiVersion":"v1","data":{"x":"[1, {\"-1\": 3}]"},"kind":"ConfigMap","metadata":{"name":"c"}})");
}

}  // namespace
}  // namespace smp::karmada
