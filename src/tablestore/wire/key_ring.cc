#include "tablestore/wire/key_ring.h"

#include "dinette/base/secret.h"

#include "tablestore/wire/signatures.h"

namespace dinette::tablestore::wire {
namespace {

/// What the examples of clients use, in place of a secret that is not known.
constexpr std::string_view usual_secrets[] = {"sk", "secret"};

/// Returns the key by which the secret signs a request.
std::string key_of(std::string_view secret, const OtsHeaders& headers) {
  if (headers.signature_v4) return derive_key(secret, headers.sign_date, headers.sign_region);
  return std::string(secret);
}

bool has_signed(std::string_view key, std::string_view text, const OtsHeaders& headers) {
  if (headers.signature_v4) return base::equal_in_constant_time(sign_v4(key, text), *headers.signature_v4);
  return headers.signature && base::equal_in_constant_time(sign(key, text), *headers.signature);
}

}  // namespace

KeyRing::KeyRing(const std::vector<AccessKey>& keys, bool strict) : strict_(strict) {
  for (const AccessKey& key : keys) known_.emplace(key.id, key.secret);
}

KeyRing::Secrets KeyRing::secrets_of(std::string_view access_key) const {
  const auto found = known_.find(access_key);
  if (found != known_.end()) return {found->second};
  return {usual_secrets[0], usual_secrets[1], access_key};
}

Signer KeyRing::signer_of(const http::Request& request, const OtsHeaders& headers) const {
  const std::string text = request_text(request.path(), headers.of_ots);
  const Secrets secrets = secrets_of(*headers.access_key);
  for (const std::string_view secret : secrets) {
    std::string key = key_of(secret, headers);
    if (has_signed(key, text, headers)) return {std::move(key), true};
  }
  return {key_of(secrets.front(), headers), false};
}

}  // namespace dinette::tablestore::wire
