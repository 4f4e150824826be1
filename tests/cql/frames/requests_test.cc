#include "cql/frames/requests.h"

#include <catch2/catch.hpp>

#include "support/hex.h"

// docs/service-keyspaces/protocol.md sections 2 to 5, 9 and 11.
namespace dinette::cql::frames::requests_test {

using ::test::from_hex;

/// Frames are given as digits; requests are views of the bytes that this keeps.
struct Frame {
  explicit Frame(std::string_view hex) : bytes(from_hex(hex)) {}

  Answer<Request> read() const {
    const Header header = read_header(bytes);
    CHECK(header.length == bytes.size() - header_size);
    return read_request(header, std::string_view(bytes).substr(header_size));
  }

  std::string bytes;
};

std::string refusal(std::string_view hex) {
  const auto request = Frame(hex).read();
  if (request.ok()) return "";
  CHECK(request.error().code == ErrorCode::protocol_error);
  return request.error().message;
}

TEST_CASE("a header is version, flags, stream, opcode and length") {
  const Header header = read_header(from_hex("03 04 fffe 07 00000033"));
  CHECK(header.version == Version::v3);
  CHECK(header.flags == custom_payload);
  CHECK(header.stream == -2);
  CHECK(header.opcode == 7);
  CHECK(header.length == 0x33);
}

TEST_CASE("other versions are refused with a text in which clients find the versions") {
  CHECK(request_version('\x03').value() == Version::v3);
  CHECK(request_version('\x04').value() == Version::v4);
  CHECK(
      request_version('\x05').error().message ==
      "Invalid or unsupported protocol version (5); the lowest supported version is 3 and the greatest is 4");
  CHECK_FALSE(request_version('\x02').ok());
  CHECK(request_version('\x84').value() == Version::v4);  // a reply: its opcode is refused
  CHECK(request_version('\x85').error().message == request_version('\x05').error().message);
}

TEST_CASE("frames have at most 256 MB") {
  CHECK(check_size({.length = 268'435'447}).ok());
  CHECK(check_size({.length = 268'435'448}).error().message ==
        "Request is too big: length 268435457 exceeds maximum allowed length 268435456.");
  CHECK_FALSE(check_size({.length = 0xFFFFFFFF}).ok());
}

TEST_CASE("opcodes that clients may not send are refused") {
  CHECK(refusal("04 00 0001 11 00000000") == "Unknown opcode 17");
  CHECK(refusal("04 00 0001 08 00000000") ==
        "Wrong protocol direction (expected RESPONSE, got REQUEST) for opcode 8 (RESULT)");
  CHECK(refusal("84 00 0001 07 00000000") ==
        "Wrong protocol direction (expected REQUEST, got RESPONSE) for opcode 7 (QUERY)");
  CHECK(name_of(Opcode::register_) == "REGISTER");
}

TEST_CASE("a driver's STARTUP has options") {
  const Frame frame(
      "04 00 0001 01 0000005c 0003 000b43514c5f56455253494f4e 0005332e302e30 000b4452495645525f4e414d45"
      "001f4170616368652043617373616e647261204e6f64652e6a7320447269766572"
      "000e4452495645525f56455253494f4e 0006342e31302e30");
  const auto startup = std::get<Startup>(frame.read().value());
  REQUIRE(startup.options.size() == 3);
  CHECK(startup.options[0].first == "CQL_VERSION");
  CHECK(startup.options[2].second == "4.10.0");
}

TEST_CASE("a STARTUP without a version, of an earlier one or with an unknown compression is refused") {
  CHECK(refusal("04 00 0001 01 00000002 0000") == "Missing value CQL_VERSION in STARTUP message");
  CHECK(refusal("04 00 0001 01 00000016 0001 000b63716c5f76657273696f6e 0005322e302e30") ==
        "CQL version 2.0.0 is not supported by the binary protocol (supported version are >= 3.0.0)");
  CHECK(refusal("04 00 0001 01 00000027 0002 000b43514c5f56455253494f4e 0005332e302e30"
                "000b434f4d5052455353494f4e 00024c7a") == "Unknown compression algorithm: lz");
}

TEST_CASE("a STARTUP may name a compression, in any case") {
  const auto compression = [](std::string_view name) {
    const Frame frame("04 00 0001 01 00000028 0002 000b43514c5f56455253494f4e 0005332e302e30" +
                      std::string(name));
    return std::get<Startup>(frame.read().value()).compression;
  };
  CHECK(compression("000b434f4d5052455353494f4e 00036c7a34") == Compression::lz4);
  CHECK(compression("000b636f6d7072657373696f6e 00034c5a34") == Compression::lz4);
  CHECK(compression("000b4f4d5052455353494f4e53 00036c7a34") == Compression::none);  // another option
}

TEST_CASE("OPTIONS, REGISTER and AUTH_RESPONSE of drivers are read") {
  CHECK(std::holds_alternative<Options>(Frame("04 00 0001 05 00000000").read().value()));
  const auto registered = std::get<Register>(
      Frame("04 00 0001 0b 00000031 0003 000f544f504f4c4f47595f4348414e4745 000d5354415455535f4348414e4745"
            "000d534348454d415f4348414e4745")
          .read()
          .value());
  CHECK(registered.events ==
        std::vector{EventType::topology_change, EventType::status_change, EventType::schema_change});
  const Frame sigv4("04 00 0001 0f 0000000b 00000007 5369675634 00 00");
  CHECK(std::get<AuthResponse>(sigv4.read().value()).token == std::string_view("SigV4\0\0", 7));
  CHECK(refusal("04 00 0001 0b 00000005 0001 000141") == "Invalid value 'A' for Type");
}

TEST_CASE("a QUERY has parameters as its flags say") {
  const Frame frame(
      "04 00 0002 07 00000030 0000001b 53454c45435420612046524f4d206b2e7420574845524520703d31"
      "0006 34 00001388 0009 00060a24181e4000");
  const auto query = std::get<Query>(frame.read().value());
  CHECK(query.statement == "SELECT a FROM k.t WHERE p=1");
  CHECK(query.parameters.consistency == Consistency::local_quorum);
  CHECK(query.parameters.page_size == 5000);
  CHECK(query.parameters.serial_consistency == Consistency::local_serial);
  CHECK(query.parameters.timestamp == 1'700'000'000'000'000);
  CHECK_FALSE(query.parameters.paging_state);
  CHECK(query.parameters.values.empty());
}

TEST_CASE("an EXECUTE has values, of which some are not set") {
  const Frame frame(
      "04 00 0003 0a 00000031 0010 00112233445566778899aabbccddeeff 0006 35 0002 00000004 00000001 fffffffe"
      "00001388 0009 00060a24181e4000");
  const auto execute = std::get<Execute>(frame.read().value());
  CHECK(execute.id == from_hex("00112233445566778899aabbccddeeff"));
  REQUIRE(execute.parameters.values.size() == 2);
  CHECK(execute.parameters.values[0] == Value{Value::State::bytes, std::string_view("\0\0\0\1", 4)});
  CHECK(execute.parameters.values[1].state == Value::State::unset);
}

TEST_CASE("a BATCH has statements with their values") {
  const Frame frame(
      "04 00 0004 0d 00000069 01 0002 00 00000019 44454c4554452046524f4d206b2e7420574845524520703d31 0000"
      "00 00000022 494e5345525420494e544f206b2e742028702c76292056414c55455320283f2c3f29 0002"
      "00000008 4000000000000000 ffffffff 0006 30 0009 00060a24181e4000");
  const auto batch = std::get<Batch>(frame.read().value());
  CHECK(batch.type == Batch::Type::unlogged);
  REQUIRE(batch.statements.size() == 2);
  CHECK(batch.statements[0].statement == "DELETE FROM k.t WHERE p=1");
  CHECK_FALSE(batch.statements[1].prepared);
  CHECK(batch.statements[1].values[1].state == Value::State::null);
  CHECK(batch.serial_consistency == Consistency::local_serial);
  CHECK(batch.timestamp == 1'700'000'000'000'000);
}

TEST_CASE("kinds and types that a BATCH does not have are refused") {
  CHECK(refusal("04 00 0001 0d 00000003 03 0000") == "Invalid BATCH message type 3");
  CHECK(refusal("04 00 0001 0d 00000004 00 0001 02") ==
        "Invalid query kind in BATCH messages. Must be 0 or 1 but got 2");
}

TEST_CASE("parameters that no statement may have are refused") {
  CHECK(refusal("04 00 0001 07 0000000c 00000001 41 0001 04 00000000") == "The page size cannot be 0");
  CHECK(refusal("04 00 0001 07 00000010 00000001 41 0001 20 8000000000000000") ==
        "Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807] (got "
        "-9223372036854775808)");
  CHECK(refusal("04 00 0001 07 0000000e 00000001 41 0001 01 0001 fffffffd") == "Invalid ByteBuf length -3");
  const Frame no_pages("04 00 0001 07 0000000c 00000001 41 0001 04 ffffffff");
  CHECK_FALSE(std::get<Query>(no_pages.read().value()).parameters.page_size);
}

TEST_CASE("in version 3 every negative length is null, and there is no payload") {
  const Frame frame("03 00 0001 07 0000000e 00000001 41 0001 01 0001 fffffffe");
  CHECK(std::get<Query>(frame.read().value()).parameters.values.at(0).state == Value::State::null);
  CHECK(refusal("03 04 0001 05 00000000") ==
        "Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4");
}

TEST_CASE("a custom payload is skipped, and values may have names") {
  const Frame frame(
      "04 04 0001 07 0000001c 0001 000161 00000001 ff  00000001 41 0001 41 0001 00016e 00000001 78");
  const auto query = std::get<Query>(frame.read().value());
  CHECK(query.parameters.names == std::vector<std::string_view>{"n"});
  CHECK(query.parameters.values.at(0).bytes == "x");
}

TEST_CASE("bodies that end too early, are no UTF-8 or are compressed are refused; more bytes are ignored") {
  CHECK_FALSE(refusal("04 00 0001 09 00000004 00000001").empty());
  CHECK_FALSE(refusal("04 00 0001 09 00000004 ffffffff").empty());
  CHECK(
      refusal("04 00 0001 09 00000006 00000002 c328").starts_with("Cannot decode string as UTF8: 'c328'; "));
  CHECK_FALSE(refusal("04 01 0001 05 00000000").empty());
  CHECK(refusal("04 00 0001 09 00000007 00000001 41 4242").empty());
}

}  // namespace dinette::cql::frames::requests_test
