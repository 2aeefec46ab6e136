#include "explain/mask_copies.h"

#include <span>
#include <utility>

#include "value/at.h"
#include "value/document.h"
#include "value/redact.h"

namespace smp::explain {

namespace {

// Returns the values in a patch: of a JSON patch those of its operations, because their paths have only names.
std::vector<Value> ValuesOfPatch(const Value& patch) {
  if (!patch.is_array()) return {patch};
  std::vector<Value> out;
  for (const Value& operation : patch.Items()) {
    const Value* value = operation.Find("value");
    out.push_back(value != nullptr ? *value : Value());
  }
  return out;
}

// `values`: as ValuesOfPatch returns them.
Value PatchWithValues(const Value& patch, std::span<const Value> values, Arena& arena) {
  if (!patch.is_array()) return values.front();
  std::vector<Value> operations;
  for (size_t i = 0; i < patch.size(); ++i) {
    const Value& operation = patch.Items()[i];
    const bool sets = operation.Find("value") != nullptr;
    operations.push_back(sets ? WithAt(operation, {"value"}, values[i], arena) : operation);
  }
  return arena.Array(operations);
}

}  // namespace

void MaskCopies(ObjectReport& report, const std::vector<const Value*>& states, const ReportOptions& options) {
  if (options.secrets == Secrets::kShow || !IsSecret(report.api_version, report.kind)) return;
  std::vector<const Value**> places;
  std::vector<Value> values;
  for (ReportRow& row : report.rows) {
    for (const Value** value : {&row.original, &row.live, &row.modified, &row.outcome}) {
      if (row.masked || *value == nullptr) continue;
      places.push_back(value);
      values.push_back(**value);
    }
  }
  const Document patch = report.patch ? report.patch->body : Document();
  const std::vector<Value> of_patch = ValuesOfPatch(patch.root());
  values.insert(values.end(), of_patch.begin(), of_patch.end());
  Arena arena;
  arena.Retain(patch);
  values = WithoutCopies(values, states, arena);
  for (size_t i = 0; i < places.size(); ++i) *places[i] = arena.Keep(values[i]);
  const Value root = PatchWithValues(patch.root(), std::span(values).subspan(places.size()), arena);
  const Document masked(std::move(arena), root);
  if (report.patch) report.patch->body = masked;
  report.keep_alive.push_back(masked);
}

}  // namespace smp::explain
