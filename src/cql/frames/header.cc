#include "cql/frames/header.h"

#include <algorithm>
#include <array>

#include "dinette/base/bytes.h"

namespace dinette::cql::frames {
namespace {

constexpr std::uint8_t reply_bit = 0x80;

struct NamedOpcode {
  Opcode opcode;
  bool from_client;
  std::string_view name;
};

constexpr std::array opcodes = {
    NamedOpcode{Opcode::error, false, "ERROR"},
    NamedOpcode{Opcode::startup, true, "STARTUP"},
    NamedOpcode{Opcode::ready, false, "READY"},
    NamedOpcode{Opcode::authenticate, false, "AUTHENTICATE"},
    NamedOpcode{Opcode::options, true, "OPTIONS"},
    NamedOpcode{Opcode::supported, false, "SUPPORTED"},
    NamedOpcode{Opcode::query, true, "QUERY"},
    NamedOpcode{Opcode::result, false, "RESULT"},
    NamedOpcode{Opcode::prepare, true, "PREPARE"},
    NamedOpcode{Opcode::execute, true, "EXECUTE"},
    NamedOpcode{Opcode::register_, true, "REGISTER"},
    NamedOpcode{Opcode::event, false, "EVENT"},
    NamedOpcode{Opcode::batch, true, "BATCH"},
    NamedOpcode{Opcode::auth_challenge, false, "AUTH_CHALLENGE"},
    NamedOpcode{Opcode::auth_response, true, "AUTH_RESPONSE"},
    NamedOpcode{Opcode::auth_success, false, "AUTH_SUCCESS"},
};

}  // namespace

Answer<Version> request_version(char first_byte) {
  const int number = static_cast<std::uint8_t>(first_byte) & ~reply_bit;
  if (number == 3) return Version::v3;
  if (number == 4) return Version::v4;
  // Clients find the versions in this text: docs/service-keyspaces/protocol.md section 9.
  return protocol_error("Invalid or unsupported protocol version (" + std::to_string(number) +
                        "); the lowest supported version is 3 and the greatest is 4");
}

Header read_header(std::string_view bytes) {
  Header header;
  const auto first = static_cast<std::uint8_t>(bytes[0]);
  header.version = static_cast<Version>(first & ~reply_bit);
  header.is_reply = (first & reply_bit) != 0;
  header.flags = static_cast<std::uint8_t>(bytes[1]);
  header.stream = static_cast<std::int16_t>(base::load_big_endian<std::uint16_t>(&bytes[2]));
  header.opcode = static_cast<std::uint8_t>(bytes[4]);
  header.length = base::load_big_endian<std::uint32_t>(&bytes[5]);
  return header;
}

Answer<void> check_size(const Header& header) {
  const std::uint64_t size = header_size + std::uint64_t{header.length};
  if (size <= largest_frame) return {};
  return protocol_error("Request is too big: length " + std::to_string(size) +
                        " exceeds maximum allowed length " + std::to_string(largest_frame) + ".");
}

Answer<Opcode> request_opcode(const Header& header) {
  const auto found = std::ranges::find(opcodes, static_cast<Opcode>(header.opcode), &NamedOpcode::opcode);
  const std::string number = std::to_string(header.opcode);
  if (found == opcodes.end()) return protocol_error("Unknown opcode " + number);
  if (found->from_client && !header.is_reply) return found->opcode;
  return protocol_error(std::string("Wrong protocol direction (expected ") +
                        (header.is_reply ? "REQUEST, got RESPONSE" : "RESPONSE, got REQUEST") +
                        ") for opcode " + number + " (" + std::string(found->name) + ")");
}

std::string_view name_of(Opcode opcode) {
  return std::ranges::find(opcodes, opcode, &NamedOpcode::opcode)->name;
}

void append_reply_frame(std::string& out, Version version, std::int16_t stream, Opcode opcode,
                        std::string_view body, std::uint8_t flags) {
  out.push_back(static_cast<char>(static_cast<std::uint8_t>(version) | reply_bit));
  out.push_back(static_cast<char>(flags));
  base::append_big_endian(out, static_cast<std::uint16_t>(stream));
  out.push_back(static_cast<char>(opcode));
  base::append_big_endian(out, static_cast<std::uint32_t>(body.size()));
  out += body;
}

std::string reply_frame(Version version, std::int16_t stream, Opcode opcode, std::string_view body) {
  std::string frame;
  frame.reserve(header_size + body.size());
  append_reply_frame(frame, version, stream, opcode, body);
  return frame;
}

}  // namespace dinette::cql::frames
