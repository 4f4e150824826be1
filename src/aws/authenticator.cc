#include "dinette/aws/authenticator.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <optional>
#include <vector>

#include "dinette/base/ascii.h"
#include "dinette/base/per_thread.h"
#include "dinette/base/secret.h"
#include "dinette/base/sha256.h"
#include "dinette/http/query_string.h"
#include "dinette/http/tokens.h"

#include "aws/signature.h"

namespace dinette::aws {
namespace {

using base::Failure;
using base::Result;
using http::QueryString;
using http::take_until;
using http::trimmed;
using std::string;
using std::string_view;
using CallerPointer = std::shared_ptr<const Caller>;
using Seconds = std::chrono::sys_seconds;

constexpr string_view terminator = "aws4_request";
constexpr std::chrono::seconds most_skew = std::chrono::minutes(15);
constexpr std::chrono::seconds longest_validity = std::chrono::days(7);
constexpr std::size_t longest_kept = 1024;  ///< bytes of a header

AuthError incomplete(string message) {
  return {AuthProblem::incomplete_signature, std::move(message)};
}

AuthError invalid(string message) {
  return {AuthProblem::invalid_signature, std::move(message)};
}

AuthError skewed(string message) {
  return {AuthProblem::skewed_time, std::move(message)};
}

AuthError unrecognized() {
  return {AuthProblem::unrecognized_client, "The security token included in the request is invalid."};
}

// docs/service/wire.md section 3, the documented text.
AuthError nonconforming() {
  return incomplete("The request signature does not conform to AWS standards.");
}

/// `Authorization: AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...`; the parts are
/// separated by commas, by spaces, or by both.
struct AuthorizationHeader {
  string_view algorithm;
  std::optional<string_view> credential, signed_headers, signature;
};

void take_part(AuthorizationHeader& parsed, string_view part) {
  const string_view name = take_until(part, '=');
  if (part.empty()) return;
  if (name == "Credential") parsed.credential = part;
  if (name == "SignedHeaders") parsed.signed_headers = part;
  if (name == "Signature") parsed.signature = part;
}

/// Parts that are separated by white space.
void take_spaced_parts(AuthorizationHeader& parsed, string_view parts) {
  while (!parts.empty()) {
    const std::size_t end = std::min(parts.find_first_of(" \t"), parts.size());
    take_part(parsed, parts.substr(0, end));
    parts.remove_prefix(std::min(end + 1, parts.size()));
  }
}

void take_parts(AuthorizationHeader& parsed, string_view parts) {
  const bool has_tabs = parts.find('\t') != string_view::npos;
  while (!parts.empty()) {
    string_view part = take_until(parts, ',');
    if (part.starts_with(' ')) part.remove_prefix(1);
    // Usually there is no other white space than this.
    if (has_tabs || part.find(' ') != string_view::npos)
      take_spaced_parts(parsed, part);
    else
      take_part(parsed, part);
  }
}

AuthorizationHeader parse_authorization(string_view header) {
  AuthorizationHeader parsed;
  string_view rest = trimmed(header);
  parsed.algorithm = take_until(rest, ' ');
  take_parts(parsed, rest);
  return parsed;
}

// `<key>/20260131/us-east-1/<service>/aws4_request`; false if there are not five parts.
bool parse_credential(string_view credential, ClaimedSignature& claimed) {
  for (string_view* const part :
       {&claimed.access_key, &claimed.scope.date, &claimed.scope.region, &claimed.scope.service}) {
    const std::size_t end = credential.find('/');
    if (end == string_view::npos) return false;
    *part = credential.substr(0, end);
    credential.remove_prefix(end + 1);
  }
  claimed.terminator = credential;
  return credential.find('/') == string_view::npos;
}

AuthError bad_credential(string_view credential) {
  return incomplete(
      "Credential must have exactly 5 slash-delimited elements, e.g. "
      "keyid/date/region/service/term, got '" +
      string(credential) + "'");
}

// Sentences and their order: docs/service/wire.md section 5.
Result<ClaimedSignature, AuthError> claimed_by_header(const http::Request& request,
                                                      string_view authorization) {
  const AuthorizationHeader parsed = parse_authorization(authorization);
  auto date = request.header("x-amz-date");
  if (!date) date = request.header("date");
  string missing;
  if (!parsed.credential) missing += "Authorization header requires 'Credential' parameter. ";
  if (!parsed.signature) missing += "Authorization header requires 'Signature' parameter. ";
  if (!parsed.signed_headers) missing += "Authorization header requires 'SignedHeaders' parameter. ";
  if (!date)
    missing += "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  if (!missing.empty()) return Failure{incomplete(missing.append("Authorization=").append(parsed.algorithm))};
  ClaimedSignature claimed;
  claimed.algorithm = parsed.algorithm;
  claimed.signed_headers = *parsed.signed_headers;
  claimed.signature = *parsed.signature;
  claimed.date = *date;
  claimed.token = request.header("x-amz-security-token").value_or("");
  if (!parse_credential(*parsed.credential, claimed)) return Failure{bad_credential(*parsed.credential)};
  return claimed;
}

// Not in docs/service: the sentences are those that AWS services print for presigned requests.
Result<ClaimedSignature, AuthError> claimed_by_query(const QueryString& query) {
  const auto credential = query.find("X-Amz-Credential");
  const auto signature = query.find("X-Amz-Signature");
  const auto signed_headers = query.find("X-Amz-SignedHeaders");
  const auto date = query.find("X-Amz-Date");
  string missing;
  if (!credential) missing += "AWS query-string parameters must include 'X-Amz-Credential'. ";
  if (!signature) missing += "AWS query-string parameters must include 'X-Amz-Signature'. ";
  if (!signed_headers) missing += "AWS query-string parameters must include 'X-Amz-SignedHeaders'. ";
  if (!date) missing += "AWS query-string parameters must include 'X-Amz-Date'. ";
  if (!missing.empty()) return Failure{incomplete(missing + "Re-examine the query-string parameters.")};
  ClaimedSignature claimed;
  claimed.algorithm = *query.find("X-Amz-Algorithm");
  claimed.expires = query.find("X-Amz-Expires");
  claimed.signed_headers = *signed_headers;
  claimed.signature = *signature;
  claimed.date = *date;
  claimed.token = query.find("X-Amz-Security-Token").value_or("");
  if (!parse_credential(*credential, claimed)) return Failure{bad_credential(*credential)};
  return claimed;
}

/// Returns what the request claims. `query` must live as long as the result.
Result<ClaimedSignature, AuthError> claimed_signature(const http::Request& request,
                                                      const QueryString& query) {
  const auto authorization = request.header("authorization");
  const bool in_query = query.find("X-Amz-Algorithm").has_value();
  if (authorization && in_query) {
    return Failure{
        invalid("Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP "
                "header.")};
  }
  if (authorization) return claimed_by_header(request, *authorization);
  if (in_query) return claimed_by_query(query);
  return Failure{AuthError{AuthProblem::missing_token, "Request is missing Authentication Token"}};
}

/// Returns the content of a credential, regardless of the rest of the request; empty if it is malformed.
ClaimedSignature named_by(string_view credential) {
  ClaimedSignature named;
  return parse_credential(credential, named) ? named : ClaimedSignature{};
}

/// Returns what an Authorization header says before its signature, if that is at its end as clients write it;
/// empty otherwise. Headers with the same beginning name the same caller.
string_view without_signature(string_view authorization) {
  constexpr string_view name = "Signature=";
  constexpr std::size_t digits = 64;
  if (authorization.size() < name.size() + digits) return {};
  const string_view start = authorization.substr(0, authorization.size() - digits);
  if (!start.ends_with(name)) return {};
  char smallest = '0';  // white space and what separates parts are smaller than digits
  for (const char digit : authorization.substr(start.size())) smallest = std::min(smallest, digit);
  return smallest < '0' ? string_view() : start;
}

/// The caller that a thread has seen last. Most requests of a client differ in their signatures only.
struct LastCaller {
  std::uint64_t authenticator = 0;
  string authorization;  ///< without the signature; empty: none
  std::shared_ptr<const Caller> caller;
};

/// Tells authenticators apart, as the same header may name another caller to each.
std::uint64_t next_authenticator() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

// "20260131T081500Z", or the form of the Date header, "Sat, 31 Jan 2026 08:15:00 GMT".
std::optional<Seconds> parse_date(string_view text) {
  const string terminated(text);
  for (const char* form : {"%Y%m%dT%H%M%SZ", "%a, %d %b %Y %H:%M:%S GMT"}) {
    std::tm fields{};
    const char* end = strptime(terminated.c_str(), form, &fields);
    if (end != nullptr && *end == '\0') return Seconds(std::chrono::seconds(timegm(&fields)));
  }
  return std::nullopt;
}

string not_a_region(string_view region) {
  return "Credential should be scoped to a valid region, not '" + string(region) + "'. ";
}

void add_sentence(string& text, string_view sentence) {
  if (!text.empty() && !text.ends_with(' ')) text += ' ';
  text += sentence;
}

// All that is wrong with the scope, in one message. Sentences and their order are those that the service was
// seen to send in 2013 for a scope of which everything was wrong (dynalite's notes). Not in docs/service:
// which regions the service accepts at an endpoint that serves them all, which has no `region`.
Result<void, AuthError> check_scope(const ClaimedSignature& claimed, string_view service, string_view region,
                                    string_view moment) {
  const SigningScope& scope = claimed.scope;
  const string day(moment.substr(0, 8));
  string faults;
  if (region.empty() ? !is_region_name(scope.region) : scope.region != region)
    add_sentence(faults, not_a_region(scope.region));
  if (scope.service != service)
    add_sentence(faults, "Credential should be scoped to correct service: '" + string(service) + "'. ");
  if (claimed.terminator != terminator) {
    add_sentence(faults, "Credential should be scoped with a valid terminator: 'aws4_request', not '" +
                             string(claimed.terminator) + "'.");
  }
  if (scope.date != day) {
    add_sentence(
        faults,
        "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '" +
            string(scope.date) + "' != '" + day + "', from '" + string(moment) + "'.");
  }
  if (faults.empty()) return {};
  return Failure{invalid(std::move(faults))};
}

// How long a signature is good. AWS documents X-Amz-Expires as 1 second to 7 days (IAM user guide, "Elements
// of an AWS API request signature"); not in docs/service: what DynamoDB says of another value.
Result<std::chrono::seconds, AuthError> validity_of(const ClaimedSignature& claimed) {
  if (!claimed.expires) return most_skew;
  const char* const end = claimed.expires->data() + claimed.expires->size();
  std::chrono::seconds::rep seconds = 0;
  const bool read = std::from_chars(claimed.expires->data(), end, seconds).ptr == end;
  if (!read || seconds < 1 || seconds > longest_validity.count()) return Failure{nonconforming()};
  return std::chrono::seconds(seconds);
}

string length_of(std::chrono::seconds time) {
  constexpr std::chrono::minutes minute(1);
  return time % minute == std::chrono::seconds(0) ? std::to_string(time / minute) + " min."
                                                  : std::to_string(time.count()) + " sec.";
}

Result<void, AuthError> check_age(Seconds signed_at, std::chrono::seconds validity, Seconds now) {
  if (signed_at < now - validity) {
    return Failure{skewed("Signature expired: " + signing_time(signed_at) + " is now earlier than " +
                          signing_time(now - validity) + " (" + signing_time(now) + " - " +
                          length_of(validity) + ")")};
  }
  if (signed_at > now + most_skew) {
    return Failure{skewed("Signature not yet current: " + signing_time(signed_at) + " is still later than " +
                          signing_time(now + most_skew) + " (" + signing_time(now) + " + " +
                          length_of(most_skew) + ")")};
  }
  return {};
}

bool signs(string_view signed_headers, string_view name) {
  while (!signed_headers.empty()) {
    if (http::same_header_name(take_until(signed_headers, ';'), name)) return true;
  }
  return false;
}

// A signature that does not cover the host could be replayed elsewhere; one that does not cover the target,
// as another operation. AWS documents that the host and all X-Amz- headers are to be signed (IAM user guide,
// "Create a signed AWS API request"). Not in docs/service: the sentence for the target, which is made after
// that for the host.
Result<void, AuthError> check_signed_headers(const http::Request& request, string_view signed_headers) {
  if (!signs(signed_headers, "host")) {
    return Failure{invalid("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.")};
  }
  if (request.header("x-amz-target") && !signs(signed_headers, "x-amz-target"))
    return Failure{invalid("'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.")};
  return {};
}

// Each would be looked up and written again: a short list could expand to a very long text.
bool names_header_twice(string_view signed_headers) {
  std::vector<string_view> names;
  while (!signed_headers.empty()) names.push_back(take_until(signed_headers, ';'));
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

}  // namespace

class Authenticator::Impl {
 public:
  Impl(string_view service, AuthOptions options, const base::Clock& clock)
      : service_(service), options_(std::move(options)), clock_(clock) {
    if (options_.mode == AuthMode::verify) base::prepare_hmac_sha256();
  }

  Result<CallerPointer, AuthError> authenticate(const http::Request& request,
                                                std::optional<string_view> authorization) const {
    if (options_.mode == AuthMode::none) return named_caller(request, authorization);
    const QueryString query(request.query());
    const auto claimed = claimed_signature(request, query);
    if (!claimed.ok()) return Failure{claimed.error()};
    if (options_.mode == AuthMode::verify) {
      DINETTE_CHECK(verify(request, query, *claimed));
    } else if (!is_region_name(claimed->scope.region)) {
      return Failure{invalid(not_a_region(claimed->scope.region))};
    }
    return caller(*claimed);
  }

  // Amazon S3 API Reference, "Signature calculations for the authorization header: transferring payload in
  // multiple chunks".
  bool accepts_chunks(const http::Request& request, std::span<const SignedChunk> chunks) const {
    if (options_.mode != AuthMode::verify) return true;
    const QueryString query(request.query());
    const auto claimed = claimed_signature(request, query);
    const Credential* const known = claimed.ok() ? find(claimed->access_key) : nullptr;
    const auto signed_at = known ? parse_date(claimed->date) : std::nullopt;
    if (!signed_at) return false;
    const string start = string(signing_algorithm) + "-PAYLOAD\n" + signing_time(*signed_at) + "\n" +
                         joined(claimed->scope) + "\n";
    const string nothing = base::hex(base::sha256(""));
    string before(claimed->signature);
    for (const SignedChunk& chunk : chunks) {
      const string text = start + before + "\n" + nothing + "\n" + base::hex(base::sha256(chunk.bytes));
      before = signer_.sign_text(text, *claimed, known->secret);
      if (!base::equal_in_constant_time(chunk.signature, before)) return false;
    }
    return true;
  }

 private:
  /// Returns the caller that a request names, in the header if it has one.
  CallerPointer named_caller(const http::Request& request, std::optional<string_view> authorization) const {
    if (!authorization) {
      const QueryString query(request.query());
      return caller(named_by(query.find("X-Amz-Credential").value_or("")));
    }
    const string_view start = without_signature(*authorization);
    LastCaller& last = base::per_thread<LastCaller>();
    if (!start.empty() && start == last.authorization && last.authenticator == id_) return last.caller;
    CallerPointer named = caller(named_by(parse_authorization(*authorization).credential.value_or("")));
    if (!start.empty() && start.size() <= longest_kept) last = {id_, string(start), named};
    return named;
  }

  CallerPointer caller(const ClaimedSignature& claimed) const {
    const string_view region =
        is_region_name(claimed.scope.region) ? claimed.scope.region : options_.default_region;
    return std::make_shared<const Caller>(
        Caller{string(claimed.access_key), account_of(claimed.access_key), string(region)});
  }

  string account_of(string_view access_key) const {
    if (const Credential* known = find(access_key); known != nullptr && !known->account.empty())
      return known->account;
    if (is_account_number(access_key)) return string(access_key);
    return options_.default_account;
  }

  const Credential* find(string_view access_key) const {
    if (options_.credentials.empty()) return nullptr;
    const auto found = options_.credentials.find(string(access_key));
    return found == options_.credentials.end() ? nullptr : &found->second;
  }

  Result<void, AuthError> verify(const http::Request& request, const QueryString& query,
                                 const ClaimedSignature& claimed) const {
    if (claimed.algorithm != signing_algorithm || names_header_twice(claimed.signed_headers))
      return Failure{nonconforming()};
    const auto signed_at = parse_date(claimed.date);
    if (!signed_at) {
      return Failure{incomplete("Date must be in ISO-8601 'basic format'. Got '" + string(claimed.date) +
                                "'. See http://en.wikipedia.org/wiki/ISO_8601")};
    }
    const string moment = signing_time(*signed_at);
    DINETTE_TRY(const auto validity, validity_of(claimed));
    DINETTE_CHECK(check_age(*signed_at, validity, std::chrono::floor<std::chrono::seconds>(clock_.now())));
    DINETTE_CHECK(check_scope(claimed, service_, request.region, moment));
    DINETTE_CHECK(check_signed_headers(request, claimed.signed_headers));
    const Credential* known = find(claimed.access_key);
    if (known == nullptr || !base::equal_in_constant_time(claimed.token, known->session_token)) {
      return Failure{unrecognized()};
    }
    if (!base::equal_in_constant_time(claimed.signature,
                                      signer_.sign(request, query, claimed, moment, known->secret))) {
      return Failure{
          invalid("The request signature we calculated does not match the signature you provided. "
                  "Check your AWS Secret Access Key and signing method. Consult the service "
                  "documentation for details.")};
    }
    return {};
  }

  const std::uint64_t id_ = next_authenticator();
  const string service_;
  const AuthOptions options_;
  const base::Clock& clock_;
  Signer signer_;
};

Authenticator::Authenticator(string_view service, AuthOptions options, const base::Clock& clock)
    : impl_(std::make_unique<Impl>(service, std::move(options), clock)) {}

Authenticator::~Authenticator() = default;

Result<CallerPointer, AuthError> Authenticator::authenticate(const http::Request& request,
                                                             std::optional<string_view> authorization) const {
  DINETTE_TRY(CallerPointer caller, impl_->authenticate(request, authorization));
  if (request.region.empty() || caller->region == request.region) return caller;
  Caller of_endpoint = *caller;
  of_endpoint.region = request.region;
  return std::make_shared<const Caller>(std::move(of_endpoint));
}

bool Authenticator::accepts_chunks(const http::Request& request, std::span<const SignedChunk> chunks) const {
  return impl_->accepts_chunks(request, chunks);
}

}  // namespace dinette::aws
