#include "value/redact.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "base/strings.h"
#include "value/base64.h"
#include "value/json.h"
#include "value/parse_path.h"

namespace smp {
namespace {

Document Parsed(std::string_view json) {
  Result<Document> document = ParseJson(json);
  EXPECT_TRUE(document.ok()) << json;
  return document.ok() ? *std::move(document) : Document();
}

constexpr std::string_view kSecret = R"({
  "apiVersion": "v1", "kind": "Secret", "type": "Opaque",
  "metadata": {"name": "db", "namespace": "prod", "annotations": {
    "note": "public",
    "kubectl.kubernetes.io/last-applied-configuration":
      "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"data\":{\"old\":\"b2xkLWNhbmFyeQ==\"},\"stringData\":{\"q\":\"say \\\"canary\\\"\"}}"}},
  "data": {"password": "Y2FuYXJ5LW9uZQ==", "user": "Y2FuYXJ5LW9uZQ==", "gone": null},
  "stringData": {"token": "canary-two"}
})";

TEST(Redact, KnowsSecrets) {
  const std::pair<std::string_view, bool> rows[] = {
      {R"({"apiVersion":"v1","kind":"Secret"})", true},
      {R"({"kind":"Secret"})", true},
      {R"({"apiVersion":"external.io/v1","kind":"Secret"})", false},
      {R"({"apiVersion":"v1","kind":"ConfigMap"})", false},
      {R"({"apiVersion":"v1"})", false},
      {R"([1])", false},
      {R"(null)", false},
  };
  for (const auto& [json, secret] : rows) EXPECT_EQ(IsSecret(Parsed(json).root()), secret) << json;
}

TEST(Redact, KnowsWhichPathsAreMasked) {
  const Document secret = Parsed(kSecret);
  const std::pair<std::string_view, bool> rows[] = {
      {"data", true},
      {"data.password", true},
      {"data[\"tls.key\"]", true},
      {"stringData.token", true},
      {"metadata.annotations[\"kubectl.kubernetes.io/last-applied-configuration\"]", true},
      {"metadata.annotations.note", false},
      {"metadata.name", false},
      {"type", false},
      {"spec.data", true},
  };
  for (const auto& [path, masked] : rows) EXPECT_EQ(IsMasked(secret.root(), *ParsePath(path)), masked) << path;
  EXPECT_FALSE(IsMasked(Parsed(R"({"kind":"ConfigMap"})").root(), *ParsePath("data.password")));
}

TEST(Redact, DigestsTellEqualFromChangedInOnePlaceOnly) {
  const Value a = Value::UnownedString("a");
  const Value b = Value::UnownedString("b");
  EXPECT_EQ(Masked("prod/db:data.x", a), Masked("prod/db:data.x", a));
  EXPECT_NE(Masked("prod/db:data.x", a), Masked("prod/db:data.x", b));
  EXPECT_NE(Masked("prod/db:data.x", a), Masked("prod/db:data.y", a));
  const std::string masked = Masked("x", a);
  EXPECT_TRUE(masked.starts_with("*** ("));
  EXPECT_EQ(masked.size(), std::string_view("*** (0123456789ab)").size());
}

TEST(Redact, NothingSecretIsLeft) {
  const Document secret = Parsed(kSecret);
  Arena arena;
  const Value redacted = RedactedAt({}, secret.root(), secret.root(), Digests::kShow, arena);
  const std::string text = WriteJson(redacted);
  for (const std::string_view canary : {"canary", "Y2FuYXJ5", "b2xkLWNhbmFyeQ"}) {
    EXPECT_EQ(text.find(canary), std::string::npos) << text;
  }
  EXPECT_EQ(redacted.FindPath({"metadata", "annotations"})->StringOr("note"), "public");
  EXPECT_EQ(redacted.StringOr("type"), "Opaque");
  EXPECT_TRUE(redacted.FindPath({"data", "gone"})->is_null());
  EXPECT_NE(redacted.FindPath({"data", "password"})->AsString(), redacted.FindPath({"data", "user"})->AsString());
}

TEST(Redact, PatchesOfASecretAreMaskedToo) {
  const Document secret = Parsed(kSecret);
  const Document patch =
      Parsed(R"({"data":{"password":"bmV3","$patch":"replace"},"stringData":null,"metadata":{"labels":{"a":"b"}}})");
  const Document redacted = RedactedPatch(patch, secret.root());
  EXPECT_EQ(WriteJson(redacted.root()).find("bmV3"), std::string::npos);
  EXPECT_EQ(redacted.root().FindPath({"metadata", "labels"})->StringOr("a"), "b");
}

TEST(Redact, OddlyShapedDataIsMaskedAsAWhole) {
  for (const std::string_view odd : {R"({"kind":"Secret","data":"canary"})", R"({"kind":"Secret","data":["canary"]})",
                                     R"({"kind":"Secret","data":{"a":{"b":"canary"}}})"}) {
    const Document secret = Parsed(odd);
    EXPECT_EQ(WriteJson(RedactedPatch(secret, secret.root()).root()).find("canary"), std::string::npos) << odd;
  }
}

TEST(Redact, AValueAboveASecretIsMaskedInside) {
  const Document secret = Parsed(kSecret);
  Arena arena;
  const Value* annotations = secret.root().FindPath({"metadata", "annotations"});
  const Value redacted =
      RedactedAt(*ParsePath("metadata.annotations"), *annotations, secret.root(), Digests::kShow, arena);
  EXPECT_EQ(redacted.StringOr("note"), "public");
  EXPECT_EQ(WriteJson(redacted).find("canary"), std::string::npos);
}

TEST(Redact, OtherObjectsAreShared) {
  const Document map = Parsed(R"({"kind":"ConfigMap","data":{"a":"b"}})");
  EXPECT_EQ(&RedactedPatch(map, map.root()).root(), &map.root());
}

TEST(Redact, PatchesHoldNoDigests) {
  const Document secret = Parsed(kSecret);
  const std::pair<std::string_view, std::string_view> rows[] = {
      {R"({"data":{"a":"bmV3","b":null}})", R"({"data":{"a":"***","b":null}})"},
      {R"({"metadata":{"resourceVersion":"7"},"data":null})", R"({"metadata":{"resourceVersion":"7"},"data":null})"},
      {R"([{"op":"test","path":"/metadata/resourceVersion","value":"7"},{"op":"remove","path":"/data/a"},)"
       R"({"op":"add","path":"/data/b","value":"bmV3"},{"op":"add","path":"/data","value":{"c":"bmV3"}},)"
       R"({"op":"add","path":"/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration","value":"{}"}])",
       R"([{"op":"test","path":"/metadata/resourceVersion","value":"7"},{"op":"remove","path":"/data/a"},)"
       R"({"op":"add","path":"/data/b","value":"***"},{"op":"add","path":"/data","value":{"c":"***"}},)"
       R"({"op":"add","path":"/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration","value":"***"}])"},
  };
  for (const auto& [patch, redacted] : rows) {
    EXPECT_EQ(RedactedPatch(Parsed(patch), secret.root()).root(), Parsed(redacted).root()) << patch;
  }
}

TEST(SecretRegistry, ScrubsEveryFormOfASecret) {
  SecretRegistry& registry = SecretRegistry::Instance();
  const Document secret = Parsed(kSecret);
  registry.Remember(secret.root());
  registry.RememberText("bearer-canary");
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", ""},
      {"nothing here", "nothing here"},
      {"x Y2FuYXJ5LW9uZQ== y", "x *** y"},
      {"x canary-one y", "x *** y"},
      {"canary-twocanary-two", "******"},
      {"canary-two", "***"},
      {"Y2FuYXJ5LXR3bw==", "***"},
      {"old-canary", "***"},
      {"{\\\"q\\\":\\\"say \\\\\\\"canary\\\\\\\"\\\"}", "{\\\"q\\\":\\\"***\\\"}"},
      {"Authorization: Bearer bearer-canary\n", "Authorization: Bearer ***\n"},
      {"canary-tw", "canary-tw"},
  };
  for (const auto& [text, scrubbed] : rows) EXPECT_EQ(registry.Scrub(text), scrubbed);
}

// As WriteJson does, without the quotes around it.
std::string JsonEscaped(const std::string& text) {
  const std::string quoted = WriteJson(Value::UnownedString(text));
  return quoted.substr(1, quoted.size() - 2);
}

// Go's %q, as far as it differs from JSON.
std::string GoQuoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\x01': out += "\\x01"; break;
      case '\v': out += "\\v"; break;
      case '\x7F': out += "\\x7f"; break;
      case '\xFF': out += "\\xff"; break;
      default: out += c;
    }
  }
  return out;
}

TEST(SecretRegistry, ScrubsSecretsHoweverOftenTheyAreEscaped) {
  const std::string rows[] = {
      "-----BEGIN X-----\nCANARY1\n-----END X-----\n",
      "https://x/?a=1&tok=CANARY2",
      "\"CANARY3\"",
      "<CANARY4>",
      "back\\slash\\nCANARY5\\",
      "\x01\v\x7F"
      "CANARY6",
      "caf\xC3\xA9\n\xE2\x80\xA8"
      "CANARY7",
      "nullCANARY8\t&",
  };
  for (const std::string& secret : rows) {
    SecretRegistry::Instance().RememberText(secret);
    // All orders of up to four escapes, of which each bit says which.
    for (int levels = 0; levels <= 4; ++levels) {
      for (int which = 0; which < 1 << levels; ++which) {
        std::string text = "msg \"" + secret + "\" end";
        for (int level = 0; level < levels; ++level) text = (which >> level & 1) ? GoQuoted(text) : JsonEscaped(text);
        const std::string scrubbed = SecretRegistry::Instance().Scrub(text);
        EXPECT_EQ(scrubbed.find("CANARY"), std::string::npos) << scrubbed;
        EXPECT_TRUE(scrubbed.starts_with("msg ")) << scrubbed;
        EXPECT_TRUE(scrubbed.ends_with(" end")) << scrubbed;
      }
    }
  }
}

TEST(SecretRegistry, ScrubsWhatGoWritesForBytesThatAreNoUtf8) {
  SecretRegistry::Instance().RememberText("\xFF-CANARY9");
  EXPECT_EQ(SecretRegistry::Instance().Scrub("\"\\xff-CANARY9\""), "\"***\"");
  EXPECT_EQ(SecretRegistry::Instance().Scrub(R"(\"\\xff-CANARY9\")"), R"(\"***\")");
}

TEST(SecretRegistry, TextsWithBackslashesStayWhereNothingIsSecret) {
  SecretRegistry::Instance().RememberText("stay-secret&");
  for (const std::string text :
       {R"(C:\new\x4 \u12 \)", R"({"a":"\\\"\u0026\n"})", "\\", "\\\\", R"(\u)", R"(stay-secret\u002)"}) {
    EXPECT_EQ(SecretRegistry::Instance().Scrub(text), text);
  }
}

TEST(SecretRegistry, ALetterBehindABackslashMayBeginASecret) {
  SecretRegistry::Instance().RememberText("nightingale-0");
  EXPECT_EQ(SecretRegistry::Instance().Scrub(R"(C:\nightingale-0)"), R"(C:\***)");
}

TEST(SecretRegistry, ManyBackslashesAreScrubbedInOneGo) {
  SecretRegistry::Instance().RememberText("backslashes&");
  const std::string text(4 << 20, '\\');
  EXPECT_EQ(SecretRegistry::Instance().Scrub(text), text);
}

TEST(SecretRegistry, ScrubsNumbersAsJsonAndGoWriteThem) {
  SecretRegistry& registry = SecretRegistry::Instance();
  registry.Remember(Parsed(R"({"apiVersion":"v1","kind":"Secret","data":{"pin":82749163,"deep":[{"f":3141.592653}]},)"
                           R"("stringData":{"big":1234567890123456789,"neg":-55443322,"short":123,"on":true}})")
                        .root());
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"map[data:map[pin:82749163]]", "map[data:map[pin:***]]"},
      {R"({\"pin\":82749163})", R"({\"pin\":***})"},
      {"map[pin:8.2749163e+07]", "map[pin:***]"},
      {"3141.592653", "***"},
      {"1234567890123456789", "***"},
      {"1234567890123456800", "***"},
      {"1.2345678901234568e+18", "***"},
      {"-55443322 -5.5443322e+07", "*** ***"},
      {"123 true", "123 true"},
  };
  for (const auto& [text, scrubbed] : rows) EXPECT_EQ(registry.Scrub(text), scrubbed);
}

TEST(SecretRegistry, OverlappingSecretsAreHiddenAsOne) {
  SecretRegistry::Instance().RememberText("overlap-abc");
  SecretRegistry::Instance().RememberText("abc-tail");
  EXPECT_EQ(SecretRegistry::Instance().Scrub("<overlap-abc-tail>"), "<***>");
}

TEST(SecretRegistry, ShortTextsAndOtherObjectsAreNotRemembered) {
  SecretRegistry& registry = SecretRegistry::Instance();
  registry.RememberText("a");
  registry.Remember(Parsed(R"({"kind":"ConfigMap","data":{"a":"harmless"}})").root());
  EXPECT_EQ(registry.Scrub("a harmless text"), "a harmless text");
}

TEST(SecretRegistry, MessagesAboutASecretLoseWholeValuesAndLongParts) {
  SecretRegistry& registry = SecretRegistry::Instance();
  registry.Remember(Parsed(R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"m","namespace":"x"},)"
                           R"("stringData":{"tls":"false","user":"shop","key":"swordfish-and-chips","short":"abc",)"
                           R"("quote":"a\"b\nc","pin":12345}})")
                        .root());
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", ""},
      {R"(Invalid value: "false")", R"(Invalid value: "***")"},
      {"map[tls:false user:shop]", "map[tls:*** user:***]"},
      {"my-shop-key falsehood shopping 1234 123456", "my-shop-key falsehood shopping 1234 123456"},
      {"swordfish-and-chips", "***"},
      {"xsword-fishx xordfish-anx", "xsword-fishx x***x"},
      {"fish-and", "***"},
      {"fish-an", "fish-an"},
      {"abc", "abc"},
      {R"(the value "a"b
c" is bad)",
       R"(the value "***" is bad)"},
      {R"("a\"b\nc")", R"("***")"},
      {"c3dvcmRmaXNoLWFuZC1jaGlwcw==", "***"},
      {"ZmFsc2U=", "***"},
      {"pin 12345", "pin ***"},
  };
  for (const auto& [said, scrubbed] : rows) {
    EXPECT_EQ(registry.ScrubMessageOfSecret(said, "x", "m"), scrubbed);
  }
}

// A webhook may quote in its refusal of a Deployment what it read in a Secret.
TEST(SecretRegistry, MessagesAboutOthersLoseLongWholeValues) {
  SecretRegistry& registry = SecretRegistry::Instance();
  registry.Remember(
      Parsed(
          R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"o","namespace":"x"},)"
          R"("stringData":{"tls":"true","key":"herring-and-leek","begin":"herring-and","lines":"two\nlines","pin":987654321}})")
          .root());
  const std::pair<std::string_view, std::string_view> rows[] = {
      {R"("herring-and-leek" is true)", R"("***" is true)"},
      {"postgres://me:herring-and-leek@db", "postgres://me:***@db"},
      {"herring-and-leeks and herring-a", "herring-and-leeks and herring-a"},
      {"herring-and.", "***."},
      {R"(got \"two\\nlines\")", R"(got \"***\")"},
      {"aGVycmluZy1hbmQtbGVlaw== is 987654321", "*** is ***"},
      {"[104 101 114 114 105 110 103 45 97 110 100]", "[***]"},
      {"68657272696e672d616e64", "***"},
      {"[]byte{0x68, 0x65, 0x72, 0x72, 0x69, 0x6e, 0x67, 0x2d, 0x61, 0x6e, 0x64}", "[]byte{***}"},
  };
  for (const auto& [said, scrubbed] : rows) {
    EXPECT_EQ(registry.ScrubMessage(said, "x", "y"), scrubbed);
    EXPECT_EQ(registry.ScrubMessageOfSecret(said, "x", "y"), scrubbed);
  }
  EXPECT_EQ(registry.ScrubMessage(R"(pods "herring-and" of herring-and-leek)", "x", "herring-and"),
            R"(pods "herring-and" of ***)");
}

// One after the other, 20,000 values took seconds for each message.
TEST(SecretRegistry, MessagesAboutOthersAreScrubbedInOneGo) {
  SecretRegistry& registry = SecretRegistry::Instance();
  std::string data, said, scrubbed;
  for (int i = 0; i < 20'000; ++i) {
    data += StrCat(i == 0 ? "" : ",", "\"k", i, "\":\"one-of-many-", i, "\"");
    said += StrCat("one-of-many-", i, ", one-of-many ");
    scrubbed += "***, one-of-many ";
  }
  registry.Remember(Parsed(StrCat(R"({"kind":"Secret","metadata":{"name":"many"},"stringData":{)", data, "}}")).root());
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(registry.ScrubMessage(said, "", "x") == scrubbed);
}

TEST(SecretRegistry, MessagesAboutASecretKeepItsNameAndNamespace) {
  SecretRegistry& registry = SecretRegistry::Instance();
  registry.Remember(Parsed(R"({"kind":"Secret","metadata":{"name":"same-name","namespace":"same-space"},)"
                           R"("stringData":{"a":"same-name","b":"same-space"}})")
                        .root());
  EXPECT_EQ(
      registry.ScrubMessageOfSecret(R"(secrets "same-name" in "same-space": c2FtZS1uYW1l)", "same-space", "same-name"),
      R"(secrets "same-name" in "same-space": ***)");
}

TEST(SecretRegistry, MessagesAboutASecretWithoutANamespace) {
  SecretRegistry& registry = SecretRegistry::Instance();
  registry.Remember(Parsed(R"({"kind":"Secret","metadata":{"name":"n"},"stringData":{"a":"falcon"}})").root());
  EXPECT_EQ(registry.ScrubMessageOfSecret("a falcon", "x", "n"), "a ***");
}

TEST(SecretRegistry, MessagesAboutAnythingLoseWholeCredentials) {
  SecretRegistry& registry = SecretRegistry::Instance();
  registry.RememberText("credential");
  EXPECT_EQ(registry.ScrubMessageOfSecret("Bearer credential, credentials", "x", "o"), "Bearer ***, credentials");
}

TEST(SecretRegistry, LongMessagesAreScrubbedInOneGo) {
  SecretRegistry& registry = SecretRegistry::Instance();
  const std::string letters(1 << 20, 'x');
  registry.Remember(
      Parsed(R"({"kind":"Secret","metadata":{"name":"long"},"stringData":{"a":")" + letters + "\"}}").root());
  EXPECT_EQ(registry.ScrubMessageOfSecret(letters, "", "long"), "***");
}

// Quadratic, this took minutes.
TEST(SecretRegistry, ManyValuesThatBeginAlikeAreScrubbedInOneGo) {
  SecretRegistry& registry = SecretRegistry::Instance();
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    registry.RememberText(StrCat("alike-alike-", i, "!"));
    text += StrCat("<alike-alike-", i, "!> alike-alike- ");
  }
  EXPECT_EQ(registry.Scrub(text).substr(0, 40), "<***> alike-alike- <***> alike-alike- <*");
}

TEST(SecretRegistry, SecretOfOneCharacterInATextOfItIsScrubbedInOneGo) {
  SecretRegistry::Instance().RememberText(std::string(1 << 20, 'q'));
  EXPECT_EQ(SecretRegistry::Instance().Scrub(StrCat(std::string(3 << 20, 'q'), "!")), "***!");
  const std::string shorter((1 << 20) - 1, 'q');
  EXPECT_EQ(SecretRegistry::Instance().Scrub(shorter), shorter);
}

TEST(SecretRegistry, ServesSeveralThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      for (int j = 0; j < 50; ++j) {
        const std::string secret = "thread-" + std::to_string(i) + "-" + std::to_string(j);
        SecretRegistry::Instance().RememberText(secret);
        EXPECT_EQ(SecretRegistry::Instance().Scrub("<" + secret + ">"), "<***>");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Base64, AgreesWithRfc4648) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}, {"\xFF\xFE", "//4="}};
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(EncodeBase64(bytes), text);
    EXPECT_EQ(DecodeBase64(text), bytes);
  }
  EXPECT_EQ(DecodeBase64("Zm9v\r\nYmFy\n"), "foobar");
  for (const std::string_view bad : {"Zg", "Zg=", "Z===", "====", "Zm9v!AAA", "Zg==Zg=="})
    EXPECT_FALSE(DecodeBase64(bad)) << bad;
}

}  // namespace
}  // namespace smp
