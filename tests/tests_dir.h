#pragma once

namespace smp {

// The folder tests/ of the checkout that the test was built from, without a slash at its end.
extern const char kTestsDir[];

}  // namespace smp
