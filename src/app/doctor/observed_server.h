#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dinette/aws/sign_request.h"
#include "dinette/base/clock.h"
#include "dinette/tcp/stream.h"

namespace dinette::app {

enum class ServerKind { dinette, dynamodb_local, localstack, moto, other_dynamodb, no_dynamodb };

/// Returns the name of a kind, for the user.
std::string name_of(ServerKind kind);

/// How far a request came.
enum class Contact {
  answered,
  unknown_host,  ///< its name cannot be resolved
  no_connection,
  wants_tls,    ///< called without TLS, it serves TLS
  wants_plain,  ///< called with TLS, it serves none
  untrusted,    ///< its certificate did not pass
  silent,       ///< it takes connections and does not answer
  no_http,      ///< its answer is something else
};

struct ObservedWorld {
  std::string name;
  std::uint64_t tables = 0;
  bool fork = false;
};

/// An address of the server's name.
struct ReachedAddress {
  std::string address;
  bool connects = false;  ///< something listens there
};

/// The certificate of a server that is not trusted.
struct PresentedCertificate {
  bool self_signed = false;
  bool for_host = false;  ///< by which the server is called
  bool for_localhost = false;
  bool expired = false;
};

/// What a server answered.
struct ObservedServer {
  Contact contact = Contact::no_connection;
  ServerKind kind = ServerKind::no_dynamodb;
  std::optional<base::TimePoint> date;  ///< of its answer
  std::string error_type;               ///< of ListTables; empty: it succeeded
  std::string error_message;
  std::size_t tables = 0;                 ///< that ListTables named
  std::vector<ObservedWorld> worlds;      ///< of a Dinette that tells
  std::size_t faults = 0;                 ///< rules there
  std::vector<ReachedAddress> addresses;  ///< in the order in which the system resolves the name
  PresentedCertificate certificate;       ///< if it is untrusted
  bool offers_certificate = false;        ///< a Dinette that returns its own, self-signed one
};

/// Calls ListTables, and what tells servers apart. Takes some seconds at most.
ObservedServer observe(const tcp::Remote& server, const aws::SigningIdentity& identity,
                       const base::Clock& clock);

/// Returns what listens at a server as DynamoDB; nothing if none does, or does not answer within a moment.
std::optional<ServerKind> kind_on(const tcp::Remote& server);

}  // namespace dinette::app
