#include "pull/pull_files.h"

#include <algorithm>
#include <utility>

#include "base/read_file.h"
#include "base/strings.h"
#include "net/download.h"
#include "pull/origin.h"
#include "value/json.h"

namespace smp::pull {

namespace {

// Returns why the source has no file to write; "" if it may be one.
std::string WhyNoFile(const std::string& name) {
  if (name == "STDIN") return "the manifest was read from standard input; name its file with -f";
  if (net::IsWebUrl(name)) return "the manifest was read from a URL; name a file with -f";
  return "";
}

std::string OriginIn(const PulledFile& file, const apply::Manifest& manifest, const Value& live) {
  const size_t part = apply::PartAt(file.parts, manifest.source().line);
  return OriginOf(manifest.document.root(), &live, part < file.parts.size() ? file.parts[part].text : "");
}

}  // namespace

Status PullFiles::Add(const apply::Manifest& manifest, apply::Prepared prepared, const explain::ObjectReport& report) {
  const std::string name = manifest.document.source_name();
  PulledFile* file = nullptr;
  std::string origin = WhyNoFile(name);
  if (origin.empty()) {
    SMP_ASSIGN(file, FileOf(name));
    origin = OriginIn(*file, manifest, prepared.live->root());
  }
  PulledObject object = {manifest, std::move(prepared), {}};
  object.choice = Choose(object.prepared, report, origin, wishes_);
  for (Left& left : object.choice.left) left_.push_back({apply::Label(manifest.gvk, manifest.name), std::move(left)});
  if (!object.choice.changes.empty()) file->objects.push_back(std::move(object));
  return Ok();
}

Result<PulledFile*> PullFiles::FileOf(const std::string& name) {
  const auto [at, is_new] = files_.try_emplace(name);
  PulledFile& file = at->second;
  if (!is_new) return &file;
  file.name = name;
  SMP_ASSIGN(file.text, ReadWholeFile(name, kMaxInputBytes, "the file"));
  file.parts = apply::PartsOf(file.text);
  return &file;
}

Result<EditedText> Edited(const PulledFile& file, const std::function<bool(const Change&)>& takes) {
  std::vector<ObjectChanges> objects;
  for (const PulledObject& object : file.objects) {
    ObjectChanges taken = {&object.manifest, {}};
    for (const Change& change : object.choice.changes) {
      if (takes(change)) taken.changes.push_back(&change);
    }
    if (!taken.changes.empty()) objects.push_back(std::move(taken));
  }
  if (objects.empty()) return EditedText{file.text, {}};
  return EditFileText(file.text, file.name, objects);
}

}  // namespace smp::pull
