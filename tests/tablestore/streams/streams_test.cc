#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "support/engines.h"
#include "tablestore/plainbuffer/byte_reader.h"
#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/plainbuffer/tags.h"
#include "tablestore/request/context.h"
#include "tablestore/table.h"
#include "tablestore/tables/table_schema.h"

// tablestore/streams.md sections 1 to 3.
namespace dinette::tablestore::streams_test {

using namespace test;
using Lines = std::vector<std::string>;

constexpr std::string_view no_stream = "OTSObjectNotExist: Requested stream does not exist.";
constexpr std::size_t extension_size = 29;  // of an epoch, a time and an index, with their tags and lengths

/// What the extension of a record says, which is before the checksum of the row.
struct Sequence {
  std::uint32_t epoch = 0;
  std::int64_t time = 0;
  std::uint32_t index = 0;
};

Sequence sequence_of(const std::string& record) {
  REQUIRE(record.size() > extension_size + 2);
  plainbuffer::ByteReader in(
      std::string_view(record).substr(record.size() - 2 - extension_size, extension_size));
  Sequence sequence;
  const auto take = [&](plainbuffer::Tag tag) { REQUIRE(in.take_byte(static_cast<std::uint8_t>(tag))); };
  take(plainbuffer::Tag::extension);
  CHECK(in.number<std::uint32_t>() == 24);
  take(plainbuffer::Tag::sequence);
  CHECK(in.number<std::uint32_t>() == 19);
  take(plainbuffer::Tag::epoch);
  sequence.epoch = in.number<std::uint32_t>().value();
  take(plainbuffer::Tag::time);
  sequence.time = in.number<std::int64_t>().value();
  take(plainbuffer::Tag::row_index);
  sequence.index = in.number<std::uint32_t>().value();
  CHECK(in.at_end());
  return sequence;
}

/// Shows a record: `PUT 1,a c=5@0`; versions are relative to `now`.
std::string shown(const api::StreamRecord& record, CellVersion now) {
  std::string bytes = record.record;
  bytes.erase(bytes.size() - 2 - extension_size, extension_size);
  const auto row = plainbuffer::decode_row(bytes);
  REQUIRE(row);
  std::string text = record.action_type == api::ActionType::put_row      ? "PUT"
                     : record.action_type == api::ActionType::update_row ? "UPDATE"
                                                                         : "DELETE";
  text += ' ' + std::to_string(row->key[0].value.as_integer()) + ',' + std::string(row->key[1].value.bytes());
  for (const CellChange& cell : row->cells) {
    text += ' ' + std::string(cell.name);
    if (cell.value) text += '=' + std::to_string(cell.value->as_integer());
    if (cell.operation) text += '#' + std::to_string(static_cast<int>(*cell.operation));
    if (cell.version) text += '@' + std::to_string(*cell.version - now);
  }
  if (record.origin_record) text += " from " + text_of_rows(*record.origin_record);
  return text;
}

/// A table `S` with a stream.
class Streamed {
 public:
  explicit Streamed(api::StreamSpecification stream = {.enable_stream = true, .expiration_time = 24},
                    std::shared_ptr<kv::Engine> engine = nullptr)
      : server({}, std::move(engine)) {
    api::CreateTableRequest request = table_of("S");
    request.table_options->max_versions = 3;
    request.stream_spec = std::move(stream);
    server.ok<api::CreateTableResponse>("CreateTable", request);
  }

  CellVersion now() const {
    return std::chrono::floor<std::chrono::milliseconds>(clock.now().time_since_epoch()).count();
  }
  api::StreamDetails details() {
    return server
        .ok<api::DescribeTableResponse>("DescribeTable", api::DescribeTableRequest{.table_name = "S"})
        .stream_details.value();
  }
  std::string stream() { return details().stream_id.value(); }
  std::string update(api::StreamSpecification stream) {
    api::UpdateTableRequest request{.table_name = "S"};
    request.stream_spec = std::move(stream);
    return server.refusal("UpdateTable", request);
  }

  void put(std::int64_t gid, std::int64_t value) {
    write("PutRow", gid, {{.name = "c", .value = Value::integer(value)}});
  }
  void write(std::string_view operation, std::int64_t gid, const std::vector<CellChange>& cells) {
    const bool deletes = operation == "DeleteRow";
    const std::string row = row_bytes(key(gid, "a"), cells, deletes);
    std::string answer;
    if (operation == "PutRow")
      answer = server.refusal(operation, api::PutRowRequest{.table_name = "S", .row = row, .condition = {}});
    if (operation == "UpdateRow")
      answer = server.refusal(operation,
                              api::UpdateRowRequest{.table_name = "S", .row_change = row, .condition = {}});
    if (deletes)
      answer = server.refusal(operation,
                              api::DeleteRowRequest{.table_name = "S", .primary_key = row, .condition = {}});
    REQUIRE(answer == "200");
  }

  std::string iterator(std::optional<std::int64_t> timestamp = {}) {
    const std::string id = stream();
    return server
        .ok<api::GetShardIteratorResponse>(
            "GetShardIterator",
            api::GetShardIteratorRequest{.stream_id = id, .shard_id = "shard-0", .timestamp = timestamp})
        .shard_iterator;
  }
  /// Reads a page, and moves the iterator to its end.
  api::GetStreamRecordResponse page(std::string& from, std::optional<std::int32_t> limit = {}) {
    auto response = server.ok<api::GetStreamRecordResponse>(
        "GetStreamRecord", api::GetStreamRecordRequest{.shard_iterator = from, .limit = limit});
    REQUIRE(response.next_shard_iterator);
    from = *response.next_shard_iterator;
    return response;
  }
  Lines read(std::string& from, std::optional<std::int32_t> limit = {}) {
    Lines lines;
    for (const auto& record : page(from, limit).stream_records) lines.push_back(shown(record, now()));
    return lines;
  }
  Lines read_all() {
    std::string from = iterator();
    return read(from);
  }
  /// Returns how many records are stored.
  std::int64_t kept() {
    const auto store = server.world().store(face_id, "inst");
    const auto table = store->catalog().open("S").value();
    const auto stream = table->schema_as<TableSchema>().meta().stream.value().stream;
    return store->view()->count_stream(store::StreamId{stream})->rows;
  }
  std::string read_refusal(std::string_view from) {
    return server.refusal("GetStreamRecord", api::GetStreamRecordRequest{.shard_iterator = from});
  }

  Server server;
  base::ManualClock& clock = server.clock();
};

TEST_CASE("a table says whether it has a stream") {
  Server server;
  server.create("T");
  const auto without =
      server.ok<api::DescribeTableResponse>("DescribeTable", api::DescribeTableRequest{.table_name = "T"});
  REQUIRE(without.stream_details);
  CHECK_FALSE(without.stream_details->enable_stream);
  CHECK_FALSE(without.stream_details->stream_id);
  CHECK(server.ok<api::ListStreamResponse>("ListStream", api::ListStreamRequest{.table_name = "T"})
            .streams.empty());
  Streamed rows({.enable_stream = true, .expiration_time = 168, .columns_to_get = {"c"}});
  const api::StreamDetails details = rows.details();
  CHECK(details.enable_stream);
  CHECK(details.expiration_time == 168);
  CHECK(details.last_enable_time.value() > 0);
  CHECK(details.column_to_get == Lines{"c"});
  const auto listed = rows.server.ok<api::ListStreamResponse>("ListStream", api::ListStreamRequest{}).streams;
  REQUIRE(listed.size() == 1);
  CHECK(listed[0].stream_id == details.stream_id);
  CHECK(listed[0].table_name == "S");
  const auto described = rows.server.ok<api::DescribeStreamResponse>(
      "DescribeStream", api::DescribeStreamRequest{.stream_id = details.stream_id.value()});
  CHECK(described.stream_status == api::StreamStatus::active);
  CHECK(described.expiration_time == 168);
  CHECK(described.table_name == "S");
  REQUIRE(described.shards.size() == 1);
  CHECK(described.shards[0].shard_id == "shard-0");
  CHECK_FALSE(described.shards[0].parent_id);
  CHECK_FALSE(described.next_shard_id);
}

TEST_CASE("a stream is switched off with its records, and on again as another one") {
  Streamed rows;
  rows.put(1, 1);
  const std::string id = rows.stream();
  std::string from = rows.iterator();
  CHECK(rows.update({.enable_stream = true, .expiration_time = 48}) == "200");
  CHECK(rows.stream() == id);
  CHECK(rows.details().expiration_time == 48);
  CHECK(rows.read(from) == Lines{"PUT 1,a c=1@0"});
  CHECK(rows.update({.enable_stream = false}) == "200");
  CHECK_FALSE(rows.details().enable_stream);
  CHECK(rows.read_refusal(from) == no_stream);
  rows.put(2, 2);
  rows.server.advance(std::chrono::seconds(1));
  CHECK(rows.update({.enable_stream = true}) == "200");
  CHECK(rows.stream() != id);
  CHECK(rows.read_all().empty());
  const std::string range =
      "OTSParameterInvalid: The expiration time of a stream must be in range [1, 168] hours.";
  CHECK(rows.update({.enable_stream = true, .expiration_time = 0}) == range);
  CHECK(rows.update({.enable_stream = true, .expiration_time = 169}) == range);
}

TEST_CASE("records say what was written, by column") {
  Streamed rows;
  rows.write("PutRow", 1,
             {{.name = "c", .value = Value::integer(1)}, {.name = "b", .value = Value::integer(2)}});
  rows.write("UpdateRow", 1,
             {{.name = "toUpdate", .value = Value::integer(3)},
              {.name = "toDel", .operation = CellOperation::delete_one_version, .version = rows.now() - 5},
              {.name = "toDelAll", .operation = CellOperation::delete_all_versions},
              {.name = "c", .value = Value::integer(4), .operation = CellOperation::increment}});
  rows.write("DeleteRow", 1, {});
  rows.write("DeleteRow", 9, {});  // nothing was there
  CHECK(rows.read_all() == Lines{"PUT 1,a b=2@0 c=1@0", "UPDATE 1,a c=5@0 toDel#3@-5 toDelAll#1 toUpdate=3@0",
                                 "DELETE 1,a", "DELETE 9,a"});
}

TEST_CASE("records have the time of their commit and their place in the request") {
  Streamed rows;
  api::BatchWriteRowRequest request;
  std::vector<std::string> bytes;
  for (std::int64_t i = 0; i < 3; ++i)
    bytes.push_back(row_bytes(key(i, "a"), {{.name = "c", .value = Value::integer(i)}}));
  request.tables.push_back({.table_name = "S"});
  for (const std::string& row : bytes)
    request.tables[0].rows.push_back({.type = api::OperationType::put, .row_change = row, .condition = {}});
  rows.server.ok<api::BatchWriteRowResponse>("BatchWriteRow", request);
  std::string from = rows.iterator();
  const auto records = rows.page(from).stream_records;
  REQUIRE(records.size() == 3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const Sequence sequence = sequence_of(records[i].record);
    CHECK(sequence.time == rows.clock.now().time_since_epoch().count());
    CHECK(sequence.index == i);
  }
}

TEST_CASE("records have the former values of the columns that the stream asks for") {
  Streamed rows({.enable_stream = true, .expiration_time = 24, .columns_to_get = {"x", "c"}});
  rows.put(1, 1);
  rows.put(1, 2);
  rows.write("UpdateRow", 1, {{.name = "x", .value = Value::integer(3)}});
  rows.write("DeleteRow", 1, {});
  CHECK(rows.read_all() == Lines{"PUT 1,a c=1@0", "PUT 1,a c=2@0 from 1,a c=1",
                                 "UPDATE 1,a x=3@0 from 1,a c=2", "DELETE 1,a from 1,a c=2 x=3"});
}

TEST_CASE("a shard is read page by page, and goes on") {
  Streamed rows;
  for (std::int64_t i = 1; i <= 5; ++i) rows.put(i, i);
  std::string from = rows.iterator();
  const std::string beginning = from;
  const auto first = rows.page(from, 2);
  CHECK(first.stream_records.size() == 2);
  CHECK(first.may_more_record == true);
  CHECK(first.consumed->capacity_unit.read == 1);
  CHECK(rows.read(from, 3) == Lines{"PUT 3,a c=3@0", "PUT 4,a c=4@0", "PUT 5,a c=5@0"});
  const auto last = rows.page(from);
  CHECK(last.stream_records.empty());
  CHECK(last.may_more_record == false);
  rows.put(6, 6);
  CHECK(rows.read(from) == Lines{"PUT 6,a c=6@0"});
  std::string again = beginning;
  CHECK(rows.read(again, 1) == Lines{"PUT 1,a c=1@0"});
}

TEST_CASE("a page has 1,000 records, or those of a megabyte") {
  // tablestore/streams.md section 2.
  Streamed rows;
  const std::string large(600'000, 'x');
  for (std::int64_t i = 1; i <= 3; ++i)
    rows.write("PutRow", i, {{.name = "s", .value = Value::string(large)}});
  std::string from = rows.iterator();
  for (int i = 0; i < 3; ++i) {
    const auto page = rows.page(from);
    CHECK(page.stream_records.size() == 1);
    CHECK(page.consumed->capacity_unit.read.value() > 600'000 / 4096);
    CHECK(page.may_more_record == (i < 2));
  }
  for (std::int64_t i = 0; i < 1'001; ++i) rows.put(i, i);
  for (const std::int32_t limit : {0, 1'000, 5'000}) {
    std::string again = from;
    CHECK(rows.page(again, limit).stream_records.size() == 1'000);
    CHECK(rows.page(again, limit).stream_records.size() == 1);
  }
}

TEST_CASE("the shards of a stream are listed from one on") {
  Streamed rows;
  const std::string id = rows.stream();
  const auto shards = [&](std::optional<std::string_view> from) {
    return rows.server
        .ok<api::DescribeStreamResponse>(
            "DescribeStream", api::DescribeStreamRequest{.stream_id = id, .inclusive_start_shard_id = from})
        .shards.size();
  };
  CHECK(shards({}) == 1);
  CHECK(shards("shard-0") == 1);
  CHECK(shards("shard-1") == 0);
  const auto described = rows.server.ok<api::DescribeStreamResponse>(
      "DescribeStream", api::DescribeStreamRequest{.stream_id = id});
  CHECK(described.creation_time == rows.clock.now().time_since_epoch().count());
}

TEST_CASE("an iterator begins at a time") {
  Streamed rows;
  rows.put(1, 1);
  rows.server.advance(std::chrono::seconds(10));
  rows.put(2, 2);
  // Microseconds, as extensions of records have them (tablestore/streams.md section 2).
  const std::int64_t now = rows.clock.now().time_since_epoch().count();
  for (const std::int64_t before : {std::int64_t{9'999'999}, std::int64_t{1}, std::int64_t{0}}) {
    std::string from = rows.iterator(now - before);
    CHECK(rows.read(from) == Lines{"PUT 2,a c=2@0"});
  }
  std::string from = rows.iterator(now - 10'000'000);
  CHECK(rows.read(from).size() == 2);
  from = rows.iterator(now + 1);
  CHECK(rows.read(from).empty());
  rows.put(3, 3);
  CHECK(rows.read(from) == Lines{"PUT 3,a c=3@0"});
  from = rows.iterator(std::numeric_limits<std::int64_t>::max());
  CHECK(rows.read(from).empty());
}

TEST_CASE("records expire, are removed by a job, and iterators before them are refused") {
  Streamed rows({.enable_stream = true, .expiration_time = 1});
  rows.put(1, 1);
  rows.put(2, 2);
  std::string from = rows.iterator();
  rows.page(from, 1);
  rows.server.advance(std::chrono::minutes(50));
  rows.put(3, 3);
  rows.server.advance(std::chrono::minutes(20));
  rows.put(4, 4);
  CHECK(rows.read_all() == Lines{"PUT 3,a c=3@-1200000", "PUT 4,a c=4@0"});
  CHECK(rows.read_refusal(from) ==
        "OTSTrimmedDataAccess: Requested stream data is already trimmed or does not exist.");
  CHECK(rows.kept() == 2);
  rows.clock.advance(std::chrono::minutes(50));  // without the job
  CHECK(rows.read_all() == Lines{"PUT 4,a c=4@-3000000"});
  CHECK(rows.kept() == 2);
  rows.server.advance(std::chrono::hours(3));
  CHECK(rows.read_all().empty());
  CHECK(rows.kept() == 0);
}

TEST_CASE("a commit of a transaction has its records, in their order") {
  Streamed rows;
  const std::string partition = row_bytes({{"gid", Value::integer(1)}});
  const std::string id =
      rows.server
          .ok<api::StartLocalTransactionResponse>(
              "StartLocalTransaction", api::StartLocalTransactionRequest{.table_name = "S", .key = partition})
          .transaction_id;
  for (const char* const uid : {"z", "b"}) {
    const std::string row = row_bytes(key(1, uid), {{.name = "c", .value = Value::integer(1)}});
    rows.server.ok<api::PutRowResponse>(
        "PutRow", api::PutRowRequest{.table_name = "S", .row = row, .condition = {}, .transaction_id = id});
  }
  CHECK(rows.read_all().empty());
  rows.server.ok<api::CommitTransactionResponse>("CommitTransaction",
                                                 api::CommitTransactionRequest{.transaction_id = id});
  CHECK(rows.read_all() == Lines{"PUT 1,z c=1@0", "PUT 1,b c=1@0"});
}

TEST_CASE("streams that are not there, and what is no iterator, are refused") {
  Streamed rows;
  const std::string id = rows.stream();
  CHECK(rows.server.refusal("DescribeStream", api::DescribeStreamRequest{.stream_id = "S_1"}) == no_stream);
  CHECK(rows.server.refusal("DescribeStream", api::DescribeStreamRequest{.stream_id = "none"}) == no_stream);
  CHECK(rows.server.refusal("GetShardIterator",
                            api::GetShardIteratorRequest{.stream_id = id, .shard_id = "1"}) ==
        "OTSParameterInvalid: Invalid shard id: '1'.");
  CHECK(rows.read_refusal("x") == "OTSParameterInvalid: Invalid shard iterator.");
  std::string from = rows.iterator();
  rows.server.ok<api::DeleteTableResponse>("DeleteTable", api::DeleteTableRequest{.table_name = "S"});
  CHECK(rows.read_refusal(from) == no_stream);
}

TEST_CASE("the records of a stream that a table has lost are erased, also after a restart") {
  const auto engine = ::test::make_test_engine();
  std::vector<store::StreamId> lost;
  const auto kept = [&](Server& server) {
    const auto store = server.world().store(face_id, "inst");
    std::int64_t records = 0;
    for (const store::StreamId stream : lost) records += store->view()->count_stream(stream)->rows;
    return records;
  };
  const auto lose = [&](Streamed& rows) {
    rows.put(1, 1);
    const auto table = rows.server.world().store(face_id, "inst")->catalog().open("S").value();
    lost.push_back(store::StreamId{table->schema_as<TableSchema>().meta().stream.value().stream});
  };
  {
    Streamed rows({.enable_stream = true}, engine);
    lose(rows);
    CHECK(rows.update({.enable_stream = false}) == "200");
    CHECK(rows.update({.enable_stream = true}) == "200");
    lose(rows);
    rows.server.ok<api::DeleteTableResponse>("DeleteTable", api::DeleteTableRequest{.table_name = "S"});
    CHECK(kept(rows.server) == 2);  // no job has run
  }
  Server again({}, engine);
  again.advance(std::chrono::seconds(0));
  CHECK(kept(again) == 0);
}

TEST_CASE("the id of a stream is too long if the table's name is") {
  Server server;
  const auto read = [&](std::size_t length) {
    const std::string name(length, 't');
    api::CreateTableRequest request = table_of(name);
    request.stream_spec = api::StreamSpecification{.enable_stream = true, .expiration_time = 24};
    server.ok<api::CreateTableResponse>("CreateTable", request);
    const std::string id =
        server.ok<api::DescribeTableResponse>("DescribeTable", api::DescribeTableRequest{.table_name = name})
            .stream_details->stream_id.value();
    const std::string from =
        server
            .ok<api::GetShardIteratorResponse>(
                "GetShardIterator", api::GetShardIteratorRequest{.stream_id = id, .shard_id = "shard-0"})
            .shard_iterator;
    return server.refusal("GetStreamRecord", api::GetStreamRecordRequest{.shard_iterator = from});
  };
  CHECK(read(238) == "200");
  CHECK(read(239).starts_with("OTSParameterInvalid: Invalid stream id "));
}

}  // namespace dinette::tablestore::streams_test
