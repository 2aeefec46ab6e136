#include "cmd/pace.h"

#include <charconv>
#include <string>

#include "base/strings.h"

namespace smp::cmd {

namespace {

constexpr int kMostParallel = 100;  // API servers allow this many streams per connection

}  // namespace

std::vector<Flag> PaceFlags() {
  return {{.name = "parallel",
           .kind = FlagKind::kNumber,
           .placeholder = "N",
           .help = "maximum number of requests in flight, 1 to 100; does not affect --order",
           .fallback = "16"},
          TextFlag("qps", "N", "maximum number of requests per second; by default, only the server limits them")};
}

Result<int> ToParallel(const ParsedFlags& flags) {
  const int parallel = flags.Number("parallel");
  if (parallel >= 1 && parallel <= kMostParallel) return parallel;
  return Error::InvalidArgument(StrCat("--parallel must be a number from 1 to ", kMostParallel, ", not ", parallel));
}

Result<double> ToQueriesPerSecond(const ParsedFlags& flags) {
  if (!flags.Given("qps")) return 0.0;
  const std::string text = flags.Text("qps");
  double qps = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), qps);
  const bool number = error == std::errc() && end == text.data() + text.size();
  if (number && qps > 0 && qps <= 1e6) return qps;
  return Error::InvalidArgument(StrCat("--qps must be a number greater than 0, not \"", text, "\""));
}

}  // namespace smp::cmd
