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
  const std::string signs = ": ~ live → after apply, + added, - removed, ! trouble";
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
            "  ! cannot be explained, and will not be sent: ConfigMap b (no)\n"
            "2 objects: 1 to change, 1 with errors; apply would leave 1 out, send the\n"
            "  others, and fail\n");
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
