// PullFiles: the files of an input, and the changes that go into each of them.
#pragma once

#include <deque>
#include <functional>
#include <map>
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
  apply::Manifest manifest;
  apply::Prepared prepared;
  Choice choice;
};

struct PulledFile {
  std::string name;  // as the user gave it
  std::string text;  // as it was read
  std::vector<apply::TextPart> parts;
  std::deque<PulledObject> objects;  // with changes
};

// What was left of an object, and why.
struct LeftOf {
  std::string object;  // "deployment.apps/web"
  Left left;
};

class PullFiles {
 public:
  explicit PullFiles(Wishes wishes) : wishes_(std::move(wishes)) {}

  // Chooses what the object's file takes. `report`: see Choose. Error: invalid-argument, if the file cannot be read.
  Status Add(const apply::Manifest& manifest, apply::Prepared prepared, const explain::ObjectReport& report);

  const std::map<std::string, PulledFile>& files() const { return files_; }
  const std::vector<LeftOf>& left() const { return left_; }

 private:
  Result<PulledFile*> FileOf(const std::string& name);

  const Wishes wishes_;
  std::map<std::string, PulledFile> files_;  // by name
  std::vector<LeftOf> left_;
};

// Returns the file's text with the changes for which `takes` is true.
Result<EditedText> Edited(const PulledFile& file, const std::function<bool(const Change&)>& takes);

}  // namespace smp::pull
