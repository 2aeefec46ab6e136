// OverridePolicy and ClusterOverridePolicy of karmada (policy.karmada.io/v1alpha1; the proposal writes
// karmada.io/v1alpha1), as read from a document: every field known, every rule of karmada's admission kept. Beside
// karmada's overriders those of the proposal's three alternative designs: jsonPlaintextOverrider,
// yamlPlaintextOverrider and plaintextObjectOverrider.
// Source: karmada's API types and its proposal "Structured configuration overrider".
#ifndef SMP_OVERRIDE_POLICY_H_
#define SMP_OVERRIDE_POLICY_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "override/inner_document.h"
#include "value/document.h"

namespace smp {

// Where a part of a policy stands: file and line, and the path within the policy, with the number of its rule and
// operation: spec.overrideRules[0].overriders.fieldOverrider[0].yaml[1].
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

// matchLabels are In with one value.
struct KeySelector {
  std::vector<KeyRequirement> requirements;  // all of them
  std::string problem;                       // why the API refuses it, so that it selects nothing; "": it is valid
};

struct ResourceSelector {
  PolicyPlace place;
  std::string api_version;
  std::string kind;
  std::string name_space;  // "": any
  std::string name;        // "": any; else the labels do not count
  std::optional<KeySelector> labels;
};

// targetCluster; what is empty or missing restricts nothing.
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
  std::optional<std::string> path;  // predicate.path: the one field that is changed, of any kind of object
  Component component = Component::kTag;
  EditKind op = EditKind::kAdd;  // kAdd, kReplace, kRemove
  std::string value;
};

// commandOverrider, argsOverrider
struct ContainerOverrider {
  PolicyPlace place;
  std::string container;
  EditKind op = EditKind::kAdd;  // kAdd, kRemove
  std::vector<std::string> values;
};

// labelsOverrider, annotationsOverrider
struct MapOverrider {
  PolicyPlace place;
  EditKind op = EditKind::kAdd;  // kAdd, kReplace, kRemove
  std::map<std::string, std::string> values;
};

// Of plaintext, and within fields.
struct PatchOperation {
  PolicyPlace place;
  EditKind op = EditKind::kAdd;
  std::string path;
  std::string from;            // kMove, kCopy
  std::optional<Value> value;  // kAdd, kReplace, kTest
};

// kKarmada: of lists a negative index counts from the end.
enum class PatchRules { kKarmada, kRfc6902 };

// fieldOverrider, and the alternative designs: one field, one parse, one write.
struct FieldOverrider {
  PolicyPlace place;
  std::string path;
  DataFormat format = DataFormat::kYaml;
  PatchRules rules = PatchRules::kKarmada;
  std::vector<PatchOperation> operations;
  std::optional<Value> merge_value;
  std::optional<Value> merge_raw_value;  // as read from its text
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
  std::vector<ResourceSelector> selectors;  // any of them; none: everything
  std::vector<OverrideRule> rules;
  std::vector<Error> notes;             // what is accepted and will not do what it seems to say
  Document document;                    // that the values point into
  std::vector<Document> raw_documents;  // of merge_raw_value

  std::string Label() const;  // "OverridePolicy default/p"
};

bool IsOverridePolicy(const Value& object);

// `policy` is the root of `document` or lies in it. `default_namespace`: of an OverridePolicy that names none. Error:
// policy, with the place of the first thing that is wrong.
Result<OverridePolicy> ReadOverridePolicy(const Document& document, const Value& policy,
                                          const std::string& default_namespace);

}  // namespace smp

#endif  // SMP_OVERRIDE_POLICY_H_
