#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/plainbuffer/variant.h"
#include "tablestore/table.h"

// Each limit and each rule of names, in all operations that take what it is about, at the limit and one
// beyond: tablestore/names-limits.md sections 1 to 4, tablestore/rows.md sections 1 and 3,
// tablestore/batch.md section 1, tablestore/transactions.md section 2, tablestore/streams.md section 1.
namespace dinette::tablestore::limits_test {

using namespace test;
using api::OperationType;

std::string invalid(std::string_view message) {
  return "OTSParameterInvalid: " + std::string(message);
}

constexpr std::string_view passed = "200";

/// A way to send something, and its name.
template <class... Parts>
struct Way {
  std::string name;
  std::function<std::string(Parts...)> send;
};

using Cells = std::vector<CellChange>;
using Names = std::vector<std::string_view>;

/// A table `T` with the key `gid` (Integer), `uid` (String), with which transactions may be used; a mapping
/// of SQL to it, and a table `S` whose partition key is a String.
class Limits {
 public:
  Limits() {
    server.create("S", {{.name = "id", .type = api::PrimaryKeyType::string}});
    for (const char* const mapping :
         {"create table T (gid bigint, uid varchar(1024), c mediumtext, primary key (gid, uid))",
          "create table S (id varchar(1024), c mediumtext, primary key (id))"})
      REQUIRE(sql(mapping) == passed);
  }

  std::string sql(std::string_view query) {
    return server.refusal(
        "SQLQuery", api::SQLQueryRequest{.query = query, .version = api::SQLPayloadVersion::flat_buffers});
  }

  /// Sends a batch of one row. Returns its error, or that of the request.
  std::string batch(OperationType type, const PrimaryKey& key, const Cells& cells,
                    const std::string& condition = {}) {
    const std::string row = row_bytes(key, cells, type == OperationType::delete_);
    api::RowInBatchWriteRowRequest one{.type = type, .row_change = row, .condition = {}};
    if (!condition.empty()) one.condition.column_condition = condition;
    const Reply reply = server.call(
        "BatchWriteRow", api::BatchWriteRowRequest{.tables = {{.table_name = "T", .rows = {one}}}});
    if (reply.status != 200) return reply.refusal();
    const auto written = codec::decode_message<api::BatchWriteRowResponse>(reply.body).value();
    const auto& result = written.tables.at(0).rows.at(0);
    return result.is_ok ? std::string(passed) : "row " + result.error->code + ": " + *result.error->message;
  }

  /// Reads a row by a batch. Returns its error, or that of the request.
  std::string batch_get(const PrimaryKey& key, const Names& columns = {}, const std::string& filter = {},
                        std::optional<api::TimeRange> time = {}) {
    const std::string row = row_bytes(key);
    api::TableInBatchGetRowRequest one{
        .table_name = "T", .primary_key = {row}, .columns_to_get = columns, .time_range = time};
    if (!time) one.max_versions = 1;
    if (!filter.empty()) one.filter = filter;
    const Reply reply = server.call("BatchGetRow", api::BatchGetRowRequest{.tables = {one}});
    if (reply.status != 200) return reply.refusal();
    const auto read = codec::decode_message<api::BatchGetRowResponse>(reply.body).value();
    const auto& result = read.tables.at(0).rows.at(0);
    return result.is_ok ? std::string(passed) : "row " + result.error->code + ": " + *result.error->message;
  }

  std::string get(const PrimaryKey& key, const Names& columns = {}, const std::string& filter = {},
                  std::optional<api::TimeRange> time = {}) {
    const std::string row = row_bytes(key);
    api::GetRowRequest request{
        .table_name = "T", .primary_key = row, .columns_to_get = columns, .time_range = time};
    if (!time) request.max_versions = 1;
    if (!filter.empty()) request.filter = filter;
    return server.refusal("GetRow", request);
  }

  std::string range(const PrimaryKey& from, const PrimaryKey& to, const Names& columns = {},
                    const std::string& filter = {}, std::optional<api::TimeRange> time = {}) {
    const std::string begin = row_bytes(from);
    const std::string end = row_bytes(to);
    api::GetRangeRequest request{.table_name = "T", .columns_to_get = columns, .time_range = time};
    request.inclusive_start_primary_key = begin;
    request.exclusive_end_primary_key = end;
    if (!time) request.max_versions = 1;
    if (!filter.empty()) request.filter = filter;
    return server.refusal("GetRange", request);
  }

  std::string start(const PrimaryKey& key, std::string_view name = "T") {
    const std::string bytes = row_bytes(key);
    return server.refusal("StartLocalTransaction",
                          api::StartLocalTransactionRequest{.table_name = name, .key = bytes});
  }

  /// Writes in a transaction, which ends then.
  std::string in_transaction(const PrimaryKey& key, const Cells& cells) {
    const std::string id = table.start(1);
    std::string outcome = table.put(key, cells, {.transaction = id});
    CHECK(table.abort(id) == passed);
    return outcome;
  }

  /// All writes that have a row.
  std::vector<Way<PrimaryKey, Cells>> writes() {
    return {
        {"PutRow", [&](const PrimaryKey& key, const Cells& cells) { return table.put(key, cells); }},
        {"UpdateRow", [&](const PrimaryKey& key, const Cells& cells) { return table.update(key, cells); }},
        {"PUT of a batch",
         [&](const PrimaryKey& key, const Cells& cells) { return batch(OperationType::put, key, cells); }},
        {"UPDATE of a batch",
         [&](const PrimaryKey& key, const Cells& cells) { return batch(OperationType::update, key, cells); }},
        {"a transaction",
         [&](const PrimaryKey& key, const Cells& cells) { return in_transaction(key, cells); }}};
  }

  /// All operations that have a key of a row, for writes and deletions and then for reads.
  std::vector<Way<PrimaryKey>> keys_of_writes() {
    std::vector<Way<PrimaryKey>> ways;
    for (const auto& write : writes())
      ways.push_back({write.name, [send = write.send](const PrimaryKey& key) {
                        return send(key, {{.name = "c", .value = Value::integer(1)}});
                      }});
    ways.push_back({"DeleteRow", [&](const PrimaryKey& key) { return table.erase(key); }});
    ways.push_back(
        {"DELETE of a batch", [&](const PrimaryKey& key) { return batch(OperationType::delete_, key, {}); }});
    return ways;
  }
  std::vector<Way<PrimaryKey>> keys_of_reads() {
    return {{"GetRow", [&](const PrimaryKey& key) { return get(key); }},
            {"BatchGetRow", [&](const PrimaryKey& key) { return batch_get(key); }}};
  }
  std::vector<Way<PrimaryKey>> bounds() {
    return {{"the start of a range", [&](const PrimaryKey& key) { return range(key, most()); }},
            {"the end of a range", [&](const PrimaryKey& key) { return range(least(), key); }}};
  }
  std::vector<Way<PrimaryKey>> keys() {
    auto all = keys_of_writes();
    for (const auto& more : {keys_of_reads(), bounds()}) all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  /// All reads, with columns, a filter or versions.
  std::vector<Way<Names, std::string, std::optional<api::TimeRange>>> reads() {
    return {{"GetRow",
             [&](const Names& columns, const std::string& filter, std::optional<api::TimeRange> time) {
               return get(key(1, "a"), columns, filter, time);
             }},
            {"GetRange",
             [&](const Names& columns, const std::string& filter, std::optional<api::TimeRange> time) {
               return range(least(), most(), columns, filter, time);
             }},
            {"BatchGetRow",
             [&](const Names& columns, const std::string& filter, std::optional<api::TimeRange> time) {
               return batch_get(key(1, "a"), columns, filter, time);
             }}};
  }

  /// All writes, with a condition.
  std::vector<Way<std::string>> conditions() {
    static const Cells one{{.name = "c", .value = Value::integer(1)}};
    return {{"PutRow",
             [&](const std::string& filter) { return table.put(key(1, "a"), one, {.filter = filter}); }},
            {"UpdateRow",
             [&](const std::string& filter) { return table.update(key(1, "a"), one, {.filter = filter}); }},
            {"DeleteRow",
             [&](const std::string& filter) { return table.erase(key(1, "a"), {.filter = filter}); }},
            {"a batch",
             [&](const std::string& filter) { return batch(OperationType::put, key(1, "a"), one, filter); }}};
  }

  Server server;
  Table table{server};
};

TEST_CASE_METHOD(Limits, "a String of a key has at most 1,024 bytes, in every operation") {
  const std::string longest(1024, 'x');
  const std::string longer(1025, 'x');
  const std::string refused =
      invalid("The length of primary key column: 'uid' exceeds the MaxLength:1024 with CurrentLength:1025.");
  for (const auto& way : keys()) {
    CAPTURE(way.name);
    CHECK(way.send(key(1, longest)) == passed);
    CHECK(way.send(key(1, longer)) == refused);
  }
  const std::string of_id =
      invalid("The length of primary key column: 'id' exceeds the MaxLength:1024 with CurrentLength:1025.");
  CHECK(start({{"id", Value::string(longest)}}, "S") == passed);
  CHECK(start({{"id", Value::string(longer)}}, "S") == of_id);
}

TEST_CASE_METHOD(Limits, "SQL has the limits of rows") {
  const std::string longest(1024, 'x');
  const std::string longer(1025, 'x');
  const std::string refused =
      invalid("The length of primary key column: 'id' exceeds the MaxLength:1024 with CurrentLength:1025.");
  CHECK(sql("insert into S (id) values ('" + longest + "')") == passed);
  CHECK(sql("insert into S (id) values ('" + longer + "')") == refused);
  CHECK(sql("update S set c = 'x' where id = '" + longest + "'") == passed);
  CHECK(sql("update S set c = 'x' where id = '" + longer + "'") == refused);
  CHECK(sql("delete from S where id = '" + longest + "'") == passed);
  CHECK(sql("delete from S where id = '" + longer + "'") == refused);

  const std::string text(2'097'152, 'x');
  const std::string too_long = invalid(
      "The length of attribute column: 'c' exceeds the MaxLength:2097152 with CurrentLength:2097153.");
  CHECK(sql("insert into S (id, c) values ('a', '" + text + "')") == passed);
  CHECK(sql("insert into S (id, c) values ('b', '" + text + "x')") == too_long);
  CHECK(sql("update S set c = '" + text + "' where id = 'a'") == passed);
  CHECK(sql("update S set c = '" + text + "x' where id = 'a'") == too_long);
}

TEST_CASE_METHOD(Limits, "a Binary of a key has at most 1,024 bytes") {
  server.create("B", {{.name = "b", .type = api::PrimaryKeyType::binary}});
  const auto put = [&](std::size_t size) {
    const std::string bytes(size, '\0');
    const std::string row = row_bytes({{"b", Value::binary(bytes)}});
    return server.refusal("PutRow", api::PutRowRequest{.table_name = "B", .row = row, .condition = {}});
  };
  CHECK(put(1024) == passed);
  CHECK(put(1025) ==
        invalid("The length of primary key column: 'b' exceeds the MaxLength:1024 with CurrentLength:1025."));
}

TEST_CASE_METHOD(Limits, "a key has one to four columns, in every operation") {
  PrimaryKey five;
  for (const char* const name : {"k1", "k2", "k3", "k4", "k5"}) five.push_back({name, Value::integer(1)});
  const PrimaryKey four(five.begin(), five.begin() + 4);
  const std::string number = invalid("The number of primary key columns must be in range: [1, 4].");
  const std::string size = "OTSInvalidPK: Validate PK size fail. Input: 4, Meta: 2.";
  for (const auto& way : keys()) {
    CAPTURE(way.name);
    CHECK(way.send(five) == number);
    CHECK(way.send({}) == invalid("Cell data broken, empty PK."));
    const bool in_batch = way.name.find("atch") != std::string::npos;
    CHECK(way.send(four) == (in_batch ? "row " : "") + size);
  }
  CHECK(start(five) == number);
  CHECK(start(four) == invalid("StartLocalTransaction support only one primary key."));
}

TEST_CASE_METHOD(Limits, "infinite values are of bounds, and those of no key are refused everywhere") {
  const auto with = [](const Value& uid) { return PrimaryKey{{"gid", Value::integer(1)}, {"uid", uid}}; };
  const auto refused = [](std::string_view type) {
    return invalid(std::string(type) + " is an invalid type for the primary key.");
  };
  auto ways = keys_of_writes();
  for (const auto& read : keys_of_reads()) ways.push_back(read);
  for (const auto& way : ways) {
    CAPTURE(way.name);
    CHECK(way.send(with(Value::inf_min())) == refused("VT_INF_MIN"));
    CHECK(way.send(with(Value::inf_max())) == refused("VT_INF_MAX"));
  }
  CHECK(start({{"gid", Value::inf_min()}}) == refused("VT_INF_MIN"));
  for (const auto& way : keys()) {
    CAPTURE(way.name);
    CHECK(way.send(with(Value::real(1))) == refused("VT_DOUBLE"));
    CHECK(way.send(with(Value::boolean(true))) == refused("VT_BOOLEAN"));
    CHECK(way.send(with(Value())) == invalid("Cell data broken, PK value cannot be NULL, name: uid."));
  }
  const std::string placeholder = invalid("PKAutoIncr can't be used for read operations.");
  for (const auto& way : keys_of_reads()) CHECK(way.send(with(Value::auto_increment())) == placeholder);
  for (const auto& way : bounds()) CHECK(way.send(with(Value::auto_increment())) == placeholder);
  CHECK(table.erase(with(Value::auto_increment())) ==
        invalid("Invalid row to delete which with pk auto increment"));
}

TEST_CASE_METHOD(Limits, "a String or Binary of a column has at most 2 MB, in every write") {
  const std::string longest(2'097'152, 'x');
  const std::string longer(2'097'153, 'x');
  const std::string refused = invalid(
      "The length of attribute column: 'c' exceeds the MaxLength:2097152 with CurrentLength:2097153.");
  for (const auto& write : writes()) {
    CAPTURE(write.name);
    CHECK(write.send(key(1, "a"), {{.name = "c", .value = Value::string(longest)}}) == passed);
    CHECK(write.send(key(1, "a"), {{.name = "c", .value = Value::string(longer)}}) == refused);
    CHECK(write.send(key(1, "a"), {{.name = "c", .value = Value::binary(longest)}}) == passed);
    CHECK(write.send(key(1, "a"), {{.name = "c", .value = Value::binary(longer)}}) == refused);
  }
}

TEST_CASE_METHOD(Limits, "every write refuses the same columns") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const auto& write : writes()) {
    CAPTURE(write.name);
    const auto with = [&](const Value& value) {
      return write.send(key(1, "a"), {{.name = "c", .value = value}});
    };
    CHECK(with(Value::real(std::numeric_limits<double>::quiet_NaN())) ==
          invalid("NaN can't be set to double value."));
    CHECK(with(Value::real(infinite)) == invalid("Infinity can't be set to double value."));
    CHECK(with(Value::real(-infinite)) == invalid("Infinity can't be set to double value."));
    CHECK(with(Value()) == invalid("VT_NULL is an invalid type for the attribute column."));
    CHECK(with(Value::inf_min()) == invalid("VT_INF_MIN is an invalid type for the attribute column."));
    CHECK(with(Value::auto_increment()) ==
          invalid("VT_AUTO_INCREMENT is an invalid type for the attribute column."));
    CHECK(with(Value::string("\xff")) == invalid("Value of column c must be UTF8 encoding."));
    for (const char* const name : {"gid", "uid"})
      CHECK(
          write.send(key(1, "a"), {{.name = name, .value = Value::integer(1)}}) ==
          invalid("Duplicated attribute column name with primary key column: '" + std::string(name) + "'."));
  }
  CHECK(table.update(key(1, "a"), {{.name = "uid", .operation = CellOperation::delete_all_versions}}) ==
        invalid("Duplicated attribute column name with primary key column: 'uid'."));
}

TEST_CASE("a table keeps as many versions as there are numbers") {
  Server server;
  api::CreateTableRequest request = table_of("T");
  request.table_options->max_versions = INT32_MAX;
  CHECK(server.refusal("CreateTable", request) == passed);
  const std::string row = row_bytes(key(1, "a"));
  const auto get = [&](std::int32_t versions) {
    return server.refusal(
        "GetRow", api::GetRowRequest{.table_name = "T", .primary_key = row, .max_versions = versions});
  };
  CHECK(get(INT32_MAX) == passed);
  CHECK(get(1) == passed);
  CHECK(get(0) == invalid("Invalid max versions: 0 . Reason: Max versions must be positive."));
  CHECK(get(INT32_MIN) ==
        invalid("Invalid max versions: -2147483648 . Reason: Max versions must be positive."));
}

TEST_CASE_METHOD(Limits,
                 "names of columns have 1 to 255 letters, digits and underscores, in every operation") {
  const std::string longest(255, 'a');
  const std::string longer(256, 'a');
  const auto check = [&](const std::function<std::string(std::string_view)>& send) {
    CHECK(send(longest) == passed);
    CHECK(send("_0aZ") == passed);
    for (const std::string& name : {std::string(), longer, std::string("0a"), std::string("a-b")})
      CHECK(send(name) == invalid("Invalid column name: '" + name + "'."));
  };
  for (const auto& write : writes()) {
    CAPTURE(write.name);
    check([&](std::string_view name) {
      return write.send(key(1, "a"), {{.name = name, .value = Value::integer(1)}});
    });
  }
  for (const CellChange& change :
       {CellChange{.name = "", .operation = CellOperation::delete_all_versions},
        CellChange{.name = "", .operation = CellOperation::delete_one_version, .version = 1},
        CellChange{.name = "", .value = Value::integer(1), .operation = CellOperation::increment}}) {
    check([&](std::string_view name) {
      CellChange one = change;
      one.name = name;
      return table.update(key(2, "a"), {one});
    });
  }
  for (const auto& read : reads()) {
    CAPTURE(read.name);
    check([&](std::string_view name) { return read.send({name}, {}, {}); });
    check([&](std::string_view name) {
      return read.send({}, column_filter(api::ComparatorType::equal, name, Value::integer(1)), {});
    });
  }
  for (const auto& write : conditions()) {
    CAPTURE(write.name);
    check([&](std::string_view name) {
      return write.send(column_filter(api::ComparatorType::equal, name, Value::integer(1)));
    });
  }
}

TEST_CASE("names of tables are checked first, in every operation that has one") {
  Server server;
  const std::string refused = invalid("Invalid table name: '3t'.");
  const auto check = [&](std::string_view operation, const auto& request) {
    CAPTURE(operation);
    CHECK(server.refusal(operation, request) == refused);
  };
  check("CreateTable", table_of("3t"));
  check("DescribeTable", api::DescribeTableRequest{.table_name = "3t"});
  check("UpdateTable", api::UpdateTableRequest{.table_name = "3t"});
  check("DeleteTable", api::DeleteTableRequest{.table_name = "3t"});
  check("AddDefinedColumn", api::AddDefinedColumnRequest{.table_name = "3t"});
  check("DeleteDefinedColumn", api::DeleteDefinedColumnRequest{.table_name = "3t"});
  check("ComputeSplitPointsBySize",
        api::ComputeSplitPointsBySizeRequest{.table_name = "3t", .split_size = 0});
  check("CreateIndex", api::CreateIndexRequest{.main_table_name = "3t", .index_meta = {.name = "i"}});
  check("DropIndex", api::DropIndexRequest{.main_table_name = "3t", .index_name = "i"});
  check("GetRow", api::GetRowRequest{.table_name = "3t", .primary_key = "x"});
  check("GetRange", api::GetRangeRequest{.table_name = "3t"});
  check("PutRow", api::PutRowRequest{.table_name = "3t", .row = "x", .condition = {}});
  check("UpdateRow", api::UpdateRowRequest{.table_name = "3t", .row_change = "x", .condition = {}});
  check("DeleteRow", api::DeleteRowRequest{.table_name = "3t", .primary_key = "x", .condition = {}});
  for (const std::string_view id : {"", "x"}) {  // the same with a transaction
    check("GetRow", api::GetRowRequest{.table_name = "3t", .primary_key = "x", .transaction_id = id});
    check("PutRow",
          api::PutRowRequest{.table_name = "3t", .row = "x", .condition = {}, .transaction_id = id});
  }
  check("BatchGetRow", api::BatchGetRowRequest{.tables = {{.table_name = "3t", .primary_key = {"x"}}}});
  check("BatchWriteRow",
        api::BatchWriteRowRequest{
            .tables = {{.table_name = "3t",
                        .rows = {{.type = OperationType::put, .row_change = "x", .condition = {}}}}}});
  check("StartLocalTransaction", api::StartLocalTransactionRequest{.table_name = "3t", .key = "x"});
  check("ListStream", api::ListStreamRequest{.table_name = "3t"});
  check("CreateSearchIndex", api::CreateSearchIndexRequest{.table_name = "3t", .index_name = "i"});
  check("UpdateSearchIndex", api::UpdateSearchIndexRequest{.table_name = "3t", .index_name = "i"});
  check("ListSearchIndex", api::ListSearchIndexRequest{.table_name = "3t"});
  check("DescribeSearchIndex", api::DescribeSearchIndexRequest{.table_name = "3t", .index_name = "i"});
  check("DeleteSearchIndex", api::DeleteSearchIndexRequest{.table_name = "3t", .index_name = "i"});
  check("Search", api::SearchRequest{.table_name = "3t", .index_name = "i"});
  check("ComputeSplits", api::ComputeSplitsRequest{.table_name = "3t",
                                                   .search_index_splits_options =
                                                       api::SearchIndexSplitsOptions{.index_name = "i"}});
  check("ParallelScan", api::ParallelScanRequest{.table_name = "3t", .index_name = "i"});
  check("tunnel/list", api::ListTunnelRequest{.table_name = "3t"});
  check("tunnel/describe", api::DescribeTunnelRequest{.table_name = "3t", .tunnel_name = "u"});
  check("tunnel/delete", api::DeleteTunnelRequest{.table_name = "3t", .tunnel_name = "u"});
  api::CreateTunnelRequest tunnel;
  tunnel.tunnel = {.table_name = "3t", .tunnel_name = "u", .tunnel_type = api::TunnelType::stream};
  check("tunnel/create", tunnel);
}

TEST_CASE("names of indexes are as those of tables") {
  Server server;
  api::CreateTableRequest request = table_of("T");
  request.table_meta.defined_column = {{.name = "d", .type = api::DefinedColumnType::integer}};
  const std::string refused = invalid("Invalid table name: 'i-j'.");
  request.index_metas = {{.name = "i-j", .primary_key = {"d"}}};
  CHECK(server.refusal("CreateTable", request) == refused);
  request.index_metas.clear();
  server.ok<api::CreateTableResponse>("CreateTable", request);
  CHECK(server.refusal("CreateIndex", api::CreateIndexRequest{
                                          .main_table_name = "T",
                                          .index_meta = {.name = "i-j", .primary_key = {"d"}}}) == refused);
  CHECK(server.refusal("DropIndex", api::DropIndexRequest{.main_table_name = "T", .index_name = "i-j"}) ==
        refused);
  CHECK(server.refusal("CreateSearchIndex",
                       api::CreateSearchIndexRequest{.table_name = "T", .index_name = "i-j"}) == refused);
}

TEST_CASE_METHOD(Limits, "a write has at most 1,024 columns, put or deleted") {
  std::deque<std::string> names;
  Cells put;
  Cells erased;
  for (int i = 0; i < 1025; ++i) {
    names.push_back("c" + std::to_string(i));
    put.push_back({.name = names.back(), .value = Value::integer(i)});
    erased.push_back({.name = names.back(), .operation = CellOperation::delete_all_versions});
  }
  const Cells most_put(put.begin(), put.end() - 1);
  const Cells most_erased(erased.begin(), erased.end() - 1);
  const std::string refused =
      invalid("The number of attribute columns exceeds the limit, limit count: 1024, column count: 1025.");
  for (const auto& write : writes()) {
    CAPTURE(write.name);
    CHECK(write.send(key(1, "a"), most_put) == passed);
    CHECK(write.send(key(1, "a"), put) == refused);
  }
  CHECK(table.update(key(1, "a"), most_erased) == passed);
  CHECK(table.update(key(1, "a"), erased) == refused);
  CHECK(batch(OperationType::update, key(1, "a"), most_erased) == passed);
  CHECK(batch(OperationType::update, key(1, "a"), erased) == refused);
}

TEST_CASE_METHOD(Limits, "a read names at most 1,024 columns") {
  const Names longest(1024, "c");
  const Names longer(1025, "c");
  const std::string refused = invalid(
      "The number of columns from the request exceeds the limit, limit count: 1024, column count: 1025.");
  for (const auto& read : reads()) {
    CAPTURE(read.name);
    CHECK(read.send(longest, {}, {}) == passed);
    CHECK(read.send(longer, {}, {}) == refused);
  }
}

TEST_CASE_METHOD(Limits, "a request has at most 32 filters, wherever it has some") {
  const std::string leaf = column_filter(api::ComparatorType::equal, "c", Value::integer(1));
  const auto of = [&](std::size_t leaves) {
    return composite_filter(api::LogicalOperator::and_, std::vector<std::string>(leaves, leaf));
  };
  const std::string refused = invalid("The count of filter exceeds the max: 32.");
  for (const auto& read : reads()) {
    CAPTURE(read.name);
    CHECK(read.send({}, of(31), {}) == passed);
    CHECK(read.send({}, of(32), {}) == refused);
  }
  for (const auto& write : conditions()) {
    CAPTURE(write.name);
    CHECK(write.send(of(31)) == passed);
    CHECK(write.send(of(32)) == refused);
  }
}

TEST_CASE_METHOD(Limits, "versions that are written are not negative, and less than INT64_MAX/1000") {
  constexpr std::int64_t end = 9'223'372'036'854'775;
  api::UpdateTableRequest any_time{.table_name = "T"};
  any_time.table_options = api::TableOptions{.deviation_cell_version_in_sec = 9'223'372'036'854};
  server.ok<api::UpdateTableResponse>("UpdateTable", any_time);
  const std::string refused = invalid("Timestamp must be in range [0, INT64_MAX/1000).");
  const auto at = [](CellVersion version) {
    return Cells{{.name = "c", .value = Value::integer(1), .version = version}};
  };
  for (const auto& write : writes()) {
    CAPTURE(write.name);
    CHECK(write.send(key(1, "a"), at(0)) == passed);
    CHECK(write.send(key(1, "a"), at(end - 1)) == passed);
    CHECK(write.send(key(1, "a"), at(-1)) == refused);
    CHECK(write.send(key(1, "a"), at(end)) == refused);
  }
  const auto erase = [&](CellVersion version) {
    return table.update(key(1, "a"),
                        {{.name = "c", .operation = CellOperation::delete_one_version, .version = version}});
  };
  CHECK(erase(0) == passed);
  CHECK(erase(end - 1) == passed);
  CHECK(erase(-1) == refused);
  CHECK(erase(end) == refused);
}

TEST_CASE_METHOD(Limits, "versions that are read are conditions of the same form in every read") {
  constexpr std::int64_t end = 9'223'372'036'854'775;
  const std::string of_time = invalid("Timestamp must be in range [0, INT64_MAX/1000).");
  for (const auto& read : reads()) {
    CAPTURE(read.name);
    const auto at = [&](api::TimeRange time) { return read.send({}, {}, time); };
    CHECK(at({.specific_time = 0}) == passed);
    CHECK(at({.specific_time = end - 1}) == passed);
    CHECK(at({.specific_time = end}) == of_time);
    CHECK(at({.specific_time = -1}) == invalid("Specific timestamp cannot be less than 0."));
    CHECK(at({.start_time = 0, .end_time = INT64_MAX}) == passed);
    CHECK(at({.start_time = 5, .end_time = 5}) == passed);
    CHECK(at({.start_time = -1, .end_time = 5}) == of_time);
    CHECK(at({.start_time = 0, .end_time = -1}) == of_time);
    const std::string half = invalid("Start and end time must be given at the same time.");
    CHECK(at({.start_time = 1}) == half);
    CHECK(at({.end_time = 1}) == half);
    CHECK(at({}) == half);
    CHECK(at({.start_time = 1, .specific_time = 1}) ==
          invalid("Specific tiemstamp and time range cannot be given at the same time."));
  }
}

TEST_CASE_METHOD(Limits,
                 "a row is written with at most 4 MB: names, values, and 8 bytes per version that is given") {
  const std::string text(2'097'152, 'x');
  const std::string_view all = text;
  // gid and 8 bytes, uid and 1 byte, a, b.
  constexpr std::size_t others = 3 + 8 + 3 + 1 + 1 + 1;
  const auto cells = [&](std::size_t size, std::optional<CellVersion> version = {}) {
    return Cells{
        {.name = "a", .value = Value::string(all)},
        {.name = "b", .value = Value::string(all.substr(0, size - others - all.size())), .version = version}};
  };
  constexpr std::size_t limit = 4'194'304;
  const auto too_large = [&](std::string_view operation, std::size_t size) {
    return invalid("The total data size of " + std::string(operation) +
                   " request exceeds the limit, limit size: 4194304, data size: " + std::to_string(size) +
                   ".");
  };
  const CellVersion now = server.clock().now().time_since_epoch().count() / 1000;
  CHECK(table.put(key(1, "a"), cells(limit)) == passed);
  CHECK(table.put(key(1, "a"), cells(limit + 1)) == too_large("PutRow", limit + 1));
  CHECK(table.put(key(1, "a"), cells(limit - 8, now)) == passed);
  CHECK(table.put(key(1, "a"), cells(limit - 7, now)) == too_large("PutRow", limit + 1));
  CHECK(table.update(key(1, "a"), cells(limit)) == passed);
  CHECK(table.update(key(1, "a"), cells(limit + 1)) == too_large("UpdateRow", limit + 1));
  for (const auto type : {OperationType::put, OperationType::update}) {
    CHECK(batch(type, key(1, "a"), cells(limit)) == passed);
    CHECK(batch(type, key(1, "a"), cells(limit + 1)) == too_large("BatchWriteRow", limit + 1));
  }
  CHECK(in_transaction(key(1, "a"), cells(limit)) == passed);
  const std::string id = table.start(1);
  CHECK(table.put(key(1, "a"), cells(limit - 15), {.transaction = id}) == passed);
  CHECK(table.erase(key(1, "b"), {.transaction = id}) == passed);  // 15 bytes
  CHECK(table.erase(key(1, "c"), {.transaction = id}).starts_with("OTSOutOfTransactionDataSizeLimit: "));
}

TEST_CASE_METHOD(Limits, "a page has a row that is larger than a page") {
  // tablestore/range.md section 3.
  const std::string text(2'000'000, 'x');
  for (const char* const name : {"a", "b", "c"})
    CHECK(table.update(key(1, "a"), {{.name = name, .value = Value::string(text)}}) == passed);
  CHECK(table.put(key(1, "b"), {}) == passed);
  CHECK(table.range(least(), most()).ends_with(" > 1,b"));
  CHECK(table.range(key(1, "b"), most()) == "1,b");
  CHECK(table.range(most(), least(), {}, api::Direction::backward) == "1,b > 1,a");
  CHECK(table.get(key(1, "a")).size() > 6'000'000);  // and a row is returned whole
}

TEST_CASE("as many units as 100,000 can be reserved") {
  Server server;
  const auto create = [&](std::string_view name, api::CapacityUnit units) {
    api::CreateTableRequest request = table_of(name);
    request.reserved_throughput.capacity_unit = units;
    return server.refusal("CreateTable", request);
  };
  const std::string read = invalid("The value of read capacity unit can not be more than 100000.");
  const std::string write = invalid("The value of write capacity unit can not be more than 100000.");
  CHECK(create("T", {.read = 100'000, .write = 100'000}) == passed);
  CHECK(create("U", {.read = 100'001, .write = 0}) == read);
  CHECK(create("U", {.read = 0, .write = 100'001}) == write);
  const auto update = [&](api::CapacityUnit units) {
    api::UpdateTableRequest request{.table_name = "T"};
    request.reserved_throughput = api::ReservedThroughput{.capacity_unit = units};
    return server.refusal("UpdateTable", request);
  };
  CHECK(update({.read = 99'999}) == passed);
  CHECK(update({.read = 100'001}) == read);
  CHECK(update({.write = 100'001}) == write);
}

TEST_CASE("a stream keeps its records for 1 to 168 hours, and former values of at most 1,024 columns") {
  Server server;
  const auto create = [&](std::string_view name, const api::StreamSpecification& stream) {
    api::CreateTableRequest request = table_of(name);
    request.stream_spec = stream;
    return server.refusal("CreateTable", request);
  };
  const std::string hours = invalid("The expiration time of a stream must be in range [1, 168] hours.");
  CHECK(create("a", {.enable_stream = true, .expiration_time = 1}) == passed);
  CHECK(create("b", {.enable_stream = true, .expiration_time = 168}) == passed);
  CHECK(create("c", {.enable_stream = true, .expiration_time = 0}) == hours);
  CHECK(create("c", {.enable_stream = true, .expiration_time = 169}) == hours);
  const std::vector<std::string> columns(1024, "c");
  const std::vector<std::string> more(1025, "c");
  CHECK(create("d", {.enable_stream = true, .columns_to_get = {columns.begin(), columns.end()}}) == passed);
  CHECK(create("e", {.enable_stream = true, .columns_to_get = {more.begin(), more.end()}}) ==
        invalid("The number of columns from the request exceeds the limit, limit count: 1024, column count: "
                "1025."));
}

TEST_CASE_METHOD(Limits, "a number that an enumeration does not have is as a field that is missing") {
  // tablestore/tables.md section 1: official decoders keep it as unknown.
  const auto send = [&](std::string_view operation, std::string body, std::string_view part,
                        std::string_view instead) {
    body.replace(body.find(part), part.size(), instead);
    Request request = server.request(operation, body);
    Server::sign(request);
    return server.send(request).refusal();
  };
  const std::string unreadable = invalid("Parse PBMessage from RawString failed.");
  const std::string row = row_bytes(key(1, "a"), {{.name = "c", .value = Value::integer(1)}});
  const api::Condition exists{.row_existence = api::RowExistenceExpectation::expect_exist};
  const std::string put =
      codec::encode_message(api::PutRowRequest{.table_name = "T", .row = row, .condition = exists});
  CHECK(send("PutRow", put, "\x1a\x02\x08\x01", "\x1a\x02\x08\x03") == unreadable);
  const std::string write = codec::encode_message(api::BatchWriteRowRequest{
      .tables = {{.table_name = "T",
                  .rows = {{.type = OperationType::put, .row_change = row, .condition = exists}}}}});
  CHECK(send("BatchWriteRow", write, std::string("\x08\x01\x12", 3), std::string("\x08\x04\x12", 3)) ==
        unreadable);
  // One that is not required is none.
  const std::string returning = codec::encode_message(
      api::PutRowRequest{.table_name = "T",
                         .row = row,
                         .condition = {},
                         .return_content = api::ReturnContent{.return_type = api::ReturnType::rt_pk}});
  CHECK(send("PutRow", returning, "\x22\x02\x08\x01", "\x22\x02\x08\x07") == passed);
  std::string filter = column_filter(api::ComparatorType::equal, "c", Value::integer(1));
  filter.replace(filter.find("\x08\x01\x12\x01"), 2, "\x08\x09");
  CHECK(get(key(1, "a"), {}, filter) == invalid("Deserialize relation filter failed."));
  CHECK(table.put(key(1, "a"), {}, {.filter = filter}) == invalid("Deserialize relation filter failed."));
}

}  // namespace dinette::tablestore::limits_test
