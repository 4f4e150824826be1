#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/table.h"

// The words of refusals (tablestore/errors.md section 3): of rows, reads and indexes (tablestore/rows.md
// sections 1 to 4, tablestore/indexes.md section 1, tablestore/tables.md sections 5 and 7,
// tablestore/transactions.md section 2).
namespace dinette::tablestore::refusals_test {

using namespace test;

/// What is sent to a table `T` with the key `gid`, `uid`.
class Refused {
 public:
  std::string write(std::string_view operation, const std::string& row,
                    const api::ReturnContent& returns = {}) {
    if (operation == "PutRow")
      return server.refusal(
          operation,
          api::PutRowRequest{.table_name = "T", .row = row, .condition = {}, .return_content = returns});
    if (operation == "UpdateRow")
      return server.refusal(
          operation, api::UpdateRowRequest{
                         .table_name = "T", .row_change = row, .condition = {}, .return_content = returns});
    return server.refusal(operation,
                          api::DeleteRowRequest{.table_name = "T", .primary_key = row, .condition = {}});
  }
  std::string get(const std::string& row, std::optional<api::TimeRange> time = {},
                  std::optional<std::int32_t> max_versions = {}, std::vector<std::string_view> columns = {}) {
    return server.refusal("GetRow", api::GetRowRequest{.table_name = "T",
                                                       .primary_key = row,
                                                       .columns_to_get = std::move(columns),
                                                       .time_range = time,
                                                       .max_versions = max_versions});
  }

  Server server;
  Table table{server};
};

TEST_CASE("names of attribute columns may be loose where the server allows it") {
  // tablestore/names-limits.md section 1.
  Server server({.loose_names = true});
  Table table(server);
  const std::string invalid = "OTSParameterInvalid: Invalid column name: '#'.";
  const std::vector<CellChange> cells = {{.name = "公司", .value = Value::integer(1)},
                                         {.name = "d", .value = Value::integer(2)}};
  CHECK(table.put(key(1, "a"), cells) == "200");
  CHECK(table.get(key(1, "a"), {.columns = {"公司"}}) == "1,a 公司=1");
  const auto equal = [](std::string_view name, std::int64_t number) {
    return column_filter(api::ComparatorType::equal, name, Value::integer(number), true);
  };
  CHECK(table.get(key(1, "a"), {.filter = equal("公司", 1)}) == "1,a d=2 公司=1");
  CHECK(table.get(key(1, "a"), {.filter = equal("公司", 2)}).empty());
  CHECK(table.put(key(1, "a"), {{.name = "#", .value = Value::integer(1)}}) == invalid);
  CHECK(table.get(key(1, "a"), {.columns = {"#"}}) == invalid);
  CHECK(table.get(key(1, "a"), {.filter = equal("#", 1)}) == invalid);
}

const CellChange c{.name = "c", .value = Value::integer(1)};

TEST_CASE_METHOD(Refused, "rows that are not what their operation takes are refused") {
  CHECK(write("DeleteRow", row_bytes(key(1, "a"))) ==
        "OTSParameterInvalid: Invalid request of delete row: missing RowDeleteMarker in request");
  CHECK(write("DeleteRow", row_bytes(key(1, "a"), {c}, true)) ==
        "OTSParameterInvalid: Invalid delete row request: unexpected cells in request");
  for (const char* const operation : {"PutRow", "UpdateRow"})
    CHECK(write(operation, row_bytes(key(1, "a"), {c}, true)) ==
          "OTSParameterInvalid: Invalid request of put/update row: unexpected RowDeleteMarker in request.");
  CHECK(write("PutRow", row_bytes(key(1, "a"), {{.name = "c", .version = 1}})) ==
        "OTSParameterInvalid: Invalid request of put row: find cells without values");
  CHECK(write("UpdateRow", row_bytes(key(1, "a"), {{.name = "c", .version = 1}})) ==
        "OTSParameterInvalid: Invalid cell: c. Reason: missing value");
  CHECK(
      write("UpdateRow",
            row_bytes(key(1, "a"),
                      {{.name = "c", .value = Value::string("x"), .operation = CellOperation::increment}})) ==
      "OTSParameterInvalid: VT_STRING is an invalid type for the attribute column.");
}

TEST_CASE_METHOD(Refused, "rows that are too large are refused with their size") {
  const std::string part(2 * 1024 * 1024, 'x');
  const std::vector<CellChange> cells{{.name = "a", .value = Value::string(part)},
                                      {.name = "b", .value = Value::string(part)}};
  const std::string sizes = " request exceeds the limit, limit size: 4194304, data size: ";
  CHECK(write("PutRow", row_bytes(key(1, "a"), cells))
            .starts_with("OTSParameterInvalid: The total data size of PutRow" + sizes));
  CHECK(write("UpdateRow", row_bytes(key(1, "a"), cells))
            .starts_with("OTSParameterInvalid: The total data size of UpdateRow" + sizes));
}

TEST_CASE_METHOD(Refused, "reads that cannot be are refused") {
  CHECK(get(row_bytes(key(1, "a"), {c}), {}, 1) ==
        "OTSParameterInvalid: Attribute column cannot be given while reading data.");
  CHECK(get(row_bytes(key(1, "a"), {}, true), {}, 1) ==
        "OTSParameterInvalid: Delete marker cannot be given.");
  const std::string row = row_bytes(key(1, "a"));
  CHECK(get(row, api::TimeRange{.specific_time = -1}) ==
        "OTSParameterInvalid: Specific timestamp cannot be less than 0.");
  CHECK(get(row, api::TimeRange{.start_time = 1, .end_time = 2, .specific_time = 1}) ==
        "OTSParameterInvalid: Specific tiemstamp and time range cannot be given at the same time.");
  CHECK(get(row, api::TimeRange{.start_time = 1, .end_time = 2, .specific_time = 1}, 1) ==
        "OTSParameterInvalid: Specific tiemstamp, time range and max versions cannot be given at the same "
        "time.");
  CHECK(get(row, {}, 1, std::vector<std::string_view>(1025, "c")) ==
        "OTSParameterInvalid: The number of columns from the request exceeds the limit, limit count: 1024, "
        "column "
        "count: 1025.");
}

TEST_CASE_METHOD(Refused, "increments that cannot be are refused, and change nothing") {
  table.put(key(1, "a"), {{.name = "c", .value = Value::integer(std::numeric_limits<std::int64_t>::max())},
                          {.name = "s", .value = Value::string("x")}});
  const auto increment = [](std::string_view name) {
    return row_bytes(key(1, "a"),
                     {{.name = name, .value = Value::integer(1), .operation = CellOperation::increment}});
  };
  CHECK(write("UpdateRow", increment("c")) == "OTSParameterInvalid: Invalid cell: c. Reason: overflow");
  CHECK(write("UpdateRow", increment("s")) == "OTSParameterInvalid: Invalid cell: s. Reason: type mismatch");
  const api::ReturnContent of_another{.return_type = api::ReturnType::rt_after_modify,
                                      .return_column_names = {"s"}};
  CHECK(write("UpdateRow", increment("c"), of_another) ==
        "OTSParameterInvalid: Invalid return column: s. Reason: not incremented");
  CHECK(table.get(key(1, "a")) == "1,a c=9223372036854775807 s=x");
}

TEST_CASE("keys that the service numbers are refused where they cannot be") {
  Server server;
  server.create(
      "N",
      {{.name = "gid", .type = api::PrimaryKeyType::integer},
       {.name = "n", .type = api::PrimaryKeyType::integer, .option = api::PrimaryKeyOption::auto_increment}});
  const auto put = [&](const PrimaryKey& key, api::RowExistenceExpectation expectation) {
    const std::string row = row_bytes(key);
    return server.refusal(
        "PutRow",
        api::PutRowRequest{.table_name = "N", .row = row, .condition = {.row_existence = expectation}});
  };
  const Value number = Value::auto_increment();
  CHECK(put({{"gid", number}, {"n", number}}, api::RowExistenceExpectation::ignore) ==
        "OTSParameterInvalid: 2 pk auto increment exist in row.");
  CHECK(put({{"gid", Value::integer(1)}, {"n", Value::integer(2)}},
            api::RowExistenceExpectation::expect_not_exist) ==
        "OTSParameterInvalid: Invalid expect: EXPECT_NOT_EXIST when modify a specific row for table with pk "
        "auto "
        "increment");
}

TEST_CASE_METHOD(Refused, "a row that is twice in a batch may not have a condition") {
  const std::string row = row_bytes(key(1, "a"), {c});
  const std::string condition = column_filter(api::ComparatorType::equal, "c", Value::integer(1));
  api::RowInBatchWriteRowRequest plain{.type = api::OperationType::put, .row_change = row, .condition = {}};
  api::RowInBatchWriteRowRequest conditional = plain;
  conditional.condition.column_condition = condition;
  const api::BatchWriteRowRequest batch{.tables = {{.table_name = "T", .rows = {plain, conditional}}}};
  const auto rows = server.ok<api::BatchWriteRowResponse>("BatchWriteRow", batch).tables.at(0).rows;
  CHECK(rows.at(0).is_ok);
  CHECK(rows.at(1).error->message == "Repeated rows do not support row condition check in BatchModify.");
}

TEST_CASE_METHOD(Refused, "a transaction is about one table, and of a limited size") {
  const std::string id = table.start(1);
  Table other(server, "U");
  CHECK(other.put(key(1, "a"), {c}, {.transaction = id}) ==
        "OTSParameterInvalid: Data out of scope of transaction. Table:U");
  const std::string part(2'000'000, 'x');
  const std::vector<CellChange> large{{.name = "a", .value = Value::string(part)}};
  CHECK(table.put(key(1, "a"), large, {.transaction = id}) == "200");
  CHECK(table.put(key(1, "b"), large, {.transaction = id}) == "200");
  CHECK(table.put(key(1, "c"), large, {.transaction = id}) ==
        "OTSOutOfTransactionDataSizeLimit: The total data size of transaction exceeds the limit.");
}

/// A table with a defined column `d`, and indexes on it.
class Indexed {
 public:
  Indexed() {
    api::CreateTableRequest request = table_of("T");
    for (const char* const name : {"d", "e"})
      request.table_meta.defined_column.push_back({.name = name, .type = api::DefinedColumnType::string});
    server.ok<api::CreateTableResponse>("CreateTable", request);
  }
  std::string create(api::IndexMeta index) {
    index.name = "I";
    return server.refusal("CreateIndex",
                          api::CreateIndexRequest{.main_table_name = "T", .index_meta = index});
  }
  std::string change(const api::TableOptions& options) {
    return server.refusal("UpdateTable",
                          api::UpdateTableRequest{.table_name = "T", .table_options = options});
  }

  Server server;
};

TEST_CASE_METHOD(Indexed, "indexes that cannot be are refused") {
  CHECK(create({.primary_key = {"d"}, .defined_column = std::vector<std::string>(33, "e")}) ==
        "OTSParameterInvalid: The number of attribute columns must be in range: [0, 32] in index.");
  CHECK(create({.primary_key = {"d"}, .index_type = api::IndexType::local_index}) ==
        "OTSParameterInvalid: The first primary key column of a local index must be that of its table.");
  CHECK(create({.primary_key = {"d"}}) == "200");
  CHECK(change({.max_versions = 2}) ==
        "OTSParameterInvalid: MaxVersions must be 1 in a table with secondary indexes.");
  CHECK(change({.time_to_live = 86'400}) ==
        "OTSParameterInvalid: Don't support allow update operation on table with index and ttl");
  CHECK(server.refusal("DeleteDefinedColumn",
                       api::DeleteDefinedColumnRequest{.table_name = "T", .columns = {"d"}}) ==
        "OTSParameterInvalid: Defined column 'd' is used by index.");
  const std::string row = row_bytes(key(1, "a"), {{.name = "d", .value = Value::string("x"), .version = 1}});
  CHECK(server.refusal("PutRow", api::PutRowRequest{.table_name = "T", .row = row, .condition = {}}) ==
        "OTSParameterInvalid: Timestamp cannot be given in a table with secondary indexes.");
}

}  // namespace dinette::tablestore::refusals_test
