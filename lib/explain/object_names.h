// Several objects in a few words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "explain/report.h"

namespace smp::explain {

using Objects = std::vector<const ObjectReport*>;

// A kind, a namespace and a name.
using ObjectName = std::tuple<std::string_view, std::string_view, std::string_view>;
ObjectName NameOfObject(const ObjectReport& object);
// Of what the Pods of an object need.
ObjectName NameOfNeed(const NeededObject& needed, const ObjectReport& by);

// Returns the kind as people are told it: "Service.serving.example.com" of a custom resource that is called like a kind of Kubernetes.
std::string KindInWords(std::string_view api_version, std::string_view kind);
// Returns the kind alone: "Service".
std::string_view OwnKind(const ObjectReport& object);
// Names the groups of kinds that are there in several.
void SayGroups(Report& report);

// Where all objects that have a namespace are in the same one, and its name is long or many objects change, lets the functions below
// leave it out.
void SayNamespaceOnce(Report& report);
// Returns the namespace that is left out; "" if none is.
std::string_view NamespaceToSay(const Report& report);

// Of apps/v1: what serves as long as it is there.
inline constexpr std::string_view kServingKinds[] = {"DaemonSet", "Deployment", "StatefulSet"};
bool Serves(std::string_view kind);

// Returns true for a StorageClass or an IngressClass that is used where none is named.
bool IsDefaultClass(const Value& object);

bool OneKind(const Objects& objects);

enum class Kinds { kShow, kHide };
// Returns "Deployment default/web, Service default/web"; "default/web and 3 more" without kinds, and with at most `most` names.
std::string NamesIn(const Objects& objects, Kinds kinds, size_t most);

// Returns "ServiceAccount a, b; Role a" for objects of any kinds, "ServiceAccount a and 6 more" with more than `most`.
std::string NamesByKind(Objects objects, size_t most);

// Returns "3 Deployments", or "3 objects" of several kinds.
std::string NumberAndKind(const Objects& objects);

// Returns "3 Deployments, 10 ConfigMaps, 1 Secret": those that start Pods first.
std::string CountByKind(const Objects& objects);

}  // namespace smp::explain
