#include "lint/lint.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "apply/manifest_text.h"
#include "base/strings.h"
#include "edit/entry_finder.h"
#include "lint/input_rules.h"
#include "lint/kustomizations.h"
#include "lint/live_rules.h"
#include "lint/patch_rules.h"
#include "lint/suppression.h"
#include "value/at.h"
#include "value/redact.h"
#include "yaml/utf16.h"

namespace smp::lint {

namespace {

std::string TextOf(std::string text) {
  std::optional<std::string> decoded = yaml::FromUtf16(text);
  return decoded ? *std::move(decoded) : std::move(text);
}

// Returns the node of a document at a pointer; nullptr if the text has no such.
const edit::TextNode* NodeAt(const edit::TextTree& tree, const JsonPointer& at, edit::EntryFinder& finder) {
  const edit::TextNode* node = tree.root();
  for (const std::string& token : at) {
    const edit::TextEntry* entry = finder.Child(node, token).entry;
    if (entry == nullptr) return nullptr;
    node = entry->value;
  }
  return node;
}

// Returns the nodes of the objects in a part: nullptr for those that are not in its text itself.
std::vector<const edit::TextNode*> NodesOfObjects(const edit::TextTree& tree) {
  Arena arena;
  const Value root = edit::ValueOf(tree.root(), arena);
  edit::EntryFinder finder;
  std::vector<const edit::TextNode*> out;
  for (const apply::ObjectPlace& place : apply::ObjectsOf(root, arena)) out.push_back(NodeAt(tree, place.at, finder));
  return out;
}

bool IsKindWithDefinitions(const GroupVersionKind& gvk) {
  return gvk.kind == "CustomResourceDefinition" || gvk.kind == "Namespace" || gvk.kind == "APIService";
}

auto PlaceOf(const Finding& finding) {
  return std::make_tuple(finding.file, finding.line, finding.column, finding.severity);
}

}  // namespace

size_t Report::Count(Severity severity) const {
  return static_cast<size_t>(std::ranges::count_if(
      findings, [&](const Finding& finding) { return finding.severity == severity && !finding.fixed; }));
}

// --- reading

void Linter::Add(std::string name, std::string text) {
  report_.files.emplace_back(std::move(name), TextOf(std::move(text)));
  AddObjects(report_.files.size() - 1);
}

void Linter::AddObjects(size_t file) {
  const SourceFile& source = report_.files[file];
  const size_t first = report_.objects.size();
  for (Result<apply::ReadObject>& read : apply::ParseObjects(source.text(), source.name())) {
    if (read.ok()) {
      AddObject(file, *std::move(read));
    } else {
      AddError(file, read.error());
    }
  }
  FindNodes(file, first);
}

void Linter::AddError(size_t file, const Error& error) {
  Finding finding;
  finding.rule = FindRule("unreadable");
  finding.severity = finding.rule->severity;
  finding.file = file;
  finding.line = error.source.line;
  finding.message = error.message;
  if (report_.files[file].text().find("{{") != std::string::npos) {
    finding.advice = "render it first, if it is a template, and check what comes out";
  }
  unread_.push_back(std::move(finding));
}

void Linter::AddObject(size_t file, apply::ReadObject read) {
  const Value& root = read.document.root();
  Object object;
  object.file = file;
  if (auto gvk = GvkOf(root); gvk.ok()) object.gvk = *std::move(gvk);
  object.name = TextAt(root, {"metadata", "name"});
  object.name_space = TextAt(root, {"metadata", "namespace"});
  if (auto manifest = apply::ToManifest(read.document); manifest.ok()) object.manifest = *std::move(manifest);
  object.warnings = std::move(read.warnings);
  object.document = std::move(read.document);
  report_.objects.push_back(std::move(object));
}

// Finds the objects in the trees of the parts. Those of a part whose tree has another number of objects (JSON values one after
// the other) stay without a place.
void Linter::FindNodes(size_t file, size_t first_object) {
  const SourceFile& source = report_.files[file];
  for (size_t begin = first_object; begin < report_.objects.size();) {
    const auto part_of = [&](size_t i) {
      const Object& object = report_.objects[i];
      return apply::PartAt(source.parts(), object.document.LineOf(&object.root()));
    };
    const size_t part = part_of(begin);
    size_t end = begin + 1;
    while (end < report_.objects.size() && part_of(end) == part) ++end;
    const edit::TextTree* tree = source.parts().empty() ? nullptr : source.Tree(part);
    const auto nodes = tree == nullptr ? std::vector<const edit::TextNode*>() : NodesOfObjects(*tree);
    for (size_t i = begin; i < end; ++i) {
      report_.objects[i].part = part;
      if (nodes.size() == end - begin) report_.objects[i].node = nodes[i - begin];
    }
    begin = end;
  }
}

// --- checking

Status Linter::FindKinds(const Schemas& schemas) {
  std::vector<apply::Manifest> defining;
  for (const Object& object : report_.objects) {
    if (object.manifest && IsKindWithDefinitions(object.gvk)) defining.push_back(*object.manifest);
  }
  kinds_ = std::make_unique<Kinds>(schemas, std::move(defining));
  for (Object& object : report_.objects) {
    SMP_ASSIGN(object.kind, kinds_->Find(object.gvk));
  }
  return Ok();
}

void Linter::CheckObject(Sink& sink, const Release& release) {
  const Checking checking = {release, options_.name_space};
  CheckIdentity(sink);
  CheckReading(sink);
  if (apply::IsKustomization(sink.object().document)) return;
  CheckKind(sink, checking);
  CheckFields(sink, checking);
  CheckLists(sink);
  CheckValues(sink, checking);
  CheckDefinition(sink, validator_);
  CheckEffect(sink);
  CheckConsistency(sink);
  CheckPods(sink);
}

// A patch of a kustomization is checked for what it has, not for what it leaves out.
void Linter::CheckPart(Sink& sink, const Checking& checking) {
  CheckReading(sink);
  if (sink.object().has_type()) CheckFields(sink, checking);
}

Status Linter::Check(const Schemas& schemas, const Release& release) {
  SMP_TRY(FindKinds(schemas));
  const std::set<size_t> parts = PartsOfKustomizations(report_.files, report_.objects);
  for (size_t i = 0; i < report_.objects.size(); ++i) {
    Object& object = report_.objects[i];
    SecretRegistry::Instance().Remember(object.root());
    Sink& sink = sinks_.emplace_back(report_.files[object.file], object, i);
    if (!parts.contains(object.file)) {
      CheckObject(sink, release);
    } else {
      object.manifest.reset();  // nobody applies it
      CheckPart(sink, {release, options_.name_space});
    }
  }
  CheckCopies(sinks_, options_.name_space);
  CheckServicePorts(sinks_, options_.name_space);
  return Ok();
}

Status Linter::CheckAsPatch(const Schemas& schemas, const Release& release, const GroupVersionKind& gvk) {
  kinds_ = std::make_unique<Kinds>(schemas, std::vector<apply::Manifest>());
  SMP_ASSIGN(const std::shared_ptr<const Kind> kind, kinds_->Find(gvk));
  if (kind->authority == Authority::kNobody) {
    return Error::Schema(StrCat("no schema for kind \"", gvk.kind, "\" in version \"", gvk.ApiVersion(),
                                "\"; name its CRD with --schema, or use --from-server"));
  }
  for (size_t i = 0; i < report_.objects.size(); ++i) {
    Object& object = report_.objects[i];
    object.gvk = gvk;
    object.kind = kind;
    Sink& sink = sinks_.emplace_back(report_.files[object.file], object, i);
    CheckReading(sink);
    if (object.root().is_object()) CheckFields(sink, {release, {}});
    CheckPatch(sink);
  }
  return Ok();
}

std::vector<size_t> Linter::WithoutErrors() const {
  std::vector<size_t> out;
  for (size_t i = 0; i < sinks_.size(); ++i) {
    const bool clean = std::ranges::none_of(
        sinks_[i].findings(), [](const Finding& finding) { return finding.severity == Severity::kError; });
    if (clean && sinks_[i].object().manifest) out.push_back(i);
  }
  return out;
}

void Linter::CheckLive(size_t object, const apply::Prepared& prepared) { lint::CheckLive(sinks_[object], prepared); }

// --- the report

Report Linter::Finish() && {
  std::vector<Finding> all = std::move(unread_);
  for (Sink& sink : sinks_) {
    std::vector<Finding> findings = std::move(sink).Take();
    std::move(findings.begin(), findings.end(), std::back_inserter(all));
  }
  Suppress(report_, std::move(all));
  std::erase_if(report_.findings, [&](Finding& finding) {
    const auto given = options_.severities.find(finding.rule->code);
    if (given == options_.severities.end()) return false;
    finding.severity = given->second.value_or(Severity::kInfo);
    return !given->second.has_value();
  });
  std::ranges::stable_sort(report_.findings, {}, PlaceOf);
  return std::move(report_);
}

}  // namespace smp::lint
