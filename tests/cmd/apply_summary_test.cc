#include "cmd/apply_summary.h"

#include <gtest/gtest.h>

#include <sstream>

#include "apply/plan_server_side.h"
#include "base/strings.h"
#include "cmd/error_teller.h"
#include "yaml/input.h"

namespace smp::cmd {
namespace {

using Fate = apply::ObjectResult::Fate;

apply::ObjectResult DoneAs(size_t index, apply::Done done) {
  return {.index = index, .fate = Fate::kDone, .submitted = {.done = done}};
}

apply::ObjectResult FailedWith(size_t index, Error error) {
  return {.index = index, .fate = Fate::kFailed, .error = std::move(error)};
}

Error ServerError(int status, std::string message, int line) {
  Error error{ErrorCode::kServer, std::move(message), "", {"web.yaml", line}, status, status == 422 ? "Invalid" : ""};
  return error;
}

using Lines = std::vector<std::string>;

TEST(ApplySummary, CountsWhatHappened) {
  const std::vector<apply::ObjectResult> results = {
      DoneAs(0, apply::Done::kUnchanged), DoneAs(1, apply::Done::kConfigured), DoneAs(2, apply::Done::kUnchanged),
      FailedWith(3, Error::Parse("no")), apply::ObjectResult{.index = 4}};
  EXPECT_EQ(CountsText(results, 1'290), "1 configured, 2 unchanged, 1 failed, 1 not tried in 1.2 s");
  EXPECT_EQ(CountsText({DoneAs(0, apply::Done::kCreated)}, 7), "1 created in 7 ms");
  EXPECT_EQ(CountsText({DoneAs(0, apply::Done::kServerSide)}, 123'456), "1 serverside-applied in 123 s");
}

TEST(ApplySummary, NamesObjectsAndFilesThatFailed) {
  const apply::Manifests manifests = apply::ParseManifests(
      "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n---\na: [\n---\nkind: ConfigMap\napiVersion: "
      "v1\nmetadata: {name: b}\n",
      "web.yaml");
  EXPECT_EQ(NamesOfFailed(manifests, {FailedWith(0, Error::Parse("no")), FailedWith(1, Error::Parse("no")),
                                      DoneAs(2, apply::Done::kCreated)}),
            (Lines{"configmap/a (web.yaml:1)", "web.yaml:6"}));
}

TEST(ApplySummary, SaysTheShortestWayOut) {
  Error parse = Error::Parse("no");
  parse.source = {"web.yaml", 12};
  EXPECT_EQ(WaysOut({FailedWith(0, parse)}, true), Lines{"fix web.yaml:12, then run the same command again"});
  const Error immutable =
      ServerError(422, "The Job \"j\" is invalid: spec.template: Invalid value: {}: field is immutable", 3);
  EXPECT_EQ(
      WaysOut({FailedWith(0, immutable), FailedWith(1, parse)}, true),
      (Lines{"undo the change of an immutable field in web.yaml:3, or use --force to delete and recreate such objects",
             "fix web.yaml:12, then run the same command again"}));
  EXPECT_EQ(WaysOut({FailedWith(0, immutable)}, false), Lines{"fix web.yaml:3, then run the same command again"});
  std::vector<apply::ObjectResult> many;
  for (int i = 1; i < 9; ++i) many.push_back(FailedWith(0, ServerError(400, "no", i)));
  EXPECT_EQ(WaysOut(many, true),
            Lines{"fix web.yaml:1, web.yaml:2, web.yaml:3, web.yaml:4, web.yaml:5 and 3 more, then run "
                  "the same command again"});
}

// Found by hand: --force was advised where the new object would be refused, too.
TEST(ApplySummary, AdvisesForceOnlyWhereItHelps) {
  const Error mixed =
      ServerError(422,
                  "The Deployment \"d\" is invalid: \n* spec.template.metadata.labels: Invalid value: {}: "
                  "`selector` does not match template `labels`\n* spec.selector: Invalid value: {}: field is "
                  "immutable",
                  3);
  EXPECT_EQ(WaysOut({FailedWith(0, mixed)}, true), Lines{"fix web.yaml:3, then run the same command again"});
  const Error both =
      ServerError(422,
                  "The Job \"j\" is invalid: \n* spec.template: Invalid value: {}: field is immutable\n* "
                  "spec.selector: Invalid value: {}: field is immutable",
                  3);
  EXPECT_TRUE(WaysOut({FailedWith(0, both)}, true).front().starts_with("undo the change of an immutable field"));
}

TEST(ApplySummary, NamesEachPlaceOnce) {
  std::vector<apply::ObjectResult> failed;
  for (const int line : {1, 1, 10, 10, 100}) failed.push_back(FailedWith(0, ServerError(400, "no", line)));
  EXPECT_EQ(WaysOut(failed, true), Lines{"fix web.yaml:1, web.yaml:10, web.yaml:100, then run the same command again"});
}

// Found by hand: up to 20 names were in one line.
TEST(ApplySummary, FoldsTheNamesOfFailedObjects) {
  EXPECT_EQ(FailedText({"configmap/a (a.yaml:1)"}, 80), "failed: configmap/a (a.yaml:1)\n");
  const std::string text = FailedText(Lines(22, "deployment.apps/web\n (web.yaml:12)"), 60);
  EXPECT_TRUE(text.ends_with(" and 2 more\n")) << text;
  for (const std::string_view line : Split(text, '\n')) EXPECT_LE(line.size(), 60u) << line;
}

TEST(ApplySummary, SaysNothingWhereNoManifestIsAtFault) {
  EXPECT_EQ(WaysOut({FailedWith(0, ServerError(403, "no", 1)), FailedWith(1, ServerError(500, "no", 1))}, true),
            Lines{});
  EXPECT_EQ(WaysOut({FailedWith(0, yaml::TemplateError({"web.yaml", 1}))}, true), Lines{});
  Error gone = Error::Transport("refused");
  EXPECT_EQ(WaysOut({FailedWith(0, gone)}, true), Lines{});  // a URL
  gone.source = {"web.yaml", 1};
  EXPECT_EQ(WaysOut({FailedWith(0, gone)}, true), Lines{"run the same command again when the server answers"});
}

std::string Told(const std::vector<Error>& errors) {
  std::istringstream in;
  std::ostringstream out, err;
  Io io{.in = in, .out = out, .err = err};
  ErrorTeller teller(io);
  for (const Error& error : errors) teller.Tell(error);
  teller.Finish();
  return err.str();
}

TEST(ErrorTeller, TellsAServerThatIsGoneOnce) {
  EXPECT_EQ(Told({Error::Transport("gone"), Error::NotFound("x"), Error::Transport("gone"), Error::Transport("gone")}),
            "error: gone\nerror: x\nerror: 2 more objects failed for the same reason\n");
  EXPECT_EQ(Told({Error::Parse("bad"), Error::Parse("bad")}), "error: bad\nerror: bad\n");
}

TEST(ErrorTeller, GivesAdviceOnce) {
  const Error refused = Error::Refused(std::string("no\n") + std::string(apply::kTakeoverAdvice));
  EXPECT_EQ(Told({refused, refused}), "error: no\nerror: no\n" + std::string(apply::kTakeoverAdvice) + "\n");
}

}  // namespace
}  // namespace smp::cmd
