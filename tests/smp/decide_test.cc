#include "smp/decide.h"

#include <gtest/gtest.h>

namespace smp {
namespace {

// Values by letter: '-' absent, '0' null, others integers.
const Value* Make(char c, Value& storage) {
  if (c == '-') return nullptr;
  storage = c == '0' ? Value() : Value::Int(c);
  return &storage;
}

struct Row {
  const char* sides;  // original, modified, live
  Op op;
  Reason reason;
};

TEST(Decide, FollowsTheTable) {
  const Row rows[] = {
      {"--x", Op::kKeep, Reason::kLiveOnly},       {"-m-", Op::kSet, Reason::kAdded},
      {"-mm", Op::kNone, Reason::kInSync},         {"-ml", Op::kSet, Reason::kOwned},
      {"o-l", Op::kDelete, Reason::kRemoved},      {"o--", Op::kNone, Reason::kRemoved},
      {"om-", Op::kSet, Reason::kRestored},        {"mmm", Op::kNone, Reason::kInSync},
      {"mml", Op::kSet, Reason::kDrift},           {"omm", Op::kNone, Reason::kInSync},
      {"omo", Op::kSet, Reason::kChanged},         {"oml", Op::kSet, Reason::kConflict},
      {"-0l", Op::kDelete, Reason::kExplicitNull}, {"-0-", Op::kNone, Reason::kExplicitNull},
      {"-00", Op::kNone, Reason::kExplicitNull},   {"0-l", Op::kKeep, Reason::kLiveOnly},
      {"0m-", Op::kSet, Reason::kAdded},           {"0ml", Op::kSet, Reason::kOwned},
      {"-m0", Op::kSet, Reason::kAdded},           {"om0", Op::kSet, Reason::kRestored},
  };
  for (const Row& row : rows) {
    Value o, m, l;
    const Decision decision = Decide(Make(row.sides[0], o), Make(row.sides[1], m), Make(row.sides[2], l));
    EXPECT_EQ(decision.op, row.op) << row.sides;
    EXPECT_EQ(ReasonName(decision.reason), ReasonName(row.reason)) << row.sides;
  }
}

}  // namespace
}  // namespace smp
