// Compiled schemas on disk, so that a run asks the server for no document that it has seen before.
//
//   FOLDER/smp/HOST-DIGEST/openapi_v3_apis_apps_v1
//
// FOLDER/smp is the user's alone (0700) or is not used. DIGEST is of the server's URL and of what its certificate is
// held to, so that no server can plant another's schema. The file's first line repeats everything that the schema
// depends on: the server, the document's path with the hash that the server's index states, and the program's compiler
// (schema/compiler_digest.h). A file of another hash is replaced, so the folder does not grow. What is read is not
// trusted (serial.h checks it); what cannot be read is not there, and what cannot be written is not cached.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "schema/schema.h"

namespace smp::kube {

class SchemaCache {
 public:
  // `server`: its URL. `trust`: whatever says which server that is, such as the bytes of its CA.
  SchemaCache(std::string folder, std::string_view server, std::string_view trust);

  // nullptr: not there. `document` is the path of the index, "/openapi/v3/apis/apps/v1?hash=…"; without a hash it may
  // change at any time and is not cached.
  std::shared_ptr<const Schema> Load(std::string_view document) const;
  void Store(std::string_view document, const Schema& schema) const;

  // A document that no index states a hash of (/openapi/v2) goes by the ETag that the server gave it, as kubectl's own
  // cache does: the server is asked each time, and says whether the document is still that one.
  struct Revision {
    std::string etag;
    std::shared_ptr<const Schema> schema;
  };
  std::optional<Revision> LoadRevision(std::string_view document) const;  // the one that was stored last
  void StoreRevision(std::string_view document, std::string_view etag, const Schema& schema) const;

 private:
  std::string FirstLine(std::string_view document) const;
  // The file's text after its first line; nullopt unless it is `document`'s.
  std::optional<std::string> Read(std::string_view document) const;
  void Write(std::string_view document, std::string_view text) const;

  std::string folder_;
  std::string identity_;  // of the server
  std::string subfolder_;
};

}  // namespace smp::kube
