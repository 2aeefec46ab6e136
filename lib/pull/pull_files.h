// PullFiles: the files of an input, and the changes that go into each of them.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apply/manifest_text.h"
#include "apply/prepare.h"
#include "base/result.h"
#include "explain/report.h"
#include "pull/choice.h"
#include "pull/file_edit.h"

namespace smp::pull {

// An object that was planned, with what is taken from it. It owns all that its changes point into.
struct PulledObject {
  std::string label;  // "deployment.apps/web"
  apply::Prepared prepared;
  explain::ObjectReport report;
  Choice choice;
};

// An object of a file.
struct PulledManifest {
  apply::Manifest manifest;
  std::shared_ptr<const PulledObject> object;  // other files may have a copy of the manifest
};

struct PulledFile {
  std::string name;  // as the user gave it, without "./"
  std::string text;  // as it was read
  std::vector<apply::TextPart> parts;
  std::string origin;                    // of all objects; "" if a person writes the file
  std::deque<PulledManifest> manifests;  // with changes
};

// Reports another text of the manifest, planned against the same live object.
using Replan = std::function<Result<explain::ObjectReport>(const apply::Manifest& edited, const PulledObject& object)>;

class PullFiles {
 public:
  PullFiles(Wishes wishes, Replan replan) : wishes_(std::move(wishes)), replan_(std::move(replan)) {}

  // Chooses what the object's file takes. `copies`: equal manifests of it. `report`: see Choose. Error: invalid-argument, if
  // a file cannot be read.
  Status Add(const apply::Manifest& manifest, const std::vector<apply::Manifest>& copies, apply::Prepared prepared,
             explain::ObjectReport report);

  const std::map<std::string, PulledFile>& files() const { return files_; }
  const std::vector<std::shared_ptr<const PulledObject>>& objects() const { return objects_; }
  const Wishes& wishes() const { return wishes_; }
  const Replan& replan() const { return replan_; }

 private:
  Result<PulledFile*> FileOf(const std::string& name);
  Result<Circumstances> CircumstancesOf(const apply::Manifest& manifest, const apply::Prepared& prepared);

  const Wishes wishes_;
  const Replan replan_;
  std::map<std::string, PulledFile> files_;                   // by name
  std::vector<std::shared_ptr<const PulledObject>> objects_;  // in the order of the input
};

// A file with its new text, or why it cannot be edited.
struct PulledText {
  const PulledFile* file = nullptr;
  EditedText edited = {};
  std::optional<Error> error = {};

  bool changes() const { return !error && edited.text != file->text; }
  size_t written() const;
};

// Returns the files with the changes for which `takes` is true. A change that one of the copies of a manifest cannot take is
// written into none of them.
std::vector<PulledText> EditAll(const PullFiles& files, const std::function<bool(const Change&)>& takes);

}  // namespace smp::pull
