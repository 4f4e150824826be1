#include "cql/frames/replies.h"

#include <array>

#include <catch2/catch.hpp>

#include "support/hex.h"

// docs/service-keyspaces/protocol.md sections 2, 6, 7 and 8.
namespace dinette::cql::frames::replies_test {

using ::test::from_hex;
using ::test::to_hex;

/// Returns `digits` without white space.
std::string hex(std::string_view digits) {
  return to_hex(from_hex(digits));
}

const ColumnSpec p{"k", "t", "p", {.kind = Kind::int_}};
const ColumnSpec v{"k", "t", "v", {.kind = Kind::text}};

TEST_CASE("a reply has the version and the stream of its request") {
  CHECK(to_hex(reply_frame(Version::v4, 1, Opcode::ready, "")) == hex("84 00 0001 02 00000000"));
  CHECK(to_hex(reply_frame(Version::v3, -1, Opcode::event, "ab")) == hex("83 00 ffff 0c 00000002 6162"));
}

TEST_CASE("two compressions are offered, and versions 3 and 4") {
  CHECK(to_hex(supported_body()) ==
        hex("0003 000b43514c5f56455253494f4e 0001 0005332e342e34 000b434f4d5052455353494f4e 0002 "
            "0006736e61707079 00036c7a34"
            "001150524f544f434f4c5f56455253494f4e53 0002 0004332f7633 0004342f7634"));
}

TEST_CASE("log-in is asked for by a name, and tokens may be null") {
  CHECK(to_hex(authenticate_body("a")) == hex("0001 61"));
  CHECK(to_hex(challenge_body("n")) == hex("00000001 6e"));
  CHECK(to_hex(challenge_body(std::nullopt)) == hex("ffffffff"));
}

TEST_CASE("errors have a code, a message and what belongs to the code") {
  CHECK(to_hex(error_body(ErrorCode::invalid, "x")) == hex("00002200 0001 78"));
  CHECK(to_hex(already_exists_body("x", "k", "t")) == hex("00002400 0001 78 0001 6b 0001 74"));
  CHECK(to_hex(unprepared_body("x", "id")) == hex("00002500 0001 78 0002 6964"));
  const Timeout timeout{Consistency::local_quorum, 0, 2};
  CHECK(to_hex(write_timeout_body("x", timeout, "CAS")) ==
        hex("00001100 0001 78 0006 00000000 00000002 0003 434153"));
  CHECK(to_hex(read_timeout_body("x", timeout, true)) == hex("00001200 0001 78 0006 00000000 00000002 01"));
}

TEST_CASE("warnings stand before a body") {
  const std::array<std::string, 2> warnings = {"a", "bc"};
  CHECK(to_hex(warnings_before("x", warnings)) == hex("0002 0001 61 0002 6263 78"));
}

TEST_CASE("rows follow their columns, which name the table once") {
  const std::array<std::vector<Cell>, 1> rows = {{{std::string("\0\0\0\1", 4), std::nullopt}}};
  CHECK(to_hex(rows_result(Metadata::of({p, v}), rows)) ==
        hex("00000002 00000001 00000002 00016b 000174 000170 0009 000176 000d 00000001"
            "00000004 00000001 ffffffff"));
}

TEST_CASE("columns of several tables name each its own") {
  const ColumnSpec other{"k", "u", "v", {.kind = Kind::text}};
  CHECK(to_hex(rows_result(Metadata::of({p, other}), {})) ==
        hex("00000002 00000000 00000002 00016b 000174 000170 0009 00016b 000175 000176 000d 00000000"));
}

TEST_CASE("a page that is not the last has a state, and metadata may be left out") {
  Metadata metadata = Metadata::of({p});
  metadata.paging_state = "s";
  metadata.skipped = true;
  CHECK(to_hex(rows_result(metadata, {})) == hex("00000002 00000006 00000001 00000001 73 00000000"));
}

TEST_CASE("version 4 says which binds are the partition key") {
  const PreparedStatement statement{.id = "id", .binds = {v, p}, .key_binds = {1}, .result = std::nullopt};
  const std::string columns = "00016b 000174 000176 000d 000170 0009";
  CHECK(to_hex(prepared_result(statement, Version::v4)) ==
        hex("00000004 0002 6964 00000001 00000002 00000001 0001" + columns + "00000004 00000000"));
  CHECK(to_hex(prepared_result(statement, Version::v3)) ==
        hex("00000004 0002 6964 00000001 00000002" + columns + "00000004 00000000"));
}

TEST_CASE("a prepared SELECT describes its rows") {
  const PreparedStatement statement{.id = "id", .binds = {}, .key_binds = {}, .result = Metadata::of({p})};
  CHECK(to_hex(prepared_result(statement, Version::v4)) ==
        hex("00000004 0002 6964 00000000 00000000 00000000 00000001 00000001 00016b 000174 000170 0009"));
}

TEST_CASE("other results are a kind and texts") {
  CHECK(to_hex(void_result()) == hex("00000001"));
  CHECK(to_hex(set_keyspace_result("k")) == hex("00000003 0001 6b"));
  const SchemaChange table{SchemaChange::Kind::dropped, SchemaChange::Target::table, "k", "t"};
  CHECK(schema_change_result(table) == from_hex("00000005") + from_hex("0007") + "DROPPED" +
                                           from_hex("0005") + "TABLE" + from_hex("00016b 000174"));
  const SchemaChange keyspace{SchemaChange::Kind::created, SchemaChange::Target::keyspace, "k", ""};
  CHECK(schema_change_event(keyspace) == from_hex("000d") + "SCHEMA_CHANGE" + from_hex("0007") + "CREATED" +
                                             from_hex("0008") + "KEYSPACE" + from_hex("00016b"));
}

}  // namespace dinette::cql::frames::replies_test
