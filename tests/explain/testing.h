// Reports of changes to small objects, as text.
#pragma once

#include <string>
#include <vector>

#include "base/strings.h"
#include "explain/report.h"
#include "explain/text.h"
#include "schema/builtin.h"
#include "yaml/read_yaml.h"

namespace smp::explain {

inline Document Yaml(const std::string& text) { return *yaml::ParseYaml(text, "dir/web.yaml"); }

inline KindOfObject KindOf(const Document& manifest) {
  static const auto schema = BuiltinSchema();
  return {schema.get(), schema->FindType(*GvkOf(manifest.root()))};
}

inline ObjectReport Change(const std::string& original, const std::string& modified, const std::string& live) {
  const Document o = Yaml(original), m = Yaml(modified), l = Yaml(live);
  const KindOfObject kind = KindOf(m);
  const auto patch = PlanPatch(
      {.original = &o.root(), .modified = &m.root(), .live = &l.root(), .schema = kind.schema, .type = kind.type});
  ObjectReport report = ReportChange(m, l, *patch, kind, {});
  report.keep_alive.push_back(o);
  return report;
}

// Live is as it was applied.
inline ObjectReport Change(const std::string& before, const std::string& after) {
  return Change(before, after, before);
}

inline std::string Map(const std::string& name, const std::string& data) {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata: " + data + "\n";
}

inline std::string Print(std::vector<ObjectReport> objects, const TextOptions& options = {}) {
  Report report;
  report.objects = std::move(objects);
  return PrintText(report, options);
}

inline std::string Rows(const std::string& text) {
  const size_t begin = text.find('\n') + 1;
  return text.substr(begin, text.find("\n\n") + 1 - begin);
}

inline std::string TextOfMap(const std::vector<std::string>& lines, bool newline = true) {
  std::string out =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  t: |" + std::string(newline ? "" : "-") + "\n";
  for (const std::string& line : lines) out += "    " + line + "\n";
  return out;
}

// Returns the lines that begin with "  ~ " and name objects.
inline std::string LastLines(const std::string& text) { return text.substr(text.rfind("\n\n") + 2); }

inline std::string Deployment(const std::string& name, const std::string& image, const std::string& of_pod = "") {
  return StrCat("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ", name,
                "}\nspec:\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n",
                "    spec: {containers: [{name: c, image: ", image, "}]", of_pod, "}\n");
}

inline std::string PrintCreation(const Document& manifest, const TextOptions& options = {}) {
  return Print({ReportCreation(manifest, KindOf(manifest), {})}, options);
}

}  // namespace smp::explain
