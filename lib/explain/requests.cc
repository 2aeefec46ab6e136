#include "explain/requests.h"

#include <utility>
#include <vector>

#include "base/shell_words.h"
#include "base/strings.h"
#include "explain/in_words.h"
#include "explain/object_names.h"
#include "value/escape.h"
#include "value/json.h"
#include "value/redact.h"

namespace smp::explain {

namespace {

std::string ServerOf(const Report& report) { return report.context ? report.context->server : ""; }

Value ObjectValue(const ObjectReport& object, Arena& arena) {
  std::vector<Member> out = {{"apiVersion", arena.String(object.api_version)},
                             {"kind", arena.String(OwnKind(object))},
                             {"name", arena.String(object.name)}};
  if (!object.name_space.empty()) out.push_back({"namespace", arena.String(object.name_space)});
  return arena.Object(std::move(out));
}

std::string JsonLine(const Request& request, const ObjectReport& object, const std::string& server) {
  Arena arena;
  std::vector<Member> out = {{"object", ObjectValue(object, arena)},
                             {"method", arena.String(request.method)},
                             {"url", arena.String(server + request.path)},
                             {"contentType", arena.String(request.content_type)},
                             {"body", request.body.root()}};
  if (request.redacted) out.push_back({"redacted", Value::Bool(true)});
  return VisibleJson(WriteJson(arena.Object(std::move(out)))) + "\n";
}

std::string CurlHead(const Report& report) {
  const std::string server = ServerOf(report);
  return StrCat(
      "#!/bin/sh\n"
      "# What kubectl smp apply would send. Credentials are left out: add them to ~/.curlrc, or run kubectl proxy and "
      "set\n"
      "# SERVER=http://127.0.0.1:8001\n"
      "set -e\n",
      server.empty() ? ": \"${SERVER:?must be the address of the API server}\"\n"
                     : StrCat("SERVER=${SERVER:-", ShellQuoted(server), "}\n"));
}

// The JSON is one line, so that no line of it can end the text.
std::string CurlCommand(const Request& request) {
  return StrCat("curl -sS --fail-with-body -o /dev/null -X ", request.method, " \"$SERVER\"", ShellQuoted(request.path),
                " \\\n  -H ", ShellQuoted("Content-Type: " + request.content_type), " --data-binary @- <<'EOF'\n",
                VisibleJson(WriteJson(request.body.root())), "\nEOF\n");
}

std::string Replay(const Request& request, const ObjectReport& object) {
  const bool deletes_first = object.action == Action::kRecreate && request.method == "DELETE";
  const std::string_view note = request.redacted ? " (redacted, not replayable)"
                                : deletes_first  ? " (before the next request, wait until it is gone)"
                                                 : "";
  const std::string title = StrCat("# ", NameOf(object), ": ", ActionName(object.action), note);
  return StrCat("\n", Visible(title, Newlines::kEscape), "\n", request.redacted ? "" : CurlCommand(request));
}

}  // namespace

Document MaskedBody(const Document& body, const Value& object, Secrets secrets) {
  if (secrets == Secrets::kShow || !IsSecret(object)) return body;
  const Document redacted = RedactedPatch(body, object);
  Arena arena;
  arena.Retain(redacted);
  const Value masked = WithoutCopies({redacted.root()}, {&object}, arena).front();
  return Document(std::move(arena), masked);
}

std::string PrintJsonLines(const Report& report) {
  std::string out;
  for (const ObjectReport& object : report.objects) {
    for (const Request& request : object.requests) out += JsonLine(request, object, ServerOf(report));
  }
  return out;
}

std::string PrintCurl(const Report& report) {
  std::string out;
  for (const ObjectReport& object : report.objects) {
    for (const Request& request : object.requests) out += Replay(request, object);
  }
  return out.empty() ? out : CurlHead(report) + out;
}

}  // namespace smp::explain
