#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cql/error.h"
#include "cql/frames/body_reader.h"
#include "cql/frames/compression.h"
#include "cql/frames/header.h"

/// Requests of the native protocol. All texts and bytes are views of the body.
namespace dinette::cql::frames {

struct Startup {
  std::vector<std::pair<std::string_view, std::string_view>> options;
  Compression compression = Compression::none;
};

struct Options {};

struct AuthResponse {
  std::optional<std::string_view> token;
};

/// What QUERY and EXECUTE have in common.
struct Parameters {
  Consistency consistency = Consistency::one;
  bool skip_metadata = false;
  std::vector<Value> values;
  std::vector<std::string_view> names;    ///< of the values, as many, or none
  std::optional<std::int32_t> page_size;  ///< greater than 0; without it there are no pages
  std::optional<std::string_view> paging_state;
  std::optional<Consistency> serial_consistency;  ///< of any level: only conditional statements check it
  std::optional<std::int64_t> timestamp;          ///< in microseconds since 1970
};

struct Query {
  std::string_view statement;
  Parameters parameters;
};

struct Prepare {
  std::string_view statement;
};

struct Execute {
  std::string_view id;
  Parameters parameters;
};

struct BatchedStatement {
  bool prepared = false;
  std::string_view statement;  ///< the id of a prepared one
  std::vector<Value> values;
};

struct Batch {
  enum class Type : std::uint8_t { logged = 0, unlogged = 1, counter = 2 };

  Type type = Type::logged;
  std::vector<BatchedStatement> statements;
  Consistency consistency = Consistency::one;
  std::optional<Consistency> serial_consistency;
  std::optional<std::int64_t> timestamp;
};

enum class EventType : std::uint8_t { topology_change, status_change, schema_change };

struct Register {
  std::vector<EventType> events;
};

using Request = std::variant<Startup, Options, AuthResponse, Query, Prepare, Execute, Batch, Register>;

/// Reads the body of a request, which must outlive it; one that is compressed is refused. Errors are protocol
/// errors; bytes after the end of the request are ignored. Takes time and memory linear in the body.
Answer<Request> read_request(const Header& header, std::string_view body);

}  // namespace dinette::cql::frames
