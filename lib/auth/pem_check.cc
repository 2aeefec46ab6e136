#include "auth/pem_check.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <limits>
#include <memory>

namespace smp::auth {
namespace {

template <auto free>
struct Free {
  template <class T>
  void operator()(T* pointer) const {
    free(pointer);
  }
};
struct FreeInfos {
  void operator()(STACK_OF(X509_INFO) * infos) const { sk_X509_INFO_pop_free(infos, X509_INFO_free); }
};
struct FreeParts {
  void operator()(ASN1_SEQUENCE_ANY* parts) const { sk_ASN1_TYPE_pop_free(parts, ASN1_TYPE_free); }
};
using Bio = std::unique_ptr<BIO, Free<&BIO_free>>;
using Certificate = std::unique_ptr<X509, Free<&X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Free<&EVP_PKEY_free>>;
using Sequence = std::unique_ptr<ASN1_SEQUENCE_ANY, FreeParts>;
using Infos = std::unique_ptr<STACK_OF(X509_INFO), FreeInfos>;

// Without this, OpenSSL asks for the passphrase of an encrypted key on the terminal.
int NoPassphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*user*/) { return 0; }

// Reads from `pem` without a copy. Returns nullptr if OpenSSL cannot take so many bytes.
Bio Reader(std::string_view pem) {
  if (pem.size() > static_cast<size_t>(std::numeric_limits<int>::max())) return nullptr;
  return Bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
}

Certificate ReadCertificate(std::string_view pem) {
  const Bio bio = Reader(pem);
  Certificate certificate(bio == nullptr ? nullptr : PEM_read_bio_X509_AUX(bio.get(), nullptr, &NoPassphrase, nullptr));
  ERR_clear_error();  // the error queue is per thread, and libcurl would report our errors as its own
  return certificate;
}

Key ReadKey(std::string_view pem) {
  const Bio bio = Reader(pem);
  Key key(bio == nullptr ? nullptr : PEM_read_bio_PrivateKey(bio.get(), nullptr, &NoPassphrase, nullptr));
  ERR_clear_error();
  return key;
}

bool HasBlock(std::string_view pem, std::string_view what) {
  for (size_t at = pem.find("-----BEGIN "); at != pem.npos; at = pem.find("-----BEGIN ", at + 1)) {
    const std::string_view line = pem.substr(at, pem.find('\n', at) - at);
    if (line.find(what) != line.npos) return true;
  }
  return false;
}

std::string NoCertificate(std::string_view pem) {
  return HasBlock(pem, "CERTIFICATE") ? "contains a damaged certificate"
                                      : "does not contain a PEM certificate (BEGIN CERTIFICATE)";
}

// Returns true if each block of `pem` holds a certificate as far as the outermost lengths tell. To read the public keys
// costs as much as the rest of a connection, and libcurl does that again.
bool LooksLikeCaBundle(std::string_view pem) {
  const Bio bio = Reader(pem);
  int certificates = 0;
  char* name = nullptr;
  char* header = nullptr;
  unsigned char* data = nullptr;
  for (long size = 0; bio != nullptr && PEM_read_bio(bio.get(), &name, &header, &data, &size) == 1; ++certificates) {
    const unsigned char* at = data;
    const Sequence parts(d2i_ASN1_SEQUENCE_ANY(nullptr, &at, size));
    const bool fine =
        std::string_view(name) == PEM_STRING_X509 && at == data + size && sk_ASN1_TYPE_num(parts.get()) == 3;
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(data);
    if (!fine) return false;
  }
  const bool ended = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  return ended && certificates > 0;
}

}  // namespace

std::string WhyNoCaBundle(std::string_view pem) {
  if (LooksLikeCaBundle(pem)) return {};
  const Bio bio = Reader(pem);
  // libcurl reads CA bundles in this way, too: if one block is damaged, all are rejected.
  const Infos infos(bio == nullptr ? nullptr : PEM_X509_INFO_read_bio(bio.get(), nullptr, &NoPassphrase, nullptr));
  ERR_clear_error();
  if (infos == nullptr) return NoCertificate(pem);
  for (int i = 0; i < sk_X509_INFO_num(infos.get()); ++i) {
    if (sk_X509_INFO_value(infos.get(), i)->x509 != nullptr) return {};
  }
  return NoCertificate({});
}

std::string WhyNoCertificate(std::string_view pem) {
  return ReadCertificate(pem) == nullptr ? NoCertificate(pem) : std::string();
}

std::string WhyNoPrivateKey(std::string_view pem) {
  if (ReadKey(pem) != nullptr) return {};
  if (pem.find("ENCRYPTED") != pem.npos) return "contains an encrypted key, which is not supported";
  return HasBlock(pem, "PRIVATE KEY") ? "contains a damaged private key"
                                      : "does not contain a PEM key (BEGIN PRIVATE KEY)";
}

bool KeyBelongsTo(std::string_view key, std::string_view certificate) {
  const Key private_key = ReadKey(key);
  const Certificate x509 = ReadCertificate(certificate);
  const bool match = X509_check_private_key(x509.get(), private_key.get()) == 1;
  ERR_clear_error();
  return match;
}

}  // namespace smp::auth
