// The formats whose readers would obey hostile text: Markdown and workflow commands.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "explain/github.h"
#include "explain/markdown.h"
#include "explain/report.h"
#include "schema/builtin.h"
#include "value/json.h"

namespace smp::explain {
namespace {

const std::string kHostile =
    "x|\n::error::y <script>&amp;</details> `*_[a](http://b) @you #1 www.c \xE2\x80\xAE\x1b[31m\r100%,:";

ObjectReport Hostile() {
  ObjectReport object;
  object.api_version = object.kind = object.name_space = object.name = kHostile;
  object.source = {"a,b:c%\n.yaml", 7};
  object.action = Action::kChange;
  object.warnings = {kHostile};
  ReportRow row;
  row.path = {PathStep::Field(kHostile)};
  row.message = kHostile;
  row.source = object.source;
  static const Value value = Value::UnownedString(kHostile);
  row.live = row.modified = row.outcome = &value;
  object.rows = {row};
  return object;
}

Report WithObject(ObjectReport object) {
  Report report;
  report.objects.push_back(std::move(object));
  return report;
}

ObjectReport Named(const std::string& name, size_t rows) {
  ObjectReport object;
  object.api_version = "v1";
  object.kind = "ConfigMap";
  object.name = name;
  object.action = Action::kChange;
  object.rows.resize(rows);
  for (size_t i = 0; i < rows; ++i) object.rows[i].path = {PathStep::Field("data"), PathStep::Field(StrCat("key", i))};
  return object;
}

ObjectReport New(const Document& manifest) {
  const auto schema = BuiltinSchema();
  ObjectReport out = ReportCreation(manifest, {schema.get(), schema->FindType(*GvkOf(manifest.root()))}, {});
  out.schema = schema;
  return out;
}

size_t Count(const std::string& text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Markdown, ShowsHostileTextAsItIs) {
  const std::string text = PrintMarkdown(WithObject(Hostile()));
  for (const char* part :
       {"<script", "&amp;", "`", "](", "http://", "@", "#1 w", "www.", "\x1b", "\xE2\x80\xAE", "\r"}) {
    EXPECT_EQ(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(Count(text, "</details>"), 1u);
  EXPECT_NE(text.find("&#60;script&#62;&#38;amp;"), std::string::npos) << text;
  EXPECT_NE(text.find("&#64;<!-- -->you"), std::string::npos) << text;
  EXPECT_EQ(text.find("\n::"), std::string::npos) << text;
}

// Found by a review: a line at the end of a script was in neither format, so that nobody saw it.
TEST(Formats, OfALongTextShowWhatDiffers) {
  const std::string script = std::string(2000, 's'), longer = script + "; curl evil";
  const Value before = Value::UnownedString(script), after = Value::UnownedString(longer);
  ObjectReport object = Named("a", 1);
  object.rows[0].live = &before;
  object.rows[0].modified = object.rows[0].outcome = &after;
  for (const std::string& text : {PrintMarkdown(WithObject(object)), PrintGithub(WithObject(object))}) {
    EXPECT_NE(text.find("curl evil"), std::string::npos) << text;
  }
}

TEST(Markdown, IsBoundedAndCountsWhatIsLeftOut) {
  Report report;
  for (int i = 0; i < 1000; ++i) report.objects.push_back(Named(StrCat("map-", i), 3));
  const std::string text = PrintMarkdown(report);
  EXPECT_LE(text.size(), kMostMarkdownBytes);
  EXPECT_GT(text.size(), kMostMarkdownBytes * 9 / 10);
  EXPECT_EQ(Count(text, "<details>"), Count(text, "</details>"));
  EXPECT_GT(Count(text, "<details>"), 10u);
  EXPECT_NE(text.find(StrCat(1000 - Count(text, "\n| change |"), " lines of the table, ")), std::string::npos) << text;
  EXPECT_NE(text.find(StrCat(1000 - Count(text, "<details>"), " objects' details")), std::string::npos) << text;
}

TEST(Markdown, CutsTheDetailsOfALargeObject) {
  Report report;
  report.objects.push_back(Named("large", 5000));
  const std::string text = PrintMarkdown(report);
  EXPECT_LE(text.size(), kMostMarkdownBytes);
  const size_t shown = Count(text, "<code>data.key");
  EXPECT_GT(shown, 100u);
  EXPECT_NE(text.find(StrCat(" bytes: ", 5000 - shown, " changes of objects whose details are cut.")),
            std::string::npos);
}

// Found by a review: a new object was one cell of a table, cut after a line.
TEST(Markdown, ShowsANewObjectAsTheTextDoes) {
  const Document manifest = *ParseJson(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"b":"c"}},"data":{"k":"```\n::error::x\n"}})");
  const std::string text = PrintMarkdown(WithObject(New(manifest)));
  EXPECT_NE(text.find(R"(will be created</summary>

````diff
+ data:
+   k: |
+     ```
+     ::error::x
+ metadata:
+   labels:
+     b: c
````

</details>
)"),
            std::string::npos)
      << text;
}

// A Secret's values are no part of its manifest.
TEST(Markdown, MasksANewSecret) {
  const Document manifest = *ParseJson(
      R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"type":"x/y","stringData":{"k":"canary"}})");
  const std::string text = PrintMarkdown(WithObject(New(manifest)));
  EXPECT_NE(text.find("```diff\n+ type: x/y\n```\n\n| | field |"), std::string::npos) << text;
  EXPECT_NE(text.find("<code>stringData.k</code> |  | <code>&#42;&#42;&#42;"), std::string::npos) << text;
  EXPECT_EQ(text.find("canary"), std::string::npos) << text;
}

TEST(Markdown, HasWhatToLookAtFirst) {
  Report report;
  report.objects = {Named("plain", 1), Named("drift_ed", 1), Named("bad", 0)};
  report.objects[1].rows[0].reason = Reason::kDrift;
  report.objects[2].action = Action::kError;
  report.objects[2].error = Error::InvalidArgument("no good");
  report.objects[2].way_out = "use --force";
  EXPECT_NE(PrintMarkdown(report).find(R"(
**look at this before you apply:**

- **!** cannot be explained, and will not be sent&#58; ConfigMap bad (no good)
  - use --force
- undoes changes made in the cluster (live → after apply)&#58; ConfigMap drift&#95;ed (+key0)

|)"),
            std::string::npos)
      << PrintMarkdown(report);
}

TEST(Markdown, HasErrorsFirst) {
  Report report;
  report.objects.push_back(Named("good", 1));
  report.objects.push_back(Named("bad", 0));
  report.objects.back().action = Action::kError;
  report.objects.back().error = Error::InvalidArgument("no good");
  const std::string text = PrintMarkdown(report);
  EXPECT_LT(text.find("ConfigMap bad"), text.find("ConfigMap good")) << text;
  EXPECT_NE(text.find("- error: no good"), std::string::npos) << text;
}

TEST(Github, HasOneCommandALineWhateverAnObjectSays) {
  const std::string text = PrintGithub(WithObject(Hostile()));
  EXPECT_EQ(Count(text, "\n"), 2u) << text;
  EXPECT_EQ(Count(text, "\n::"), 1u) << text;
  EXPECT_TRUE(text.starts_with("::warning file=a%2Cb%3Ac%25\\n.yaml,line=7,title=x|\\n%3A%3Aerror%3A%3Ay ")) << text;
  for (const char* part : {"\x1b", "\xE2\x80\xAE", "\r", "100%,"})
    EXPECT_EQ(text.find(part), std::string::npos) << part;
}

TEST(Github, NamesNoFileOfStandardInputAndUrls) {
  for (const char* file : {"STDIN", "https://a.io/x.yaml", ""}) {
    ObjectReport object = Named("a", 1);
    object.source = {file, 3};
    EXPECT_TRUE(PrintGithub(WithObject(object)).starts_with("::notice title=ConfigMap a::")) << file;
  }
}

TEST(Github, HasErrorsThenWarningsThenNotices) {
  Report report;
  report.objects = {Named("plain", 1), Named("drifted", 1), Named("bad", 0)};
  report.objects[1].rows[0].reason = Reason::kDrift;
  report.objects[2].action = Action::kError;
  report.objects[2].error = Error::InvalidArgument("100% bad\n::error::");
  const std::string text = PrintGithub(report);
  EXPECT_TRUE(text.starts_with(
      "::error title=ConfigMap bad::100%25 bad\\n::error::\n"
      "::warning title=look at this before you apply::undoes changes made in the cluster (live → after apply): "
      "ConfigMap drifted (+key0)\n"
      "::warning title=ConfigMap drifted::"))
      << text;
  EXPECT_NE(text.find("\n::notice title=ConfigMap plain::"), std::string::npos) << text;
}

}  // namespace
}  // namespace smp::explain
