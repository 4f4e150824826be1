#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

/// Dinette in the process of its user: an empty DynamoDB in memory, called without a socket, and served on
/// one if other programs are to share it.
namespace dinette {

struct EmbeddedOptions {
  /// How long tables stay CREATING, UPDATING and DELETING.
  std::chrono::milliseconds state_delay{0};
  std::string region = "us-east-1";
  std::string account = "000000000000";
  /// For generated ids, so that runs are reproducible; none: seeded by the operating system.
  std::optional<std::uint64_t> seed = {};
};

/// The response of an operation, as the service sends it over HTTP.
struct EmbeddedReply {
  int status = 0;    ///< 200, or that of the error
  std::string json;  ///< the output, or the error with its "__type" and message
};

/// A calendar time, to the microsecond; a service shows the years 1970 to 9999.
using EmbeddedTime = std::chrono::sys_time<std::chrono::microseconds>;

/// A service with its own tables and clock; several in one process share only the log. All members are
/// thread-safe, except serve(), stop() and the destructor. Throws only if memory or threads are
/// exhausted.
///
///     dinette::Embedded dynamodb;
///     dynamodb.call("CreateTable", R"({"TableName": "Albums", ...})");
///     dynamodb.advance(std::chrono::hours(25));  // what falls due has happened
class Embedded {
 public:
  explicit Embedded(const EmbeddedOptions& options = {});
  /// Stops serving. There must be no concurrent calls.
  ~Embedded();
  Embedded(const Embedded&) = delete;
  Embedded& operator=(const Embedded&) = delete;

  /// Calls an operation of DynamoDB or DynamoDB Streams. `json` is its input. Unknown ones get its
  /// error.
  EmbeddedReply call(std::string_view operation, std::string_view json);

  /// Returns the clock's time, which is real time until one of the following calls.
  EmbeddedTime now() const;
  /// Sets the clock, which runs on from there. Before it returns, everything that is due by then has
  /// happened: items expire, tables become ACTIVE. Returns false, and changes nothing, for a time out of
  /// range.
  bool set_time(EmbeddedTime time);
  /// The same for a time relative to the clock's time; a negative step sets the clock back.
  bool advance(std::chrono::microseconds step);
  /// Stops the clock, or lets it run on.
  void freeze(bool frozen = true);

  /// Drops all tables, and sets the clock to real time.
  void reset();

  /// Serves HTTP on 127.0.0.1 and ::1, without authentication, until stop(). `port` 0 picks a free one.
  /// Returns the port, or an error message.
  base::Result<std::uint16_t, std::string> serve(std::uint16_t port = 0);
  /// Stops serving, when the requests in progress have been answered. Tables are kept.
  void stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette
