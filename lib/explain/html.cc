#include "explain/html.h"

#include <map>
#include <string_view>

#include "base/digest.h"
#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/text.h"
#include "value/base64.h"
#include "value/escape.h"
#include "value/json.h"

namespace smp {

std::string_view HtmlPage();  // html/page.html
std::string_view HtmlStyle();
std::string_view HtmlScript();

}  // namespace smp

namespace smp::explain {

namespace {

constexpr size_t kTextWidth = 100;  // columns

std::string EscapedForHtml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

// Of an inline element, as it is named in a policy.
std::string HashSource(std::string_view content) { return StrCat("'sha256-", EncodeBase64(Sha256(content)), "'"); }

// Nothing may be loaded, and no text may become markup (trusted types).
std::string Policy() {
  return StrCat("default-src 'none'; script-src ", HashSource(HtmlScript()), "; style-src ", HashSource(HtmlStyle()),
                "; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'");
}

// For readers without JavaScript.
std::string PlainText(const Report& report, const HtmlOptions& options) {
  std::string out;
  for (const ObjectReport& object : report.objects) {
    if (!object.error) continue;
    out += StrCat("error: ", Visible(StrCat(NameOf(object), ": ", ToString(*object.error)), Newlines::kEscape), "\n");
  }
  if (!out.empty()) out += "\n";
  return out + PrintText(report, {.width = kTextWidth, .legend = true, .directory = options.directory});
}

// Replaces {{NAME}} by the text of that name. What is filled in is not searched.
std::string Filled(std::string_view page, const std::map<std::string_view, std::string>& texts) {
  std::string out;
  for (size_t open = page.find("{{"); open != page.npos; open = page.find("{{")) {
    const size_t close = page.find("}}", open);
    out += StrCat(page.substr(0, open), texts.at(page.substr(open + 2, close - open - 2)));
    page.remove_prefix(close + 2);
  }
  return StrCat(out, page);
}

}  // namespace

// WriteJson escapes <, > and &, so that no text ends the block of data or begins a comment in it.
std::string PrintHtml(const Report& report, const HtmlOptions& options) {
  return Filled(HtmlPage(), {{"policy", Policy()},
                             {"style", std::string(HtmlStyle())},
                             {"script", std::string(HtmlScript())},
                             {"data", VisibleJson(WriteJson(HtmlData(report, options).root()))},
                             {"text", EscapedForHtml(PlainText(report, options))}});
}

}  // namespace smp::explain
