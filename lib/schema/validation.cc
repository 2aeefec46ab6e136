#include "schema/validation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/name_some.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "value/at.h"
#include "value/equality.h"
#include "value/json.h"
#include "value/utf8.h"

namespace smp {

namespace {

size_t RunesIn(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return !IsContinuation(c); }));
}

std::optional<double> NumberOf(const Value* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->is_int() ? static_cast<double>(value->AsInt()) : value->AsDouble();
}

// Formats of texts that the server checks, as patterns of Go's regexp. Source: k8s.io/kube-openapi/pkg/validation/strfmt.
struct Format {
  std::string_view name, pattern;
  Violation::Kind kind;
  std::string_view message, advice;
};

constexpr Format kFormats[] = {
    {"date-time", "(?i)^.{10}t([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})(t.*)?$",
     Violation::Kind::kTime, "is not a time", "write it like 2026-01-31T10:00:00Z"},
    {"date", "^.{10}$", Violation::Kind::kTime, "is not a date", "write it like 2026-01-31"},
    {"byte", "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$", Violation::Kind::kBytes,
     "is not base64", "encode it"},
    {"uuid", "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$", Violation::Kind::kPattern,
     "is not a UUID", "write it like 123e4567-e89b-12d3-a456-426614174000"},
    {"ipv4",
     R"(^([0-9a-fA-F:]*:)?((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])$)",
     Violation::Kind::kPattern, "is not an IPv4 address", "write it like 10.0.0.1"},
};

// Formats that the server checks and this program does not; it ignores all others.
constexpr std::string_view kUncheckedFormats[] = {
    "bsonobjectid", "cidr",   "creditcard", "duration", "email", "hexcolor", "hostname", "ipv6",  "isbn",
    "isbn10",       "isbn13", "mac",        "rgbcolor", "ssn",   "uri",      "uuid3",    "uuid4", "uuid5"};

bool BeginsWithDate(std::string_view text) {
  return ParseRfc3339(StrCat(text.substr(0, 10), "T00:00:00Z")).has_value();
}

bool IsOfType(const Value& value, const Value& node) {
  const std::string_view type = node.StringOr("type");
  if (type == "string") return value.is_string();
  if (type == "integer") {
    return value.is_int() || (value.is_double() && value.AsDouble() == std::trunc(value.AsDouble()));
  }
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_bool();
  if (type == "array") return value.is_array();
  return type != "object" || value.is_object();
}

}  // namespace

// Validates one value with everything in it.
class Validator::Walk {
 public:
  explicit Walk(Validator& validator) : validator_(validator) {}

  std::vector<Violation> Take() && { return std::move(found_); }

  // The recursion is bounded by the parser's kMaxDepth, of the value and of the schema.
  void Visit(const Value& value, const Value& node) {
    if (value.is_null() || !node.is_object() || !IsOfType(value, node)) return;
    CheckNode(value, node);
    if (value.is_object()) VisitMembers(value, node);
    if (value.is_array()) VisitItems(value, node);
  }

 private:
  using Kind = Violation::Kind;

  void Add(Kind kind, const Value& at, std::string message, std::string advice = {}) {
    found_.push_back({kind, path_, &at, std::move(message), std::move(advice)});
  }

  void VisitMembers(const Value& map, const Value& node) {
    const Value* properties = node.Find("properties");
    const Value* additional = node.Find("additionalProperties");
    for (const Member& member : map.Members()) {
      const Value* below = properties == nullptr ? nullptr : properties->Find(member.name);
      if (below == nullptr) below = additional;
      if (below == nullptr) continue;
      path_.push_back({.name = member.name});
      Visit(member.value, *below);
      path_.pop_back();
    }
  }

  void VisitItems(const Value& list, const Value& node) {
    const Value* items = node.Find("items");
    if (items == nullptr) return;
    int64_t index = 0;
    for (const Value& item : list.Items()) {
      path_.push_back({.item = &item, .index = index++});
      Visit(item, *items);
      path_.pop_back();
    }
  }

  void CheckNode(const Value& value, const Value& node) {
    if (const Value* choices = node.Find("enum"); choices != nullptr && choices->is_array())
      CheckChoice(value, *choices);
    if (value.is_string()) CheckText(value, node);
    if (value.is_number()) CheckNumber(value, node);
    if (value.is_object()) CheckMap(value, node);
    if (value.is_array()) CheckCount(value, node, "Items", "items");
    CheckCombinations(value, node);
    for (const Value& rule : ItemsAt(node, {"x-kubernetes-validations"})) ListRule(value, rule);
  }

  void CheckChoice(const Value& value, const Value& choices) {
    const auto is_it = [&](const Value& choice) { return SameByNumber(choice, value); };
    if (std::ranges::any_of(choices.Items(), is_it)) return;
    std::vector<std::string> names;
    for (const Value& choice : choices.Items()) names.push_back(WriteJson(choice));
    Add(Kind::kChoice, value, "is not one of the values that are allowed",
        StrCat("use ", NameSome(std::move(names), 10)));
  }

  void CheckText(const Value& value, const Value& node) {
    const size_t runes = RunesIn(value.AsString());
    CheckSize(value, node, "Length", runes, "characters");
    CheckFormat(value, node.StringOr("format"));
    const std::string_view pattern = node.StringOr("pattern");
    if (pattern.empty()) return;
    if (validator_.work_ == 0) return;
    const Result<Re2Pattern>& compiled = validator_.PatternOf(pattern);
    const auto matches =
        compiled.ok() ? compiled->Matches(value.AsString(), validator_.work_) : Result<bool>(compiled.error());
    if (validator_.work_ == 0) return;  // Validate says it
    if (!matches.ok()) {
      Add(Kind::kUnchecked, value, StrCat("the pattern ", pattern, " was not checked: ", matches.error().message));
    } else if (!*matches) {
      Add(Kind::kPattern, value, StrCat("does not match the pattern ", pattern));
    }
  }

  Result<bool> Matches(const Value& text, std::string_view pattern) {
    const Result<Re2Pattern>& compiled = validator_.PatternOf(pattern);
    return compiled.ok() ? compiled->Matches(text.AsString()) : Result<bool>(compiled.error());
  }

  void CheckFormat(const Value& value, std::string_view name) {
    const Format* format = std::ranges::find(kFormats, name, &Format::name);
    if (std::ranges::find(kUncheckedFormats, name) != std::end(kUncheckedFormats)) {
      return Add(Kind::kUnchecked, value, StrCat("the format ", name, " was not checked"));
    }
    if (format == std::end(kFormats)) return;
    const Result<bool> matches = Matches(value, format->pattern);
    const bool has_date = name == "date" || name == "date-time";
    if (matches.ok() && *matches && (!has_date || BeginsWithDate(value.AsString()))) return;
    Add(format->kind, value, std::string(format->message), std::string(format->advice));
  }

  void CheckNumber(const Value& value, const Value& node) {
    const double number = *NumberOf(&value);
    const auto exclusive = [&](const char* name) { return IsTrueAt(node, {name}); };
    if (const auto least = NumberOf(node.Find("minimum"))) {
      const bool open = exclusive("exclusiveMinimum");
      const bool fits = open ? number > *least : number >= *least;
      if (!fits) Add(Kind::kRange, value, StrCat("must be ", open ? "more than " : "at least ", WriteNumber(*least)));
    }
    if (const auto most = NumberOf(node.Find("maximum"))) {
      const bool open = exclusive("exclusiveMaximum");
      const bool fits = open ? number < *most : number <= *most;
      if (!fits) Add(Kind::kRange, value, StrCat("must be ", open ? "less than " : "at most ", WriteNumber(*most)));
    }
    if (const auto factor = NumberOf(node.Find("multipleOf")); factor && *factor > 0) {
      const double quotient = number / *factor;
      if (quotient != std::trunc(quotient)) {
        Add(Kind::kRange, value, StrCat("must be a multiple of ", WriteNumber(*factor)));
      }
    }
  }

  // Checks minLength and maxLength, minItems and maxItems, minProperties and maxProperties.
  void CheckSize(const Value& value, const Value& node, std::string_view suffix, size_t size, std::string_view what) {
    const auto limit = [&](std::string_view prefix) { return NumberOf(node.Find(StrCat(prefix, suffix))); };
    const auto least = limit("min"), most = limit("max");
    const auto count = static_cast<double>(size);
    if (least && count < *least) {
      Add(Kind::kRange, value, StrCat("has ", size, " ", what, ", and must have at least ", WriteNumber(*least)));
    }
    if (most && count > *most) {
      Add(Kind::kRange, value, StrCat("has ", size, " ", what, ", and must have at most ", WriteNumber(*most)));
    }
  }

  void CheckCount(const Value& value, const Value& node, std::string_view suffix, std::string_view what) {
    CheckSize(value, node, suffix, value.size(), what);
  }

  void CheckMap(const Value& map, const Value& node) {
    CheckCount(map, node, "Properties", "fields");
    for (const Value& name : ItemsAt(node, {"required"})) {
      if (!name.is_string()) continue;
      const Value* member = map.Find(name.AsString());
      if (member != nullptr && !member->is_null()) continue;
      const Value* of_member = node.FindPath({"properties", name.AsString()});
      if (of_member != nullptr && of_member->Find("default") != nullptr) continue;
      if (member != nullptr && of_member != nullptr && IsTrueAt(*of_member, {"nullable"})) continue;
      Add(Kind::kMissing, map, StrCat("the field ", name.AsString(), " is required"), StrCat("add ", name.AsString()));
    }
  }

  // --- combinations

  // Returns true if the value has no violations by the node; a type that the node states counts, too.
  bool Fits(const Value& value, const Value& node) {
    if (!IsOfType(value, node)) return false;
    Walk inner(validator_);
    inner.Visit(value, node);
    return std::ranges::all_of(inner.found_, [](const Violation& v) { return v.kind == Kind::kUnchecked; });
  }

  size_t CountFitting(const Value& value, std::span<const Value> nodes) {
    return static_cast<size_t>(std::ranges::count_if(nodes, [&](const Value& node) { return Fits(value, node); }));
  }

  // Without work left, an alternative may seem to fit because nobody has checked it: then nothing is said.
  void CheckCombinations(const Value& value, const Value& node) {
    for (const Value& part : ItemsAt(node, {"allOf"})) Visit(value, part);
    if (const auto any = ItemsAt(node, {"anyOf"});
        !any.empty() && CountFitting(value, any) == 0 && validator_.work_ > 0) {
      Add(Kind::kAlternative, value, "fits none of the alternatives of the schema (anyOf)", Alternatives(any));
    }
    if (const auto one = ItemsAt(node, {"oneOf"}); !one.empty()) {
      const size_t fitting = CountFitting(value, one);
      if (fitting != 1 && validator_.work_ > 0) {
        Add(Kind::kAlternative, value,
            StrCat("fits ", fitting == 0 ? std::string("none") : std::to_string(fitting),
                   " of the alternatives of the schema, and must fit one (oneOf)"),
            Alternatives(one));
      }
    }
    if (const Value* excluded = node.Find("not");
        excluded != nullptr && excluded->is_object() && Fits(value, *excluded) && validator_.work_ > 0) {
      Add(Kind::kAlternative, value, "is what the schema excludes (not)");
    }
  }

  // Returns "set a, or b and c" if the alternatives are choices of fields; else "".
  static std::string Alternatives(std::span<const Value> nodes) {
    std::vector<std::string> choices;
    for (const Value& node : nodes) {
      const std::vector<std::string> names = TextsAt(node, {"required"});
      if (names.empty()) return {};
      choices.push_back(Join(names, " and "));
    }
    return StrCat("set ", Join(choices, ", or "));
  }

  void ListRule(const Value& value, const Value& rule) {
    const std::string_view message = rule.StringOr("message");
    Add(Kind::kUnchecked, value,
        StrCat("the rule ", Trim(rule.StringOr("rule")), " was not evaluated",
               message.empty() ? "" : StrCat(": ", message)));
  }

  Validator& validator_;
  std::vector<WalkStep> path_;
  std::vector<Violation> found_;
};

const Result<Re2Pattern>& Validator::PatternOf(std::string_view text) {
  const auto known = patterns_.find(text);
  if (known != patterns_.end()) return known->second;
  return patterns_.emplace(std::string(text), Re2Pattern::Parse(text)).first->second;
}

std::vector<Violation> Validator::Validate(const Value& value, const Value& node) {
  Walk walk(*this);
  walk.Visit(value, node);
  std::vector<Violation> out = std::move(walk).Take();
  if (work_ == 0 && !std::exchange(said_, true)) {
    out.push_back(
        {Violation::Kind::kUnchecked, {}, &value, "the patterns take too long: from here on, none was checked", ""});
  }
  return out;
}

}  // namespace smp
