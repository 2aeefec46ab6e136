// RAII wrappers for libcurl's handles, and a setter of options that reports failures. Only for the files that use
// libcurl (curl_*.cc).
#pragma once

#include <curl/curl.h>

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "net/endpoint.h"
#include "net/proxy_rules.h"

namespace smp::net {

struct FreeEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct FreeMulti {
  void operator()(CURLM* multi) const { (void)curl_multi_cleanup(multi); }
};
struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Easy = std::unique_ptr<CURL, FreeEasy>;
using Multi = std::unique_ptr<CURLM, FreeMulti>;
using HeaderList = std::unique_ptr<curl_slist, FreeList>;

// Call before anything else. Initializes libcurl once per process; may be called again and from several threads.
Status InitCurl();

// Sets options and remembers the first error: a refused security option must not go unnoticed.
class Setter {
 public:
  explicit Setter(CURL* easy) : easy_(easy) {}
  template <class T>
  void Set(CURLoption option, T value) {
    const CURLcode code = curl_easy_setopt(easy_, option, value);
    if (code != CURLE_OK && first_ == CURLE_OK) first_ = code;
  }
  void SetText(CURLoption option, const std::string& value) { Set(option, value.c_str()); }
  // Does not copy the bytes, which must outlive the handle.
  void SetBlob(CURLoption option, const std::string& bytes);
  void SetPem(CURLoption file, CURLoption blob, const Pem& pem);
  Status status() const;

 private:
  CURL* easy_;
  CURLcode first_ = CURLE_OK;
};

// Uses this proxy, or no proxy if nullopt. Either way, libcurl ignores the proxy variables of the environment.
void SetProxy(const std::optional<ProxyUrl>& proxy, Setter& set);

template <class T>
T Info(CURL* easy, CURLINFO what) {
  T value = {};
  (void)curl_easy_getinfo(easy, what, &value);
  return value;
}

}  // namespace smp::net
