#include "schema/definition.h"

#include "schema/check.h"
#include "schema/testing.h"
#include "yaml/read_yaml.h"

namespace smp {
namespace {

const GroupVersionKind kW = {"g.io", "v1", "W"};

// A CRD whose objects have these properties in spec; `more` is added to spec of the CRD.
Document Crd(const std::string& properties, const std::string& more = "") {
  return *yaml::ParseYaml(StrCat("spec:\n  group: g.io\n  scope: Namespaced\n  names: {plural: ws, kind: W}\n", more,
                                 "  versions:\n  - name: v1\n    served: true\n    subresources: {status: {}}\n"
                                 "    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n"
                                 "          spec:\n            type: object\n            properties: {",
                                 properties, "}\n"));
}

std::shared_ptr<const Schema> Defined(const Document& crd) {
  const auto schema = CompileDefinition(crd.root(), "v1");
  EXPECT_TRUE(schema.ok()) << ToString(schema.error());
  ExpectSound(**schema);
  return *schema;
}

TEST(Definition, HasTheResourceOfEachVersion) {
  const Document crd = *yaml::ParseYaml(
      "spec: {group: g.io, scope: Cluster, names: {plural: ws, kind: W}, versions: [{name: v1, served: true}, "
      "{name: v2, served: false, subresources: {status: {}, scale: {}}}, bad]}");
  const std::vector<DefinedKind> kinds = KindsOfDefinition(crd.root());
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].resource.gvk, kW);
  EXPECT_EQ(kinds[0].resource.plural, "ws");
  EXPECT_FALSE(kinds[0].resource.namespaced);
  EXPECT_TRUE(kinds[0].served);
  EXPECT_FALSE(kinds[1].served);
  EXPECT_EQ(kinds[1].resource.subresources, (Words{"scale", "status"}));
  for (const char* none : {"{}", "spec: {names: []}", "spec: {names: {}, versions: {}}", "[]"}) {
    EXPECT_TRUE(KindsOfDefinition(yaml::ParseYaml(none)->root()).empty()) << none;
  }
}

TEST(Definition, StatesListsDefaultsAndTheMetadataOfObjects) {
  const auto schema = Defined(
      Crd("rules: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [host], items: {type: object, "
          "properties: {host: {type: string}}}}, tags: {type: array, x-kubernetes-list-type: set, items: {type: "
          "string}}, mode: {type: string, default: fast}, template: {type: object, x-kubernetes-embedded-resource: "
          "true, x-kubernetes-preserve-unknown-fields: true, properties: {metadata: {type: object}}}"));
  const Resource& resource = *schema->FindResource(kW);
  EXPECT_FALSE(resource.strategic);
  EXPECT_TRUE(resource.namespaced);
  const Field rules = FieldAt(*schema, resource.type, "spec.rules");
  EXPECT_EQ(rules.patch.list, ListMerge::kKeyed);
  EXPECT_EQ(rules.identity_keys, Words{"host"});
  EXPECT_EQ(FieldAt(*schema, resource.type, "spec.tags").patch.list, ListMerge::kSet);
  EXPECT_EQ(FieldAt(*schema, resource.type, "spec.mode").default_value->AsString(), "fast");
  EXPECT_EQ(FieldAt(*schema, resource.type, "metadata.ownerReferences").identity_keys, Words{"uid"});
  EXPECT_EQ(FieldAt(*schema, resource.type, "spec.template.metadata.labels").kind, TypeKind::kObject);
  EXPECT_EQ(FieldAt(*schema, resource.type, "spec.template.kind").kind, TypeKind::kString);
}

TEST(Definition, StatesHowListsOfAdditionalPropertiesAreMerged) {
  const auto schema =
      Defined(Crd("keyed: {type: object, additionalProperties: {type: array, x-kubernetes-list-type: map, "
                  "x-kubernetes-list-map-keys: [host], items: {type: object, properties: {host: {type: string}}}}}, "
                  "whole: {type: object, additionalProperties: {type: array, items: {type: string}}}"));
  const TypeId type = schema->FindResource(kW)->type;
  const Field* keyed = schema->FindMerged(FieldAt(*schema, type, "spec.keyed").type, "a");
  ASSERT_NE(keyed, nullptr);
  EXPECT_EQ(keyed->patch.list, ListMerge::kKeyed);
  EXPECT_EQ(keyed->identity_keys, Words{"host"});
  EXPECT_NE(schema->Find(keyed->type, "host"), nullptr);
  EXPECT_EQ(schema->FindMerged(FieldAt(*schema, type, "spec.whole").type, "a"), nullptr);
}

TEST(Definition, AnotherVersionOrNoSchemaHasNoType) {
  const Document crd = *yaml::ParseYaml("spec: {group: g.io, names: {plural: ws, kind: W}, versions: [{name: v1}]}");
  EXPECT_EQ(Defined(crd)->FindResource(kW)->type, kNoType);
  EXPECT_EQ((*CompileDefinition(crd.root(), "v2"))->FindResource({"g.io", "v2", "W"}), nullptr);
}

TEST(Definition, AMalformedSchemaIsAnError) {
  for (const char* properties : {"a: 1", "a: {properties: []}", "a: {$ref: '#/x'}"}) {
    EXPECT_FALSE(CompileDefinition(Crd(properties).root(), "v1").ok()) << properties;
  }
}

// What an API server 1.36 makes of each spec with fieldValidation=Strict; tests/e2e/definitions.py asks it.
constexpr char kProperties[] =
    "s: {type: string}, i: {type: integer}, l: {type: array, items: {type: string}}, empty: {type: object}, "
    "m: {type: object, additionalProperties: {type: object, properties: {a: {type: string}}}}, "
    "free: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object, properties: "
    "{x: {type: string}}}}}, any: {x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}, "
    "fl: {type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: object, properties: {a: {type: "
    "object, "
    "properties: {x: {type: string}}}}}}, fll: {type: array, x-kubernetes-preserve-unknown-fields: true, items: {type: "
    "array, items: {type: object, properties: {a: {type: string}}}}}, ios: {x-kubernetes-int-or-string: true}, "
    "emb: {type: object, x-kubernetes-embedded-resource: true, properties: {spec: {type: object, properties: {a: "
    "{type: "
    "string}}}}}";

Words Problems(const std::string& spec, const std::string& more = "", UnknownFields unknown = UnknownFields::kFind) {
  const auto schema = Defined(Crd(kProperties, more));
  const Document object = *yaml::ParseYaml(StrCat("apiVersion: g.io/v1\nkind: W\nmetadata: {name: w}\n", spec));
  Words out;
  for (const Error& error : CheckTypes(object, *schema, schema->FindType(kW), unknown)) {
    out.push_back(StrCat(error.path, ": ", error.message));
  }
  return out;
}

TEST(CheckCustomResource, FindsWhatTheServerRefuses) {
  const struct {
    const char* text;
    const char* problem;
  } rows[] = {
      {"spec: {ss: x}", "spec.ss: unknown field \"ss\"; did you mean \"s\"?"},
      {"sepc: {}", "sepc: unknown field \"sepc\"; did you mean \"spec\"?"},
      {"status: {a: 1}", "status: unknown field \"status\"; remove it"},
      {"spec: {empty: {a: 1}}", "spec.empty.a: unknown field \"a\"; remove it"},
      {"spec: {empty: x}", "spec.empty: expected an object, found a string"},
      {"spec: {m: {q: {b: 1}}}", "spec.m.q.b: unknown field \"b\"; did you mean \"a\"?"},
      {"spec: {free: x}", "spec.free: expected an object, found a string"},
      {"spec: {free: {a: {w: 1}}}", "spec.free.a.w: unknown field \"w\"; did you mean \"x\"?"},
      {"spec: {any: {a: 1}}", "spec.any.a: expected a string, found an integer (1); put the text in quotes"},
      {"spec: {fl: [{a: {w: 1}}]}", "spec.fl[0].a.w: unknown field \"w\"; did you mean \"x\"?"},
      {"spec: {ios: true}", "spec.ios: expected an integer or a string, found a boolean (true)"},
      {"spec: {emb: {spec: {b: 1}}}", "spec.emb.spec.b: unknown field \"b\"; did you mean \"a\"?"},
      {"spec: {emb: {zz: 1}}", "spec.emb.zz: unknown field \"zz\"; remove it"},
      {"spec: {emb: {apiVersion: 1}}",
       "spec.emb.apiVersion: expected a string, found an integer (1); put the text in quotes"},
      {"spec: {emb: {metadata: {zz: 1}}}", "spec.emb.metadata.zz: unknown field \"zz\"; remove it"},
      {"spec: {i: \"1\"}", "spec.i: expected an integer, found a string; remove the quotes"},
      {"spec: {l: {a: x}}", "spec.l: expected a list, found an object; begin each item with a dash (-)"},
  };
  for (const auto& row : rows) EXPECT_EQ(Problems(row.text), Words{row.problem}) << row.text;
}

// Found with kubectl apply --server-side (tests/e2e/definitions.py): the server drops these fields without a word.
TEST(CheckCustomResource, InAServerSideApplySomeUnknownFieldsPass) {
  for (const char* text : {"spec: {empty: {a: 1}}", "spec: {free: {a: {w: 1}}}", "spec: {fl: [{a: {w: 1}}]}"}) {
    EXPECT_EQ(Problems(text, "", UnknownFields::kFindInApply), Words{}) << text;
  }
  for (const char* text : {"spec: {ss: x}", "spec: {free: {a: {w: 1}}, ss: x}", "spec: {m: {q: {b: 1}}}",
                           "spec: {empty: x}", "spec: {emb: {zz: 1}}", "spec: {any: {a: 1}}"}) {
    EXPECT_EQ(Problems(text, "", UnknownFields::kFindInApply).size(), 1U) << text;
  }
}

TEST(CheckCustomResource, AcceptsWhatTheServerAccepts) {
  for (const char* text : {
           "spec: {zz: null}",  // not sent: null means absent
           "spec: {free: {z: 1, a: {x: t}}}",
           "spec: {any: x}",
           "spec: {any: [1]}",
           "spec: {any: {z: 1}}",
           "spec: {fl: [{z: 1}]}",
           "spec: {fll: [[{z: 1}]]}",
           "spec: {ios: 1}",
           "spec: {emb: {apiVersion: v1, kind: X, metadata: {name: x, managedFields: [{fieldsV1: {\"f:a\": {}}}]}}}",
           "spec: {i: 1.0, s: null, l: null}",
       }) {
    EXPECT_EQ(Problems(text), Words{}) << text;
  }
}

TEST(CheckCustomResource, ACrdThatPreservesAllUnknownFieldsHasNone) {
  const std::string preserving = "  preserveUnknownFields: true\n";
  EXPECT_EQ(Problems("spec: {zz: 1, m: {q: {b: 1}}}\nextra: 1\n", preserving), Words{});
  EXPECT_EQ(Problems("spec: {s: 1}", preserving).size(), 1U);
}

}  // namespace
}  // namespace smp
