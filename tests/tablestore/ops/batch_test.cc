#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/table.h"

// tablestore/batch.md sections 1 to 3.
namespace dinette::tablestore::batch_test {

using namespace test;
using enum api::RowExistenceExpectation;

/// A BatchWriteRow that keeps its rows.
class Writes {
 public:
  Writes& table(std::string_view name) {
    request_.tables.push_back({.table_name = name});
    return *this;
  }
  Writes& put(const PrimaryKey& key, std::int64_t value, api::RowExistenceExpectation expectation = ignore) {
    return add(api::OperationType::put, row_bytes(key, {{.name = "c", .value = Value::integer(value)}}),
               expectation);
  }
  Writes& erase(const PrimaryKey& key, api::RowExistenceExpectation expectation = ignore) {
    return add(api::OperationType::delete_, row_bytes(key, {}, true), expectation);
  }
  Writes& atomic() {
    request_.is_atomic = true;
    return *this;
  }

  /// Returns "ok" or the error of each row, or that of the whole request.
  std::vector<std::string> send(Server& server) {
    const Reply reply = server.call("BatchWriteRow", request_);
    if (reply.status != 200) return {reply.refusal()};
    std::vector<std::string> results;
    const auto response = codec::decode_message<api::BatchWriteRowResponse>(reply.body).value();
    for (const auto& written : response.tables) {
      for (const auto& row : written.rows)
        results.push_back(row.is_ok ? "ok" : row.error->code + ": " + *row.error->message);
    }
    return results;
  }

 private:
  Writes& add(api::OperationType type, std::string row, api::RowExistenceExpectation expectation) {
    rows_.push_back(std::move(row));
    request_.tables.back().rows.push_back(
        {.type = type, .row_change = rows_.back(), .condition = {.row_existence = expectation}});
    return *this;
  }

  std::deque<std::string> rows_;
  api::BatchWriteRowRequest request_;
};

/// Returns each row of a BatchGetRow as text, or the error of it, or that of the whole request.
std::vector<std::string> read(Server& server, const std::vector<std::pair<std::string, PrimaryKey>>& wanted,
                              std::optional<std::int32_t> max_versions = 1) {
  std::deque<std::string> keys;
  api::BatchGetRowRequest request;
  for (const auto& [table, key] : wanted) {
    keys.push_back(row_bytes(key));
    request.tables.push_back(
        {.table_name = table, .primary_key = {keys.back()}, .max_versions = max_versions});
  }
  const Reply reply = server.call("BatchGetRow", request);
  if (reply.status != 200) return {reply.refusal()};
  std::vector<std::string> results;
  const auto response = codec::decode_message<api::BatchGetRowResponse>(reply.body).value();
  for (const auto& table : response.tables) {
    for (const auto& row : table.rows)
      results.push_back(row.is_ok ? text_of_rows(row.row.value_or(""))
                                  : row.error->code + ": " + *row.error->message);
  }
  return results;
}

using Results = std::vector<std::string>;

TEST_CASE("rows of a batch are written and read in the order of the request") {
  Server server;
  Table t(server, "T");
  Table u(server, "U");
  Writes writes;
  writes.table("T").put(key(1, "a"), 1).put(key(1, "a"), 2).table("U").put(key(1, "a"), 3).erase(key(9, "a"));
  CHECK(writes.send(server) == Results{"ok", "ok", "ok", "ok"});
  CHECK(read(server, {{"U", key(1, "a")}, {"T", key(2, "a")}, {"T", key(1, "a")}, {"T", key(1, "a")}}) ==
        Results{"1,a c=3", "", "1,a c=2", "1,a c=2"});
}

TEST_CASE("a row that fails leaves the others") {
  Server server;
  Table table(server);
  Writes writes;
  writes.table("T")
      .put(key(1, "a"), 1, expect_exist)
      .put(key(2, "a"), 2)
      .put({{"gid", Value::integer(1)}}, 3);
  CHECK(writes.send(server) == Results{"OTSConditionCheckFail: Condition check failed.", "ok",
                                       "OTSInvalidPK: Validate PK size fail. Input: 1, Meta: 2."});
  CHECK(table.get(key(2, "a")) == "2,a c=2");
  CHECK(read(server, {{"T", key(2, "a")}, {"T", {{"gid", Value::integer(1)}}}}) ==
        Results{"2,a c=2", "OTSInvalidPK: Validate PK size fail. Input: 1, Meta: 2."});
}

TEST_CASE("a batch has rows, and not too many") {
  Server server;
  Table table(server);
  CHECK(server.refusal("BatchGetRow", api::BatchGetRowRequest()) ==
        "OTSParameterInvalid: No row specified in the request of BatchGetRow.");
  CHECK(Writes().send(server) == Results{"OTSParameterInvalid: No row is specified in BatchWriteRow."});
  CHECK(Writes().table("T").send(server) ==
        Results{"OTSParameterInvalid: No operation is specified for table: 'T'."});
  Writes many;
  many.table("T");
  for (int gid = 0; gid < 200; ++gid) many.put(key(gid, "a"), gid);
  CHECK(many.send(server) == Results(200, "ok"));
  CHECK(many.put(key(200, "a"), 1).send(server) ==
        Results{"OTSParameterInvalid: Rows count exceeds the upper limit: 200."});
  std::vector<std::pair<std::string, PrimaryKey>> keys(100, {"T", key(1, "a")});
  CHECK(read(server, keys) == Results(100, "1,a c=1"));
  keys.emplace_back("T", key(1, "a"));
  CHECK(read(server, keys) == Results{"OTSParameterInvalid: Rows count exceeds the upper limit: 100."});
}

TEST_CASE("rows of all tables of a batch are counted, and none of them may be malformed") {
  Server server;
  Table table(server);
  Writes writes;
  std::deque<std::string> names;
  for (int i = 0; i < 1000; ++i)
    writes.table(names.emplace_back("T" + std::to_string(i))).put(key(1, "a"), 1);
  CHECK(writes.send(server) == Results{"OTSParameterInvalid: Rows count exceeds the upper limit: 200."});
  const std::string whole = row_bytes(key(1, "a"), {{.name = "c", .value = Value::integer(1)}});
  const std::string cut(whole.substr(0, whole.size() - 1));
  api::BatchWriteRowRequest write{.tables = {{.table_name = "T"}}};
  for (const std::string_view row : {std::string_view(whole), std::string_view(cut)})
    write.tables[0].rows.push_back({.type = api::OperationType::put, .row_change = row, .condition = {}});
  const std::string malformed = "OTSParameterInvalid: data format is invalid.";
  CHECK(server.refusal("BatchWriteRow", write) == malformed);
  CHECK(table.get(key(1, "a")).empty());
  const std::string present = row_bytes(key(1, "a"));
  const api::BatchGetRowRequest get{
      .tables = {{.table_name = "T", .primary_key = {present, "u"}, .max_versions = 1}}};
  CHECK(server.refusal("BatchGetRow", get) == malformed);
}

TEST_CASE("what is wrong with the request fails all of it") {
  Server server;
  Table table(server);
  const std::string missing = "OTSParameterInvalid: Request table not exist";
  CHECK(Writes().atomic().table("T").put(key(1, "a"), 1).table("U").put(key(1, "a"), 1).send(server) ==
        Results{missing});
  CHECK(table.get(key(1, "a")).empty());
  CHECK(read(server, {{"T", key(1, "a")}}, std::nullopt) ==
        Results{"OTSParameterInvalid: No version condition is specified while querying row."});
  CHECK(read(server, {{"#", key(1, "a")}}) == Results{"OTSParameterInvalid: Invalid table name: '#'."});
}

TEST_CASE("a table that is missing fails its rows alone") {
  Server server;
  Table table(server);
  const std::string missing = "OTSObjectNotExist: Requested table does not exist.";
  CHECK(Writes()
            .table("U")
            .put(key(1, "a"), 1)
            .put(key(1, "b"), 1)
            .table("T")
            .put(key(1, "a"), 1)
            .send(server) == Results{missing, missing, "ok"});
  CHECK_FALSE(table.get(key(1, "a")).empty());
  const Results found = read(server, {{"T", key(1, "a")}, {"U", key(1, "a")}});
  REQUIRE(found.size() == 2);
  CHECK(found[0] == read(server, {{"T", key(1, "a")}}).front());
  CHECK(found[1] == missing);
}

TEST_CASE("an atomic batch is of one partition, and done as a whole") {
  Server server;
  Table table(server);
  CHECK(Writes().atomic().table("T").put(key(1, "a"), 1).put(key(1, "b"), 2).send(server) ==
        Results{"ok", "ok"});
  const std::string failed = "OTSConditionCheckFail: Condition check failed.";
  CHECK(Writes().atomic().table("T").put(key(1, "c"), 1).put(key(1, "d"), 2, expect_exist).send(server) ==
        Results{failed, failed});
  CHECK(table.get(key(1, "c")).empty());
  const std::string scope =
      "OTSDataOutOfRange: Data out of scope of atomic. Atomic PartKey:0. Data PartKey:1";
  CHECK(Writes().atomic().table("T").put(key(0, "a"), 1).put(key(1, "x"), 2).send(server) ==
        Results{scope, scope});
  CHECK(table.get(key(0, "a")).empty());
}

TEST_CASE("a table with indexes has a row once in a batch") {
  Server server;
  api::CreateTableRequest request = table_of("T");
  request.table_meta.defined_column = {{.name = "c", .type = api::DefinedColumnType::integer}};
  request.index_metas = {{.name = "by_c", .primary_key = {"c"}}};
  server.ok<api::CreateTableResponse>("CreateTable", request);
  const std::string repeated =
      "OTSParameterInvalid: Repeated rows are not supported in tables with secondary indexes.";
  Writes writes;
  writes.table("T").put(key(1, "a"), 1).put(key(2, "a"), 2).put(key(1, "a"), 3);
  CHECK(writes.send(server) == std::vector<std::string>{"ok", "ok", repeated});
  Writes first_refused;
  first_refused.table("T").put(key(4, "a"), 1, expect_not_exist).put(key(4, "a"), 2);
  CHECK(first_refused.send(server) ==
        std::vector<std::string>{
            "OTSParameterInvalid: Repeated rows do not support row exist expectation check in BatchModify.",
            "ok"});
  Writes together;
  together.table("T").put(key(3, "a"), 1).put(key(3, "a"), 2).atomic();
  CHECK(together.send(server) == std::vector<std::string>{repeated, repeated});
}

}  // namespace dinette::tablestore::batch_test
