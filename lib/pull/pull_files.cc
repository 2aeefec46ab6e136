#include "pull/pull_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "apply/older_file.h"
#include "base/clock.h"
#include "base/read_file.h"
#include "base/strings.h"
#include "net/download.h"
#include "pull/git.h"
#include "pull/origin.h"
#include "pull/replan.h"
#include "smp/managed_fields.h"
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
  if (!file.origin.empty()) return file.origin;
  const size_t part = apply::PartAt(file.parts, manifest.source().line);
  return OriginOf(manifest.document.root(), &live, part < file.parts.size() ? file.parts[part].text : "");
}

// Returns when the content of a file was made, as far as that is known: a fresh checkout has a new time, too.
std::optional<std::chrono::sys_seconds> TimeOf(const std::string& file) {
  const auto committed = LastCommitOf(file);
  return committed ? committed : ModificationTime(file);
}

std::string AppliedSince(const apply::Prepared& prepared) {
  const auto time = TimeOf(prepared.manifest.source_name());
  const auto writer =
      time ? apply::AppliedSince(prepared, Appliers(FieldOwners(prepared.live->root())), *time) : std::nullopt;
  return writer ? Describe(*writer, ProcessClock().WallTime()) : "";
}

// Returns the name without what only a file system needs: "a/./b.yaml" is "a/b.yaml".
std::string Plain(const std::string& name) { return std::filesystem::path(name).lexically_normal().string(); }

}  // namespace

Status PullFiles::Add(const apply::Manifest& manifest, const std::vector<apply::Manifest>& copies,
                      apply::Prepared prepared, explain::ObjectReport report) {
  auto object = std::make_shared<PulledObject>();
  object->label = apply::Label(manifest.gvk, manifest.name);
  object->prepared = std::move(prepared);
  object->report = std::move(report);
  SMP_ASSIGN(const Circumstances circumstances, CircumstancesOf(manifest, object->prepared));
  object->choice = Choose(object->prepared, object->report, circumstances, wishes_);
  objects_.push_back(object);
  if (object->choice.changes.empty()) return Ok();
  std::vector<apply::Manifest> all = {manifest};
  all.insert(all.end(), copies.begin(), copies.end());
  std::set<std::pair<const PulledFile*, int>> places;  // the same file may have been named twice
  for (const apply::Manifest& one : all) {
    SMP_ASSIGN(PulledFile * file, FileOf(one.document.source_name()));
    const bool is_new = places.emplace(file, one.source().line).second;
    if (is_new) file->manifests.push_back({one, object});
  }
  return Ok();
}

Result<Circumstances> PullFiles::CircumstancesOf(const apply::Manifest& manifest, const apply::Prepared& prepared) {
  Circumstances out;
  const std::string& name = manifest.document.source_name();
  out.no_file = WhyNoFile(name);
  if (!out.no_file.empty()) return out;
  SMP_ASSIGN(const PulledFile* file, FileOf(name));
  out.origin = OriginIn(*file, manifest, prepared.live->root());
  out.applied_since = [&prepared] { return AppliedSince(prepared); };
  return out;
}

Result<PulledFile*> PullFiles::FileOf(const std::string& name) {
  const auto [at, is_new] = files_.try_emplace(Plain(name));
  PulledFile& file = at->second;
  if (!is_new) return &file;
  file.name = at->first;
  SMP_ASSIGN(file.text, ReadWholeFile(name, kMaxInputBytes, "the file"));
  file.parts = apply::PartsOf(file.text);
  file.origin = OriginOfFile(file.text);
  return &file;
}

size_t PulledText::written() const {
  return static_cast<size_t>(
      std::ranges::count_if(edited.written, [](const Written& written) { return written.why.empty(); }));
}

namespace {

using Takes = std::function<bool(const Change&)>;

std::string Prove(const PulledObject& object, const Replan& replan, const apply::Manifest& edited,
                  const std::vector<const Change*>& written) {
  const Result<explain::ObjectReport> after = replan(edited, object);
  return after.ok() ? WhyUnsettled(object.report, *after, written) : after.error().message;
}

ObjectChanges ChangesOf(const PulledManifest& manifest, const Takes& takes, const Replan& replan) {
  const PulledObject& object = *manifest.object;
  ObjectChanges out = {&manifest.manifest, {object.prepared.schema.get(), object.prepared.resource.type}};
  for (const Change& change : object.choice.changes) {
    if (takes(change)) out.changes.push_back(&change);
  }
  if (replan) {
    out.prove = [&](const apply::Manifest& edited, const std::vector<const Change*>& written) {
      return Prove(object, replan, edited, written);
    };
  }
  return out;
}

PulledText Edited(const PulledFile& file, const Takes& takes, const Replan& replan) {
  std::vector<ObjectChanges> objects;
  for (const PulledManifest& manifest : file.manifests) {
    ObjectChanges taken = ChangesOf(manifest, takes, replan);
    if (!taken.changes.empty()) objects.push_back(std::move(taken));
  }
  PulledText out = {&file, {file.text, {}}};
  if (objects.empty()) return out;
  auto edited = EditFileText(file.text, file.name, objects);
  if (edited.ok()) {
    out.edited = *std::move(edited);
  } else {
    out.error = std::move(edited).error();
  }
  return out;
}

// Returns the changes that some place cannot take, with the reason.
std::map<const Change*, std::string> Failed(const std::vector<PulledText>& texts) {
  std::map<const Change*, std::string> out;
  for (const PulledText& text : texts) {
    for (const Written& written : text.edited.written) {
      if (!written.why.empty()) out.emplace(written.change, written.why);
    }
    for (const PulledManifest& manifest : text.error ? text.file->manifests : std::deque<PulledManifest>()) {
      for (const Change& change : manifest.object->choice.changes) out.emplace(&change, text.error->message);
    }
  }
  return out;
}

// Returns true if a change that failed elsewhere was written here.
bool HasHalf(const PulledText& text, const std::map<const Change*, std::string>& failed) {
  return std::ranges::any_of(text.edited.written, [&](const Written& written) {
    return written.why.empty() && failed.contains(written.change);
  });
}

}  // namespace

std::vector<PulledText> EditAll(const PullFiles& files, const Takes& takes) {
  std::vector<PulledText> out;
  for (const auto& [name, file] : files.files()) out.push_back(Edited(file, takes, files.replan()));
  for (bool again = true; again;) {
    again = false;
    const std::map<const Change*, std::string> failed = Failed(out);
    for (PulledText& text : out) {
      if (!HasHalf(text, failed)) continue;
      again = true;
      std::vector<Written> left;
      for (const Written& written : text.edited.written) {
        if (failed.contains(written.change)) left.push_back({written.change, 0, failed.at(written.change)});
      }
      text = Edited(
          *text.file, [&](const Change& change) { return takes(change) && !failed.contains(&change); }, files.replan());
      text.edited.written.insert(text.edited.written.end(), left.begin(), left.end());
    }
  }
  return out;
}

}  // namespace smp::pull
