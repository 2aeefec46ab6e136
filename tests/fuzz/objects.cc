#include "fuzz/objects.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "value/json.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace smp {

namespace {

constexpr const char* kKinds[] = {
    "v1/Pod",       "v1/Service", "apps/v1/Deployment",           "v1/ServiceAccount",  "v1/Secret",
    "v1/ConfigMap", "v1/Node",    "networking.k8s.io/v1/Ingress", "v1/PersistentVolume"};

// Scalars and small values that the engine looks at, directives among them.
constexpr const char* kValues[] = {"null",
                                   "true",
                                   "1",
                                   "1.0",
                                   "-9223372036854775808",
                                   "9223372036854775807",
                                   "1e300",
                                   R"("")",
                                   R"("a")",
                                   R"("b")",
                                   R"("TCP")",
                                   R"("80")",
                                   "80",
                                   "[]",
                                   "{}",
                                   "[null]",
                                   "[[]]",
                                   R"(["a","b"])",
                                   R"(["b","a","a"])",
                                   R"([{"name":"a"}])",
                                   R"([{"name":"b"},{"name":"a"}])",
                                   R"([{"$patch":"replace"}])",
                                   R"([{"$patch":"delete","name":"a"}])",
                                   R"({"$patch":"replace"})",
                                   R"({"$patch":"delete"})",
                                   R"({"$retainKeys":["a","name"]})",
                                   R"("delete")",
                                   R"("replace")",
                                   R"([{"port":80,"protocol":"TCP"},{"port":80,"protocol":"UDP"}])",
                                   R"([{"port":80}])",
                                   R"({"metadata":{"resourceVersion":"7"}})"};

constexpr const char* kNames[] = {"$patch",      "$retainKeys", "name", "key",  "port", "containerPort",
                                  "protocol",    "mountPath",   "ip",   "type", "uid",  "metadata",
                                  "spec",        "status",      "a",    "b",    "",     "kind",
                                  "annotations", "finalizers"};

class Mutator {
 public:
  Mutator(FuzzObjects& objects, unsigned seed) : random_(seed), schema_(*BuiltinSchema()), objects_(objects) {
    for (const Document& value : objects.values) arena_.Retain(value);
  }

  // All values with one of them changed at one place, or replaced.
  std::string Mutated(std::string_view kind) {
    const size_t at = Below(objects_.values.size());
    std::string out = StrCat(Below(200) == 0 ? kKinds[Below(std::size(kKinds))] : kind, "\n");
    for (size_t i = 0; i < objects_.values.size(); ++i) {
      const Value& root = objects_.values[i].root();
      // Another side's value makes the three alike, which random changes hardly ever do.
      const Value value = i != at          ? root
                          : Below(20) == 0 ? objects_.values[Below(objects_.values.size())].root()
                                           : Changed(root, objects_.type, 0);
      out += WriteJson(value) + "\n";
    }
    return out;
  }

 private:
  size_t Below(size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(random_); }

  Value Changed(const Value& value, TypeId type, int depth) {
    const bool stop = value.is_scalar() || Below(4) == 0;
    if (stop && depth > 0 && (value.is_scalar() || Below(3) == 0)) return Other(value);
    if (value.is_object()) return ChangedObject(value, type, depth);
    return value.is_array() ? ChangedArray(value, type, depth) : Other(value);
  }

  // A literal, or some part of one of the values.
  Value Other(const Value& value) {
    switch (Below(6)) {
      case 0: return arena_.Array(std::vector<Value>{value});
      case 1: return arena_.Object({{"name", value}});
      case 2: return SomePart(objects_.values[Below(objects_.values.size())].root());
      default: break;
    }
    literals_.push_back(*ParseJson(kValues[Below(std::size(kValues))]));
    return literals_.back().root();
  }

  Value SomePart(Value value) {
    while (!value.is_scalar() && !value.empty() && Below(4) != 0) {
      const size_t i = Below(value.size());
      value = value.is_array() ? value.Items()[i] : value.Members()[i].value;
    }
    return value;
  }

  std::string_view SomeName(TypeId type) {
    const std::vector<Field>& fields = schema_.type(type).fields;
    if (fields.empty() || Below(4) == 0) return kNames[Below(std::size(kNames))];
    const std::string& name = fields[Below(fields.size())].name;
    switch (Below(12)) {
      case 0: return arena_.Copy("$setElementOrder/" + name);
      case 1: return arena_.Copy("$deleteFromPrimitiveList/" + name);
      default: return name;
    }
  }

  Value ChangedObject(const Value& value, TypeId type, int depth) {
    std::vector<Member> members(value.Members().begin(), value.Members().end());
    const size_t dice = Below(8);
    if (members.empty() || dice == 0) {
      members.push_back({SomeName(type), Other(value)});
    } else if (dice == 1) {
      members.erase(members.begin() + static_cast<std::ptrdiff_t>(Below(members.size())));
    } else {
      Member& member = members[Below(members.size())];
      const Field* field = schema_.Find(type, member.name);
      member.value = Changed(member.value, field != nullptr ? field->type : kNoType, depth + 1);
    }
    return arena_.Object(std::move(members));
  }

  Value ChangedArray(const Value& value, TypeId type, int depth) {
    std::vector<Value> items(value.Items().begin(), value.Items().end());
    const size_t dice = Below(8);
    if (items.empty() || dice == 0) {
      items.push_back(Other(value));
    } else if (dice == 1) {
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(Below(items.size())));
    } else if (dice == 2) {
      std::swap(items[Below(items.size())], items[Below(items.size())]);
    } else if (dice == 3) {
      items.push_back(items[Below(items.size())]);
    } else {
      Value& item = items[Below(items.size())];
      item = Changed(item, type, depth + 1);
    }
    return arena_.Array(items);
  }

  std::mt19937 random_;
  const Schema& schema_;
  FuzzObjects& objects_;
  Arena arena_;
  std::vector<Document> literals_;
};

}  // namespace

std::optional<FuzzObjects> ReadObjects(std::string_view text, size_t count) {
  const size_t line = std::min(text.find('\n'), text.size());
  const Result<GroupVersionKind> gvk = ParseGvk(text.substr(0, line));
  if (!gvk.ok()) return std::nullopt;
  FuzzObjects out{BuiltinSchema()->FindType(*gvk), {}};
  for (const Result<Document>& value : ParseJsonValues(text.substr(line))) {
    if (!value.ok()) return std::nullopt;
    out.values.push_back(*value);
  }
  return count == 0 || out.values.size() == count ? std::optional(std::move(out)) : std::nullopt;
}

size_t MutateObjects(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::optional<FuzzObjects> objects = ReadObjects(text, 0);
  if (!objects || objects->values.empty() || seed % 20 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string kind(text.substr(0, text.find('\n')));
  const std::string mutated = Mutator(*objects, seed).Mutated(kind);
  if (mutated.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, mutated.data(), mutated.size());
  return mutated.size();
}

}  // namespace smp
