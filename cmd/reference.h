// The reference of all commands, made from the same tables as parsing and --help. Hidden command:
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
std::map<std::string, std::string> ManPages();  // text by file name

int RunReference(const std::vector<std::string>& arguments, Io& io);

}  // namespace smp::cmd
