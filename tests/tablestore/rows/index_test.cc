#include <catch2/catch.hpp>

#include "dinette/tablestore/verify.h"

#include "support/engines.h"
#include "support/faulty_engine.h"
#include "tablestore/api/batch_write_row.h"
#include "tablestore/api/commit_transaction.h"
#include "tablestore/api/create_index.h"
#include "tablestore/api/create_table.h"
#include "tablestore/api/delete_table.h"
#include "tablestore/api/describe_table.h"
#include "tablestore/api/drop_index.h"
#include "tablestore/api/list_table.h"
#include "tablestore/api/start_local_transaction.h"
#include "tablestore/rows/instance.h"
#include "tablestore/tables/open_table.h"

// tablestore/indexes.md sections 1 to 5.
namespace dinette::tablestore::index_test {

using namespace test;
using Lines = std::vector<std::string>;

namespace {

api::IndexMeta index_of(std::string name, std::vector<std::string> key,
                        std::vector<std::string> attributes = {},
                        api::IndexType type = api::IndexType::global_index) {
  return {
      std::move(name), std::move(key), std::move(attributes), api::IndexUpdateMode::async_index, type, {}};
}

struct Indexes {
  Instance in;

  explicit Indexes(std::shared_ptr<kv::Engine> engine = nullptr) : in(std::move(engine)) {
    TableMeta meta;
    meta.name = "t";
    meta.defined_columns = {{"d", ValueType::integer}, {"s", ValueType::string}, {"f", ValueType::real}};
    in.create(meta);
  }

  std::string create_index(const api::IndexMeta& index, bool fill = true) {
    return outcome(ops::create_index(
        in.context(), {.main_table_name = "t", .index_meta = index, .include_base_data = fill}));
  }
  std::string drop_index(std::string_view name) {
    return outcome(ops::drop_index(in.context(), {.main_table_name = "t", .index_name = name}));
  }
  /// All entries of an index whose key has so many columns.
  Lines entries(std::string_view index, const std::vector<std::string_view>& columns) {
    PrimaryKey least;
    PrimaryKey greatest;
    for (const std::string_view column : columns) {
      least.push_back({column, Value::inf_min()});
      greatest.push_back({column, Value::inf_max()});
    }
    const Page page = in.range(index, least, greatest);
    return page.next.empty() ? page.rows : Lines{page.next};
  }
  /// Makes an index what it is while it is being filled.
  void begin_to_fill(std::string_view name) {
    REQUIRE(create_index(index_of(std::string(name), {"d"}, {"s"}), false) == "ok");
    const Context context = in.context();
    REQUIRE(change_table(context, *open_table(context, "t"), [](TableMeta& meta) -> Answer<void> {
      meta.indexes.back().partial = false;
      meta.indexes.back().building = true;
      return {};
    }));
  }
  std::vector<std::string> tables() { return ops::list_table(in.context(), {})->table_names; }
  /// Leaves a name as a process does that has ended while an index was being dropped.
  void leave_name(std::string_view name) {
    REQUIRE(in.store().catalog().create(name, encode_index_name("t")).value());
  }
};

/// The same on an engine whose calls a test makes fail, or looks at.
struct WatchedIndexes {
  std::shared_ptr<::dinette::test::FaultyEngine> engine =
      std::make_shared<::dinette::test::FaultyEngine>(kv::make_memory_engine());
  Indexes indexes{engine};
  Instance& in = indexes.in;

  /// Creates a table with an index.
  std::string create_table(std::string name, std::string index) {
    api::CreateTableRequest request;
    request.table_meta.table_name = std::move(name);
    request.table_meta.primary_key = {{.name = "k", .type = api::PrimaryKeyType::string},
                                      {.name = "n", .type = api::PrimaryKeyType::integer}};
    request.reserved_throughput.capacity_unit = {.read = 0, .write = 0};
    request.table_options = api::TableOptions{.time_to_live = -1, .max_versions = 1};
    request.index_metas = {index_of(std::move(index), {"n"})};
    return outcome(ops::create_table(in.context(), std::move(request)));
  }
  /// Has another server do something just before the next change.
  template <class Action>
  void before_next_change(Action action) {
    engine->before_transactions([this, action](kv::Deadline) {
      engine->before_transactions({});
      Instance other(engine);
      action(other);
    });
  }
};

}  // namespace

TEST_CASE_METHOD(Indexes, "an index has the rows that have its columns, in the order of its key") {
  CHECK(create_index(index_of("by_d", {"d"}, {"s"})) == "ok");
  in.put("t", key("a", 1), {number("d", 5), text("s", "x"), number("other", 1)});
  in.put("t", key("b", 1), {number("d", 3)});
  in.put("t", key("c", 1), {text("s", "y")});  // no d
  in.put("t", key("e", 1), {text("d", "not an Integer")});
  CHECK(entries("by_d", {"d", "k", "n"}) == Lines{"d=3 k=b n=1 |", "d=5 k=a n=1 | s=x@0"});
  CHECK(in.get("by_d", {{"d", Value::integer(5)}, {"k", Value::string("a")}, {"n", Value::integer(1)}}) ==
        "d=5 k=a n=1 | s=x@0");
  // Moved, changed, left, deleted.
  in.update("t", key("a", 1), {number("d", 1)});
  in.update("t", key("b", 1), {text("s", "z")});
  in.update("t", key("c", 1), {number("d", 9)});
  CHECK(entries("by_d", {"d", "k", "n"}) ==
        Lines{"d=1 k=a n=1 | s=x@0", "d=3 k=b n=1 | s=z@0", "d=9 k=c n=1 | s=y@0"});
  in.update("t", key("a", 1), {delete_all("d")});
  in.remove("t", key("b", 1));
  in.put("t", key("c", 1), {});
  CHECK(entries("by_d", {"d", "k", "n"}).empty());
}

TEST_CASE_METHOD(Indexes, "the key of an index is completed by that of the table") {
  CHECK(create_index(index_of("i1", {"d", "n"})) == "ok");
  CHECK(create_index(index_of("i2", {"n"})) == "ok");
  CHECK(create_index(index_of("i3", {"k", "s"}, {"f"}, api::IndexType::local_index)) == "ok");
  in.put("t", key("a", 1), {number("d", 5), text("s", "x"), cell("f", Value::real(0.5))});
  CHECK(entries("i1", {"d", "n", "k"}) == Lines{"d=5 n=1 k=a |"});
  CHECK(entries("i2", {"n", "k"}) == Lines{"n=1 k=a |"});
  CHECK(entries("i3", {"k", "s", "n"}) == Lines{"k=a s=x n=1 | f=0.5@0"});
}

TEST_CASE("an index may name four columns, and its key have eight") {
  Instance in;
  TableMeta meta;
  meta.name = "t";
  for (const char* const name : {"k1", "k2", "k3", "k4"}) meta.key.push_back({name, ValueType::binary});
  for (const char* const name : {"d1", "d2", "d3", "d4"})
    meta.defined_columns.push_back({name, ValueType::binary});
  in.create(meta);
  CHECK(outcome(ops::create_index(in.context(), {.main_table_name = "t",
                                                 .index_meta = index_of("i", {"d1", "d2", "d3", "d4"}),
                                                 .include_base_data = false})) == "ok");
  const auto put = [&](std::string_view text) {
    PrimaryKey key;
    std::vector<CellChange> cells;
    for (const char* const name : {"k1", "k2", "k3", "k4"}) key.push_back({name, Value::binary(text)});
    for (const char* const name : {"d1", "d2", "d3", "d4"}) cells.push_back(cell(name, Value::binary(text)));
    return in.put("t", key, cells);
  };
  const auto bound_of = [](const Value& value) {
    PrimaryKey bound;
    for (const char* const name : {"d1", "d2", "d3", "d4", "k1", "k2", "k3", "k4"})
      bound.push_back({name, value});
    return bound;
  };
  const std::string longest(1024, 'x');
  const std::string zeros(1024, '\0');
  CHECK(put("a") == "ok");
  CHECK(put(longest) == "ok");
  CHECK(put(zeros) == "ok");  // whose entry would be too long for the store
  const Page forward = in.range("i", bound_of(Value::inf_min()), bound_of(Value::inf_max()));
  REQUIRE(forward.rows.size() == 2);
  CHECK(forward.rows[0] == "d1=<a> d2=<a> d3=<a> d4=<a> k1=<a> k2=<a> k3=<a> k4=<a> |");
  const Page backward =
      in.range("i", bound_of(Value::inf_max()), bound_of(Value::inf_min()), {}, {}, api::Direction::backward);
  REQUIRE(backward.rows.size() == 2);
  CHECK(backward.rows[1] == forward.rows[0]);
  CHECK(in.get("i", bound_of(Value::binary("a"))) == forward.rows[0]);
  PrimaryKey nine = bound_of(Value::binary("a"));
  nine.push_back({"x", Value::binary("a")});
  CHECK(in.get("i", nine) ==
        "OTSParameterInvalid: The number of primary key columns must be in range: [1, 4].");
}

TEST_CASE_METHOD(Indexes, "the columns of an index are each there once, and the first is not numbered") {
  CHECK(create_index(index_of("i", {"d", "d"})) == "OTSParameterInvalid: Duplicated primary key name: 'd'.");
  CHECK(create_index(index_of("i", {"d"}, {"s", "s"})) ==
        "OTSParameterInvalid: Duplicated defined column name: 's'.");
  CHECK(create_index(index_of("i", {"d"}, {"d"})) ==
        "OTSParameterInvalid: Duplicated defined column name: 'd'.");
  CHECK(create_index(index_of("i", {"f"})) ==
        "OTSParameterInvalid: VT_DOUBLE is an invalid type for the primary key.");
  CHECK(create_index(index_of("i", {"d", "s", "n", "k"})) == "ok");
  CHECK(create_index(index_of("j", {"d", "s", "n", "k", "none"})) ==
        "OTSParameterInvalid: The number of primary key columns must be in range: [1, 4] in index.");
  TableMeta meta;
  meta.name = "numbered";
  meta.key = {{"k", ValueType::string}, {"n", ValueType::integer, true}};
  in.create(meta);
  const auto outcome_of = [&](const api::IndexMeta& index) {
    return outcome(ops::create_index(in.context(), {.main_table_name = "numbered", .index_meta = index}));
  };
  CHECK(outcome_of(index_of("l", {"n"})) ==
        "OTSParameterInvalid: first primary key can't be AUTO_INCREMENT.");
  CHECK(outcome_of(index_of("l", {"k", "n"})) == "ok");
}

TEST_CASE_METHOD(Indexes, "an index is filled with the rows that there are, or begins empty") {
  for (int n = 0; n < 5; ++n) in.put("t", key("a", n), {number("d", n)});
  CHECK(create_index(index_of("full", {"d"})) == "ok");
  CHECK(create_index(index_of("later", {"d"}), false) == "ok");
  for (int n = 5; n < 10; ++n) in.put("t", key("a", n), {number("d", n)});
  CHECK(entries("full", {"d", "k", "n"}).size() == 10);
  CHECK(entries("later", {"d", "k", "n"}).size() == 5);
  in.update("t", key("a", 0), {number("x", 1)});
  CHECK(entries("later", {"d", "k", "n"}).size() == 6);
}

TEST_CASE("an index that is being filled when the process ends is filled after the next start") {
  const std::shared_ptr<kv::Engine> engine = ::test::make_test_engine();
  const PrimaryKey wide = {{"d", Value::integer(63)}, {"k", Value::string("a")}, {"n", Value::integer(63)}};
  const std::string building = "OTSParameterInvalid: Disallow read index table in building base state";
  {
    Indexes before(engine);
    for (int n = 0; n < 200; ++n) before.in.put("t", key("a", n), {number("d", n)});
    before.in.put("t", key("a", 63), {number("d", 63), text("s", "y"), text("x", std::string(100'000, 'x'))});
    before.begin_to_fill("by_d");
    before.in.put("t", key("b", 1), {number("d", -1)});
    CHECK(before.in.get("by_d", wide) == building);
  }
  Instance in(engine);
  CHECK(in.get("by_d", wide) == building);
  in.run_jobs();
  CHECK(in.get("by_d", wide) == "d=63 k=a n=63 | s=y@0");
  const PrimaryKey least = {{"d", Value::inf_min()}, {"k", Value::inf_min()}, {"n", Value::inf_min()}};
  const PrimaryKey greatest = {{"d", Value::inf_max()}, {"k", Value::inf_max()}, {"n", Value::inf_max()}};
  CHECK(in.range("by_d", least, greatest).rows.size() == 201);
}

TEST_CASE("an index that is dropped before it has been filled is not filled any more") {
  const std::shared_ptr<kv::Engine> engine = ::test::make_test_engine();
  {
    Indexes before(engine);
    for (int n = 0; n < 100; ++n) before.in.put("t", key("a", n), {number("d", n)});
    before.begin_to_fill("by_d");
  }
  Instance in(engine);
  CHECK(in.world().jobs().run_step());  // finds the work
  CHECK(in.world().jobs().run_step());  // a part of the rows
  CHECK(ops::drop_index(in.context(), {.main_table_name = "t", .index_name = "by_d"}));
  in.run_jobs();
  CHECK(in.world().jobs().waiting() == 0);
}

TEST_CASE_METHOD(Indexes, "rows of many cells have entries too, and those of a transaction at its commit") {
  CHECK(create_index(index_of("by_d", {"d"}, {"s"})) == "ok");
  const std::string large(100'000, 'x');
  in.put("t", key("a", 1), {text("x", large), number("d", 5)});
  in.update("t", key("a", 1), {text("s", "y")});
  CHECK(entries("by_d", {"d", "k", "n"}) == Lines{"d=5 k=a n=1 | s=y@0"});
  in.update("t", key("a", 1), {number("d", 6), delete_all("s")});
  CHECK(entries("by_d", {"d", "k", "n"}) == Lines{"d=6 k=a n=1 |"});
  in.put("t", key("a", 1), {number("d", 7)});
  CHECK(entries("by_d", {"d", "k", "n"}) == Lines{"d=7 k=a n=1 |"});
}

TEST_CASE_METHOD(Indexes, "entries of rows that a transaction has written come with its commit") {
  CHECK(create_index(index_of("by_d", {"d"})) == "ok");
  const std::string partition = bytes_of({{"k", Value::string("a")}});
  const auto started = ops::start_local_transaction(in.context(), {.table_name = "t", .key = partition});
  REQUIRE(started);
  const std::string id = started->transaction_id;
  CHECK(in.put("t", key("a", 1), {number("d", 5)}, {.transaction = id}) == "ok");
  in.advance(std::chrono::seconds(5));
  CHECK(entries("by_d", {"d", "k", "n"}).empty());
  CHECK(outcome(ops::commit_transaction(in.context(), {.transaction_id = id})) == "ok");
  CHECK(entries("by_d", {"d", "k", "n"}) == Lines{"d=5 k=a n=1 |"});
  // Versions are those of the writes (tablestore/transactions.md section 1).
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 | d=5@0");
}

TEST_CASE_METHOD(Indexes, "the names of indexes are those of tables that cannot be written") {
  CHECK(create_index(index_of("t", {"d"})) == "OTSObjectAlreadyExist: Requested table already exists.");
  CHECK(create_index(index_of("i", {"d"})) == "ok");
  CHECK(create_index(index_of("i", {"n"})) == "OTSObjectAlreadyExist: Requested table already exists.");
  CHECK(tables() == Lines{"i", "t"});
  const std::string read_only = "OTSParameterInvalid: Can't write index table directly.";
  CHECK(in.put("i", key("a", 1), {}) == read_only);
  CHECK(in.update("i", key("a", 1), {number("x", 1)}) == read_only);
  CHECK(in.remove("i", key("a", 1)) == read_only);
  const std::string row = bytes_of(key("a", 1));
  api::BatchWriteRowRequest batch;
  batch.tables.push_back({"i", {{.type = api::OperationType::put, .row_change = row, .condition = {}}}});
  CHECK(outcome(ops::batch_write_row(in.context(), std::move(batch))) == read_only);
  const std::string partition = bytes_of({{"d", Value::integer(1)}});
  CHECK(outcome(ops::start_local_transaction(in.context(), {.table_name = "i", .key = partition})) ==
        read_only);
  CHECK(outcome(ops::delete_table(in.context(), {.table_name = "i"})).starts_with("OTSParameterInvalid"));
  CHECK(drop_index("i") == "ok");
  CHECK(drop_index("i") == "OTSObjectNotExist: Requested table does not exist.");
  CHECK(tables() == Lines{"t"});
  CHECK(in.get("i", key("a", 1)) == "OTSParameterInvalid: Request table not exist");
  CHECK(create_index(index_of("i", {"d"})) == "ok");
  CHECK(ops::delete_table(in.context(), {.table_name = "t"}));
  CHECK(tables().empty());
}

TEST_CASE_METHOD(WatchedIndexes, "a table whose index cannot get its name is not created") {
  before_next_change([](Instance& other) { other.create("i"); });
  CHECK(create_table("u", "i") == "OTSObjectAlreadyExist: Requested table already exists.");
  CHECK(indexes.tables() == Lines{"i", "t"});
  engine->plan().fail(::dinette::test::EngineCall::commit, 2, kv::ErrorKind::io);
  CHECK(create_table("u", "j").starts_with("OTSInternalServerError"));
  CHECK(indexes.tables() == Lines{"i", "t"});
  CHECK(create_table("u", "j") == "ok");
  CHECK(indexes.tables() == Lines{"i", "j", "t", "u"});
}

TEST_CASE_METHOD(WatchedIndexes, "an index that is created while its table is being deleted leaves no name") {
  before_next_change([](Instance& other) {
    CHECK(ops::create_index(other.context(), {.main_table_name = "t", .index_meta = index_of("i", {"d"})}));
  });
  CHECK(ops::delete_table(in.context(), {.table_name = "t"}));
  CHECK(indexes.tables().empty());
}

TEST_CASE_METHOD(Indexes, "the name of an index that is left over is found, and free") {
  leave_name("left");
  Lines faults;
  const auto report = [&](const std::string& fault) { faults.push_back(fault); };
  CHECK(verify_tables(in.world(), report));
  CHECK(faults == Lines{"the name left is that of an index, which table t does not have"});
  CHECK(create_index(index_of("left", {"d"})) == "ok");
  faults.clear();
  CHECK(verify_tables(in.world(), report));
  CHECK(faults.empty());
}

TEST_CASE("the names of indexes are those of the tables after a start") {
  const std::shared_ptr<kv::Engine> engine = ::test::make_test_engine();
  {
    Instance before(engine);
    TableMeta meta;
    meta.name = "t";
    IndexMeta& index = meta.indexes.emplace_back();
    index.id = meta.next_index++;
    index.name = "i";
    index.key_columns = {"n"};
    before.create(meta);  // and no name, as if the process had ended
  }
  Instance in(engine);
  REQUIRE(in.store().catalog().create("left", encode_index_name("t")).value());
  in.run_jobs();
  CHECK(ops::list_table(in.context(), {})->table_names == Lines{"i", "t"});
  CHECK(in.get("i", {{"n", Value::integer(1)}, {"k", Value::string("a")}}) == "none");
}

TEST_CASE_METHOD(Indexes, "an index must be of columns that are known, in a table that may have one") {
  CHECK(create_index(index_of("i", {})) ==
        "OTSParameterInvalid: The number of primary key columns must be in range: [1, 4] in index.");
  CHECK(create_index(index_of("i", {"none"})) == "OTSParameterInvalid: Column does not exist:none.");
  CHECK(create_index(index_of("i", {"f"})).starts_with("OTSParameterInvalid"));
  CHECK(create_index(index_of("i", {"d"}, {"none"})) == "OTSParameterInvalid: Column does not exist:none.");
  CHECK(
      create_index(index_of("i", {"d"}, {}, api::IndexType::local_index)).starts_with("OTSParameterInvalid"));
  in.change("t", {.max_versions = 2});
  CHECK(create_index(index_of("i", {"d"})).starts_with("OTSParameterInvalid"));
  in.change("t", {});
  for (int i = 0; i < 5; ++i) CHECK(create_index(index_of("i" + std::to_string(i), {"d"})) == "ok");
  CHECK(create_index(index_of("i5", {"d"})) ==
        "OTSParameterInvalid: Number of index per table exceeds the quota:5.");
  CHECK(in.put("t", key("a", 1), {number("x", 1, start_time)}).starts_with("OTSParameterInvalid"));
}

}  // namespace dinette::tablestore::index_test
