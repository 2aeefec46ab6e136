// Cache of compiled schemas on disk, so that a run does not download OpenAPI documents that an earlier run has seen.
//
//   FOLDER/smp/HOST-DIGEST/openapi_v3_apis_apps_v1
//
// FOLDER/smp is used only if nobody but the user can access it (0700). DIGEST covers the server's URL and the CA that
// it is verified with, so that no server can plant a schema for another. The file's first line identifies everything
// that the schema depends on: the server, the document's path with its hash from the server's index, and the version of
// our schema compiler (schema/compiler_digest.h). A file with another hash is replaced, so the folder does not grow.
// The first line ends with the digest of the rest: a damaged line might still be a schema, with other rules for merging.
// Files are untrusted input (serial.h validates them). A read error counts as a cache miss; write errors are ignored.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "schema/schema.h"

namespace smp::kube {

class SchemaCache {
 public:
  // `folder`: "" disables the cache. `server`: its URL. `trust`: how the server is verified, such as by its CA's bytes.
  SchemaCache(std::string folder, std::string_view server, std::string_view trust);

  // Load returns nullptr on a cache miss. `document` is a path from the server's index:
  // "/openapi/v3/apis/apps/v1?hash=…". A document without a hash may change at any time and is not cached.
  std::shared_ptr<const Schema> Load(std::string_view document) const;

  // What an earlier run stored of a document, whatever its hash was then.
  struct Earlier {
    std::shared_ptr<const Schema> schema;
    std::string digest;  // DigestOf the document

    static std::string DigestOf(std::string_view document);
  };
  // `path`: "/openapi/v3/apis/apps/v1", without a hash.
  std::optional<Earlier> LoadEarlier(std::string_view path) const;

  void Store(std::string_view document, const Schema& schema) const;

  // For a document without a hash in the index (/openapi/v2): the schema is stored with the document's ETag, as in
  // kubectl's cache, and the caller asks the server each time whether the ETag is still current.
  struct Revision {
    std::string etag;
    std::shared_ptr<const Schema> schema;
  };
  std::optional<Revision> LoadRevision(std::string_view document) const;  // nullopt on a miss
  void StoreRevision(std::string_view document, std::string_view etag, const Schema& schema) const;

 private:
  std::string FirstLine(std::string_view digest, std::string_view text) const;
  // A cache file whose first line is FirstLine(digest, text).
  struct File {
    std::string digest;  // of the document
    std::string text;
  };
  std::optional<File> ReadFile(std::string_view path) const;
  // Returns the text if it was stored of this document.
  std::optional<std::string> Read(std::string_view document) const;
  void Write(std::string_view document, std::string_view text) const;

  std::string folder_;
  std::string identity_;  // hex SHA-256 of server and trust
  std::string subfolder_;
};

}  // namespace smp::kube
