// The page of explain-diff -o html, without a browser; tests/e2e/html_page.py opens it in one.
#include "explain/html.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/digest.h"
#include "base/strings.h"
#include "value/base64.h"
#include "value/json.h"

namespace smp::explain {
namespace {

const std::string kHostile =
    "</script><!--<script>&amp;</pre></noscript> {{data}} \xE2\x80\xAE\x1b[31m\xE2\x80\xA8\r\n<img src=x onerror=a()>";

ObjectReport Named(const std::string& name) {
  ObjectReport object;
  object.api_version = "apps/v1";
  object.kind = "Deployment";
  object.name_space = "shop";
  object.name = name;
  object.source = {"web.yaml", 1};
  object.action = Action::kChange;
  return object;
}

ReportRow Changed(const std::string& name, const Value* live, const Value* modified) {
  ReportRow row;
  row.path = {PathStep::Field("data"), PathStep::Field(name)};
  row.live = live;
  row.modified = row.outcome = modified;
  row.source = {"web.yaml", 7};
  return row;
}

ObjectReport Hostile() {
  ObjectReport object = Named(kHostile);
  object.kind = kHostile;
  object.warnings = {kHostile};
  object.error = Error::InvalidArgument(kHostile);
  static const Value value = Value::UnownedString(kHostile);
  object.rows = {Changed(kHostile, nullptr, &value)};
  object.rows[0].message = kHostile;
  object.rows[0].managers = {{kHostile, "Update"}};
  return object;
}

Report With(std::vector<ObjectReport> objects) {
  Report report;
  report.objects = std::move(objects);
  return report;
}

// Returns the data of the only row of the only object.
std::string RowOf(const std::string& before, const std::string& after) {
  const Value live = Value::UnownedString(before), modified = Value::UnownedString(after);
  ObjectReport object = Named("web");
  object.rows = {Changed("k", &live, &modified)};
  const Document data = HtmlData(With({object}));
  return WriteJson(data.root().Find("objects")->Items()[0].Find("rows")->Items()[0]);
}

size_t Count(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string Between(const std::string& text, std::string_view begin, std::string_view end) {
  const size_t from = text.find(begin) + begin.size();
  return text.substr(from, text.find(end, from) - from);
}

TEST(Html, HasNoMarkupOfTheReport) {
  const std::string calm = PrintHtml(With({Named("web")})), page = PrintHtml(With({Hostile()}));
  for (const char* part : {"<script", "</script", "<!--", "<img", "</pre", "</noscript", "<style"}) {
    EXPECT_EQ(Count(page, part), Count(calm, part)) << part;
  }
  const std::string data = Between(page, "id=\"data\">", "</script>");
  EXPECT_EQ(data.find('<'), data.npos);
  EXPECT_EQ(data.find("\xE2\x80\xA8"), data.npos);
  for (const char* part : {"\xE2\x80\xAE", "\x1b", "\r"}) EXPECT_EQ(page.find(part), page.npos) << part;
}

TEST(Html, DataIsWhatTheReportSays) {
  const std::string data = Between(PrintHtml(With({Hostile()})), "id=\"data\">", "</script>");
  const Result<Document> read = ParseJson(data);
  ASSERT_TRUE(read.ok()) << ToString(read.error());
  const std::string visible = "</script><!--<script>&amp;</pre></noscript> {{data}} \\u202e\\x1b[31m";
  const Value& object = read->root().Find("objects")->Items()[0];
  EXPECT_TRUE(object.Find("name")->AsString().starts_with("shop/" + visible)) << object.Find("name")->AsString();
  EXPECT_TRUE(object.Find("warnings")->Items()[0].AsString().starts_with(visible));
  EXPECT_TRUE(object.Find("rows")->Items()[0].Find("managers")->Items()[0].AsString().starts_with(visible));
}

TEST(Html, PolicyAllowsItsScriptAndStyleOnly) {
  const std::string page = PrintHtml(With({Named("web")}));
  const auto source = [](const std::string& content) { return "'sha256-" + EncodeBase64(Sha256(content)) + "'"; };
  EXPECT_EQ(Between(page, "Content-Security-Policy\" content=\"", "\""),
            StrCat("default-src 'none'; script-src ", source(Between(page, "\n<script>", "</script>")), "; style-src ",
                   source(Between(page, "<style>", "</style>")),
                   "; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"));
}

TEST(Html, NamesObjectsAndRowsOnce) {
  ObjectReport object = Named("web");
  object.rows = {Changed("a", nullptr, nullptr), Changed("a", nullptr, nullptr)};
  const Document data = HtmlData(With({object, object}));
  const Value& objects = *data.root().Find("objects");
  EXPECT_EQ(objects.Items()[0].Find("id")->AsString(), "Deployment.apps/shop/web");
  EXPECT_EQ(objects.Items()[1].Find("id")->AsString(), "Deployment.apps/shop/web (2)");
  EXPECT_EQ(objects.Items()[1].Find("rows")->Items()[1].Find("id")->AsString(), "data.a (2)");
}

TEST(Html, HasObjectsWithErrorsFirst) {
  ObjectReport bad = Named("bad");
  bad.action = Action::kError;
  bad.error = Error::InvalidArgument("no good");
  const std::string page = PrintHtml(With({Named("good"), bad}));
  EXPECT_LT(page.find("\"name\":\"shop/bad\""), page.find("\"name\":\"shop/good\""));
  EXPECT_NE(page.find("<pre>error: Deployment shop/bad: no good\n"), page.npos);
}

TEST(Html, ShortValuesAreBesideEachOther) {
  EXPECT_EQ(RowOf("x", "true"),
            R"({"above":"data","after":"\"true\"","before":"x","id":"data.k","path":".k","place":"line 7",)"
            R"("reason":"changed","sign":"~"})");
}

TEST(Html, LongLinesAreMarkedWhereTheyDiffer) {
  const std::string head(60, 'h'), tail(60, 't');
  const std::string row = RowOf(head + "\xC3\xA4" + tail, head + "\xC3\xB6" + tail);  // ä, ö: the same first byte
  EXPECT_NE(row.find(StrCat("[\"-\",\"", head, "\",\"\xC3\xA4\",\"", tail, "\"]")), row.npos) << row;
  EXPECT_NE(row.find(StrCat("[\"+\",\"", head, "\",\"\xC3\xB6\",\"", tail, "\"]")), row.npos) << row;
}

TEST(Html, TextsAreComparedByLine) {
  const std::string row = RowOf("1\n2\n3\n4\n5\n6\na\nz\n", "1\n2\n3\n4\n5\n6\nb \nz\n");
  EXPECT_NE(row.find(R"("lines":[["…","4 unchanged lines"],[" ","5"],[" ","6"],["-","a"],["+","b·"],[" ","z"]])"),
            row.npos)
      << row;
}

TEST(Html, ANewObjectIsItsManifest) {
  ObjectReport object = Named("web");
  object.action = Action::kCreate;
  const Value data = Value::UnownedString("x");
  object.rows = {Changed("a", nullptr, &data)};
  object.rows[0].path = {PathStep::Field("kind")};
  object.rows[0].reason = Reason::kAdded;
  const Document page = HtmlData(With({object}));
  EXPECT_EQ(WriteJson(*page.root().Find("objects")->Items()[0].Find("manifest")), R"([["+","kind: x"]])");
}

TEST(Html, JsonInAStringIsComparedInside) {
  const std::string same = R"(,"long":"0123456789012345678901234567890123456789"})";
  const std::string row = RowOf(R"({"a":1)" + same, R"({"a":2)" + same);
  EXPECT_NE(row.find(R"("rows":[{"after":"2","before":"1","path":"a","sign":"~"}])"), row.npos) << row;
}

TEST(Html, ShowsWhenItWasMade) {
  using namespace std::chrono;
  const Document data = HtmlData(With({}), {.made_at = sys_days(year(2026) / 1 / 4) + hours(7) + minutes(5)});
  EXPECT_EQ(data.root().Find("madeAt")->AsString(), "2026-01-04 07:05 UTC");
}

}  // namespace
}  // namespace smp::explain
