#include "schema/check.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/spelling.h"
#include "base/strings.h"
#include "schema/unions.h"
#include "schema/walk_path.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/number.h"
#include "value/redact.h"

namespace smp {

namespace {

// The server decides about whole numbers beyond int64 and about 1.0.
bool IsWhole(const Value& value) {
  return value.is_int() || (value.is_double() && value.AsDouble() == std::trunc(value.AsDouble()));
}

bool Fits(const Value& value, TypeKind wanted) {
  switch (wanted) {
    case TypeKind::kAny: return true;
    case TypeKind::kString:
    case TypeKind::kTime:
    case TypeKind::kBytes: return value.is_string();
    case TypeKind::kInteger: return IsWhole(value);
    case TypeKind::kNumber: return value.is_number();
    case TypeKind::kBoolean: return value.is_bool();
    case TypeKind::kObject: return value.is_object();
    case TypeKind::kArray: return value.is_array();
    case TypeKind::kIntOrString:
    case TypeKind::kQuantity: return value.is_string() || value.is_number();
  }
  return true;
}

bool WouldFitUnquoted(std::string_view text, TypeKind wanted) {
  if (wanted == TypeKind::kBoolean) return text == "true" || text == "false";
  if (wanted == TypeKind::kInteger) return ParseInt64(text).has_value();
  return wanted == TypeKind::kNumber && ParseDouble(text).has_value();
}

std::string_view AdviceFor(const Value& value, TypeKind wanted) {
  if (wanted == TypeKind::kString && value.is_bool())
    return "put the text in quotes (y, n, yes, no, on and off are booleans without them)";
  if (wanted == TypeKind::kString && value.is_scalar()) return "put the text in quotes";
  if (wanted == TypeKind::kArray) return "begin each item with a dash (-)";
  if (wanted == TypeKind::kObject && value.is_array()) return "remove the dash (-)";
  if (value.is_string() && WouldFitUnquoted(value.AsString(), wanted)) return "remove the quotes";
  return "";
}

class Checker {
 public:
  Checker(const Schema& schema, UnknownFields unknown, ValuesInMessages values)
      : schema_(schema), unknown_(unknown), values_(values) {}

  // The recursion is bounded by the parser's kMaxDepth.
  void Check(const Value& value, TypeId id) {
    if (id == kNoType || value.is_null()) return;
    const Type& type = schema_.type(id);
    if (!IsChecked(type)) return;
    if (!Expect(value, IsFreeForm(type) ? TypeKind::kAny : type.kind)) return;
    if (type.kind == TypeKind::kBytes && type.storage != Storage::kAsWritten) CheckBytes(value);
    preserving_ += type.preserve_unknown ? 1 : 0;
    if (value.is_object()) {
      for (const Member& member : value.Members()) CheckMember(member, id);
      for (const Union& fields : type.unions) CheckUnion(value, fields);
    } else if (value.is_array() && type.kind == TypeKind::kArray) {
      CheckItems(value, type.additional, nullptr);
    }
    preserving_ -= type.preserve_unknown ? 1 : 0;
  }

  std::vector<TypeProblem> Take() && { return std::move(problems_); }

 private:
  // True for custom resources, if their schema is known to be all that the server knows of them: it prunes by it. Not for the
  // metadata of embedded objects, which the server reads into Go types.
  bool IsPruned(const Type& type) const {
    return unknown_ != UnknownFields::kLeave && type.storage == Storage::kAsWritten &&
           !type.name.starts_with("io.k8s.apimachinery.");
  }

  bool IsChecked(const Type& type) const { return IsPruned(type) || !(type.preserve_unknown || type.embedded); }

  // Types such as RawExtension, whose Go code accepts more than their schema says.
  bool IsFreeForm(const Type& type) const {
    return !IsPruned(type) && type.kind == TypeKind::kObject && type.fields.empty() && !type.has_additional;
  }

  // Names that begin with $ are directives (smp/directives.h), so they are not reported.
  bool IsUnknown(const Member& member, const Type& type) const {
    if (unknown_ == UnknownFields::kLeave || type.kind != TypeKind::kObject || member.name.starts_with('$'))
      return false;
    if (!IsPruned(type)) return !type.fields.empty();
    if (unknown_ == UnknownFields::kFindInApply && (preserving_ > 0 || type.fields.empty())) return false;
    return !type.preserve_unknown && !member.value.is_null();
  }

  void CheckMember(const Member& member, TypeId id) {
    const Field* field = schema_.Find(id, member.name);
    const Type& type = schema_.type(id);
    steps_.push_back({.name = member.name});
    if (field != nullptr) {
      CheckField(member.value, *field);
    } else if (type.has_additional) {
      Check(member.value, type.additional);
    } else if (IsUnknown(member, type)) {
      AddUnknown(member, type);
    }
    steps_.pop_back();
  }

  void AddUnknown(const Member& member, const Type& type) {
    std::vector<std::string> names;
    for (const auto& field : type.fields) names.emplace_back(field.name);
    const std::vector<std::string> meant = SpelledLike(member.name, names);
    Add(Kind::kUnknownField, member.value, StrCat("unknown field ", WriteJson(Value::UnownedString(member.name))),
        meant.empty() ? "remove it" : StrCat("did you mean \"", meant[0], "\"?"));
  }

  void CheckField(const Value& value, const Field& field) {
    if (value.is_null()) return;
    if (!field.is_list) {
      // If the field has a type, Check compares with the type's own kind.
      if (field.type != kNoType || Expect(value, field.kind)) Check(value, field.type);
    } else if (Expect(value, TypeKind::kArray)) {
      CheckItems(value, field.type, &field);
    }
  }

  void CheckItems(const Value& list, TypeId type, const Field* field) {
    int64_t index = 0;
    for (const Value& item : list.Items()) {
      steps_.push_back({.item = &item, .index = index++, .list = field});
      Check(item, type);
      steps_.pop_back();
    }
  }

  void CheckUnion(const Value& map, const Union& fields) {
    const std::vector<std::string_view> alternatives = AlternativesIn(map, fields);
    const std::string_view named = fields.discriminator.empty() ? "" : map.StringOr(fields.discriminator);
    for (const auto& [field, alternative] : fields.members) {
      const Value* value = map.Find(field);
      if (!IsSet(value, fields)) continue;
      const bool counts = std::find(alternatives.begin(), alternatives.end(), alternative) != alternatives.end();
      steps_.push_back({.name = field});
      if (alternatives.size() > 1 && counts && alternative != alternatives[0]) {
        Add(Kind::kExclusive, *value,
            StrCat(FieldsOf(map, fields, alternatives[0]), " and ", field, " are mutually exclusive"),
            "set only one of them");
      } else if (!named.empty() && named != alternative) {
        Add(Kind::kExclusive, *value,
            StrCat(field, " is only allowed if ", fields.discriminator, " is ", alternative, "; it is ", named));
      }
      steps_.pop_back();
    }
  }

  // Returns "ipBlock" or "namespaceSelector and podSelector".
  static std::string FieldsOf(const Value& map, const Union& fields, std::string_view alternative) {
    std::vector<std::string> names;
    for (const auto& [field, of] : fields.members) {
      if (of == alternative && IsSet(map.Find(field), fields)) names.push_back(field);
    }
    return Join(names, " and ");
  }

  void CheckBytes(const Value& value) {
    if (DecodeBase64(value.AsString())) return;
    const bool secret = values_ == ValuesInMessages::kHide;
    Add(Kind::kNotBase64, value, "is not base64", secret ? "encode it, or move it to stringData" : "encode it");
  }

  bool Expect(const Value& value, TypeKind wanted) {
    if (Fits(value, wanted)) return true;
    const bool may_show = values_ == ValuesInMessages::kShow && (value.is_bool() || value.is_number());
    Add(Kind::kWrongType, value,
        StrCat("expected ", WordsFor(wanted), ", found ", WordsFor(value.kind()),
               may_show ? StrCat(" (", WriteJson(value), ")") : ""),
        std::string(AdviceFor(value, wanted)), wanted);
    return false;
  }

  using Kind = TypeProblem::Kind;

  // Adds a problem at the place where the walk stands.
  void Add(Kind kind, const Value& value, std::string message, std::string advice = {},
           TypeKind wanted = TypeKind::kAny) {
    problems_.push_back({kind, ToFieldPath(steps_), &value, wanted, std::move(message), std::move(advice)});
  }

  const Schema& schema_;
  const UnknownFields unknown_;
  const ValuesInMessages values_;
  std::vector<WalkStep> steps_;
  int preserving_ = 0;  // types around the value that have preserve_unknown
  std::vector<TypeProblem> problems_;
};

}  // namespace

std::string_view WordsFor(Kind kind) {
  switch (kind) {
    case Kind::kNull: return "null";
    case Kind::kBool: return "a boolean";
    case Kind::kInt: return "an integer";
    case Kind::kDouble: return "a number";
    case Kind::kString: return "a string";
    case Kind::kArray: return "a list";
    case Kind::kObject: return "an object";
  }
  return "something else";
}

std::string_view WordsFor(TypeKind kind) {
  switch (kind) {
    case TypeKind::kAny: return "any value";
    case TypeKind::kString:
    case TypeKind::kTime:
    case TypeKind::kBytes: return "a string";
    case TypeKind::kInteger: return "an integer";
    case TypeKind::kNumber: return "a number";
    case TypeKind::kBoolean: return "a boolean";
    case TypeKind::kObject: return "an object";
    case TypeKind::kArray: return "a list";
    case TypeKind::kIntOrString: return "an integer or a string";
    case TypeKind::kQuantity: return "a quantity";
  }
  return "another value";
}

std::vector<TypeProblem> FindTypeProblems(const Document& manifest, const Schema& schema, TypeId type,
                                          UnknownFields unknown, ValuesInMessages values) {
  Checker checker(schema, unknown, values);
  checker.Check(manifest.root(), type);
  return std::move(checker).Take();
}

std::vector<Error> CheckTypes(const Document& manifest, const Schema& schema, TypeId type, UnknownFields unknown) {
  std::vector<Error> out;
  const auto values = IsSecret(manifest.root()) ? ValuesInMessages::kHide : ValuesInMessages::kShow;
  for (TypeProblem& problem : FindTypeProblems(manifest, schema, type, unknown, values)) {
    const std::string_view between = problem.advice.empty() ? "" : "; ";
    Error& error = out.emplace_back(Error::Schema(StrCat(problem.message, between, problem.advice)));
    error.path = ToString(problem.path);
    error.source = manifest.SourceOf(problem.at);
  }
  return out;
}

}  // namespace smp
