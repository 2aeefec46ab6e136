// The rules about several objects of an input.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "lint/object.h"
#include "lint/sink.h"
#include "lint/source_file.h"

namespace smp::lint {

// The same object more than once. `name_space`: of objects that state none.
void CheckCopies(std::deque<Sink>& sinks, const std::string& name_space);

// Ports of Services that no container of the Pods that they select has.
void CheckServicePorts(std::deque<Sink>& sinks, const std::string& name_space);

}  // namespace smp::lint
