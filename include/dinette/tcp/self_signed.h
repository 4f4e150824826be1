#pragma once

#include <ctime>
#include <optional>
#include <string>

namespace dinette::tcp {

/// A certificate for localhost, 127.0.0.1 and ::1 that is signed by its own key, both in PEM. Clients that
/// are given the certificate trust the server, and no other.
struct SelfSigned {
  std::string certificate;
  std::string key;
};

/// Creates one that is valid for a year from `now`, with a new key; nothing if the system lacks random
/// numbers.
std::optional<SelfSigned> make_self_signed(std::time_t now);

/// Returns the time at which the first certificate in a PEM text ends to be valid; nothing if there is none.
std::optional<std::time_t> expiry_of(const std::string& certificate);

/// Returns true if the first certificate in a PEM text names the host: a name or an IP address.
bool is_for_host(const std::string& certificate, const std::string& host);

/// Returns true if the first certificate in a PEM text is its own authority.
bool is_self_signed(const std::string& certificate);

}  // namespace dinette::tcp
