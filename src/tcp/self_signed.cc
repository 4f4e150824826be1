#include "dinette/tcp/self_signed.h"

#include <cstdint>
#include <memory>

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "tcp/pem.h"

namespace dinette::tcp {
namespace {

constexpr int valid_days = 365;
constexpr const char* self_signed_names = "DNS:localhost,IP:127.0.0.1,IP:::1";

template <class T, auto free_function>
struct Freed {
  void operator()(T* object) const { free_function(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, &EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509, &X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION, &X509_EXTENSION_free>>;
using Bytes = std::unique_ptr<BIO, Freed<BIO, &BIO_free>>;

bool add_names(X509* certificate) {
  const Extension names(X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, self_signed_names));
  return names && X509_add_ext(certificate, names.get(), -1) == 1;
}

/// Browsers refuse a second certificate of one issuer that has the number of another.
bool number_at_random(X509* certificate) {
  std::uint64_t number = 0;
  void* const bytes = &number;
  return RAND_bytes(static_cast<unsigned char*>(bytes), sizeof number) == 1 &&
         ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), number >> 1) == 1;
}

Certificate certificate_of(EVP_PKEY* key, std::time_t now) {
  Certificate certificate(X509_new());
  if (!certificate) return nullptr;
  X509* x = certificate.get();
  X509_NAME* name = X509_get_subject_name(x);
  const auto* host = reinterpret_cast<const unsigned char*>("localhost");
  // Valid since the day before, for clocks that differ.
  const bool filled = X509_set_version(x, X509_VERSION_3) == 1 && number_at_random(x) &&
                      X509_time_adj_ex(X509_getm_notBefore(x), -1, 0, &now) != nullptr &&
                      X509_time_adj_ex(X509_getm_notAfter(x), valid_days, 0, &now) != nullptr &&
                      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, host, -1, -1, 0) == 1 &&
                      X509_set_issuer_name(x, name) == 1 && X509_set_pubkey(x, key) == 1 && add_names(x) &&
                      X509_sign(x, key, EVP_sha256()) > 0;
  return filled ? std::move(certificate) : nullptr;
}

/// Returns null if there is none.
Certificate first_certificate(const std::string& text) {
  const Bytes bytes(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  return Certificate(bytes ? PEM_read_bio_X509(bytes.get(), nullptr, nullptr, nullptr) : nullptr);
}

}  // namespace

std::optional<SelfSigned> make_self_signed(std::time_t now) {
  const Key key(EVP_EC_gen("P-256"));
  if (!key) return std::nullopt;
  const Certificate certificate = certificate_of(key.get(), now);
  if (!certificate) return std::nullopt;
  SelfSigned made;
  made.certificate = pem_of([&](BIO* out) { return PEM_write_bio_X509(out, certificate.get()); });
  made.key = pem_of([&](BIO* out) {
    return PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  });
  if (made.certificate.empty() || made.key.empty()) return std::nullopt;
  return made;
}

std::optional<std::time_t> expiry_of(const std::string& certificate) {
  const Certificate read = first_certificate(certificate);
  std::tm parts{};
  if (!read || ASN1_TIME_to_tm(X509_get0_notAfter(read.get()), &parts) != 1) return std::nullopt;
  return timegm(&parts);
}

bool is_for_host(const std::string& certificate, const std::string& host) {
  const Certificate read = first_certificate(certificate);
  return read && (X509_check_host(read.get(), host.data(), host.size(), 0, nullptr) == 1 ||
                  X509_check_ip_asc(read.get(), host.c_str(), 0) == 1);
}

bool is_self_signed(const std::string& certificate) {
  const Certificate read = first_certificate(certificate);
  return read && X509_NAME_cmp(X509_get_subject_name(read.get()), X509_get_issuer_name(read.get())) == 0;
}

}  // namespace dinette::tcp
