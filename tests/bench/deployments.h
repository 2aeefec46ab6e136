// The inputs that the benchmarks measure: a Deployment of n containers whose images all change, and one container with
// n environment variables that all change (and one in ten goes).
#pragma once

#include <string>

namespace smp {

struct BenchCase {
  std::string original, modified, live;  // JSON
};

BenchCase Containers(int n);
BenchCase EnvironmentVariables(int n);

}  // namespace smp
