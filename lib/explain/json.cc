#include "explain/json.h"

#include <algorithm>

#include "base/strings.h"
#include "explain/object_names.h"

namespace smp::explain {

namespace {

class JsonPrinter {
 public:
  Value Print(const Report& report) {
    std::vector<Member> out = {{"version", Value::Int(1)}, {"summary", Summary(report)}};
    if (report.context) out.push_back({"context", Context(*report.context)});
    if (report.here) out.push_back({"manifest-context", Context(*report.here)});
    std::vector<Value> objects;
    for (const ObjectReport& object : report.objects) objects.push_back(Object(object));
    out.push_back({"objects", arena_.Array(objects)});
    return arena_.Object(std::move(out));
  }

  Arena TakeArena() { return std::move(arena_); }

 private:
  void Text(std::vector<Member>& out, std::string_view name, std::string_view text) {
    if (!text.empty()) out.push_back({name, arena_.String(text)});
  }

  Value Count(size_t n) { return Value::Int(static_cast<int64_t>(n)); }

  Value Context(const ReportContext& context) {
    std::vector<Member> out;
    Text(out, "name", context.name);
    Text(out, "cluster", context.cluster);
    Text(out, "server", context.server);
    Text(out, "user", context.user);
    Text(out, "namespace", context.name_space);
    return arena_.Object(std::move(out));
  }

  std::vector<Member> Place(const Source& source) {
    std::vector<Member> out = {{"file", arena_.String(source.file)}};
    if (source.line > 0) out.push_back({"line", Value::Int(source.line)});
    return out;
  }

  // `overridden`: where the manifest has the value that a policy replaced.
  void AddSource(std::vector<Member>& out, const Source& source, std::string_view policy = {},
                 const Source& overridden = {}) {
    if (source.file.empty()) return;
    std::vector<Member> inner = Place(source);
    Text(inner, "policy", policy);
    if (!overridden.file.empty()) inner.push_back({"overridden", arena_.Object(Place(overridden))});
    out.push_back({"source", arena_.Object(std::move(inner))});
  }

  Value Strings(const std::vector<std::string>& texts) {
    std::vector<Value> out;
    for (const std::string& text : texts) out.push_back(arena_.String(text));
    return arena_.Array(out);
  }

  Value Object(const ObjectReport& object) {
    std::vector<Member> out;
    Text(out, "apiVersion", object.api_version);
    Text(out, "kind", OwnKind(object));
    Text(out, "namespace", object.name_space);
    Text(out, "name", object.name);
    AddSource(out, object.source);
    Text(out, "action", NameOf(object.action, object.compared));
    if (object.patch) out.push_back({"patch", Patch(*object.patch)});
    std::vector<Value> rows;
    for (const ReportRow& row : object.rows) rows.push_back(Row(row));
    out.push_back({"changes", arena_.Array(rows)});
    if (!object.appliers.empty()) out.push_back({"appliers", Managers(object.appliers)});
    if (!object.of_others.empty()) out.push_back({"of-others", OfOthers(object.of_others)});
    if (!object.warnings.empty()) out.push_back({"warnings", Strings(object.warnings)});
    if (!object.not_compared.empty()) out.push_back({"not-compared", Strings(object.not_compared)});
    if (object.new_pods) out.push_back({"new-pods", Value::Bool(true)});
    Text(out, "unasked", object.unasked);
    if (object.error) out.push_back({"error", ErrorValue(*object.error)});
    out.push_back({"hidden", Hidden(object.hidden)});
    return arena_.Object(std::move(out));
  }

  Value Patch(const ObjectReport::PatchInfo& patch) {
    std::vector<Member> out = {{"guarded", Value::Bool(patch.guarded)}, {"body", patch.body.root()}};
    if (patch.bytes) out.push_back({"bytes", Count(*patch.bytes)});
    if (patch.redacted) out.push_back({"redacted", Value::Bool(true)});
    Text(out, "type", patch.type);
    Text(out, "encoding", patch.encoding);
    Text(out, "why", patch.why);
    return arena_.Object(std::move(out));
  }

  Value Row(const ReportRow& row) {
    std::vector<Member> out;
    Text(out, "path", ToString(row.path));
    Text(out, "op", RowOpName(row.op));
    Text(out, "reason", ReasonName(row.reason));
    Text(out, "message", row.message);
    if (row.masked) {
      out.push_back({"equal", Value::Bool(SameOrBothAbsent(row.live, row.outcome))});
    } else {
      AddValues(out, row);
    }
    AddSource(out, row.source, row.policy, row.overridden);
    if (!row.strategy.empty()) {
      out.push_back({"rule", arena_.Object({{"strategy", arena_.String(row.strategy)}, {"keys", Strings(row.keys)}})});
    }
    if (!row.managers.empty()) out.push_back({"managers", Managers(row.managers)});
    return arena_.Object(std::move(out));
  }

  Value Manager(const FieldManager& manager) {
    std::vector<Member> out;
    Text(out, "name", manager.name);
    Text(out, "operation", manager.operation);
    Text(out, "subresource", manager.subresource);
    Text(out, "time", manager.time);
    return arena_.Object(std::move(out));
  }

  Value Managers(const std::vector<FieldManager>& managers) {
    std::vector<Value> out;
    for (const FieldManager& manager : managers) out.push_back(Manager(manager));
    return arena_.Array(out);
  }

  Value OfOthers(const std::vector<FieldsOfManager>& all) {
    std::vector<Value> out;
    for (const FieldsOfManager& fields : all) {
      std::vector<std::string> paths;
      for (const FieldPath& path : fields.paths) paths.push_back(ToString(path));
      out.push_back(arena_.Object({{"manager", Manager(fields.manager)}, {"paths", Strings(paths)}}));
    }
    return arena_.Array(out);
  }

  static void AddValues(std::vector<Member>& out, const ReportRow& row) {
    const auto add = [&](std::string_view name, const Value* value) {
      if (value != nullptr) out.push_back({name, *value});
    };
    add("original", row.original);
    add("live", row.live);
    add("modified", row.modified);
    add("outcome", row.outcome);
  }

  Value ErrorValue(const Error& error) {
    return arena_.Object(
        {{"code", arena_.String(ErrorCodeName(error.code))}, {"message", arena_.String(ToString(error))}});
  }

  Value Hidden(const HiddenRows& hidden) {
    std::vector<Member> out = {{"noise", Count(hidden.noise)}, {"live-only", Count(hidden.live_only)}};
    if (hidden.ignored > 0) out.push_back({"ignored", Count(hidden.ignored)});
    return arena_.Object(std::move(out));
  }

  static std::string_view NameOf(Action action, bool compared) {
    return compared ? NameInComparison(action) : ActionName(action);
  }

  Value Summary(const Report& report) {
    const bool compared = report.here.has_value();
    std::vector<Member> out;
    for (const Action action : {Action::kCreate, Action::kChange, Action::kRecord, Action::kUnchanged, Action::kPrune,
                                Action::kRecreate, Action::kError}) {
      if (compared && (action == Action::kRecord || action == Action::kRecreate)) continue;
      const auto n = std::ranges::count(report.objects, action, &ObjectReport::action);
      out.push_back({NameOf(action, compared), Value::Int(n)});
    }
    size_t ignored = 0;
    for (const ObjectReport& object : report.objects) ignored += object.hidden.ignored;
    if (ignored > 0) out.push_back({"ignored", Count(ignored)});
    return arena_.Object(std::move(out));
  }

  Arena arena_;
};

}  // namespace

Document ToJson(const Report& report) {
  JsonPrinter printer;
  const Value root = printer.Print(report);
  return Document(printer.TakeArena(), root);
}

}  // namespace smp::explain
