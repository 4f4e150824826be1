#include <memory>
#include <utility>

#include <catch2/catch.hpp>

#include "support/engines.h"
#include "tablestore/api/create_table.h"
#include "tablestore/api/delete_table.h"
#include "tablestore/api/update_table.h"
#include "tablestore/rows/instance.h"

// tablestore/names-limits.md section 4: expired cells are invisible at once, removed later.
namespace dinette::tablestore::expiry_test {

using namespace test;
using std::chrono::hours;
using std::chrono::minutes;

namespace {

constexpr std::int32_t day = 86'400;

struct Expiry {
  Instance in;

  explicit Expiry(std::shared_ptr<kv::Engine> engine = nullptr) : in(std::move(engine)) {}

  void create(api::TableOptions options, bool indexed = false) {
    api::CreateTableRequest request;
    request.table_meta.table_name = "t";
    request.table_meta.primary_key = {{.name = "k", .type = api::PrimaryKeyType::string},
                                      {.name = "n", .type = api::PrimaryKeyType::integer}};
    request.table_meta.defined_column = {{.name = "d", .type = api::DefinedColumnType::integer}};
    request.reserved_throughput.capacity_unit = {.read = 0, .write = 0};
    request.table_options = options;
    if (indexed) {
      request.index_metas.resize(1);
      request.index_metas[0].name = "by_d";
      request.index_metas[0].primary_key = {"d"};
    }
    REQUIRE(outcome(ops::create_table(in.context(), std::move(request))) == "ok");
  }
  void update(api::TableOptions options) {
    REQUIRE(outcome(ops::update_table(in.context(), {.table_name = "t", .table_options = options})) == "ok");
  }
  void advance(std::chrono::microseconds time) {
    in.advance(time);
    in.run_jobs();
  }

  store::TablePointer table() { return in.store().catalog().open("t").value(); }
  /// How many rows are stored, seen or not.
  std::int64_t stored() { return in.store().view()->count(*table())->rows; }
  std::size_t stored_entries() {
    const store::View view = in.store().view().value();
    auto entries = view.scan(*table(), store::Area::of_index(1), {}, store::Direction::forward).value();
    std::size_t count = 0;
    while (entries.next().value()) ++count;
    return count;
  }
  /// Lets all cells be seen that are still stored.
  void show_all() { in.change("t", {.time_to_live = -1, .max_versions = 10}); }
};

/// Cells that do not fit into one value.
std::vector<CellChange> many_cells() {
  static const std::string large(1'000, 'x');
  static std::vector<std::string> names;
  if (names.empty())
    for (int i = 0; i < 100; ++i) names.push_back("c" + std::to_string(100 + i));
  std::vector<CellChange> cells;
  for (const std::string& name : names) cells.push_back(text(name, large));
  return cells;
}

}  // namespace

TEST_CASE_METHOD(Expiry, "what has expired is removed, and rows with their last cell") {
  create({.time_to_live = day, .max_versions = 2});
  in.put("t", key("a", 1), {number("x", 1), number("y", 1)});
  in.put("t", key("a", 2), {number("x", 1)});
  in.put("t", key("a", 3), {});  // has nothing that expires
  in.put("t", key("w", 1), many_cells());
  in.put("t", key("w", 2), many_cells());
  advance(hours(12));
  in.update("t", key("a", 1), {number("x", 2)});
  in.update("t", key("w", 1), {number("x", 2)});
  CHECK(stored() == 5);
  advance(hours(12));
  CHECK(stored() == 3);
  // Nothing of it shows again.
  show_all();
  CHECK(in.get("t", key("a", 1), {.max_versions = 10}) == "k=a n=1 | x=2@43200000");
  CHECK(in.get("t", key("a", 2)) == "none");
  CHECK(in.get("t", key("a", 3)) == "k=a n=3 |");
  CHECK(in.get("t", key("w", 1)) == "k=w n=1 | x=2@43200000");
  CHECK(in.get("t", key("w", 2)) == "none");
}

TEST_CASE_METHOD(Expiry, "a row of many cells is there as long as one of them lasts") {
  create({.time_to_live = day, .max_versions = 2});
  in.put("t", key("w", 1), many_cells());
  in.put("t", key("w", 2), many_cells());
  in.advance(hours(12));
  in.update("t", key("w", 1), {number("x", 1)});
  in.update("t", key("w", 1), {number("y", 1), delete_all("c100")});
  in.advance(hours(12));  // what was put has expired, but is stored
  CHECK(in.update("t", key("w", 1), {number("z", 1)},
                  {.expectation = api::RowExistenceExpectation::expect_exist}) == "ok");
  CHECK(in.update("t", key("w", 2), {number("z", 1)},
                  {.expectation = api::RowExistenceExpectation::expect_exist})
            .starts_with("OTSConditionCheckFail"));
  CHECK(in.get("t", key("w", 1)) == "k=w n=1 | x=1@43200000 y=1@43200000 z=1@86400000");
  in.update("t", key("w", 1), {delete_all("z")});
  CHECK(in.get("t", key("w", 1)) == "k=w n=1 | x=1@43200000 y=1@43200000");
  in.update("t", key("w", 1), {delete_all("x")});
  in.update("t", key("w", 1), {delete_one("y", start_time + 43'200'000)});
  CHECK(in.update("t", key("w", 1), {number("z", 1)},
                  {.expectation = api::RowExistenceExpectation::expect_not_exist})
            .starts_with("OTSConditionCheckFail"));
  in.put("t", key("w", 3), many_cells());
  in.update("t", key("w", 3), {number("x", 1)});
  in.update("t", key("w", 3), {delete_all("x")});
  in.advance(hours(24));
  CHECK(in.update("t", key("w", 3), {number("z", 1)},
                  {.expectation = api::RowExistenceExpectation::expect_not_exist}) == "ok");
  CHECK(in.get("t", key("w", 3)) == "k=w n=3 | z=1@172800000");
}

TEST_CASE_METHOD(Expiry, "what has not expired stays") {
  create({.time_to_live = day, .max_versions = 1});
  in.put("t", key("a", 1), {number("x", 1)});
  advance(hours(24) - minutes(1));
  show_all();
  CHECK(in.get("t", key("a", 1)) == "k=a n=1 | x=1@0");
}

TEST_CASE_METHOD(Expiry, "cells that are written later expire later, again and again") {
  create({.time_to_live = day, .max_versions = 1});
  for (int round = 0; round < 5; ++round) {
    in.put("t", key("a", round), {number("x", 1)});
    in.put("t", key("b", round), {number("x", 1)});
    CHECK(stored() == 2);
    advance(hours(26));
    CHECK(stored() == 0);
  }
}

TEST_CASE_METHOD(Expiry, "index entries go with their rows") {
  create({.time_to_live = day, .max_versions = 1, .allow_update = false}, true);
  in.put("t", key("a", 1), {number("d", 1)});
  auto cells = many_cells();
  cells.push_back(number("d", 2));
  in.put("t", key("w", 1), cells);
  advance(hours(12));
  in.put("t", key("a", 2), {number("d", 3)});
  CHECK(stored_entries() == 3);
  advance(hours(12));
  CHECK(stored() == 1);
  CHECK(stored_entries() == 1);
}

TEST_CASE_METHOD(Expiry, "a step removes some rows, not all") {
  create({.time_to_live = day, .max_versions = 1});
  in.run_jobs();
  for (int n = 0; n < 300; ++n) in.put("t", key("a", n), {number("x", n)});
  in.advance(hours(24));
  REQUIRE(in.world().jobs().run_step());
  CHECK(stored() == 300 - 64);
  // Meanwhile a row is written again.
  in.put("t", key("a", 299), {number("x", 0)});
  in.run_jobs();
  CHECK(stored() == 1);
}

TEST_CASE_METHOD(Expiry, "a time to live that is set or made shorter counts from then on") {
  create({.time_to_live = -1, .max_versions = 1});
  in.put("t", key("a", 1), {number("x", 1)});
  advance(hours(48));
  CHECK(stored() == 1);
  in.put("t", key("a", 2), {number("x", 1)});
  update({.time_to_live = day});
  in.run_jobs();
  CHECK(stored() == 1);
  advance(hours(2));
  update({.time_to_live = 3'600});
  in.run_jobs();
  CHECK(stored() == 0);
}

TEST_CASE_METHOD(Expiry, "nothing more is done about a table that is gone, or whose cells do not expire") {
  create({.time_to_live = day, .max_versions = 1});
  in.run_jobs();
  CHECK(in.world().jobs().waiting() == 1);
  update({.time_to_live = -1});
  advance(hours(25));
  CHECK(in.world().jobs().waiting() == 0);
  update({.time_to_live = day});
  in.run_jobs();
  CHECK(ops::delete_table(in.context(), {.table_name = "t"}));
  advance(hours(25));
  CHECK(in.world().jobs().waiting() == 0);
}

TEST_CASE("expired cells are removed after a restart too") {
  const std::shared_ptr<kv::Engine> engine = ::test::make_test_engine();
  {
    Expiry before(engine);
    before.create({.time_to_live = day, .max_versions = 1});
    before.in.put("t", key("a", 1), {number("x", 1)});
  }
  Expiry after(engine);
  after.advance(hours(23));
  CHECK(after.stored() == 1);
  after.advance(hours(2));
  CHECK(after.stored() == 0);
}

}  // namespace dinette::tablestore::expiry_test
