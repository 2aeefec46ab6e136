#include "tests_dir.h"

namespace smp {

const char kTestsDir[] = SMP_TESTS_DIR;

}  // namespace smp
