#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "support/hex.h"
#include "tablestore/plainbuffer/crc8.h"
#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/plainbuffer/row_writer.h"
#include "tablestore/plainbuffer/variant.h"

// tablestore/plainbuffer.md sections 1 to 7.
namespace dinette::tablestore::plainbuffer::rows_test {

using ::test::from_hex;
using ::test::to_hex;

std::string row_r() {
  return from_hex(R"(75000000 01
    03 04 03000000 676964 05 09000000 00 0100000000000000 0a 2a
    03 04 03000000 756964 05 06000000 03 01000000 61 0a 99
    02
    03 04 04000000 6e616d65 05 09000000 03 04000000 6a6f686e 0a f0
    03 04 03000000 616765 05 09000000 00 1400000000000000 07 0098f73e5d010000 0a 5e
    03 04 02000000 6f6b 05 02000000 02 01 0a 83
    03 04 01000000 64 05 09000000 01 000000000000f83f 0a ba
    03 04 01000000 62 05 07000000 07 02000000 00ff 0a 26
    09 9d)");
}

/// The key of row_r() without what follows it.
const std::string key_k =
    "750000000103040300000067696405090000000001000000000000000a2a"
    "03040300000075696405060000000301000000610a99";

const PrimaryKey gid_and_uid = {{"gid", Value::integer(1)}, {"uid", Value::string("a")}};

std::string written(const RowMessage& row) {
  std::string bytes;
  RowWriter(bytes).add(row);
  return bytes;
}

std::string message_of(const std::string& bytes) {
  const auto row = decode_row(bytes);
  return row ? "a row" : row.error().message;
}

TEST_CASE("the checksum is that of the service") {
  Crc8 sum;
  sum.add("123456789");
  CHECK(sum.value() == 0xf4);
  Crc8 byte_by_byte;
  Crc8 at_once;
  std::string text;
  for (int i = 0; i < 100; ++i) text += static_cast<char>(i * 37);
  at_once.add(text);
  for (const char byte : text) byte_by_byte.add(static_cast<std::uint8_t>(byte));
  CHECK(at_once.value() == byte_by_byte.value());
}

TEST_CASE("a row with all types of values is read and written") {
  const std::string sent = row_r();
  const auto row = decode_row(sent);
  REQUIRE(row);
  CHECK(row->key == gid_and_uid);
  const std::vector<CellChange> cells = {
      {.name = "name", .value = Value::string("john")},
      {.name = "age", .value = Value::integer(20), .version = 1'500'000'000'000},
      {.name = "ok", .value = Value::boolean(true)},
      {.name = "d", .value = Value::real(1.5)},
      {.name = "b", .value = Value::binary(std::string_view("\0\xff", 2))}};
  CHECK(row->cells == cells);
  CHECK_FALSE(row->deletes);
  CHECK(to_hex(written(*row)) == to_hex(sent));
}

TEST_CASE("operations of cells are read and written") {
  const std::string sent = from_hex(key_k +
                                    "02"
                                    "0304010000007805090000000001000000000000000aad"
                                    "0304040000006e616d650603070098f73e5d0100000a9f"
                                    "03040300000061676506010a23"
                                    "0304010000006e050900000000050000000000000006040a00"
                                    "099b");
  const std::string with_zeros = sent + from_hex("0000000000");  // of a client that allocates too much
  const auto row = decode_row(with_zeros);
  REQUIRE(row);
  const std::vector<CellChange> cells = {
      {.name = "x", .value = Value::integer(1)},
      {.name = "name", .operation = CellOperation::delete_one_version, .version = 1'500'000'000'000},
      {.name = "age", .operation = CellOperation::delete_all_versions},
      {.name = "n", .value = Value::integer(5), .operation = CellOperation::increment}};
  CHECK(row->cells == cells);
  CHECK(to_hex(written(*row)) == to_hex(sent));
}

TEST_CASE("what clients send reads and is written the same") {
  const std::string rows[] = {
      key_k + "0998",    // a key
      key_k + "08099f",  // one to delete
      "750000000103040300000067696405090000000001000000000000000a2a092c",
      "75000000010304030000006769640501000000090a560304030000007569640501000000090a1d09e7",
      "750000000103040300000067696405010000000a0a5f03040300000075696405010000000a0a140960",
      "7500000001030403000000706b3105060000000301000000610a19030403000000706b3205010000000b0af90931",
      "75000000010304010000006b050500000003000000000adf0979",
      "7500000001030403000000706b31050900000000ffffffffffffffff0a94030403000000706b320507000000070200000000ff"
      "0a"
      "67099c",
      "75000000010304010000006b05060000000301000000780a1e020304010000006e050900000001cdccccccccccfc3f06040a36"
      "09"
      "09",
      "75000000010304010000006b05060000000301000000780a1e020304010000006e0501000000060a310962",
      "75000000010304010000006b05080000000303000000e8a1a80acd02030403000000e588970505000000030000000007000000"
      "00000000000ad2098c",
      "75000000010304010000006b05060000000301000000780a1e0203040100000063050900000000020000000000000007020000"
      "0000"
      "0000000ab10304010000006305090000000001000000000000000701000000000000000a8209be",
      "7500000001030403000000706b31050a000000030500000069616d706b0a98030403000000706b320509000000006400000000"
      "0000000a0502030407000000636f6c756d6e310508000000030300000062616407e9030000000000000a30030407000000636f"
      "6c756d6e32050900000000800000000000000007ea030000000000000a69030407000000636f6c756d6e330509000000019a99"
      "99999919414007eb030000000000000acf030407000000636f6c756d6e3406010aa70922"};
  for (const std::string& row : rows) {
    CAPTURE(row);
    const std::string bytes = from_hex(row);
    const auto read = decode_row(bytes);
    REQUIRE(read);
    CHECK(to_hex(written(*read)) == row);
  }
}

TEST_CASE("several rows have one header") {
  const std::string sent = from_hex(
      key_k +
      "02030401000000780506000000030100000079070098f73e5d0100000a3b09af"
      "0103040300000067696405090000000001000000000000000a2a03040300000075696405060000000301000000620a90020304"
      "0100000078050600000003010000007a070198f73e5d0100000aa309dc");
  RowReader reader(sent);
  std::string bytes;
  RowWriter writer(bytes);
  for (int i = 0; i < 2; ++i) {
    const auto row = reader.read();
    REQUIRE(row);
    writer.begin(row->key);
    for (const CellChange& cell : row->cells) writer.cell(cell.name, *cell.value, *cell.version);
    writer.end();
  }
  CHECK(reader.at_end());
  CHECK(to_hex(bytes) == to_hex(sent));
}

TEST_CASE("a row of a reply has a version in every cell") {
  std::string bytes;
  RowWriter(bytes).add(Row{gid_and_uid, {{"name", 1'500'000'000'000, Value::string("john")}}});
  CHECK(to_hex(bytes) ==
        key_k + "02" + "0304040000006e616d65050900000003040000006a6f686e070098f73e5d0100000a04" + "0995");
  CHECK(to_hex(encode_key(gid_and_uid)) == key_k + "0998");
}

TEST_CASE("extremes of numbers are read and written") {
  for (const std::int64_t number : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1},
                                    std::numeric_limits<std::int64_t>::max()}) {
    std::string bytes;
    append_variant(bytes, Value::integer(number));
    CHECK(bytes.size() == variant_size(Value::integer(number)));
    const auto value = decode_variant(bytes);
    REQUIRE(value);
    CHECK(value->as_integer() == number);
  }
}

TEST_CASE("values alone are a type and a payload") {
  CHECK(decode_variant(from_hex("03040000006a6f686e")).value() == Value::string("john"));
  CHECK(decode_variant(from_hex("001400000000000000")).value() == Value::integer(20));
  CHECK(decode_variant(from_hex("0201")).value() == Value::boolean(true));
  CHECK(decode_variant(from_hex("09")).value() == Value::inf_min());
  CHECK(decode_variant("").error().message == "data format is invalid.");
  CHECK(decode_variant(from_hex("00140000")).error().message == "data format is invalid.");
  CHECK(decode_variant(from_hex("0900")).error().message == "data format is invalid.");
  CHECK(decode_variant(from_hex("020101")).error().message == "Invalid boolean real value, value length: 2.");
  CHECK(decode_variant(from_hex("0301000000")).error().message ==
        "Cell data broken, wrong string format, size: 1.");
  CHECK(decode_variant(from_hex("0400000000")).error().message ==
        "data format is invalid, unknown variant type occured.");
  CHECK(variant_size(Value::boolean(true)) == 2);
  CHECK(variant_size(Value::string("ab")) == 7);
  CHECK(variant_size(Value::inf_max()) == 1);
}

// The messages of tablestore/errors.md section 3, "Buffers" and "Keys".

TEST_CASE("what is no row is refused") {
  const std::pair<const char*, const char*> wrong[] = {
      {"", "Cell data broken, empty PK."},
      {"75", "data format is invalid."},
      {"74000000", "Cell data broken, mismatch header, actual: 116 , expect: 117."},
      {"75000000", "Cell data broken, empty PK."},
      {"7500000002", "Cell data broken, mismatch tag, actual tag(2), expect(1)."},
      {"75000000010900", "Cell data broken, empty PK."},
      {"75000000010304010000006b", "Cell data broken, cell is not end with checksum[0A]\"] tag."},
      {"750000000103040500", "data format is invalid."},
      {"75000000010304010000006b0505000000", "data format is invalid."},
  };
  for (const auto& [bytes, message] : wrong) {
    CAPTURE(bytes);
    CHECK(message_of(from_hex(bytes)) == message);
  }
}

TEST_CASE("a row that is cut off is refused, wherever that is") {
  const std::string whole = row_r();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(decode_row(std::string_view(whole).substr(0, size)));
  }
}

TEST_CASE("a row with a changed byte is refused, wherever that is") {
  const std::string whole = row_r();
  for (std::size_t place = 0; place < whole.size(); ++place) {
    CAPTURE(place);
    std::string changed = whole;
    changed[place] = static_cast<char>(changed[place] ^ 0x10);
    CHECK_FALSE(decode_row(changed));
  }
}

TEST_CASE("wrong checksums are refused") {
  std::string bytes = from_hex(key_k + "0997");
  CHECK(message_of(bytes) == "Cell data broken, checksum is mismatch, 151: 152:");
  CHECK(message_of(from_hex(key_k + "089998")) == "Cell data broken, row is not end with checksum tag.");
  // The marker counts: without it the sum would be 98.
  CHECK(message_of(from_hex(key_k + "080998")) == "Cell data broken, checksum is mismatch, 152: 159:");
}

TEST_CASE("columns of keys have a name, a value, and no more") {
  const auto with_key_cell = [](const CellChange& cell) {
    // Written as an attribute, and read as a key: the tag of attributes is left out.
    std::string bytes = written({.key = {}, .cells = {cell}});
    bytes.erase(5, 1);
    return message_of(bytes);
  };
  CHECK(with_key_cell({.name = "k"}) == "No value is given for primary key name: k.");
  CHECK(with_key_cell({.name = "k", .value = Value::integer(1), .operation = CellOperation::increment}) ==
        "OpType cannot be given for primary key name: k.");
  CHECK(with_key_cell({.name = "k", .value = Value::integer(1), .version = 1}) ==
        "Timestamp cannot be given for primary key name: k.");
  CHECK(with_key_cell({.name = "k", .value = Value()}) ==
        "Cell data broken, PK value cannot be NULL, name: k.");
  CHECK(message_of(from_hex("7500000001030a00090700")) == "No name is given for primary key.");
}

TEST_CASE("cells have a name and something to do") {
  CHECK(message_of(written({.key = gid_and_uid, .cells = {{.name = "c"}}})) ==
        "Cell data broken, no valid element in Cell, name: c.");
  CHECK(message_of(from_hex(key_k + "02030a000998")) == "Cell data broken, attr has no name.");
  CHECK(message_of(from_hex(key_k + "020998")) == "Cell data broken, no Cells follow CellTag.");
  // A value after the operation.
  CHECK(message_of(from_hex(key_k + "02030401000000780601050100000006")) ==
        "Cell data broken, has more data in cell, but they can't be parsed.");
  CHECK(message_of(written({.key = gid_and_uid, .cells = {{.name = "x", .operation = CellOperation(2)}}})) ==
        "Invalid op type of cell: 2.");
}

TEST_CASE("texts are UTF-8") {
  CHECK(message_of(encode_key({{"k", Value::string("\xff")}})) == "Value of column k must be UTF8 encoding.");
  CHECK(message_of(encode_key({{"\xff", Value::string("x")}})) == "Invalid column name: '\xff'.");
  CHECK(message_of(encode_key({{"k", Value::binary("\xff")}})) == "a row");
}

}  // namespace dinette::tablestore::plainbuffer::rows_test
