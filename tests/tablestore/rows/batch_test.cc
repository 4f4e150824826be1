#include <deque>
#include <memory>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/kv/memory.h"

#include "support/faulty_engine.h"
#include "tablestore/api/batch_get_row.h"
#include "tablestore/api/batch_write_row.h"
#include "tablestore/api/start_local_transaction.h"
#include "tablestore/rows/instance.h"

// tablestore/batch.md
namespace dinette::tablestore::batch_test {

using namespace test;
using Lines = std::vector<std::string>;
using Kind = api::OperationType;

namespace {

struct Batch {
  Instance in;
  std::deque<std::string> bytes;
  std::vector<api::RowInBatchWriteRowRequest> rows;

  explicit Batch(std::shared_ptr<kv::Engine> engine = nullptr) : in(std::move(engine)) {
    in.create("t", {.max_versions = 2});
  }

  void add(Kind kind, const PrimaryKey& key, std::vector<CellChange> cells, Write write = {}) {
    const std::string& row = bytes.emplace_back(bytes_of(key, cells, kind == Kind::delete_));
    if (write.condition) bytes.push_back(*write.condition);
    rows.push_back(
        {.type = kind,
         .row_change = row,
         .condition = {.row_existence = write.expectation,
                       .column_condition =
                           write.condition ? std::optional<std::string_view>(bytes.back()) : std::nullopt},
         .return_content = write.returns});
  }
  /// Each row's outcome, or what it returns; or the error of all.
  Lines run(bool atomic = false) {
    api::BatchWriteRowRequest request{.is_atomic = atomic};
    add_table(request, "t");
    return send(std::move(request));
  }
  /// Has the rows so far be those of a table.
  void add_table(api::BatchWriteRowRequest& request, std::string_view table) {
    request.tables.push_back({table, std::exchange(rows, {})});
  }
  Lines send(api::BatchWriteRowRequest request) {
    const auto reply = ops::batch_write_row(in.context(), std::move(request));
    if (!reply) return {outcome(reply)};
    Lines lines;
    for (const auto& table : reply->tables)
      for (const auto& row : table.rows)
        lines.push_back(!row.is_ok ? row.error->code + ": " + *row.error->message
                                   : (row.row ? shown(*row.row).at(0) : "ok"));
    return lines;
  }
};

/// A batch on an engine that runs each decision twice, and counts transactions.
struct CountedBatch {
  std::shared_ptr<::dinette::test::FaultyEngine> engine =
      std::make_shared<::dinette::test::FaultyEngine>(kv::make_memory_engine());
  Batch batch{engine};
  int transactions = 0;

  CountedBatch() {
    engine->run_transactions_twice(true);
    engine->before_transactions([this](kv::Deadline) { ++transactions; });
  }
};

const Write returns_key{.returns = api::ReturnContent{api::ReturnType::rt_pk, {}}};

const std::string failed = "OTSConditionCheckFail: Condition check failed.";

}  // namespace

TEST_CASE_METHOD(Batch, "the rows of a batch succeed and fail by themselves") {
  add(Kind::put, key("a", 1), {number("x", 1)}, {.returns = api::ReturnContent{api::ReturnType::rt_pk, {}}});
  add(Kind::update, {{"k", Value::string("a")}}, {number("x", 1)});
  add(Kind::put, key("a", 2), {number("x", 2)}, {.expectation = api::RowExistenceExpectation::expect_exist});
  add(Kind::update, key("b", 1), {test::add("i", Value::integer(3))},
      {.returns = api::ReturnContent{api::ReturnType::rt_after_modify, {}}});
  add(Kind::delete_, key("none", 1), {});
  CHECK(run() == Lines{"k=a n=1 |", "OTSInvalidPK: Validate PK size fail. Input: 1, Meta: 2.", failed,
                       "k=b n=1 | i=3@0", "ok"});
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 | x=1@0");
}

TEST_CASE_METHOD(Batch, "a row that is there twice is written in order, unless a condition depends on it") {
  for (int i = 0; i < 10; ++i) add(Kind::put, key("a", 1), {number("x", i)});
  for (int i = 0; i < 10; ++i) add(Kind::update, key("a", 2), {test::add("x", Value::integer(1))});
  add(Kind::put, key("a", 1), {}, {.expectation = api::RowExistenceExpectation::expect_exist});
  const Lines lines = run();
  CHECK(lines.back() ==
        "OTSParameterInvalid: Repeated rows do not support row exist expectation check in "
        "BatchModify.");
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 | x=9@0");
  CHECK(in.get("t", key("a", 2)) == "k=a n=2 | x=10@0");
}

TEST_CASE_METHOD(Batch, "a row that does not fit its table is no repetition of one that does") {
  const Write absent{.expectation = api::RowExistenceExpectation::expect_not_exist};
  const auto add_all = [&](std::int64_t n) {
    add(Kind::put, key("a", n), {number("x", 1)}, absent);
    add(Kind::put, {{"k", Value::binary("a")}, {"n", Value::integer(n)}}, {});
    add(Kind::put, {{"j", Value::string("a")}, {"n", Value::integer(n)}}, {});
  };
  const Lines lines = {"ok", "OTSInvalidPK: Validate PK type fail. Input: VT_BLOB, Meta: VT_STRING.",
                       "OTSInvalidPK: Validate PK name fail. Input: j, Meta: k."};
  add_all(1);
  CHECK(run() == lines);
  const std::string partition = bytes_of({{"k", Value::string("a")}});
  const auto started = ops::start_local_transaction(in.context(), {.table_name = "t", .key = partition});
  REQUIRE(started);
  add_all(2);
  api::BatchWriteRowRequest inside{.transaction_id = started->transaction_id};
  add_table(inside, "t");
  CHECK(send(std::move(inside)) == lines);
}

TEST_CASE_METHOD(CountedBatch,
                 "the rows of a batch are written in one commit, also those of several tables") {
  batch.in.create("u");
  transactions = 0;
  api::BatchWriteRowRequest request;
  for (int i = 0; i < 3; ++i) batch.add(Kind::put, key("a", i), {number("x", i)});
  batch.add(Kind::update, key("b", 1), {number("x", 1)},
            {.expectation = api::RowExistenceExpectation::expect_exist});
  batch.add_table(request, "t");
  batch.add(Kind::put, key("a", 1), {number("x", 7)});
  batch.add_table(request, "u");
  batch.add(Kind::update, key("a", 2), {test::add("x", Value::integer(10))});
  batch.add_table(request, "t");  // a table may be there twice
  CHECK(batch.send(std::move(request)) == Lines{"ok", "ok", "ok", failed, "ok", "ok"});
  CHECK(transactions == 1);
  CHECK(batch.in.get("t", key("a", 0)) == "k=a n=0 | x=0@0");
  CHECK(batch.in.get("t", key("a", 2)) == "k=a n=2 | x=12@0");
  CHECK(batch.in.get("t", key("b", 1)) == "none");
  CHECK(batch.in.get("u", key("a", 1)) == "k=a n=1 | x=7@0");
}

TEST_CASE_METHOD(Batch,
                 "a write of a row that is there several times fails if it has a condition, first or not") {
  const std::string repeated =
      "OTSParameterInvalid: Repeated rows do not support row exist expectation check in BatchModify.";
  api::BatchWriteRowRequest request;
  add(Kind::put, key("a", 1), {number("x", 1)},
      {.expectation = api::RowExistenceExpectation::expect_not_exist});
  add_table(request, "t");
  add(Kind::put, key("a", 1), {number("x", 2)});
  add_table(request, "t");
  CHECK(send(std::move(request)) == Lines{repeated, "ok"});
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 | x=2@0");
}

TEST_CASE_METHOD(Batch, "rows whose number the service chooses may be of several partitions") {
  TableMeta meta;
  meta.name = "n";
  meta.key = {{"k", ValueType::string}, {"n", ValueType::integer, true}};
  in.create(meta);
  const auto fresh = [](std::string_view k) {
    return PrimaryKey{{"k", Value::string(k)}, {"n", Value::auto_increment()}};
  };
  api::BatchWriteRowRequest request;
  for (const char* const k : {"a", "b", "a"}) add(Kind::put, fresh(k), {number("x", 1)}, returns_key);
  add_table(request, "n");
  CHECK(send(std::move(request)) ==
        Lines{"k=a n=1791633600000000 |", "k=b n=1791633600000000 |", "k=a n=1791633600000001 |"});
  CHECK(in.put("n", fresh("b"), {}, returns_key) == "k=b n=1791633600000001 |");
}

TEST_CASE_METHOD(Batch,
                 "rows that a transaction holds, and updates that a table does not allow, fail alone") {
  TableOptions options;
  options.allow_update = false;
  in.create("u", options);
  const std::string partition = bytes_of({{"k", Value::string("held")}});
  const auto started = ops::start_local_transaction(in.context(), {.table_name = "t", .key = partition});
  REQUIRE(started);
  api::BatchWriteRowRequest request;
  add(Kind::put, key("held", 1), {number("x", 1)});
  add(Kind::put, key("free", 1), {number("x", 1)});
  add_table(request, "t");
  add(Kind::update, key("a", 1), {number("x", 1)});
  add(Kind::put, key("a", 1), {number("x", 1)});
  add_table(request, "u");
  CHECK(send(std::move(request)) ==
        Lines{"OTSRowOperationConflict: Data is being modified by the other request.", "ok",
              "OTSParameterInvalid: Update operation is not allowed in this table", "ok"});
  add(Kind::update, key("a", 1), {});
  CHECK(run() == Lines{"OTSParameterInvalid: Attribute column is missing."});
  // In the transaction itself.
  add(Kind::put, key("held", 1), {number("x", 1)});
  add(Kind::put, key("free", 1), {number("x", 2)});
  api::BatchWriteRowRequest inside{.transaction_id = started->transaction_id};
  add_table(inside, "t");
  CHECK(send(std::move(inside)) == Lines{"ok",
                                         "OTSDataOutOfRange: Data out of scope of transaction. Transaction "
                                         "PartKey:held. Data PartKey:free"});
  CHECK(in.get("t", key("held", 1)) == "none");
  CHECK(in.get("t", key("held", 1), {.transaction = started->transaction_id}) == "k=held n=1 | x=1@0");
}

TEST_CASE_METHOD(Batch, "all rows of a batch may fail, and each of its tables is atomic by itself") {
  in.create("u");
  add(Kind::put, key("a", 1), {}, {.expectation = api::RowExistenceExpectation::expect_exist});
  CHECK(run() == Lines{failed});
  api::BatchWriteRowRequest request{.is_atomic = true};
  add(Kind::put, key("a", 1), {});
  add(Kind::put, key("a", 2), {}, {.expectation = api::RowExistenceExpectation::expect_exist});
  add_table(request, "t");
  add(Kind::put, key("b", 1), {}, returns_key);
  add_table(request, "u");
  CHECK(send(std::move(request)) == Lines{failed, failed, "k=b n=1 |"});
  CHECK(in.get("t", key("a", 1)) == "none");
}

TEST_CASE_METHOD(Batch, "columns that are too many, or have wrong names, fail the whole request") {
  std::deque<std::string> names;
  std::vector<CellChange> many;
  for (int i = 0; i < 1025; ++i) many.push_back(number(names.emplace_back("c" + std::to_string(i)), i));
  add(Kind::put, key("a", 1), {number("x", 1)});
  add(Kind::put, key("a", 2), many);
  CHECK(run() == Lines{"OTSParameterInvalid: The number of attribute columns exceeds the limit, limit count: "
                       "1024, column count: 1025."});
  add(Kind::put, key("a", 1), {number("x", 1)});
  add(Kind::put, key("a", 2), {number("#", 1)});
  CHECK(run() == Lines{"OTSParameterInvalid: Invalid column name: '#'."});
  CHECK(in.get("t", key("a", 1)) == "none");
}

TEST_CASE_METHOD(Batch, "an atomic batch is written whole or not at all") {
  add(Kind::put, key("a", 1), {number("x", 1)});
  add(Kind::update, key("a", 2), {number("x", 2)});
  add(Kind::update, key("a", 2), {number("y", 2)});
  CHECK(run(true) == Lines{"ok", "ok", "ok"});
  CHECK(in.get("t", key("a", 2)) == "k=a n=2 | x=2@0 y=2@0");
  add(Kind::put, key("a", 1), {number("x", 5)});
  add(Kind::put, key("a", 3), {}, {.expectation = api::RowExistenceExpectation::expect_exist});
  CHECK(run(true) == Lines{failed, failed});
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 | x=1@0");
  add(Kind::put, key("0", 1), {});
  add(Kind::put, key("1", 1), {});
  const std::string error =
      "OTSDataOutOfRange: Data out of scope of atomic. Atomic PartKey:0. Data PartKey:1";
  CHECK(run(true) == Lines{error, error});
  CHECK(in.get("t", key("0", 1)) == "none");
}

TEST_CASE_METHOD(Batch, "what is wrong with a request fails all of it") {
  CHECK(outcome(ops::batch_write_row(in.context(), {})) ==
        "OTSParameterInvalid: No row is specified in BatchWriteRow.");
  CHECK(run() == Lines{"OTSParameterInvalid: No operation is specified for table: 't'."});
  for (int i = 0; i < 201; ++i) add(Kind::put, key("a", i), {});
  CHECK(run() == Lines{"OTSParameterInvalid: Rows count exceeds the upper limit: 200."});
  add(Kind::put, key("a", 1), {});
  add(Kind::put, bound(Value::string("a"), Value::inf_max()), {});
  CHECK(run() == Lines{"OTSParameterInvalid: VT_INF_MAX is an invalid type for the primary key."});
  CHECK(in.get("t", key("a", 1)) == "none");
  const std::string large(1'048'576, 'x');
  for (int i = 0; i < 4; ++i) add(Kind::put, key("a", i), {text("x", large)});
  CHECK(run() == Lines{"OTSParameterInvalid: The total data size of BatchWriteRow request exceeds the limit, "
                       "limit size: 4194304, data size: 4194352."});
}

TEST_CASE_METHOD(Batch,
                 "BatchGetRow answers tables without rows, and rows that a filter leaves out, with nothing") {
  in.put("t", key("a", 1), {number("x", 1)});
  const std::string row = bytes_of(key("a", 1));
  const std::string filter = compares("x", api::ComparatorType::equal, Value::integer(2));
  const api::TableInBatchGetRowRequest empty{.table_name = "t", .max_versions = 1};
  const api::TableInBatchGetRowRequest filtered{
      .table_name = "t", .primary_key = {row}, .max_versions = 1, .filter = filter};
  const auto reply = ops::batch_get_row(in.context(), {.tables = {empty, filtered}});
  REQUIRE(reply);
  CHECK(reply->tables.at(0).rows.empty());
  REQUIRE(reply->tables.at(1).rows.size() == 1);
  CHECK(reply->tables[1].rows[0].is_ok);
  CHECK(reply->tables[1].rows[0].row->empty());
  CHECK(reply->tables[1].rows[0].consumed->capacity_unit.read == 1);
}

TEST_CASE_METHOD(Batch, "BatchGetRow answers each row in its place") {
  in.put("t", key("a", 1), {number("x", 1), number("y", 2)});
  const std::string present = bytes_of(key("a", 1));
  const std::string absent = bytes_of(key("a", 2));
  const std::string wrong = bytes_of({{"k", Value::string("a")}});
  api::TableInBatchGetRowRequest table{.table_name = "t",
                                       .primary_key = {present, absent, wrong, present},
                                       .columns_to_get = {"y"},
                                       .max_versions = 1};
  auto reply = ops::batch_get_row(in.context(), {.tables = {table}});
  REQUIRE(reply);
  const auto& answers = reply->tables.at(0).rows;
  REQUIRE(answers.size() == 4);
  CHECK(shown(*answers[0].row) == Lines{"k=a n=1 | y=2@0"});
  CHECK(answers[1].is_ok);
  CHECK(answers[1].row->empty());
  CHECK(answers[2].error->code == "OTSInvalidPK");
  CHECK(answers[3].row == answers[0].row);
  table.max_versions.reset();
  CHECK(outcome(ops::batch_get_row(in.context(), {.tables = {table}})) ==
        "OTSParameterInvalid: No version condition is specified while querying row.");
  table.max_versions = 1;
  table.primary_key.assign(101, present);
  CHECK(outcome(ops::batch_get_row(in.context(), {.tables = {table}})) ==
        "OTSParameterInvalid: Rows count exceeds the upper limit: 100.");
  table.table_name = "none";
  table.primary_key.resize(1);
  reply = ops::batch_get_row(in.context(), {.tables = {table}});
  REQUIRE(reply);
  CHECK(reply->tables.at(0).rows.at(0).error->code == "OTSObjectNotExist");
}

}  // namespace dinette::tablestore::batch_test
