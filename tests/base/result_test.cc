#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace smp {
namespace {

Result<int> Half(int i) {
  if (i % 2 != 0) return Error::InvalidArgument("odd");
  return i / 2;
}

Result<int> Quarter(int i) {
  SMP_ASSIGN(const int half, Half(i));
  SMP_ASSIGN(const int quarter, Half(half));
  return quarter;
}

Status CheckEven(int i) {
  SMP_TRY(Half(i));
  return Ok();
}

TEST(Result, CarriesValuesAndErrors) {
  EXPECT_EQ(*Half(4), 2);
  EXPECT_EQ(*Quarter(8), 2);
  EXPECT_EQ(Quarter(6).error().message, "odd");
  EXPECT_TRUE(CheckEven(2).ok());
  EXPECT_EQ(CheckEven(3).error().code, ErrorCode::kInvalidArgument);
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> value = *std::move(result);
  EXPECT_EQ(*value, 5);
}

TEST(Error, PrintsOnlyWhatIsKnown) {
  Error error = Error::Parse("broken");
  EXPECT_EQ(ToString(error), "broken");
  error.path = "spec.image";
  EXPECT_EQ(ToString(error), "spec.image: broken");
  error.source.file = "pod.yaml";
  EXPECT_EQ(ToString(error), "pod.yaml: spec.image: broken");
  error.source.line = 3;
  EXPECT_EQ(ToString(error), "pod.yaml:3: spec.image: broken");
}

TEST(ErrorCode, HasTheNamesOfTheBatchProtocol) {
  const std::pair<ErrorCode, std::string_view> rows[] = {
      {ErrorCode::kInvalidArgument, "invalid-argument"},
      {ErrorCode::kParse, "parse"},
      {ErrorCode::kSchema, "schema"},
      {ErrorCode::kPatchFormat, "patch-format"},
      {ErrorCode::kMergeKey, "merge-key"},
      {ErrorCode::kConflict, "conflict"},
      {ErrorCode::kNotFound, "not-found"},
      {ErrorCode::kForbidden, "forbidden"},
      {ErrorCode::kServer, "server"},
      {ErrorCode::kTransport, "transport"},
      {ErrorCode::kPolicy, "policy"},
      {ErrorCode::kRefused, "refused"},
      {ErrorCode::kInternal, "internal"},
  };
  for (const auto& [code, name] : rows) EXPECT_EQ(ErrorCodeName(code), name);
}

}  // namespace
}  // namespace smp
