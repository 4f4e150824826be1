#include "cql/frames/requests.h"

#include <algorithm>
#include <limits>
#include <string>

#include "dinette/base/ascii.h"

// docs/service-keyspaces/protocol.md sections 4 and 5.
namespace dinette::cql::frames {
namespace {

namespace flag {
constexpr std::uint8_t values = 0x01;
constexpr std::uint8_t skip_metadata = 0x02;
constexpr std::uint8_t page_size = 0x04;
constexpr std::uint8_t paging_state = 0x08;
constexpr std::uint8_t serial_consistency = 0x10;
constexpr std::uint8_t timestamp = 0x20;
constexpr std::uint8_t names = 0x40;
}  // namespace flag

std::optional<std::string_view> named_option(const Startup& startup, std::string_view name) {
  const auto found = std::ranges::find_if(
      startup.options, [&](const auto& option) { return base::equal_ignoring_case(option.first, name); });
  if (found == startup.options.end()) return std::nullopt;
  return found->second;
}

Answer<void> check_version_of_cql(const Startup& startup) {
  const auto version = named_option(startup, "CQL_VERSION");
  if (!version) return protocol_error("Missing value CQL_VERSION in STARTUP message");
  if (!version->empty() && base::is_digit(version->front()) && version->front() >= '3') return {};
  return protocol_error("CQL version " + std::string(*version) +
                        " is not supported by the binary protocol (supported version are >= 3.0.0)");
}

Answer<Compression> compression_of(const Startup& startup) {
  const auto name = named_option(startup, "COMPRESSION");
  if (!name) return Compression::none;
  if (const auto known = compression_named(*name)) return *known;
  std::string text(*name);
  std::ranges::transform(text, text.begin(), base::to_lower);
  return protocol_error("Unknown compression algorithm: " + text);
}

Answer<Request> read_startup(BodyReader& in) {
  DINETTE_TRY(auto options, in.read_string_map());
  Startup startup{.options = std::move(options)};
  DINETTE_CHECK(check_version_of_cql(startup));
  DINETTE_TRY(startup.compression, compression_of(startup));
  return Request(std::move(startup));
}

Answer<std::int32_t> read_page_size(BodyReader& in) {
  DINETTE_TRY(const auto size, in.read_int());
  if (size == 0) return protocol_error("The page size cannot be 0");
  return size;
}

Answer<std::int64_t> read_timestamp(BodyReader& in) {
  DINETTE_TRY(const auto timestamp, in.read_long());
  if (timestamp != std::numeric_limits<std::int64_t>::min()) return timestamp;
  return protocol_error(
      "Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807] (got "
      "-9223372036854775808)");
}

Answer<std::vector<Value>> read_values(BodyReader& in) {
  DINETTE_TRY(const auto count, in.read_short());
  std::vector<Value> values;
  for (unsigned i = 0; i < count; ++i) {
    DINETTE_TRY(values.emplace_back(), in.read_value());
  }
  return values;
}

Answer<void> read_named_values(BodyReader& in, Parameters& out) {
  DINETTE_TRY(const auto count, in.read_short());
  for (unsigned i = 0; i < count; ++i) {
    DINETTE_TRY(out.names.emplace_back(), in.read_string());
    DINETTE_TRY(out.values.emplace_back(), in.read_value());
  }
  return {};
}

Answer<Parameters> read_parameters(BodyReader& in) {
  Parameters out;
  DINETTE_TRY(out.consistency, in.read_consistency());
  DINETTE_TRY(const auto flags, in.read_byte());
  out.skip_metadata = (flags & flag::skip_metadata) != 0;
  if ((flags & flag::values) != 0 && (flags & flag::names) != 0) {
    DINETTE_CHECK(read_named_values(in, out));
  } else if ((flags & flag::values) != 0) {
    DINETTE_TRY(out.values, read_values(in));
  }
  if ((flags & flag::page_size) != 0) {
    DINETTE_TRY(const auto size, read_page_size(in));
    if (size > 0) out.page_size = size;
  }
  if ((flags & flag::paging_state) != 0) {
    DINETTE_TRY(out.paging_state, in.read_bytes());
  }
  if ((flags & flag::serial_consistency) != 0) {
    DINETTE_TRY(out.serial_consistency, in.read_consistency());
  }
  if ((flags & flag::timestamp) != 0) {
    DINETTE_TRY(out.timestamp, read_timestamp(in));
  }
  return out;
}

Answer<Request> read_query(BodyReader& in) {
  Query query;
  DINETTE_TRY(query.statement, in.read_long_string());
  DINETTE_TRY(query.parameters, read_parameters(in));
  return Request(std::move(query));
}

Answer<Request> read_execute(BodyReader& in) {
  Execute execute;
  DINETTE_TRY(execute.id, in.read_short_bytes());
  DINETTE_TRY(execute.parameters, read_parameters(in));
  return Request(std::move(execute));
}

Answer<BatchedStatement> read_batched(BodyReader& in) {
  BatchedStatement out;
  DINETTE_TRY(const auto kind, in.read_byte());
  if (kind > 1) {
    return protocol_error("Invalid query kind in BATCH messages. Must be 0 or 1 but got " +
                          std::to_string(kind));
  }
  out.prepared = kind == 1;
  DINETTE_TRY(out.statement, out.prepared ? in.read_short_bytes() : in.read_long_string());
  DINETTE_TRY(out.values, read_values(in));
  return out;
}

Answer<Request> read_batch(BodyReader& in) {
  Batch out;
  DINETTE_TRY(const auto type, in.read_byte());
  if (type > 2) return protocol_error("Invalid BATCH message type " + std::to_string(type));
  out.type = static_cast<Batch::Type>(type);
  DINETTE_TRY(const auto count, in.read_short());
  for (unsigned i = 0; i < count; ++i) {
    DINETTE_TRY(out.statements.emplace_back(), read_batched(in));
  }
  DINETTE_TRY(out.consistency, in.read_consistency());
  DINETTE_TRY(const auto flags, in.read_byte());
  if ((flags & flag::serial_consistency) != 0) {
    DINETTE_TRY(out.serial_consistency, in.read_consistency());
  }
  if ((flags & flag::timestamp) != 0) {
    DINETTE_TRY(out.timestamp, read_timestamp(in));
  }
  return Request(std::move(out));
}

Answer<EventType> event_type(std::string_view name) {
  if (name == "TOPOLOGY_CHANGE") return EventType::topology_change;
  if (name == "STATUS_CHANGE") return EventType::status_change;
  if (name == "SCHEMA_CHANGE") return EventType::schema_change;
  return protocol_error("Invalid value '" + std::string(name) + "' for Type");
}

Answer<Request> read_register(BodyReader& in) {
  DINETTE_TRY(const auto names, in.read_string_list());
  Register out;
  for (const std::string_view name : names) {
    DINETTE_TRY(out.events.emplace_back(), event_type(name));
  }
  return Request(std::move(out));
}

Answer<Request> read_body(Opcode opcode, BodyReader& in) {
  switch (opcode) {
    case Opcode::startup:
      return read_startup(in);
    case Opcode::auth_response: {
      DINETTE_TRY(const auto token, in.read_bytes());
      return Request(AuthResponse{token});
    }
    case Opcode::query:
      return read_query(in);
    case Opcode::prepare: {
      DINETTE_TRY(const auto statement, in.read_long_string());
      return Request(Prepare{statement});
    }
    case Opcode::execute:
      return read_execute(in);
    case Opcode::batch:
      return read_batch(in);
    case Opcode::register_:
      return read_register(in);
    default:
      return Request(Options{});
  }
}

}  // namespace

Answer<Request> read_request(const Header& header, std::string_view body) {
  DINETTE_TRY(const Opcode opcode, request_opcode(header));
  if ((header.flags & compressed) != 0) {
    return protocol_error("Received a compressed frame on a connection without compression");
  }
  BodyReader in(body, header.version);
  if ((header.flags & custom_payload) != 0) {
    if (header.version < Version::v4) {
      return protocol_error("Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4");
    }
    DINETTE_CHECK(in.skip_bytes_map());
  }
  return read_body(opcode, in);
}

}  // namespace dinette::cql::frames
