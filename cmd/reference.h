// Generates the reference of all commands from the tables used for parsing and --help. Hidden command:
//
//   kubectl-smp __reference markdown    cmd/reference.md; a test checks that it is current
//   kubectl-smp __reference man DIR     manual pages kubectl-smp.1, kubectl-smp-apply.1, … in an existing folder
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cmd/io.h"

namespace smp::cmd {

std::string MarkdownReference();
std::map<std::string, std::string> ManPages();  // file name → text

int RunReference(const std::vector<std::string>& arguments, Io& io);

}  // namespace smp::cmd
