#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>

#include "support/hex.h"
#include "tablestore/api/client.h"
#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"

// Messages as official clients send and read them (tablestore/messages.md sections 1 to 5).
namespace dinette::tablestore::messages_test {

using codec::decode_message;
using codec::encode_message;
using ::test::from_hex;
using ::test::to_hex;

// The bytes of clients: tablestore/plainbuffer.md section 8.

TEST_CASE("a CreateTable of a client is read, and written the same") {
  const std::string sent = from_hex(
      "0a160a02543112070a03676964100112070a03756964100212060a04080010001a1108ffffffffffffffffff0110032880a30"
      "5");
  const auto request = decode_message<api::CreateTableRequest>(sent);
  REQUIRE(request);
  CHECK(request->table_meta.table_name == "T1");
  REQUIRE(request->table_meta.primary_key.size() == 2);
  CHECK(request->table_meta.primary_key[1].name == "uid");
  CHECK(request->table_meta.primary_key[1].type == api::PrimaryKeyType::string);
  CHECK(request->reserved_throughput.capacity_unit.read == 0);
  REQUIRE(request->table_options);
  CHECK(request->table_options->time_to_live == -1);
  CHECK(request->table_options->max_versions == 3);
  CHECK(request->table_options->deviation_cell_version_in_sec == 86'400);
  CHECK_FALSE(request->table_options->allow_update);
  CHECK(to_hex(encode_message(*request)) == to_hex(sent));
}

TEST_CASE("the condition and return content of an UpdateRow are read") {
  const std::string sent = from_hex(
      "0a02543112027500 1a1e0801121a08011216080112036167651a0900140000000000000020002801 2205080212016e");
  const auto request = decode_message<api::UpdateRowRequest>(sent);
  REQUIRE(request);
  CHECK(request->condition.row_existence == api::RowExistenceExpectation::expect_exist);
  REQUIRE(request->return_content);
  CHECK(request->return_content->return_type == api::ReturnType::rt_after_modify);
  CHECK(request->return_content->return_column_names == std::vector<std::string_view>{"n"});
  REQUIRE(request->condition.column_condition);
  const auto filter = decode_message<api::Filter>(*request->condition.column_condition);
  REQUIRE(filter);
  CHECK(filter->type == api::FilterType::single_column_value);
  const auto column = decode_message<api::SingleColumnValueFilter>(filter->filter);
  REQUIRE(column);
  CHECK(column->column_name == "age");
  CHECK_FALSE(column->filter_if_missing);
  CHECK(column->latest_version_only);
  CHECK(to_hex(encode_message(*request)) == to_hex(sent));
}

TEST_CASE("a batch of a client is read") {
  const std::string sent = from_hex("0a410a0254311202750012027501220178 3001");
  CHECK_FALSE(decode_message<api::BatchGetRowRequest>(sent));  // the length says more than there is
  const std::string whole = from_hex("0a110a0254311202750012027501220178 3001");
  const auto request = decode_message<api::BatchGetRowRequest>(whole);
  REQUIRE(request);
  REQUIRE(request->tables.size() == 1);
  CHECK(request->tables[0].primary_key.size() == 2);
  CHECK(request->tables[0].columns_to_get.size() == 1);
  CHECK(request->tables[0].max_versions == 1);
}

TEST_CASE("replies are written as clients read them") {
  // tablestore/plainbuffer.md section 9.
  api::GetRowResponse row{.consumed = {.capacity_unit = {.read = 1, .write = 0}}};
  CHECK(to_hex(encode_message(row)) == "0a060a04080110001200");
  api::PutRowResponse put{.consumed = {.capacity_unit = {.read = 0, .write = 1}}};
  CHECK(to_hex(encode_message(put)) == "0a060a0408001001");
  const api::Error error{.code = "OTSObjectNotExist", .message = "Requested table does not exist."};
  CHECK(to_hex(encode_message(error)) ==
        "0a114f54534f626a6563744e6f744578697374121f526571756573746564207461626c6520646f6573206e6f7420657869"
        "73742e");
}

TEST_CASE("a DescribeTable is written as clients read it") {
  api::DescribeTableResponse table;
  table.table_meta.table_name = "T1";
  table.table_meta.primary_key = {{.name = "gid", .type = api::PrimaryKeyType::integer},
                                  {.name = "uid", .type = api::PrimaryKeyType::string}};
  table.reserved_throughput_details = {.capacity_unit = {.read = 0, .write = 0},
                                       .last_increase_time = 1'500'000'000};
  table.table_options = {
      .time_to_live = -1, .max_versions = 3, .deviation_cell_version_in_sec = 86'400, .allow_update = true};
  table.table_status = api::TableStatus::active;
  CHECK(to_hex(encode_message(table)) ==
        "0a160a02543112070a036769641001"
        "12070a0375696410"
        "02120c0a04080010001080dea0cb05"
        "1a1308ffffffffffffffffff0110032880a30530012001");
}

TEST_CASE("the repeat of a split's location is a zigzag number") {
  api::ComputeSplitPointsBySizeResponse reply{.consumed = {.capacity_unit = {.read = 1}}};
  reply.locations = {{.location = "x", .repeat = 3}, {.location = "y", .repeat = -2}};
  const std::string sent = encode_message(reply);
  CHECK(to_hex(sent) ==
        "0a040a020801"
        "22050a01781006"
        "22050a01791003");
  const auto read = decode_message<api::ComputeSplitPointsBySizeResponse>(sent);
  REQUIRE(read);
  CHECK(read->locations[1].repeat == -2);
}

TEST_CASE("a message without a required field is none") {
  CHECK_FALSE(decode_message<api::DeleteTableRequest>(""));
  CHECK(decode_message<api::DeleteTableRequest>(from_hex("0a00")));
  CHECK_FALSE(decode_message<api::GetRowRequest>(from_hex("0a025431")));
  CHECK(decode_message<api::ListTableRequest>(""));
}

TEST_CASE("an unknown number of an enumeration counts as absent") {
  CHECK_FALSE(decode_message<api::PrimaryKeySchema>(from_hex("0a0161 1009")));
  const auto content = decode_message<api::ReturnContent>(from_hex("0809"));
  REQUIRE(content);
  CHECK_FALSE(content->return_type);
}

TEST_CASE("unknown fields and fields of another wire type are skipped") {
  const char* const more[] = {"4001",        "45 00000000", "41 0000000000000000", "4a03616263", "4b 0801 4c",
                              "4b 53 54 4c", "08 01"};
  for (const char* const field : more) {
    CAPTURE(field);
    const std::string body = from_hex(field);
    const std::string table = from_hex("0a025431");
    for (const std::string& sent : {table + body, body + table}) {
      const auto request = decode_message<api::DeleteTableRequest>(sent);
      REQUIRE(request);
      CHECK(request->table_name == "T1");
    }
  }
}

TEST_CASE("the last value of a field counts, and messages are merged") {
  const std::string twice = from_hex("0a0161 0a0162");
  const auto request = decode_message<api::DeleteTableRequest>(twice);
  REQUIRE(request);
  CHECK(request->table_name == "b");
  const std::string in_parts = from_hex("0a0161 1a020801 1a021002");
  const auto update = decode_message<api::UpdateTableRequest>(in_parts);
  REQUIRE(update);
  REQUIRE(update->table_options);
  CHECK(update->table_options->time_to_live == 1);
  CHECK(update->table_options->max_versions == 2);
}

TEST_CASE("malformed bytes are no message") {
  const char* const wrong[] = {"0a",                               // no length
                               "0a05 6162",                        // a length beyond the end
                               "0affffffffffffffffff01",           // a huge length
                               "00 00",                            // field 0
                               "0e",                               // wire type 6
                               "0a0161 4c",                        // the end of a group that has not begun
                               "0a0161 4b",                        // a group without end
                               "0a0161 4b 54",                     // one that ends as another
                               "0a0161 4500",                      // too few bytes
                               "0a0161 80808080808080808080 01"};  // a tag of eleven bytes
  for (const char* const sent : wrong) {
    CAPTURE(sent);
    CHECK_FALSE(decode_message<api::DeleteTableRequest>(from_hex(sent)));
  }
}

TEST_CASE("groups may be nested only so deep") {
  const auto nested = [](std::size_t depth) {
    return from_hex("0a0161") + std::string(depth, '\x4b') + std::string(depth, '\x4c');
  };
  CHECK(decode_message<api::DeleteTableRequest>(nested(100)));
  CHECK_FALSE(decode_message<api::DeleteTableRequest>(nested(101)));
}

TEST_CASE("a small body cannot become millions of elements") {
  std::string many;
  for (std::size_t i = 0; i < codec::most_repeated; ++i) many += from_hex("1a00");
  const std::string head = from_hex("0a0161 1200");
  CHECK(decode_message<api::GetRowRequest>(head + many));
  CHECK_FALSE(decode_message<api::GetRowRequest>(head + many + from_hex("1a00")));
  // Those of messages inside count as well.
  std::string tables;
  for (std::size_t i = 0; i < codec::most_repeated / 2 + 1; ++i) tables += from_hex("0a05 0a0161 1200");
  CHECK_FALSE(decode_message<api::BatchGetRowRequest>(tables));
}

TEST_CASE("errors have the code, status and words of the service") {
  // tablestore/errors.md section 1.
  CHECK(refuse::wrong_key_size(1, 4).error().message == "Validate PK size fail. Input: 1, Meta: 4.");
  CHECK(refuse::wrong_key_size(1, 4).error().name() == "OTSInvalidPK");
  CHECK(refuse::condition_failed().error().status() == 403);
  CHECK(refuse::no_such_table().error().status() == 404);
  CHECK(refuse::invalid_table_name("#").error().message == "Invalid table name: '#'.");
  CHECK(refuse::invalid_key_type("VT_INF_MIN").error().message ==
        "VT_INF_MIN is an invalid type for the primary key.");
}

TEST_CASE("codes have the statuses of the service") {
  // tablestore/errors.md section 1.
  constexpr std::pair<std::string_view, int> statuses[] = {
      {"OTSParameterInvalid", 400},
      {"OTSInvalidPK", 400},
      {"OTSUnsupportOperation", 400},
      {"OTSMissingHeader", 400},
      {"OTSMetaNotMatch", 400},
      {"OTSSessionExpired", 400},
      {"OTSDataOutOfRange", 400},
      {"OTSOutOfTransactionDataSizeLimit", 400},
      {"OTSTrimmedDataAccess", 400},
      {"OTSTunnelExpired", 400},
      {"OTSAuthFailed", 403},
      {"OTSSequenceNumberNotMatch", 400},
      {"OTSConditionCheckFail", 403},
      {"OTSNoPermissionAccess", 403},
      {"OTSObjectNotExist", 404},
      {"OTSQuotaExhausted", 403},
      {"OTSMethodNotAllowed", 405},
      {"OTSSessionNotExist", 404},
      {"OTSObjectAlreadyExist", 409},
      {"OTSRequestTimeout", 408},
      {"OTSRowOperationConflict", 409},
      {"OTSTunnelExist", 409},
      {"OTSSessionBusy", 409},
      {"OTSResourceGone", 410},
      {"OTSRequestBodyTooLarge", 413},
      {"OTSInternalServerError", 500},
      {"OTSServerBusy", 503},
      {"OTSTunnelServerUnavailable", 503},
      {"OTSFlowControl", 429},
      {"OTSNotEnoughCapacityUnit", 403},
      {"OTSTimeout", 503},
      {"OTSTooFrequentReservedThroughputAdjustment", 403},
      {"OTSTableNotReady", 404},
      {"OTSPartitionUnavailable", 503},
      {"OTSServerUnavailable", 503}};
  CHECK(std::size(statuses) == api::error_forms.size());
  for (const auto& [name, status] : statuses) {
    CAPTURE(name);
    const auto form = std::ranges::find(api::error_forms, name, &api::ErrorForm::name);
    REQUIRE(form != api::error_forms.end());
    CHECK(form->status == status);
  }
}

}  // namespace dinette::tablestore::messages_test
