// The inputs that the benchmarks measure: a Deployment of n containers whose images all change, and one container with
// n environment variables that all change (and one in ten goes).
#ifndef SMP_TESTS_BENCH_DEPLOYMENTS_H_
#define SMP_TESTS_BENCH_DEPLOYMENTS_H_

#include <string>

namespace smp {

struct BenchCase {
  std::string original, modified, live;  // JSON
};

BenchCase Containers(int n);
BenchCase EnvironmentVariables(int n);

}  // namespace smp

#endif  // SMP_TESTS_BENCH_DEPLOYMENTS_H_
