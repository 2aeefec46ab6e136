// karmada's OverridePolicy and ClusterOverridePolicy (policy.karmada.io/v1alpha1; the proposal writes
// karmada.io/v1alpha1), as read from a document, with every field and every rule of karmada's admission. Besides
// karmada's overriders, there are those of the proposal's three alternative designs: jsonPlaintextOverrider,
// yamlPlaintextOverrider and plaintextObjectOverrider. Source: karmada's API types and its proposal "Structured
// configuration overrider".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "edit/inner_document.h"
#include "value/document.h"

namespace smp::karmada {

// The place of a part of a policy: file and line, and the path in the policy with the number of its rule and operation:
// spec.overrideRules[0].overriders.fieldOverrider[0].yaml[1].
struct PolicyPlace {
  Source source;
  std::string path;
};

struct KeyRequirement {
  enum class Operator { kIn, kNotIn, kExists, kDoesNotExist, kUnknown };
  std::string key;
  Operator op = Operator::kUnknown;
  std::vector<std::string> values;
};

// matchLabels become In with one value.
struct KeySelector {
  std::vector<KeyRequirement> requirements;  // all must hold
  std::string problem;                       // why the API refuses it, so that it selects nothing; "": valid
};

struct ResourceSelector {
  PolicyPlace place;
  std::string api_version;
  std::string kind;
  std::string name_space;  // "": any
  std::string name;        // "": any; else the labels are ignored
  std::optional<KeySelector> labels;
};

// targetCluster; empty or missing parts restrict nothing.
struct ClusterAffinity {
  PolicyPlace place;
  std::optional<KeySelector> labels;
  std::optional<KeySelector> fields;  // keys: provider, region, zone
  std::vector<std::string> names;
  std::vector<std::string> exclude;
};

struct ImageOverrider {
  enum class Component { kRegistry, kRepository, kTag };
  PolicyPlace place;
  std::optional<std::string> path;  // predicate.path: the only field to change, in any kind of object
  Component component = Component::kTag;
  edit::EditKind op = edit::EditKind::kAdd;  // kAdd, kReplace, kRemove
  std::string value;
};

// commandOverrider, argsOverrider
struct ContainerOverrider {
  PolicyPlace place;
  std::string container;
  edit::EditKind op = edit::EditKind::kAdd;  // kAdd, kRemove
  std::vector<std::string> values;
};

// labelsOverrider, annotationsOverrider
struct MapOverrider {
  PolicyPlace place;
  edit::EditKind op = edit::EditKind::kAdd;  // kAdd, kReplace, kRemove
  std::map<std::string, std::string> values;
};

// An operation of plaintext, or inside a field.
struct PatchOperation {
  PolicyPlace place;
  edit::EditKind op = edit::EditKind::kAdd;
  std::string path;
  std::string from;            // kMove, kCopy
  std::optional<Value> value;  // kAdd, kReplace, kTest
};

// kKarmada: a negative list index counts from the end.
enum class PatchRules { kKarmada, kRfc6902 };

// fieldOverrider, and the alternative designs: one field, one parse, one write.
struct FieldOverrider {
  PolicyPlace place;
  std::string path;
  edit::DataFormat format = edit::DataFormat::kYaml;
  PatchRules rules = PatchRules::kKarmada;
  std::vector<PatchOperation> operations;
  std::optional<Value> merge_value;
  std::optional<Value> merge_raw_value;  // parsed from its text
};

struct OverrideRule {
  PolicyPlace place;
  std::optional<ClusterAffinity> target;
  std::vector<ImageOverrider> images;
  std::vector<ContainerOverrider> command;
  std::vector<ContainerOverrider> args;
  std::vector<MapOverrider> labels;
  std::vector<MapOverrider> annotations;
  std::vector<FieldOverrider> fields;  // in the order in which they run: field, json, yaml, plaintextObject
  std::vector<PatchOperation> plaintext;
};

struct OverridePolicy {
  bool cluster_scoped = false;  // a ClusterOverridePolicy
  std::string name;
  std::string name_space;  // "" for a ClusterOverridePolicy
  Source source;
  std::vector<ResourceSelector> selectors;  // any may match; empty: everything
  std::vector<OverrideRule> rules;
  std::vector<Error> notes;             // parts that are accepted but will not do what they seem to say
  Document document;                    // the values point into it
  std::vector<Document> raw_documents;  // for merge_raw_value

  std::string Label() const;  // "OverridePolicy default/p"
};

bool IsOverridePolicy(const Value& object);

// `policy` is the root of `document` or lies in it. `default_namespace`: for an OverridePolicy that names none. Error:
// policy, with the place of the first problem.
Result<OverridePolicy> ReadOverridePolicy(const Document& document, const Value& policy,
                                          const std::string& default_namespace);

}  // namespace smp::karmada
