#include "explain/switches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "explain/changed_fields.h"
#include "explain/inner_changes.h"
#include "explain/row_values.h"
#include "value/path.h"

namespace smp::explain {

namespace {

using Words = std::pair<std::string_view, std::string_view>;  // for on and off
constexpr Words kWords[] = {{"true", "false"}, {"on", "off"}, {"yes", "no"}, {"enabled", "disabled"}};

// Returns the words before and after if one means on, and the other one off.
std::optional<Words> Turned(std::string_view before, std::string_view after) {
  constexpr size_t kLongest = 8;  // bytes
  if (before.size() > kLongest || after.size() > kLongest) return std::nullopt;
  const std::string old = ToLower(before), now = ToLower(after);
  const bool turned = std::ranges::any_of(kWords, [&](const Words& words) {
    const auto& [on, off] = words;
    return (old == on && now == off) || (old == off && now == on);
  });
  return turned ? std::optional(Words(before, after)) : std::nullopt;
}

std::string_view WordOf(const Value* value) {
  if (value == nullptr) return {};
  return value->is_bool() ? (value->AsBool() ? "true" : "false") : value->is_string() ? value->AsString() : "";
}

void AddTurned(const std::string& name, std::string_view before, std::string_view after, NamesOnce& out) {
  if (const auto turned = Turned(before, after)) out.Add(StrCat(name, " ", turned->first, " → ", turned->second));
}

// Returns the values of the arguments: "false" of "--leader-elect=false". Of repeated ones, the last counts for most programs.
std::map<std::string_view, std::string_view> ValuesOfArguments(const Value& list) {
  std::map<std::string_view, std::string_view> out;
  for (const Value& item : list.Items()) {
    const std::string_view text = WordOf(&item);
    const size_t equals = text.find('=');
    if (equals != std::string_view::npos) out.insert_or_assign(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

void AddArguments(const std::string& field, const Value& before, const Value& after, NamesOnce& out) {
  const auto old = ValuesOfArguments(before);
  for (const auto& [name, value] : ValuesOfArguments(after)) {
    const auto at = old.find(name);
    if (at != old.end()) AddTurned(StrCat(field, " ", name), at->second, value, out);
  }
}

void AddInside(const std::string& field, const Value& before, const Value& after, NamesOnce& out) {
  if (!IsShortDocument(before) || !IsShortDocument(after)) return;
  const auto inside = ChangesInside(before, after);
  if (!inside) return;
  for (const NestedChange& change : inside->changes) {
    AddTurned(StrCat(field, " ", ToString(change.path)), WordOf(change.before), WordOf(change.after), out);
  }
}

// Settings that make programs take any certificate.
constexpr Words kUnchecked[] = {
    {"NODE_TLS_REJECT_UNAUTHORIZED", "0"}, {"PYTHONHTTPSVERIFY", "0"}, {"GIT_SSL_NO_VERIFY", "true"}};

// Returns "env NODE_TLS_REJECT_UNAUTHORIZED: 0 (takes any certificate)" for a variable that is new, or gets that value; "" for others.
std::string Unchecked(const ReportRow& row) {
  const bool is_value = !row.path.empty() && row.path.back().name == "value";
  const size_t depth = row.path.size() - (is_value ? 1 : 0);
  if (row.op != RowOp::kSet || depth < 2 || row.path[depth - 2].name != "env" || row.outcome == nullptr) return {};
  const Value* value = row.outcome->is_object() ? row.outcome->Find("value") : row.outcome;
  const std::string name = FirstKey(row.path[depth - 1]);
  const bool is_unchecked = std::ranges::find(kUnchecked, Words(name, WordOf(value))) != std::end(kUnchecked);
  return is_unchecked ? StrCat("env ", name, ": ", WordOf(value), " (takes any certificate)") : "";
}

}  // namespace

void AddSwitches(const ReportRow& row, NamesOnce& out) {
  if (row.masked) return;
  if (std::string unchecked = Unchecked(row); !unchecked.empty()) out.Add(std::move(unchecked));
  const Value *before = ValueBefore(row), *after = ValueAfter(row);
  if (before == nullptr || after == nullptr) return;
  // What says where a variable has its value from is not its value.
  if (IsWithinVariable(row.path)) return;
  const std::string field = FieldInWords(row.path);
  AddTurned(field, WordOf(before), WordOf(after), out);
  if (before->is_array() && after->is_array()) AddArguments(field, *before, *after, out);
  if (before->is_string() && after->is_string()) AddInside(field, *before, *after, out);
}

}  // namespace smp::explain
