#include "tablestore/wire/envelope.h"

#include <algorithm>
#include <chrono>

#include "dinette/base/ascii.h"
#include "dinette/base/base64.h"
#include "dinette/base/md5.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/request/names.h"
#include "tablestore/wire/dates.h"

namespace dinette::tablestore::wire {
namespace {

Answer<void> check_presence(const OtsHeaders& headers) {
  if (!headers.date) return refuse::missing_header("x-ots-date");
  if (!headers.api_version) return refuse::missing_header("x-ots-apiversion");
  if (!headers.access_key) return refuse::missing_header("x-ots-accesskeyid");
  if (!headers.instance) return refuse::missing_header("x-ots-instancename");
  if (!headers.content_md5) return refuse::missing_header("x-ots-contentmd5");
  if (!headers.signature && !headers.signature_v4) return refuse::missing_header("x-ots-signature");
  return {};
}

Answer<void> check_date(std::string_view date, base::TimePoint now) {
  const auto sent = parse_date(date);
  if (!sent) return refuse::invalid_date(date);
  if (std::chrono::abs(*sent - now) > std::chrono::minutes(limits::date_skew_minutes))
    return refuse::mismatched_date(date);
  return {};
}

Answer<void> check_digest(std::string_view content_md5, std::string_view body) {
  const base::Md5Digest digest = base::md5(body);
  const std::string_view bytes(reinterpret_cast<const char*>(digest.data()), digest.size());
  if (base::base64_encode(bytes) != content_md5) return refuse::mismatched_md5();
  return {};
}

}  // namespace

Answer<std::string> check_envelope(const http::Request& request, const OtsHeaders& headers,
                                   const KeyRing& keys, const std::optional<Signer>& signer,
                                   base::TimePoint now) {
  DINETTE_CHECK(check_presence(headers));
  DINETTE_CHECK(check_date(*headers.date, now));
  if (!is_instance_name(*headers.instance)) return refuse::invalid_instance_name(*headers.instance);
  if (!keys.admits(*headers.access_key)) return refuse::unknown_access_key();
  DINETTE_CHECK(check_digest(*headers.content_md5, request.body));
  const bool is_signed = signer && signer->verified;
  if (!is_signed && keys.requires_signature(*headers.access_key)) return refuse::mismatched_signature();
  if (request.body.size() > limits::body_bytes) return refuse::body_too_large();
  std::string instance(*headers.instance);
  std::ranges::transform(instance, instance.begin(), base::to_lower);
  return instance;
}

}  // namespace dinette::tablestore::wire
