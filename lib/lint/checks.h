// The rules about one object. Each function adds what it finds to the sink.
#pragma once

#include <optional>
#include <string>

#include "lint/kinds.h"
#include "lint/sink.h"
#include "schema/release.h"
#include "schema/validation.h"

namespace smp::lint {

// What is checked, and for which release of Kubernetes.
struct Checking {
  Release release;
  std::string name_space = {};  // of objects that state none

  // Returns the release whose rules hold for the object. The built-in schema stands for those of other releases, too.
  std::optional<Release> ReleaseOf(const Object& object) const;
  // Returns true if the object's schema is that of another release, whose fields and words may differ.
  bool IsApproximate(const Object& object) const;
};

// What makes it an object: apiVersion, kind and a name.
void CheckIdentity(Sink& sink);

// Keys that are there twice or are read as others; texts that other readers of YAML read differently.
void CheckReading(Sink& sink);

// The API version: is it served, and for how long? An object without a kind that is known gets no other check of fields.
void CheckKind(Sink& sink, const Checking& checking);

// Types of values, unknown fields, fields that exclude each other.
void CheckFields(Sink& sink, const Checking& checking);

// Items of lists: with the same identity, or without the key by which kubectl pairs them.
void CheckLists(Sink& sink);

// Values: quantities, names, ports, …
void CheckValues(Sink& sink, const Checking& checking);

// Returns the value for a message; "the value" if it is long.
std::string ShownValue(const Value& value);

// Of a custom resource: what its CRD says of its values (schema/validation.h). REQUIRES: CheckFields was before it.
void CheckDefinition(Sink& sink, Validator& validator);

// Text that has no effect or another than it seems: fields that the server drops, directives, an annotation that is too large.
void CheckEffect(Sink& sink);

// What the parts of one object say of each other: a selector and the labels of its template.
void CheckConsistency(Sink& sink);

// Of Pods and Services: volumes that there are not, names that are there twice, requests above limits, …
void CheckPods(Sink& sink);

}  // namespace smp::lint
