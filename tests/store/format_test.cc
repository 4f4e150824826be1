#include "dinette/store/format.h"

#include <string>

#include <catch2/catch.hpp>

#include "store/store_fixture.h"

namespace dinette::store::format_test {
namespace {

const std::string format_key(10, '\0');  // face 0, table 0, space 0

void keep(kv::Engine& engine, std::string_view key, std::string_view value) {
  kv::WriteBatch batch;
  batch.put(key, kv::Value(value));
  REQUIRE(engine.write(batch).ok());
}

/// Requires that the data are refused and left unchanged; returns the message.
kv::Error refusal(StoreFixture& fixture) {
  const auto before = fixture.everything();
  const auto checked = check_format(fixture.engine);
  REQUIRE_FALSE(checked.ok());
  CHECK(fixture.everything() == before);
  return checked.error();
}

}  // namespace

TEST_CASE_METHOD(StoreFixture, "format: an empty engine is marked, and then recognised") {
  REQUIRE(check_format(engine).ok());
  const auto marked = everything();
  REQUIRE(marked.size() == 1);
  CHECK(marked[0] == std::pair(format_key, std::string("\0\0\0\1", 4)));
  make_table("t");
  const auto before = everything();
  CHECK(check_format(engine).ok());
  CHECK(everything() == before);
  CHECK(store.catalog().open("t").value() != nullptr);
}

TEST_CASE_METHOD(StoreFixture, "format: data of a newer format are refused, and the error says so") {
  keep(engine, format_key, std::string("\0\0\0\2", 4));
  const kv::Error error = refusal(*this);
  CHECK(error.kind == kv::ErrorKind::unsupported);
  CHECK(error.message ==
        "the data were written in format 2 by a newer version of this program, which reads formats up to 1");
}

TEST_CASE_METHOD(StoreFixture, "format: data of another program are refused") {
  SECTION("they have no format") {
    keep(engine, "key", "value");
  }
  SECTION("or an unreadable one") {
    keep(engine, format_key, "1");
  }
  CHECK(refusal(*this).kind == kv::ErrorKind::corrupt);
}

TEST_CASE_METHOD(StoreFixture, "format: a failure of the engine is passed on") {
  engine.plan().fail(test::EngineCall::get, 1, kv::ErrorKind::io);
  CHECK(check_format(engine).error().kind == kv::ErrorKind::io);
}

namespace {

std::string hex(std::string_view bytes) {
  std::string digits;
  for (const unsigned char byte : bytes) {
    digits += "0123456789abcdef"[byte >> 4];
    digits += "0123456789abcdef"[byte & 15];
  }
  return digits;
}

/// Removes the spaces between digits.
std::string joined(std::string digits) {
  std::erase(digits, ' ');
  return digits;
}

}  // namespace

TEST_CASE_METHOD(StoreFixture, "format: keys and values are as src/store/FORMAT.md describes them") {
  engine.declare({.shared = true});
  Store shared(engine, clock, ids, test_face);
  REQUIRE(check_format(engine).ok());
  const TablePointer table = shared.catalog().create("t", "counted").value();
  const StreamId stream = shared.new_stream().value();
  const std::string placed = std::string(partition_hash_size, 'h') + std::string("p\0\1", 3);
  const auto write_everything = [&](const kv::Value*, RowChange& change) {
    change = put_row("row");
    change.entries = {{Area::of_index(5), "i", kv::Value("entry"), {1, 2}},
                      {Area::expiry(), "e", kv::Value("due")},
                      {Area::of_face(SpaceId{9}), "f", kv::Value("job")}};
    change.records = {{stream, kv::Value("first")}, {stream, kv::Value("second")}};
    change.partition_bytes = 4;
    return true;
  };
  REQUIRE(shared.write(*table, placed, write_everything).value().outcome == WriteOutcome::applied);

  std::vector<std::pair<std::string, std::string>> kept;
  for (const auto& [key, value] : everything()) kept.emplace_back(hex(key), hex(value));
  const std::string partition = hex(placed);
  const std::vector<std::pair<std::string, std::string>> expected = {
      {joined("00 0000000000000000 00"), joined("00000001")},
      {joined("00 0000000000000000 02"), joined("0000000000000002")},
      {joined("07 0000000000000000 01 0001 740001"),
       joined("01 0000000000000001 0000000000000001") + hex("counted")},
      {joined("07 0000000000000000 03 00000009") + hex("f"), hex("job")},
      {joined("07 0000000000000000 04 0000000000000002 0000000000000001 00000000"), hex("first")},
      {joined("07 0000000000000000 04 0000000000000002 0000000000000001 00000001"), hex("second")},
      {joined("07 0000000000000000 05"), joined("0000000000000001")},
      {joined("07 0000000000000000 08 0000000000000002"), joined("0000000000000002 000000000000000b")},
      {joined("07 0000000000000001 00"), joined("0000000000000001")},
      {joined("07 0000000000000001 10 00000000"), joined("0000000000000001 0000000000000003")},
      {joined("07 0000000000000001 10 00000005"), joined("0000000000000001 0000000000000002")},
      {joined("07 0000000000000001 11") + partition, joined("0000000000000004")},
      {joined("07 0000000000000001 20") + partition, hex("row")},
      {joined("07 0000000000000001 30 00000005") + hex("i"), hex("entry")},
      {joined("07 0000000000000001 50") + hex("e"), hex("due")},
  };
  CHECK(kept == expected);
}

TEST_CASE_METHOD(StoreFixture, "format: what is in a name space names it, except what has a number") {
  Store named(engine, clock, ids, test_face, {}, "n");
  const TablePointer table = named.catalog().create("t", "schema").value();
  const auto write_both = [&](const kv::Value*, RowChange& change) {
    change = put_row("row");
    change.entries = {{Area::of_face(SpaceId{9}), "f", kv::Value("job")}};
    return true;
  };
  REQUIRE(named.write(*table, "k", write_both).value().outcome == WriteOutcome::applied);
  const auto keys = [&] {
    std::vector<std::string> found;
    for (const auto& [key, value] : everything()) found.push_back(hex(key));
    return found;
  };
  CHECK(keys() == std::vector<std::string>{
                      joined("00 0000000000000000 02"), joined("07 0000000000000000 01 6e0001 740001"),
                      joined("07 0000000000000000 0a 6e0001 00000009") + hex("f"),
                      joined("07 0000000000000001 00"), joined("07 0000000000000001 10 00000000"),
                      joined("07 0000000000000001 20") + hex("k")});
  const auto lose_its_name = [](const Table&) { return std::optional(TableDrop{.unnamed = "unnamed"}); };
  REQUIRE(named.catalog().drop(*table, lose_its_name).value());
  CHECK(keys().at(2) == joined("07 0000000000000000 0b 6e0001 0000000000000001"));
}

}  // namespace dinette::store::format_test
