// karmada's OverridePolicy and ClusterOverridePolicy (policy.karmada.io/v1alpha1, or karmada.io/v1alpha1 as in the
// proposal), parsed and checked with all rules of karmada's admission webhook. An overrider is a part of a policy that
// changes objects in one way. Besides those of karmada there are the three alternative designs of the proposal:
// jsonPlaintextOverrider, yamlPlaintextOverrider and plaintextObjectOverrider. Source: karmada's API types and its
// proposal "Structured configuration overrider".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "edit/inner_document.h"
#include "value/document.h"

namespace smp::karmada {

// Where a part of a policy is: file and line, and its path in the policy, e.g.
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

// A label or field selector. Each entry of matchLabels is an In requirement with one value.
struct KeySelector {
  std::vector<KeyRequirement> requirements;  // all must hold
  std::string problem;                       // why the API refuses it (it then selects nothing); "": valid
};

struct ResourceSelector {
  PolicyPlace place;
  std::string api_version;
  std::string kind;
  std::string name_space;  // "": any
  std::string name;        // "": any; otherwise `labels` is ignored
  std::optional<KeySelector> labels;
};

// The clusters that a rule is for (targetCluster). A part that is empty or missing matches every cluster.
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
  std::optional<std::string> path;  // predicate.path: change only this field, whatever the object's kind
  Component component = Component::kTag;
  edit::EditKind op = edit::EditKind::kAdd;  // kAdd, kReplace or kRemove
  std::string value;
};

// An entry of commandOverrider or argsOverrider.
struct ContainerOverrider {
  PolicyPlace place;
  std::string container;
  edit::EditKind op = edit::EditKind::kAdd;  // kAdd or kRemove
  std::vector<std::string> values;
};

// An entry of labelsOverrider or annotationsOverrider.
struct MapOverrider {
  PolicyPlace place;
  edit::EditKind op = edit::EditKind::kAdd;  // kAdd, kReplace, kRemove
  std::map<std::string, std::string> values;
};

// An operation on a field of the object (karmada's plaintext overrider), or on a value in a text inside a field.
struct PatchOperation {
  PolicyPlace place;
  edit::EditKind op = edit::EditKind::kAdd;
  std::string path;
  std::string from;            // kMove, kCopy
  std::optional<Value> value;  // kAdd, kReplace, kTest
};

// kKarmada: negative list indexes count from the end. kRfc6902: they are an error.
enum class PatchRules { kKarmada, kRfc6902 };

// An entry of fieldOverrider or of an alternative design: the operations on the text in one field.
struct FieldOverrider {
  PolicyPlace place;
  std::string path;
  edit::DataFormat format = edit::DataFormat::kYaml;
  PatchRules rules = PatchRules::kKarmada;
  std::vector<PatchOperation> operations;
  std::optional<Value> merge_value;
  std::optional<Value> merge_raw_value;  // mergeRawValue, parsed
};

struct OverrideRule {
  PolicyPlace place;
  std::optional<ClusterAffinity> target;
  std::vector<ImageOverrider> images;
  std::vector<ContainerOverrider> command;
  std::vector<ContainerOverrider> args;
  std::vector<MapOverrider> labels;
  std::vector<MapOverrider> annotations;
  std::vector<FieldOverrider> fields;  // in the order of execution: field, json, yaml, plaintextObject
  std::vector<PatchOperation> plaintext;
};

struct OverridePolicy {
  bool cluster_scoped = false;  // a ClusterOverridePolicy
  std::string name;
  std::string name_space;  // "" for a ClusterOverridePolicy
  Source source;
  std::vector<ResourceSelector> selectors;  // at least one must match; empty: selects every object
  std::vector<OverrideRule> rules;
  std::vector<Error> notes;             // warnings about valid parts without the effect that one would expect
  Document document;                    // owns the values above
  std::vector<Document> raw_documents;  // own the values of merge_raw_value

  std::string Label() const;  // "OverridePolicy default/p"
};

bool IsOverridePolicy(const Value& object);

// `policy`: the root of `document` or a value in it. `default_namespace`: used if an OverridePolicy has no namespace.
// Error: policy, with the place of the first problem.
Result<OverridePolicy> ReadOverridePolicy(const Document& document, const Value& policy,
                                          const std::string& default_namespace);

}  // namespace smp::karmada
