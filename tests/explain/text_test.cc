#include "explain/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"
#include "explain/nested_changes.h"
#include "explain/testing.h"
#include "value/columns.h"

namespace smp::explain {
namespace {

TEST(Text, CountsUnchangedObjects) {
  const auto objects = [] {
    return std::vector<ObjectReport>{Change(Map("a", "{k: x}"), Map("a", "{k: x}")),
                                     Change(Map("b", "{k: x}"), Map("b", "{k: z}")),
                                     Change(Map("c", "{k: x}"), Map("c", "{k: x}"))};
  };
  EXPECT_EQ(Print(objects()),
            "ConfigMap b: will change (dir/web.yaml:1)\n"
            "  ~ data.k: x → z  changed, line 4\n"
            "\n"
            "  ~ ConfigMap b: k (x → z)\n"
            "3 objects: 1 to change, 2 unchanged\n");
  EXPECT_EQ(Print(objects(), {.unchanged = true}),
            "ConfigMap a: unchanged (dir/web.yaml:1)\n"
            "\n"
            "ConfigMap b: will change (dir/web.yaml:1)\n"
            "  ~ data.k: x → z  changed, line 4\n"
            "\n"
            "ConfigMap c: unchanged (dir/web.yaml:1)\n"
            "\n"
            "  ~ ConfigMap b: k (x → z)\n"
            "3 objects: 1 to change, 2 unchanged\n");
}

TEST(Text, ListsObjectsWithoutChangesInSuccessiveLines) {
  std::vector<ObjectReport> objects;
  for (const char* name : {"a", "b"}) objects.push_back(Change(Map(name, "{k: x}"), Map(name, "{k: x}")));
  EXPECT_EQ(Print(std::move(objects), {.unchanged = true}),
            "ConfigMap a: unchanged (dir/web.yaml:1)\n"
            "ConfigMap b: unchanged (dir/web.yaml:1)\n"
            "\n"
            "2 objects: 2 unchanged\n");
}

TEST(Text, ShowsTheSameChangesOnce) {
  std::vector<ObjectReport> objects;
  for (const char* name : {"a", "b", "c", "d"}) {
    objects.push_back(Change(Map(name, "{k: x, l: x}"), Map(name, "{k: z, l: z}")));
  }
  objects.push_back(Change(Map("e", "{k: x}"), Map("e", "{k: other}")));
  EXPECT_EQ(Print(std::move(objects)),
            "4 ConfigMaps: will change, the same 2 changes in a, b, c, d\n"
            "  ~ data.k: x → z  changed\n"
            "  ~ data.l: x → z  changed\n"
            "\n"
            "ConfigMap e: will change (dir/web.yaml:1)\n"
            "  ~ data.k: x → other  changed, line 4\n"
            "\n"
            "  ~ 4 ConfigMaps: k (x → z), l (x → z) (a, b, c, d)\n"
            "  ~ ConfigMap e: k (x → other)\n"
            "5 objects: 5 to change\n");
}

// They begin alike, and what is folded differs.
TEST(Text, DoesNotCallChangesTheSameThatAreCutAlike) {
  const auto text = [](const std::string& last) {
    std::string lines;
    for (int i = 0; i < 60; ++i) lines += StrCat("line ", i, "\\n");
    return StrCat("{t: \"", lines, last, "\\n\"}");
  };
  std::vector<ObjectReport> objects;
  for (const char* name : {"a", "b"})
    objects.push_back(Change(Map(name, "{t: \"x\\n\"}"), Map(name, text(StrCat(name, "1")))));
  EXPECT_NE(Print(std::move(objects)).find("\nConfigMap b: will change"), std::string::npos);
}

TEST(Text, NeedsNoRowsOfObjectsThatWereAdded) {
  const auto objects = [] {
    std::vector<ObjectReport> out;
    for (const char* name : {"a", "b", "c"}) out.push_back(Change(Map(name, "{k: x}"), Map(name, "{k: z}")));
    out.push_back(Change(Map("d", "{k: x}"), Map("d", "{k: y}")));
    out.push_back(Change(Map("e", "{k: x}"), Map("e", "{k: x}")));
    out[3].action = Action::kError;
    out[3].error = Error::Refused("field is immutable");
    return out;
  };
  Report report;
  TextPrinter printer({});
  for (ObjectReport& object : objects()) {
    if (report.objects.size() < 4) {
      printer.Add(object);
      ForgetRows(object);
      EXPECT_EQ(object.rows.capacity() + object.keep_alive.capacity(), 0u);
    }
    report.objects.push_back(std::move(object));
  }
  EXPECT_EQ(printer.Print(report), Print(objects()));
}

TEST(Text, SaysFirstWhereItLooksAndWhatTheSignsMean) {
  Report report;
  report.objects.push_back(Change(Map("a", "{k: x}"), Map("a", "{k: z}")));
  report.context = ReportContext{"c", "cluster", "https://" + std::string(40, 's'), "u", "default"};
  const auto head = [&] {
    const std::string text = PrintText(report);
    return text.substr(0, text.find("\n\n"));
  };
  const std::string context = StrCat("context c, server ", report.context->server,
                                     ", user u,\n  namespace default (where a manifest names none)\n");
  const std::string signs = ": ~ live → after apply, + added, - removed, ! refused";
  EXPECT_EQ(head(), StrCat(context, "preview, nothing is sent", signs));
  report.asked = Asked::kServer;
  EXPECT_EQ(head(), StrCat(context, "preview, nothing is stored", signs));
  const auto env = [](const std::string& names) { return Deployment("web", "a", ", hostAliases: [" + names + "]"); };
  const std::string a = "{ip: 1.1.1.1, hostnames: [a]}", b = "{ip: 2.2.2.2, hostnames: [b]}";
  report.objects = {Change(env(a + ", " + b), env(b + ", " + a))};
  EXPECT_EQ(head(), StrCat(context, "preview, nothing is stored", signs, "\n  > moved within its list"));
}

TEST(Text, SaysAWarningOfSeveralObjectsOnce) {
  std::vector<ObjectReport> objects;
  for (const char* name : {"a", "b"}) {
    objects.push_back(Change(Map(name, "{k: x}"), Map(name, StrCat("{k: ", name, "}"))));
    objects.back().warnings = {"both", StrCat("only ", name)};
  }
  const std::string text = Print(std::move(objects));
  EXPECT_EQ(text.substr(0, text.find("  ~")),
            "warning: both (2 objects: ConfigMap a, ConfigMap b)\n\n"
            "2 ConfigMaps: will change, the same change in a, b; ‹name›: its own name\n"
            "  ConfigMap a: warning: only a\n"
            "  ConfigMap b: warning: only b\n");
}

// Of services that are alike but for their names, one description is enough.
TEST(Text, LeavesOutTheNamesOfObjectsThatDifferInNothingElse) {
  std::vector<ObjectReport> objects;
  for (const char* name : {"cart", "mail", "other"}) {
    const std::string_view image = std::string_view(name) == "other" ? "web" : name;
    objects.push_back(Change(Map(name, "{image: x}"), Map(name, StrCat("{image: \"shop/", image, ":2\"}"))));
  }
  EXPECT_EQ(Print(std::move(objects)),
            "2 ConfigMaps: will change, the same change in cart, mail; ‹name›: its own name\n"
            "  ~ data.image: x → shop/‹name›:2  changed\n"
            "\n"
            "ConfigMap other: will change (dir/web.yaml:1)\n"
            "  ~ data.image: x → shop/web:2  changed, line 4\n"
            "\n"
            "  ~ ConfigMap cart, mail: image (x → ‹name›:2)\n"
            "  ~ ConfigMap other: image (x → web:2)\n"
            "3 objects: 3 to change\n");
}

// That one of them has the name of what all have does not set it apart.
TEST(Text, DoesNotLeaveOutNamesWhereTheChangesAreEqual) {
  std::vector<ObjectReport> objects;
  for (const char* name : {"web", "mail", "cart"}) {
    objects.push_back(Change(Map(name, "{app: x}"), Map(name, "{app: web}")));
  }
  const std::string text = Print(std::move(objects));
  EXPECT_NE(text.find("3 ConfigMaps: will change, the same change in web, mail, cart\n  ~ data.app: x → web"),
            std::string::npos)
      << text;
}

TEST(Text, BeginsWithErrors) {
  std::vector<ObjectReport> objects = {Change(Map("a", "{k: x}"), Map("a", "{k: z}"))};
  objects.push_back(ReportError(Yaml(Map("b", "{k: x}")), Error::InvalidArgument("no")));
  EXPECT_EQ(Print(std::move(objects)),
            "! ConfigMap b: cannot be explained (dir/web.yaml:1)\n"
            "  no\n"
            "\n"
            "ConfigMap a: will change (dir/web.yaml:1)\n"
            "  ~ data.k: x → z  changed, line 4\n"
            "\n"
            "  ~ ConfigMap a: k (x → z)\n"
            "look at this before you apply:\n"
            "  ! cannot be explained: ConfigMap b (no)\n"
            "2 objects: 1 to change, 1 with errors; apply would leave 1 out and send the\n"
            "  others\n");
}

// Their schemas are long.
TEST(Text, EndsWithDefinitions) {
  const auto definition = [](const std::string& kind) {
    return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: d}\nspec: {names: "
           "{kind: " +
           kind + "}}\n";
  };
  const std::string text =
      Print({Change(definition("A"), definition("B")), Change(Map("a", "{k: x}"), Map("a", "{k: z}"))});
  EXPECT_LT(text.find("ConfigMap a: will change"), text.find("CustomResourceDefinition d: will change")) << text;
}

TEST(Text, NamesFilesRelativeToTheDirectory) {
  ObjectReport object = Change(Map("a", "{k: x}"), Map("a", "{k: z}"));
  object.source.file = "/home/me/dir/web.yaml";
  const auto head = [&](const std::string& directory) {
    const std::string text = Print({object}, {.directory = directory});
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(head("/home/me"), "ConfigMap a: will change (dir/web.yaml:1)");
  EXPECT_EQ(head("/"), "ConfigMap a: will change (home/me/dir/web.yaml:1)");
  EXPECT_EQ(head("/home/m"), "ConfigMap a: will change (/home/me/dir/web.yaml:1)");
}

TEST(Text, ExplainsTheReasonsThatOccur) {
  const std::string text = Print({Change(Map("a", "{k: x, l: x}"), Map("a", "{k: z, m: z}"))}, {.legend = true});
  EXPECT_NE(text.find("\nreasons:\n  added: new in the manifest\n  changed: "), std::string::npos) << text;
  EXPECT_EQ(text.find("drift"), std::string::npos) << text;
}

// --- values

TEST(Text, ShowsTheLinesThatDiffer) {
  std::vector<std::string> before(200, ""), after;
  for (size_t i = 0; i < before.size(); ++i) before[i] = StrCat("line ", i);
  after = before;
  after[100] = "changed";
  EXPECT_EQ(Rows(Print({Change(TextOfMap(before), TextOfMap(after))})),
            "  ~ data.t:  changed, line 5\n"
            "      … 98 unchanged lines\n"
            "        line 98\n"
            "        line 99\n"
            "      - line 100\n"
            "      + changed\n"
            "        line 101\n"
            "        line 102\n"
            "      … 97 unchanged lines\n");
}

TEST(Text, FoldsALongTextThatChangesAllOver) {
  std::vector<std::string> before(2000, ""), after;
  for (size_t i = 0; i < before.size(); ++i) before[i] = StrCat("line ", i);
  after = before;
  for (size_t i = 0; i < after.size(); i += 20) after[i] += " changed";
  const std::string text = Rows(Print({Change(TextOfMap(before), TextOfMap(after))}));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 44) << text;
  EXPECT_TRUE(text.ends_with("\n      … 188 more changed lines (--wide)\n")) << text;
  const std::string wide = Rows(Print({Change(TextOfMap(before), TextOfMap(after))}, {.wide = true}));
  EXPECT_NE(wide.find("+ line 1980 changed\n"), std::string::npos);
  EXPECT_EQ(wide.find("(--wide)"), std::string::npos);
}

TEST(Text, ShowsBlanksAndMissingNewlines) {
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", "b"}), TextOfMap({"a  ", "b"}))})),
            "  ~ data.t:  changed, line 5\n      - a\n      + a··\n        b\n");
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", "x\ty"}), TextOfMap({"a", "x y"}))})),
            "  ~ data.t:  changed, line 5\n        a\n      - x\\ty\n      + x y\n");
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", "b"}), TextOfMap({"a", "b"}, false))})),
            "  ~ data.t:  changed, line 5\n        a\n        b\n      + \\ no newline at end\n");
}

TEST(Text, ShowsWhatLooksLikeASpaceAndCarriageReturns) {
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", "b c"}), TextOfMap({"a", "b\u00A0c"}))})),
            "  ~ data.t:  changed, line 5\n        a\n      - b c\n      + b\\u00a0c\n");
  EXPECT_EQ(Rows(Print({Change(Map("m", "{k: b c}"), Map("m", "{k: b\u00A0c}"))})),
            "  ~ data.k: b c → b\\u00a0c  changed, line 4\n");
  EXPECT_EQ(Rows(Print({Change(Map("m", "{k: \"a\\nb\\n\"}"), Map("m", "{k: \"a\\nb \\r\\n\"}"))})),
            "  ~ data.k:  changed, line 4\n        a\n      - b\n      + b·\\r\n");
  EXPECT_EQ(Rows(Print({Change(Map("m", "{k: \"a\\nb\\n\"}"), Map("m", "{k: \"a\\n\\u2028b\\u202e\\n\"}"))})),
            "  ~ data.k:  changed, line 4\n        a\n      - b\n      + \\u2028b\\u202e\n");
}

// A line of 5,000 characters of which a word changes.
TEST(Text, ShowsTheWordsThatChangeInLongLines) {
  std::string line;
  for (int i = 0; line.size() < 5000; ++i) line += "word" + std::to_string(i) + " ";
  line += "end";
  const auto with = [&](const std::string& word, const std::string& by) {
    return std::string(line).replace(line.find(word), word.size(), by);
  };
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", line}), TextOfMap({"a", with("word300 ", "other ")}))})),
            "  ~ data.t:  changed, line 5\n        a\n"
            "      - …ord296 word297 word298 word299 word300 word301 word302 word303 word30…\n"
            "      + …ord296 word297 word298 word299 other word301 word302 word303 word30…\n");
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a", line}), TextOfMap({"a", with("word300 ", "other "), "b"}))})),
            "  ~ data.t:  changed, line 5\n        a\n"
            "      - …ord296 word297 word298 word299 word300 word301 word302 word303 word30…\n"
            "      + …ord296 word297 word298 word299 other word301 word302 word303 word30…\n"
            "      + b\n")
      << "beside a new line";
}

std::string Crd(const std::string& type, const std::string& more = "") {
  return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.io}\n"
         "spec:\n  versions:\n"
         "  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: "
         "{spec: {type: " +
         type + "}, status: {type: object}}}}}\n" + more;
}

TEST(Text, ShowsWhatDiffersInsideAListThatIsReplaced) {
  EXPECT_EQ(Rows(Print({Change(Crd("string"), Crd("integer"))})),
            "  ~ spec.versions:  changed, line 6\n"
            "      v1:\n"
            "        ~ may refuse objects: type string → integer in spec\n");
  EXPECT_EQ(Rows(Print({Change(Crd("string"), Crd("string", "  - {name: v2, served: true, storage: false}\n"))})),
            "  ~ spec.versions:  changed, line 6\n"
            "      + [name=v2]: {name: v2, served: true, storage: false}\n");
}

// A schema in which the same things change at many paths. `name`: of the schema.
std::string Schema(const std::string& fields, std::string_view name = "openAPIV3Schema") {
  std::string out =
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.io}\n"
      "spec:\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      " +
      StrCat(name, ":\n        properties:\n");
  for (int i = 0; i < 30; ++i) out += StrCat("          f", i, ": {properties: {", fields, "}}\n");
  return out;
}

TEST(Text, SaysWhatASchemaChangesForItsObjects) {
  EXPECT_EQ(Rows(Print({Change(Schema("a: {description: old, type: string}, gone: {type: string}"),
                               Schema("a: {description: new, type: integer}, b: {type: string}"))})),
            "  ~ spec.versions:  changed, line 6\n"
            "      v1:\n"
            "        - 30 fields gone: f0.gone (and 29 like it)\n"
            "        ~ may refuse objects: type string → integer in f0.a (and 29 like it)\n"
            "        + 30 fields: f0.b (string) (and 29 like it)\n"
            "        … 30 changed descriptions (--wide)\n");
}

constexpr std::string_view kOther = "anotherSchema";

TEST(Text, FoldsWhatChangesAlikeAtManyPaths) {
  EXPECT_EQ(Rows(Print({Change(Schema("a: {type: string}, gone: {type: string}", kOther),
                               Schema("a: {type: integer}, b: {type: string}", kOther))})),
            "  ~ spec.versions:  changed, line 6\n"
            "      [name=v1].schema.anotherSchema.properties.f0.properties\n"
            "        ~ a.type: string → integer  and at 29 more paths\n"
            "        + b: {type: string}         and at 29 more paths\n"
            "        - gone: {type: string}      and at 29 more paths\n");
  const std::string wide = Print({Change(Schema("a: {type: string}"), Schema("a: {type: integer}"))}, {.wide = true});
  EXPECT_EQ(wide.find("more paths"), std::string::npos) << wide;
}

TEST(Text, CountsWhatDoesNotFitOfManyChanges) {
  const auto schema = [](int first, int end, int more = 0) {
    std::string out = Schema("a: {type: string}", kOther);
    for (int i = first; i < end; ++i) out += StrCat("          g", i, ": {type: string, maxLength: ", i + more, "}\n");
    return out;
  };
  const std::string text = Rows(Print({Change(schema(20, 110), schema(10, 60))}));
  // What is removed or changed is not only counted.
  EXPECT_NE(text.find("\n      … 21 more changes (--wide), of which these remove something: g"), std::string::npos)
      << text;
  EXPECT_NE(text.find("and 17 more"), std::string::npos) << text;
  const std::string changed = Rows(Print({Change(schema(10, 110), schema(10, 110, 1))}));
  EXPECT_NE(changed.find(" more changes (--wide), of which these change a value:"), std::string::npos) << changed;
  const std::string both = Rows(Print({Change(schema(10, 110), schema(11, 60, 1))}));
  EXPECT_NE(both.find("these change a value:"), std::string::npos) << both;
}

// Rules have no name, and one is removed, so that the others have other places.
TEST(Text, PairsItemsByTheirTitles) {
  const auto rules = [](const std::string& first, const std::string& more) {
    return "apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata: {name: a}\nspec:\n  groups:\n"
           "  - name: g\n    rules:\n" +
           first + "    - {alert: Down, expr: up == 0, for: " + more + "}\n    - {record: rate, expr: " + more + "}\n";
  };
  const Document before = Yaml(rules("    - {alert: Gone, expr: x}\n", "5m")), after = Yaml(rules("", "10m"));
  const auto changes = NestedChanges(*before.root().Find("spec"), *after.root().Find("spec"));
  ASSERT_TRUE(changes);
  std::vector<std::string> paths;
  for (const NestedChange& change : *changes) paths.push_back(ToString(change.path));
  EXPECT_EQ(paths, (std::vector<std::string>{"groups[name=g].rules[alert=Gone]", "groups[name=g].rules[alert=Down].for",
                                             "groups[name=g].rules[record=rate].expr"}));
}

TEST(Text, ShowsWhatDiffersInsideJson) {
  const auto json = [](int a) {
    return Map("a", StrCat("{j: '{\"a\": ", a, ", \"long\": \"", std::string(80, 'x'), "\"}'}"));
  };
  EXPECT_EQ(Rows(Print({Change(json(1), json(2))})), "  ~ data.j:  changed, line 4\n      ~ a: 1 → 2\n");
}

TEST(Text, ShowsWhatDiffersInsideFiles) {
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"server.port=8080", "server.host=a"}),
                               TextOfMap({"server.port=9090", "server.host=a"}))})),
            "  ~ data.t:  changed, line 5\n      ~ server.port: 8080 → 9090\n");
  EXPECT_EQ(Rows(Print({Change(TextOfMap({"a: 1", "b: 2", "t: |", "  c=1", "  d=2"}),
                               TextOfMap({"a: 1", "b: 2", "t: |", "  c=1", "  d=3"}))})),
            "  ~ data.t:  changed, line 5\n      ~ t:\n          ~ d: 2 → 3\n")
      << "a file in a file";
}

// Many values in few lines: the lines are shorter.
TEST(Text, ShowsTheLinesOfAFileWhereTheyAreFewer) {
  EXPECT_EQ(
      Rows(Print({Change(TextOfMap({"a: {b: 1, c: 1, d: 1, e: 1}", "f: 1"}),
                         TextOfMap({"a: {b: 2, c: 2, d: 2, e: 2}", "f: 1"}))})),
      "  ~ data.t:  changed, line 5\n      - a: {b: 1, c: 1, d: 1, e: 1}\n      + a: {b: 2, c: 2, d: 2, e: 2}\n       "
      " f: 1\n");
}

TEST(Text, TellsNothingOfFilesInSecrets) {
  const std::string secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  t: |\n    PASSWORD=";
  const std::string text = Print({Change(secret + "hunter2\n    USER=web\n", secret + "hunter33\n    USER=web\n")});
  EXPECT_NE(text.find("stringData.t: ***"), std::string::npos) << text;
  for (const char* part : {"hunter", "PASSWORD", "USER"}) EXPECT_EQ(text.find(part), std::string::npos) << text;
}

TEST(Text, ShowsBinaryDataBySizeAndDigest) {
  const auto binary = [](const std::string& base64) {
    return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nbinaryData: {b: " + base64 + "}\n";
  };
  EXPECT_EQ(Rows(Print({Change(binary("AA=="), binary("AQI="))})),
            "  ~ binaryData.b:  changed, line 4\n"
            "      1 byte, sha256 6e340b9cffb3 → 2 bytes, sha256 a12871fee210\n");
}

TEST(Text, CutsLongValuesUnlessWide) {
  const auto image = [](const std::string& tag) { return Map("a", "{k: " + std::string(100, 'r') + ":" + tag + "}"); };
  const std::string cut = Rows(Print({Change(image("v1"), image("v2"))}));
  EXPECT_EQ(cut, "  ~ data.k:  changed, line 4\n      - …" + std::string(68, 'r') + ":v1\n      + …" +
                     std::string(68, 'r') + ":v2\n");
  const std::string whole = Rows(Print({Change(image("v1"), image("v2"))}, {.wide = true}));
  EXPECT_NE(whole.find(std::string(100, 'r') + ":v1"), std::string::npos) << whole;
  EXPECT_EQ(whole.find("…"), std::string::npos) << whole;
}

TEST(Text, NamesTheItemsThatMove) {
  const auto deployment = [](const std::vector<std::string>& names) {
    std::string out =
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      containers:\n"
        "      - name: app\n        env:\n";
    for (const std::string& name : names) out += StrCat("        - {name: ", name, ", value: x}\n");
    return out;
  };
  EXPECT_EQ(Rows(Print({Change(deployment({"A", "B", "C", "D"}), deployment({"A", "D", "B", "C"}))})),
            "  > spec.template.spec.containers[name=app].env: D before B  reordered, line 10\n");
  EXPECT_EQ(Rows(Print({Change(deployment({"A", "B", "C"}), deployment({"B", "C", "A"}))})),
            "  > spec.template.spec.containers[name=app].env: A last  reordered, line 10\n");
}

TEST(Text, ShowsANewObjectOnceAndCountsItsLongTexts) {
  const Document manifest = Yaml(TextOfMap(std::vector<std::string>(40, "x")));
  EXPECT_EQ(PrintCreation(manifest),
            "ConfigMap a: will be created (dir/web.yaml:1)\n  + data:\n  +   t: … 40 lines\n\n"
            "  + ConfigMap a: created\n1 object: 1 to create\n");
  EXPECT_NE(PrintCreation(manifest, {.wide = true}).find("  +   t: |\n  +     x\n"), std::string::npos);
}

// The line of a manifest has more digits in one row than in the row that the others are aligned with.
TEST(Text, FitsTheWidthWhereReasonsDifferInLength) {
  const std::string name(50, 'k');
  const auto map = [&](const std::string& value) {
    return StrCat("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  ", name, ": ", value,
                  std::string(100, '\n'), "  l: ", value, "\n");
  };
  const std::string text = Print({Change(map("x"), map("z"))});
  EXPECT_NE(text.find("line 105\n"), std::string::npos) << text;
  for (size_t width = 70; width < 90; ++width) {
    const std::string cut = Print({Change(map("x"), map("z"))}, {.width = width});
    for (const std::string_view line : Split(cut, '\n')) EXPECT_LE(Columns(line), width) << line;
  }
}

// Of CJK a character takes two columns.
TEST(Text, CutsUnchangedLinesByColumns) {
  std::string wide;
  for (int i = 0; i < 60; ++i) wide += "界";
  const std::string text = Print({Change(TextOfMap({wide, "a", wide}), TextOfMap({wide, "b", wide}))});
  EXPECT_NE(text.find("…"), std::string::npos) << text;
  for (const std::string_view line : Split(text, '\n')) EXPECT_LE(Columns(line), 80u) << line;
}

TEST(Text, FitsTheWidth) {
  const std::string live = Crd("string", "  - {name: v1beta1, served: true, storage: false}\n");
  for (const size_t width : {40u, 60u, 80u, 120u}) {
    const std::string text = Print({Change(Crd("integer"), Crd("object"), live)}, {.width = width});
    for (const std::string_view line : Split(text, '\n')) {
      EXPECT_TRUE(Columns(line) <= width || line.find(' ', line.find_first_not_of(' ')) == line.rfind(' ')) << line;
    }
  }
}

// Quadratic time would exceed the time limit of unit tests.
TEST(Text, IsLinear) {
  std::string before = "{", after = "{";
  for (int i = 0; i < 100000; ++i) {
    before += StrCat(i > 0 ? ", " : "", "k", i, ": a");
    after += StrCat(i > 0 ? ", " : "", "k", i, ": b");
  }
  const ObjectReport object = Change(Map("a", before + "}"), Map("a", after + "}"));
  EXPECT_NE(Print({object}).find("k0"), std::string::npos);
}

}  // namespace
}  // namespace smp::explain
