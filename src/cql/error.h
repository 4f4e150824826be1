#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/kv/error.h"

namespace dinette::cql {

/// Codes of error frames (docs/service-keyspaces/protocol.md section 7).
enum class ErrorCode : std::uint32_t {
  server_error = 0x0000,
  protocol_error = 0x000A,
  bad_credentials = 0x0100,
  unavailable = 0x1000,
  write_timeout = 0x1100,
  read_timeout = 0x1200,
  function_failure = 0x1400,
  syntax_error = 0x2000,
  unauthorized = 0x2100,
  invalid = 0x2200,
  configuration_error = 0x2300,
  already_exists = 0x2400,
  unprepared = 0x2500,
};

/// The answer to a request that fails.
struct Error {
  ErrorCode code;
  std::string message;
  /// What some codes carry after the message. `already_exists`: the keyspace, and the table or nothing;
  /// `function_failure`: the keyspace and the name of the function, then the types of its arguments;
  /// `unprepared`: the id; `write_timeout`: the type of the write, or nothing for "SIMPLE".
  std::vector<std::string> names = {};
  /// True if the request must be repeated on a thread that may wait, which is no answer (base/waiting.h).
  bool must_wait = false;
  /// True of an `invalid` that says that there may be no more of something.
  bool exceeds_quota = false;
};

template <class T>
using Answer = base::Result<T, Error>;

[[gnu::cold]] base::Failure<Error> invalid(std::string message);
/// Returns "Maximum number of tables (256) exceeded.", for `what` "number of tables".
[[gnu::cold]] base::Failure<Error> quota_exceeded(std::string_view what, std::size_t most);
[[gnu::cold]] base::Failure<Error> syntax_error(std::string message);
[[gnu::cold]] base::Failure<Error> protocol_error(std::string message);
[[gnu::cold]] base::Failure<Error> configuration_error(std::string message);
[[gnu::cold]] base::Failure<Error> unauthorized(std::string message);
/// `table` is empty for a keyspace.
[[gnu::cold]] base::Failure<Error> already_exists(std::string message, std::string_view keyspace,
                                                  std::string_view table);
/// Hands the request to a worker.
[[gnu::cold]] base::Failure<Error> must_wait();
/// Returns a server error, whose details go to the log; must_wait() where other requests are in the way.
[[gnu::cold]] base::Failure<Error> storage_failure(const kv::Error& error);

}  // namespace dinette::cql

/// As DINETTE_TRY, for a kv::Result in a function that answers a client.
#define DINETTE_CQL_STORED(declaration, ...) \
  DINETTE_CQL_STORED_(DINETTE_CONCAT(dinette_stored_, __LINE__), declaration, (__VA_ARGS__))
#define DINETTE_CQL_STORED_(holder, declaration, expression) \
  auto holder = (expression);                                \
  if (!holder.ok()) [[unlikely]]                             \
    return ::dinette::cql::storage_failure(holder.error());  \
  declaration = std::move(holder).value()
