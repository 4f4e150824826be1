#include "cql/wire/log_in.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/iso_time.h"
#include "dinette/base/secret.h"
#include "dinette/base/sha256.h"

namespace dinette::cql::wire {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view signature_is_wanted = "SigV4\0\0"sv;
constexpr std::string_view before_nonce = "nonce=";
constexpr std::string_view before_account = "-at-";
constexpr std::size_t account_digits = 12;
constexpr std::chrono::seconds longest_validity{900};  // X-Amz-Expires

base::Failure<Error> bad_credentials(std::string message) {
  return Error{ErrorCode::bad_credentials, std::move(message)};
}

base::Failure<Error> wrong_password(std::string_view user) {
  return bad_credentials("Provided username " + std::string(user) + " and/or password are incorrect");
}

base::Failure<Error> wrong_signature() {
  return bad_credentials("Authentication failure: Invalid signature");
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (base::is_word_character(c) || c == '-' || c == '.' || c == '~') {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out.append(1, '%').append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
  }
  return out;
}

std::string_view text_of(const base::Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// Returns "20200609" of "2020-06-09T22:41:51.000Z".
std::string day_of(std::string_view date) {
  std::string day(date.substr(0, date.find('T')));
  std::erase(day, '-');
  return day;
}

/// Reads name=value pairs between commas.
SignedLogIn read_signature(std::string_view token) {
  SignedLogIn read;
  while (!token.empty()) {
    const std::size_t end = std::min(token.find(','), token.size());
    const std::string_view part = token.substr(0, end);
    token.remove_prefix(std::min(end + 1, token.size()));
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view name = part.substr(0, equals);
    const std::string_view value = part.substr(std::min(equals + 1, part.size()));
    if (name == "access_key") read.access_key = value;
    if (name == "amzdate") read.date = value;
    if (name == "signature") read.signature = value;
  }
  return read;
}

/// Dates that cannot be read are not old: clients round them in their own ways.
bool is_recent(std::string_view date, base::TimePoint now) {
  const auto moment = base::parse_time(date);
  return !moment || std::chrono::abs(now - *moment) <= longest_validity;
}

}  // namespace

std::string log_in_signature(const SignedLogIn& log_in, std::string_view nonce, std::string_view region,
                             std::string_view secret) {
  const std::string day = day_of(log_in.date);
  const std::string key(log_in.access_key);
  const std::string date(log_in.date);
  const std::string scope = day + "/" + std::string(region) + "/cassandra/aws4_request";
  std::string canonical = "PUT\n/authenticate\nX-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=";
  canonical += percent_encoded(key + "/" + scope) + "&X-Amz-Date=" + percent_encoded(date) +
               "&X-Amz-Expires=900\nhost:cassandra\n\nhost\n" + base::hex(base::sha256(nonce));
  const std::string to_sign =
      "AWS4-HMAC-SHA256\n" + date + "\n" + scope + "\n" + base::hex(base::sha256(canonical));
  auto digest = base::hmac_sha256("AWS4" + std::string(secret), day);
  for (const std::string_view part : {region, "cassandra"sv, "aws4_request"sv, std::string_view(to_sign)})
    digest = base::hmac_sha256(text_of(digest), part);
  return base::hex(digest);
}

Answer<std::variant<Challenge, Caller>> LogIn::take(std::optional<std::string_view> token) {
  using Step = std::variant<Challenge, Caller>;
  if (!nonce_.empty()) {
    DINETTE_TRY(Caller caller, check_signature(token.value_or("")));
    return Step(std::move(caller));
  }
  if (token == signature_is_wanted) {
    nonce_ = base::make_secret();  // 32 characters, as clients insist
    return Step(Challenge{std::string(before_nonce) + nonce_});
  }
  DINETTE_TRY(Caller caller, check_password(token.value_or("")));
  return Step(std::move(caller));
}

/// The token is an id on whose behalf the user acts, which is ignored, then the user and the password.
Answer<Caller> LogIn::check_password(std::string_view token) const {
  const std::size_t last = token.rfind('\0');
  if (last == std::string_view::npos || last == 0)
    return bad_credentials("Authentication ID must not be null");
  const std::string_view password = token.substr(last + 1);
  const std::size_t first = token.rfind('\0', last - 1);
  const std::string_view user =
      first == std::string_view::npos ? std::string_view() : token.substr(first + 1, last - first - 1);
  if (user.empty()) return bad_credentials("Authentication ID must not be null");
  if (password.empty()) return bad_credentials("Password must not be null");
  Caller caller{.name = std::string(user), .account = account_of(user)};
  const LogInOptions& known = options_.log_in;
  if (known.mode != LogInOptions::Mode::verify) return caller;
  const auto own = known.passwords.find(user);
  const auto key = known.keys.find(user);
  const bool right = (own != known.passwords.end() && base::equal_in_constant_time(own->second, password)) ||
                     (key != known.keys.end() && base::equal_in_constant_time(key->second.secret, password));
  if (!right) return wrong_password(user);
  return caller;
}

Answer<Caller> LogIn::check_signature(std::string_view token) const {
  const SignedLogIn given = read_signature(token);
  if (given.access_key.empty() || given.date.empty() || given.signature.empty()) return wrong_signature();
  Caller caller{.name = std::string(given.access_key), .account = account_of(given.access_key)};
  if (options_.log_in.mode != LogInOptions::Mode::verify) return caller;
  const auto key = options_.log_in.keys.find(given.access_key);
  if (key == options_.log_in.keys.end()) return wrong_signature();
  const std::string expected = log_in_signature(given, nonce_, options_.region, key->second.secret);
  const bool right = base::equal_in_constant_time(expected, given.signature);
  if (!right || !is_recent(given.date, clock_.now())) return wrong_signature();
  return caller;
}

/// The account of an access key; that which the service appends to users; a name that is one; the default.
std::string LogIn::account_of(std::string_view name) const {
  const auto is_account = [](std::string_view text) {
    return text.size() == account_digits && std::ranges::all_of(text, base::is_digit);
  };
  const auto key = options_.log_in.keys.find(name);
  if (key != options_.log_in.keys.end() && !key->second.account.empty()) return key->second.account;
  if (is_account(name)) return std::string(name);
  const std::size_t at = name.rfind(before_account);
  if (at == std::string_view::npos) return options_.account;
  const std::string_view account = name.substr(at + before_account.size());
  return is_account(account) ? std::string(account) : options_.account;
}

}  // namespace dinette::cql::wire
