#include "dinette/store/name_spaces.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/store/verify.h"

#include "store/store_fixture.h"

// Stores of several name spaces over one engine.
namespace dinette::store::name_spaces_test {
namespace {

using Names = std::vector<std::string>;

constexpr SpaceId space{3};

struct Fixture : StoreFixture {
  Store a{engine, clock, ids, test_face, {}, "a"};
  Store b{engine, clock, ids, test_face, {}, "b"};

  Names found() const { return name_spaces(engine, test_face.id).value(); }

  static void put_entry(Store& in, std::string_view key, std::string_view bytes) {
    const WriteTarget target = WriteTarget::entry(space, key);
    const auto decide = [&](const Rows&, RowChanges changes) {
      changes[0].row = RowChange::Row::put;
      changes[0].value = kv::Value(bytes);
      return true;
    };
    REQUIRE(in.write(std::span(&target, 1), decide).value().outcome == WriteOutcome::applied);
  }
  static std::string entry(const Store& of, std::string_view key) {
    const auto value = of.view().value().read(space, key).value();
    return value ? std::string(value->view()) : "";
  }
  static std::size_t entries(const Store& of) {
    const View view = of.view().value();
    RowCursor cursor = view.scan(space, {}, Direction::forward).value();
    std::size_t count = 0;
    while (cursor.next().value()) ++count;
    return count;
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "name spaces: those with tables, entries or tables without names are found") {
  CHECK(found().empty());
  make_table("t");
  CHECK(found().empty());
  REQUIRE(b.catalog().create("t", "").value());
  CHECK(found() == Names{"b"});
  put_entry(a, "key", "1");
  CHECK(found() == Names{"a", "b"});
  const TablePointer table = b.catalog().open("t").value();
  const auto lose_its_name = [](const Table&) { return std::optional(TableDrop{.unnamed = "unnamed"}); };
  REQUIRE(b.catalog().drop(*table, lose_its_name).value());
  CHECK(found() == Names{"a", "b"});
  REQUIRE(b.catalog().drop(*b.catalog().open_unnamed(table->id).value()).value());
  CHECK(found() == Names{"a"});
}

TEST_CASE_METHOD(Fixture, "name spaces: none is another one's beginning") {
  Store longer(engine, clock, ids, test_face, {}, "ab");
  REQUIRE(longer.catalog().create("t", "").value());
  CHECK(found() == Names{"ab"});
  CHECK(a.catalog().list("", 10).value().empty());
  put_entry(longer, "key", "1");
  CHECK(entries(a) == 0);
  CHECK(entries(longer) == 1);
}

TEST_CASE_METHOD(Fixture, "name spaces: entries of one key are different ones") {
  put_entry(store, "key", "none");
  put_entry(a, "key", "of a");
  put_entry(b, "key", "of b");
  put_entry(b, "more", "of b");
  CHECK(entry(store, "key") == "none");
  CHECK(entry(a, "key") == "of a");
  CHECK(entry(b, "key") == "of b");
  CHECK(entries(store) == 1);
  CHECK(entries(a) == 1);
  CHECK(entries(b) == 2);
}

TEST_CASE_METHOD(Fixture, "name spaces: tables without names are seen in their own") {
  const TablePointer table = a.catalog().create("t", "").value();
  const auto lose_its_name = [](const Table&) { return std::optional(TableDrop{.unnamed = "unnamed"}); };
  REQUIRE(a.catalog().drop(*table, lose_its_name).value());
  CHECK(a.catalog().open_unnamed(table->id).value()->id == table->id);
  CHECK(a.catalog().list_unnamed(0, 10).value().size() == 1);
  CHECK(a.catalog().list_unnamed(table->id, 10).value().empty());
  CHECK(b.catalog().open_unnamed(table->id).value() == nullptr);
  CHECK(b.catalog().list_unnamed(0, 10).value().empty());
  CHECK(store.catalog().list_unnamed(0, 10).value().empty());
  Names faults;
  REQUIRE(
      verify_tables(engine, test_face.id, [&](const std::string& fault) { faults.push_back(fault); }).ok());
  CHECK(faults == Names{});
}

TEST_CASE_METHOD(Fixture, "name spaces: one write may have rows of several, all or none") {
  const TablePointer of_a = a.catalog().create("t", "").value();
  const TablePointer of_b = b.catalog().create("t", "").value();
  const std::string key = make_key("row");
  const std::array targets{WriteTarget::row(*of_a, key), WriteTarget::row(*of_b, key)};
  const auto put_both = [](const Rows&, RowChanges changes) {
    changes[0] = put_row("1");
    changes[1] = put_row("2");
    return true;
  };
  REQUIRE(a.write(targets, put_both).value().outcome == WriteOutcome::applied);
  CHECK(read(a, *of_a, key) == "1");
  CHECK(read(b, *of_b, key) == "2");
  REQUIRE(b.catalog().drop(*of_b).value());
  const auto end = a.write(targets, put_both).value();
  CHECK(end.outcome == WriteOutcome::table_changed);
  CHECK(end.target == 1);
}

TEST_CASE_METHOD(Fixture, "name spaces: a store knows whether something was written through it") {
  CHECK_FALSE(a.was_written());
  CHECK(a.catalog().open("t").value() == nullptr);
  CHECK(entry(a, "key").empty());
  CHECK_FALSE(a.was_written());
  put_entry(a, "key", "1");
  CHECK(a.was_written());
  CHECK_FALSE(b.was_written());
  REQUIRE(b.catalog().create("t", "").value());
  CHECK(b.was_written());
}

}  // namespace dinette::store::name_spaces_test
