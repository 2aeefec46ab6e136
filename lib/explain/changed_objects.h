// The lines at the end of the text that name what changes.
#pragma once

#include <string>

#include "explain/shown_object.h"
#include "explain/text.h"

namespace smp::explain {

// How much the last lines say, to fit a screen. Each value leaves out what those before it do, and something more. What none leaves
// out: what is refused or undone, and the name of each object that is deleted.
enum class Brevity {
  kAllNames,
  kSomeNames,          // of many objects with the same changes
  kOneLineAKind,       // many objects of a kind together, and of others four fields each
  kTwoFieldsOfOthers,  // than those that get new Pods
  kTwoFields,
  kBriefWorries,   // two objects each
  kPodsTogether,   // all that start Pods, with their images and the names of their fields
  kNumbers,        // of many objects that start no Pods
  kOneLine,        // all of these together, but for those that concern the whole cluster
  kNamesOfFields,  // of what starts no Pods; of worries, numbers
  kCounts,         // what does least harm is counted: labels, and new objects that start no Pods
  kFewPods         // few names of many objects that start Pods; of worries, one object each
};

// Names every object that is not unchanged, with its fields: "~ Deployment default/web, default/api: image, env (2)". Of
// many, the fields come first: "~ 5 objects: image (Deployment …)". Of those in which only labels and annotations change, some.
std::string ChangedObjects(const ShownList& all, Brevity brevity, const TextOptions& options);

}  // namespace smp::explain
