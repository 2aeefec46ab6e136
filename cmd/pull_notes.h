// What pull says of what it did not take, and nobody asked for: a line for each kind of thing.
#pragma once

#include <string>
#include <vector>

#include "cmd/io.h"
#include "pull/pull_files.h"

namespace smp::cmd {

struct PullNotes {
  std::vector<std::string> missing = {};  // labels of objects that live lacks
  bool complete = true;                   // all objects could be read
};

// Returns true if objects differ from their manifests and no record tells who changed what.
bool HasUnrecorded(const pull::PullFiles& files);

// Prints the lines to io.err. Also says so if there is nothing to pull.
void TellNotes(const PullNotes& notes, const pull::PullFiles& files, Io& io);

}  // namespace smp::cmd
