#include "kube/schema_cache.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/digest.h"
#include "base/private_folder.h"
#include "base/strings.h"
#include "net/percent.h"
#include "schema/compiler_digest.h"
#include "schema/serial.h"

namespace smp::kube {
namespace {

constexpr char kOurFolder[] = "smp";
constexpr std::string_view kFormat = "smp-cache";
constexpr size_t kDigestDigits = 16;
constexpr size_t kLongestName = 100;
constexpr std::string_view kEtagLine = "# etag ";  // a comment in the format of schemas
constexpr size_t kLongestEtag = 256;

// Opens FOLDER/smp/SUBFOLDER; nullptr if it does not exist or is not private.
std::unique_ptr<PrivateFolder> OpenSubfolder(const std::string& folder, const std::string& subfolder, Missing missing) {
  const auto outer = PrivateFolder::Open(StrCat(folder, "/", kOurFolder), missing);
  return outer == nullptr ? nullptr : outer->OpenInner(subfolder, missing);
}

// Converts text from a server or a kubeconfig to a safe file name, without slashes or a leading dot.
std::string FileName(std::string_view text) {
  std::string out(text.substr(0, kLongestName));
  for (char& c : out) {
    if (!IsAlnum(c) && c != '-' && (c != '.' || &c == out.data())) c = '_';
  }
  return out;
}

// "/openapi/v3/apis/apps/v1?hash=…" → "openapi_v3_apis_apps_v1".
std::string NameOf(std::string_view document) {
  const std::string_view path = document.substr(0, document.find('?'));
  return FileName(path.substr(std::min(path.find_first_not_of('/'), path.size())));
}

bool HasHash(std::string_view document) { return document.find("?hash=") != document.npos; }

// Checks the syntax of RFC 9110, 8.8.3: the ETag is written to a line of the file and to a request header.
bool IsEtag(std::string_view text) {
  if (text.starts_with("W/")) text.remove_prefix(2);
  if (text.size() < 2 || text.size() > kLongestEtag || text.front() != '"' || text.back() != '"') return false;
  const std::string_view inner = text.substr(1, text.size() - 2);
  return std::all_of(inner.begin(), inner.end(), [](char c) { return c > ' ' && c < 0x7f && c != '"'; });
}

std::shared_ptr<const Schema> Parsed(std::string_view text) {
  const auto schema = ParseSchema(text);
  return schema.ok() ? *schema : nullptr;
}

std::string HostOf(std::string_view server) {
  const size_t scheme = server.find("://");
  return FileName(scheme == server.npos ? server : server.substr(scheme + 3));
}

}  // namespace

SchemaCache::SchemaCache(std::string folder, std::string_view server, std::string_view trust)
    : folder_(std::move(folder)),
      identity_(Sha256Hex(StrCat(server, '\0', trust))),
      subfolder_(StrCat(HostOf(server), "-", identity_.substr(0, kDigestDigits))) {}

std::string SchemaCache::Earlier::DigestOf(std::string_view document) { return Sha256Hex(document); }

std::string SchemaCache::FirstLine(std::string_view digest, std::string_view text) const {
  return StrCat("# ", kFormat, " ", identity_, " ", digest, " ", CompilerDigest(), " ", Sha256Hex(text), "\n");
}

std::optional<SchemaCache::File> SchemaCache::ReadFile(std::string_view path) const {
  if (folder_.empty()) return std::nullopt;
  const auto folder = OpenSubfolder(folder_, subfolder_, Missing::kLeave);
  if (folder == nullptr) return std::nullopt;
  std::optional<std::string> text = folder->Read(NameOf(path), kMaxSchemaBytes);
  const size_t end = text ? text->find('\n') : std::string::npos;
  if (end == std::string::npos) return std::nullopt;
  const std::string first = text->substr(0, end + 1);
  text->erase(0, first.size());
  const std::vector<std::string_view> words = Split(first, ' ');
  constexpr size_t kDigest = 3;
  if (words.size() <= kDigest) return std::nullopt;
  File out = {std::string(words[kDigest]), *std::move(text)};
  return first == FirstLine(out.digest, out.text) ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::string> SchemaCache::Read(std::string_view document) const {
  std::optional<File> file = ReadFile(document);
  return file && file->digest == Earlier::DigestOf(document) ? std::optional(std::move(file->text)) : std::nullopt;
}

std::optional<SchemaCache::Earlier> SchemaCache::LoadEarlier(std::string_view path) const {
  const std::optional<File> file = ReadFile(path);
  std::shared_ptr<const Schema> schema = file ? Parsed(file->text) : nullptr;
  return schema == nullptr ? std::nullopt : std::optional(Earlier{std::move(schema), file->digest});
}

void SchemaCache::Write(std::string_view document, std::string_view text) const {
  if (folder_.empty()) return;
  const auto folder = OpenSubfolder(folder_, subfolder_, Missing::kMake);
  if (folder == nullptr) return;
  folder->Replace(NameOf(document), StrCat(FirstLine(Earlier::DigestOf(document), text), text));
}

std::shared_ptr<const Schema> SchemaCache::Load(std::string_view document) const {
  const std::optional<std::string> text = HasHash(document) ? Read(document) : std::nullopt;
  return text ? Parsed(*text) : nullptr;
}

void SchemaCache::Store(std::string_view document, const Schema& schema) const {
  if (HasHash(document)) Write(document, SerializeSchema(schema));
}

std::optional<SchemaCache::Revision> SchemaCache::LoadRevision(std::string_view document) const {
  const std::optional<std::string> text = Read(document);
  if (!text || !text->starts_with(kEtagLine)) return std::nullopt;
  const std::string_view line = std::string_view(*text).substr(0, text->find('\n'));
  Revision out{std::string(line.substr(kEtagLine.size())), nullptr};
  if (IsEtag(out.etag)) out.schema = Parsed(*text);
  return out.schema == nullptr ? std::nullopt : std::optional(std::move(out));
}

void SchemaCache::StoreRevision(std::string_view document, std::string_view etag, const Schema& schema) const {
  if (IsEtag(etag)) Write(document, StrCat(kEtagLine, etag, "\n", SerializeSchema(schema)));
}

}  // namespace smp::kube
