#include "cmd/jsonpath.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cmd/jsonpath_template.h"
#include "compat/keys.h"
#include "value/document.h"
#include "value/json.h"
#include "value/number.h"

namespace smp::cmd {
namespace jsonpath {
namespace {

constexpr size_t kMaxResults = 1'000'000;  // limit of the values that all steps of a template find in total

// A value that a step finds. Go distinguishes some values that JSON does not, which shows in errors and output.
struct Found {
  enum class Kind {
    kJson,
    kByte,     // a byte of a string; printed as a number
    kGoInt,    // an integer literal in the template
    kNothing,  // a null that a range iterates over
  };
  Kind kind = Kind::kJson;
  Value value = {};

  bool IsNull() const { return kind == Kind::kJson && value.is_null(); }
  bool IsList() const { return kind == Kind::kJson && value.is_array(); }
  bool IsMap() const { return kind == Kind::kJson && value.is_object(); }
};
using Finds = std::vector<Found>;

// If the step failed, `values` has the values found before the error: [?(…)] tests only whether there are any.
struct Step {
  Finds values = {};
  std::optional<std::string> error = {};
};

// --- values as Go names and prints them

std::string_view GoType(const Found& found) {
  if (found.kind == Found::Kind::kByte) return "uint8";
  if (found.kind == Found::Kind::kGoInt) return "int";
  switch (found.value.kind()) {
    case Kind::kBool: return "bool";
    case Kind::kInt: return "int64";
    case Kind::kDouble: return "float64";
    case Kind::kString: return "string";
    case Kind::kObject: return "map[string]interface {}";
    default: return "[]interface {}";
  }
}

std::string ScalarText(const Value& value, std::string_view null) {
  switch (value.kind()) {
    case Kind::kNull: return std::string(null);
    case Kind::kBool: return value.AsBool() ? "true" : "false";
    case Kind::kInt: return std::to_string(value.AsInt());
    case Kind::kDouble: return GeneralNotation(ShortestDecimal(value.AsDouble()));
    default: return std::string(value.AsString());
  }
}

std::string GoText(const Found& found) {
  if (found.kind == Found::Kind::kNothing) return "<invalid reflect.Value>";
  return smp::compat::GoText(found.value);
}

// --- comparisons (Go's text/template)

constexpr std::string_view kBadType = "invalid type for comparison";
constexpr std::string_view kBadPair = "incompatible types for comparison";

struct Comparison {
  bool holds = false;
  std::string_view error = {};
};

// Returns -1, 0 or 1. REQUIRES: numbers of one kind, or strings, or booleans.
int Order(const Value& a, const Value& b) {
  const auto order = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (a.is_bool()) return order(a.AsBool(), b.AsBool());
  if (a.is_int()) return order(a.AsInt(), b.AsInt());
  return a.is_double() ? order(a.AsDouble(), b.AsDouble()) : order(a.AsString(), b.AsString());
}

Comparison Compare(const Found& left, std::string_view op, const Found& right) {
  for (const Found* side : {&left, &right}) {
    if (side->kind == Found::Kind::kNothing || side->value.is_null() || !side->value.is_scalar())
      return {false, kBadType};
  }
  if (left.value.kind() != right.value.kind()) return {false, kBadPair};
  const bool equality = op == "==" || op == "!=";
  if (!equality && left.value.is_bool()) return {false, kBadType};
  const int order = Order(left.value, right.value);
  if (equality) return {(order == 0) == (op == "==")};
  if (op == "<") return {order < 0};
  if (op == ">") return {order > 0};
  return {op == "<=" ? order <= 0 : order >= 0};
}

bool IsComparison(std::string_view op) {
  constexpr std::string_view kAll[] = {"<", ">", "==", "!=", "<=", ">="};
  return std::find(std::begin(kAll), std::end(kAll), op) != std::end(kAll);
}

// --- slices

struct Range {
  int64_t from = 0, to = 0, step = 1;
  std::optional<std::string> error = {};
};

int64_t Wrapped(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

std::string OutOfBounds(int64_t index, int64_t length) {
  return StrCat("array index out of bounds: index ", index, ", length ", length);
}

Range RangeOf(const std::array<Bound, 3>& bounds, int64_t length) {
  Range out;
  out.from = bounds[0].known ? bounds[0].value : 0;
  if (out.from < 0) out.from = Wrapped(out.from, length);
  out.to = bounds[1].known ? bounds[1].value : length;
  if (out.to < 0 || (out.to == 0 && bounds[1].derived)) out.to = Wrapped(out.to, length);
  if (out.from == out.to) return out;
  if (out.from >= length || out.from < 0) {
    out.error = OutOfBounds(out.from, length);
  } else if (out.to > length || out.to < 0) {
    out.error = OutOfBounds(Wrapped(out.to, -1), length);
  } else if (out.from > out.to) {
    out.error = StrCat("starting index ", out.from, " is greater than ending index ", out.to);
  } else if (bounds[2].known && bounds[2].value <= 0) {
    out.error = "step must be > 0";
  }
  if (bounds[2].known) out.step = bounds[2].value;
  return out;
}

// Runs a template on one object. Loops work as in client-go: {range} and {end} only count, and From() looks at the
// counters after each action.
class Run {
 public:
  Run(const Nodes& nodes, JsonPath::Missing missing) : nodes_(nodes), missing_(missing) {}

  // Returns the results of each action and text, starting at node `from`.
  Result<std::vector<Finds>> From(size_t from, const Found& data, int nesting) {
    if (nesting > kMaxNesting) return Error::InvalidArgument("ranges are nested too deeply");
    std::vector<Finds> out;
    for (size_t i = from; i < nodes_.size(); ++i) {
      Step step = Walk({data}, nodes_[i]);
      if (step.error) return Error::InvalidArgument(*step.error);
      if (ends_ > 0 && ends_ <= inside_) {
        --ends_;
        last_end_ = i;
        break;
      }
      if (begins_ == 0) {
        out.push_back(std::move(step.values));
        continue;
      }
      --begins_;
      SMP_TRY(Loop(i, step.values, nesting, out));
      if (last_end_ && *last_end_ > i) i = *last_end_;
    }
    return out;
  }

 private:
  Status Loop(size_t at, const Finds& values, int nesting, std::vector<Finds>& out) {
    ++inside_;
    // If there is nothing to loop over, the body is still walked once, to find its end.
    const Finds nothing = {{Found::Kind::kNothing, {}}};
    for (const Found& value : values.empty() ? nothing : values) {
      const Found data = value.IsNull() ? Found{Found::Kind::kNothing, {}} : value;
      SMP_ASSIGN(std::vector<Finds> results, From(at + 1, data, nesting + 1));
      if (values.empty()) break;
      for (Finds& result : results) out.push_back(std::move(result));
    }
    --inside_;
    return Ok();
  }

  Step Walk(Finds input, const Node& node) {
    switch (node.kind) {
      case Node::Kind::kText: return Counted({{{Found::Kind::kJson, Value::UnownedString(node.text)}}});
      case Node::Kind::kAction: return WalkAll(std::move(input), node.lists[0]);
      case Node::Kind::kField: return Field(input, node.text);
      case Node::Kind::kIdentifier: return Identifier(std::move(input), node.text);
      case Node::Kind::kSlice: return Slice(std::move(input), node);
      case Node::Kind::kFilter: return Filter(std::move(input), node);
      case Node::Kind::kUnion: return Union(std::move(input), node);
      case Node::Kind::kInteger: return Instead(input, {Found::Kind::kGoInt, Value::Int(node.integer)});
      case Node::Kind::kFloat: return Instead(input, {Found::Kind::kJson, Value::Double(node.number)});
      case Node::Kind::kBool: return Instead(input, {Found::Kind::kJson, Value::Bool(node.boolean)});
      case Node::Kind::kWildcard: return Wildcard(input);
      case Node::Kind::kRecursive: return Recursive(input);
    }
    return {};
  }

  Step WalkAll(Finds input, const Nodes& nodes) {
    Step step{std::move(input)};
    for (const Node& node : nodes) {
      step = Walk(std::move(step.values), node);
      if (step.error) break;
    }
    return step;
  }

  Step Counted(Step step) {
    results_ += step.values.size();
    if (results_ > kMaxResults) return {{}, StrCat("the template finds more than ", kMaxResults, " values")};
    return step;
  }

  Step Instead(const Finds& input, const Found& literal) { return Counted({Finds(input.size(), literal)}); }

  Step Identifier(Finds input, const std::string& name) {
    if (name == "range") {
      ++begins_;
      return {std::move(input)};
    }
    if (name != "end") return {std::move(input), "unrecognized identifier " + name};
    if (inside_ == 0) return {{}, "not in range, nothing to end"};
    ++ends_;
    return {};
  }

  Step Field(const Finds& input, const std::string& name) {
    Step out;
    for (const Found& found : input) {
      const Value* value = found.IsMap() ? found.value.Find(name) : nullptr;
      if (value != nullptr) out.values.push_back({Found::Kind::kJson, *value});
    }
    const bool missing = out.values.empty() && !input.empty();
    if (missing && missing_ == JsonPath::Missing::kError) out.error = name + " is not found";
    return Counted(std::move(out));
  }

  Step Slice(Finds input, const Node& node) {
    Step out;
    for (const Found& found : input) {
      if (found.IsNull()) continue;
      if (found.kind == Found::Kind::kNothing) return {std::move(input), "null is not array or slice"};
      if (!found.IsList()) return {input, StrCat(GoType(found), " is not array or slice")};
      const auto length = static_cast<int64_t>(found.value.size());
      const Range range = RangeOf(node.bounds, length);
      if (range.error) return {std::move(input), range.error};
      if (range.from == range.to) return out;  // as in client-go, which skips the remaining lists
      for (int64_t i = range.from; i < range.to; i += std::min(range.step, length)) {
        out.values.push_back({Found::Kind::kJson, found.value.Items()[static_cast<size_t>(i)]});
      }
    }
    return Counted(std::move(out));
  }

  Step Union(Finds input, const Node& node) {
    Step out;
    for (const Nodes& alternative : node.lists) {
      Step step = WalkAll(input, alternative);
      if (step.error) return {std::move(input), step.error};
      out.values.insert(out.values.end(), step.values.begin(), step.values.end());
    }
    return Counted(std::move(out));
  }

  // The members of a map, the items of a list, the bytes of a string.
  static Finds Children(const Found& found) {
    Finds out;
    if (found.kind != Found::Kind::kJson) return out;
    if (found.value.is_string()) {
      for (const char c : found.value.AsString()) {
        out.push_back({Found::Kind::kByte, Value::Int(static_cast<unsigned char>(c))});
      }
    }
    if (found.value.is_array()) {
      for (const Value& item : found.value.Items()) out.push_back({Found::Kind::kJson, item});
    }
    if (found.value.is_object()) {
      for (const Member& member : found.value.Members()) out.push_back({Found::Kind::kJson, member.value});
    }
    return out;
  }

  Step Wildcard(const Finds& input) {
    Step out;
    for (const Found& found : input) {
      const Finds children = Children(found);
      out.values.insert(out.values.end(), children.begin(), children.end());
    }
    return Counted(std::move(out));
  }

  // The recursion depth is at most kMaxDepth, the limit for documents.
  static void Descend(const Found& found, Finds& out) {
    if (found.kind != Found::Kind::kJson || found.value.empty()) return;
    out.push_back(found);
    if (found.value.is_string()) return;
    for (const Found& child : Children(found)) Descend(child, out);
  }

  Step Recursive(const Finds& input) {
    Step out;
    for (const Found& found : input) {
      Descend(found, out.values);
      if (results_ + out.values.size() > kMaxResults) break;
    }
    return Counted(std::move(out));
  }

  // Evaluates one side of a comparison for an item: one value, no value (the item does not pass), or an error.
  Step Side(const Found& item, const Nodes& nodes) {
    Step step = WalkAll({item}, nodes);
    if (!step.error && step.values.size() > 1) step.error = "can only compare one element at a time";
    return step;
  }

  struct Verdict {
    bool passes = false;
    std::optional<std::string> error = {};
    bool compared = false;  // true if the comparison itself failed: items that passed earlier are kept
  };

  Verdict Test(const Found& item, const Node& node) {
    if (node.text == "exists") return {!WalkAll({item}, node.lists[0]).values.empty()};
    const Step left = Side(item, node.lists[0]);
    if (left.error || left.values.empty()) return {false, left.error};
    const Step right = Side(item, node.lists[1]);
    if (right.error || right.values.empty()) return {false, right.error};
    if (!IsComparison(node.text)) return {false, "unrecognized filter operator " + node.text, true};
    const Comparison comparison = Compare(left.values[0], node.text, right.values[0]);
    if (comparison.error.empty()) return {comparison.holds};
    return {false, std::string(comparison.error), true};
  }

  Step Filter(Finds input, const Node& node) {
    Step out;
    for (const Found& found : input) {
      if (!found.IsList()) return {input, GoText(found) + " is not array or slice and cannot be filtered"};
      for (const Value& value : found.value.Items()) {
        const Found item = {Found::Kind::kJson, value};
        const Verdict verdict = Test(item, node);
        if (verdict.error) return {verdict.compared ? std::move(out.values) : std::move(input), verdict.error};
        if (verdict.passes) out.values.push_back(item);
      }
    }
    return Counted(std::move(out));
  }

  const Nodes& nodes_;
  JsonPath::Missing missing_;
  size_t results_ = 0;
  // client-go's counters: {range} and {end} in the action just evaluated, and the number of open ranges.
  int begins_ = 0, ends_ = 0, inside_ = 0;
  std::optional<size_t> last_end_;
};

std::string Text(const Found& found) {
  if (found.kind == Found::Kind::kNothing) return "<no value>";
  return found.value.is_scalar() ? ScalarText(found.value, "null") : WriteJson(found.value);
}

std::string Texts(const Finds& finds) {
  std::vector<std::string> out;
  for (const Found& found : finds) out.push_back(Text(found));
  return Join(out, " ");
}

std::string AsJson(const Finds& finds) {
  Arena arena;
  std::vector<Value> values;
  for (const Found& found : finds) values.push_back(found.value);
  return WriteIndentedJson(arena.Array(values)) + "\n";
}

}  // namespace
}  // namespace jsonpath

Result<JsonPath> JsonPath::Parse(std::string_view text) {
  SMP_ASSIGN(jsonpath::Nodes nodes, jsonpath::ParseTemplate(text));
  JsonPath out;
  out.nodes_ = std::make_shared<const jsonpath::Nodes>(std::move(nodes));
  return out;
}

Result<std::string> JsonPath::Print(const Value& object, const Options& options) const {
  jsonpath::Run run(*nodes_, options.missing);
  SMP_ASSIGN(const std::vector<jsonpath::Finds> results, run.From(0, {jsonpath::Found::Kind::kJson, object}, 0));
  std::string out;
  for (const jsonpath::Finds& finds : results) {
    out += options.form == Form::kJson ? jsonpath::AsJson(finds) : jsonpath::Texts(finds);
  }
  return out;
}

}  // namespace smp::cmd
