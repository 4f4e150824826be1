#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "dinette/base/clock.h"
#include "dinette/cql/service.h"

#include "cql/error.h"

/// How clients log in: with a password, or with a signature (docs/service-keyspaces/protocol.md section 10).
namespace dinette::cql::wire {

/// The class that is named to clients. Some drivers accept few others.
inline constexpr std::string_view authenticator = "org.apache.cassandra.auth.PasswordAuthenticator";

/// Who has connected.
struct Caller {
  std::string name{};     ///< a user or the id of an access key; empty: did not log in
  std::string account{};  ///< twelve digits
};

/// What a client must answer next.
struct Challenge {
  std::string token;
};

/// The parts of a signature to log in. Views of the client's token.
struct SignedLogIn {
  std::string_view access_key;
  std::string_view date;  ///< as the client writes it
  std::string_view signature;
};

/// Returns the signature of a log-in: 64 digits. That of `log_in` does not count.
std::string log_in_signature(const SignedLogIn& log_in, std::string_view nonce, std::string_view region,
                             std::string_view secret);

/// The log-in of one connection. What it refers to must outlive it.
class LogIn {
 public:
  LogIn(const ServiceOptions& options, const base::Clock& clock) : options_(options), clock_(clock) {}

  /// Takes a token of the client. After an error, the connection ends.
  Answer<std::variant<Challenge, Caller>> take(std::optional<std::string_view> token);

 private:
  Answer<Caller> check_password(std::string_view token) const;
  Answer<Caller> check_signature(std::string_view token) const;
  std::string account_of(std::string_view name) const;

  const ServiceOptions& options_;
  const base::Clock& clock_;
  std::string nonce_{};  ///< empty: the client has not asked for one
};

}  // namespace dinette::cql::wire
