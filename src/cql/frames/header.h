#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cql/error.h"

/// The native protocol: frames, requests and replies as bytes; no sockets
/// (docs/service-keyspaces/protocol.md).
namespace dinette::cql::frames {

enum class Version : std::uint8_t { v3 = 3, v4 = 4 };

enum class Opcode : std::uint8_t {
  error = 0x00,
  startup = 0x01,
  ready = 0x02,
  authenticate = 0x03,
  options = 0x05,
  supported = 0x06,
  query = 0x07,
  result = 0x08,
  prepare = 0x09,
  execute = 0x0A,
  register_ = 0x0B,
  event = 0x0C,
  batch = 0x0D,
  auth_challenge = 0x0E,
  auth_response = 0x0F,
  auth_success = 0x10,
};

/// Flags of a frame.
inline constexpr std::uint8_t compressed = 0x01;
inline constexpr std::uint8_t custom_payload = 0x04;
inline constexpr std::uint8_t warning = 0x08;  ///< of replies, since version 4

inline constexpr std::size_t header_size = 9;
/// A frame with its header.
inline constexpr std::size_t largest_frame = 268'435'456;

/// The header of a request. Its opcode may be unknown: see request_opcode.
struct Header {
  Version version = Version::v4;
  std::uint8_t flags = 0;
  std::int16_t stream = 0;
  std::uint8_t opcode = 0;
  std::uint32_t length = 0;  ///< of the body, in bytes
  bool is_reply = false;     ///< it says so: request_opcode() fails
};

/// Checks the version of a request, which its first byte decides: earlier versions have shorter headers.
/// After this error the connection ends; the reply is of version 4.
Answer<Version> request_version(char first_byte);

/// Reads the header of a request, whose version was checked. `bytes` has header_size bytes.
Header read_header(std::string_view bytes);

/// Checks what a header alone tells: its size. The body of a frame that is too large is to be dropped.
Answer<void> check_size(const Header& header);

/// Returns the opcode of a request.
Answer<Opcode> request_opcode(const Header& header);

/// Returns the name of an opcode as messages have it: "AUTH_RESPONSE".
std::string_view name_of(Opcode opcode);

/// Appends a reply: a header and `body`, which begins with what `flags` announce.
void append_reply_frame(std::string& out, Version version, std::int16_t stream, Opcode opcode,
                        std::string_view body, std::uint8_t flags = 0);
/// Returns one.
std::string reply_frame(Version version, std::int16_t stream, Opcode opcode, std::string_view body);

}  // namespace dinette::cql::frames
