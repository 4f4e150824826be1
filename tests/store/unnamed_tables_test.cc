#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/store/past_rows.h"
#include "dinette/store/verify.h"

#include "store/store_fixture.h"

/// Tables without names, and tables that are created out of others.
namespace dinette::store::unnamed_tables_test {
namespace {

constexpr SpaceId notes{1};

struct UnnamedFixture : StoreFixture {
  TablePointer table = make_table("t", "kept");
  const std::string a = make_key("a");

  UnnamedFixture() { write(store, *table, a, "1"); }

  TablePointer take_name(std::string description) {
    const auto decide = [&](const Table&) {
      return TableDrop{.entries = {{notes, "note", kv::Value("dropped")}}, .unnamed = description};
    };
    REQUIRE(store.catalog().drop(*table, decide).value());
    return store.catalog().open_unnamed(table->id).value();
  }

  std::vector<std::string> faults() const {
    std::vector<std::string> found;
    REQUIRE(verify_tables(engine, test_face.id, [&](std::string fault) {
              found.push_back(std::move(fault));
            }).ok());
    return found;
  }
  std::size_t keys_of(Area area) const {
    const View view = store.view().value();
    RowCursor cursor = view.scan(*table, area, {}, Direction::forward).value();
    std::size_t count = 0;
    while (cursor.next().value()) ++count;
    return count;
  }
};

}  // namespace

TEST_CASE_METHOD(UnnamedFixture, "unnamed tables: a table can lose its name and keep its rows") {
  const TablePointer unnamed = take_name("new description");
  REQUIRE(unnamed);
  CHECK(unnamed->name.empty());
  CHECK(unnamed->id == table->id);
  CHECK(unnamed->description == "new description");
  CHECK(store.catalog().open("t").value() == nullptr);
  CHECK(store.catalog().list("", 10).value().empty());
  CHECK(read(store, *unnamed, a) == "1");
  CHECK(store.count(*unnamed).value().rows == 1);
  CHECK(store.view().value().read(notes, "note").value());
  CHECK(faults().empty());
}

TEST_CASE_METHOD(UnnamedFixture, "unnamed tables: what was derived from the rows goes, former values stay") {
  const auto with_entries = [](const kv::Value*, RowChange& change) {
    change = put_row("2", false);
    change.entries.push_back(
        {.area = Area::of_index(1), .key = "x", .value = kv::Value("y"), .count = {1, 1}});
    change.entries.push_back({.area = Area::expiry(), .key = "x", .value = kv::Value("")});
    return true;
  };
  REQUIRE(store.write(*table, a, with_entries).value().outcome == WriteOutcome::applied);
  CHECK(keys_of(Area::versions()) == 2);
  take_name("kept");
  CHECK(keys_of(Area::rows()) == 1);
  CHECK(keys_of(Area::versions()) == 2);
  CHECK(keys_of(Area::of_index(1)) == 0);
  CHECK(keys_of(Area::expiry()) == 0);
  CHECK(store.count(*table, 1).value() == Count{});
}

TEST_CASE_METHOD(UnnamedFixture, "unnamed tables: former values go if they are to") {
  const auto decide = [](const Table&) { return TableDrop{.unnamed = "kept", .drops_versions = true}; };
  REQUIRE(store.catalog().drop(*table, decide).value());
  CHECK(keys_of(Area::rows()) == 1);
  CHECK(keys_of(Area::versions()) == 0);
}

TEST_CASE_METHOD(UnnamedFixture, "unnamed tables: the name is free for another table") {
  const TablePointer unnamed = take_name("old");
  const TablePointer other = make_table("t", "schema");
  REQUIRE(other);
  write(store, *other, a, "other");
  CHECK(read(store, *unnamed, a) == "1");
  CHECK(store.catalog().open("t").value()->id == other->id);
}

TEST_CASE_METHOD(UnnamedFixture,
                 "unnamed tables: a write decided for the table with its name does not commit") {
  const TablePointer unnamed = take_name("old");
  CHECK(write(store, *table, a, "late") == WriteOutcome::table_changed);
  CHECK(write(store, *unnamed, a, "2") == WriteOutcome::applied);
  CHECK(read(store, *unnamed, a) == "2");
}

TEST_CASE_METHOD(UnnamedFixture, "unnamed tables: are updated and dropped as others are") {
  const TablePointer unnamed = take_name("old");
  const auto updated =
      store.catalog().update(*unnamed, [](const Table&) { return TableUpdate("new"); }).value();
  REQUIRE(updated);
  CHECK(store.catalog().open_unnamed(unnamed->id).value()->description == "new");
  CHECK(store.catalog().drop(*updated).value());
  CHECK(store.catalog().open_unnamed(unnamed->id).value() == nullptr);
  CHECK(store.catalog().update(*updated, [](const Table&) { return TableUpdate("new"); }).value() == nullptr);
  CHECK(keys_of(Area::rows()) == 0);
  CHECK(faults().empty());
}

TEST_CASE_METHOD(UnnamedFixture, "unnamed tables: one table is created out of another in one commit") {
  const auto decide = [](const Table& source, TableId created) -> std::optional<TableCreation> {
    return TableCreation{"copy of " + source.name, TableUpdate("copied to " + std::to_string(created))};
  };
  SECTION("without a name") {
    const auto [created, source] = store.catalog().create_from(*table, "", decide).value();
    REQUIRE(created);
    CHECK(source->description == "copied to " + std::to_string(created->id));
    CHECK(source->version == table->version + 1);
    CHECK(store.catalog().open("t").value()->description == source->description);
    CHECK(store.catalog().open_unnamed(created->id).value()->description == "copy of t");
  }
  SECTION("with a name") {
    const auto [created, source] = store.catalog().create_from(*table, "u", decide).value();
    REQUIRE(created);
    CHECK(store.catalog().open("u").value()->id == created->id);
  }
  SECTION("not with one that is taken") {
    const auto before = everything();
    CHECK(store.catalog().create_from(*table, "t", decide).value().created == nullptr);
    CHECK(everything() == before);
  }
  SECTION("not if the face declines") {
    const auto before = everything();
    const auto decline = [](const Table&, TableId) { return std::optional<TableCreation>(); };
    CHECK(store.catalog().create_from(*table, "u", decline).value().created == nullptr);
    CHECK(everything() == before);
  }
  SECTION("not if the other one is gone") {
    REQUIRE(store.catalog().drop(*table).value());
    const auto result = store.catalog().create_from(*table, "u", decide).value();
    CHECK(result.created == nullptr);
    CHECK(result.source == nullptr);
  }
  CHECK(faults().empty());
}

TEST_CASE_METHOD(UnnamedFixture, "unnamed tables: are listed by their ids") {
  const auto decide = [](const Table&, TableId) {
    return std::optional(TableCreation{"copy", TableUpdate("schema")});
  };
  std::vector<TableId> made;
  for (int i = 0; i < 3; ++i)
    made.push_back(store.catalog().create_from(*table, "", decide).value().created->id);
  const auto first = store.catalog().list_unnamed(0, 2).value();
  REQUIRE(first.size() == 2);
  CHECK(first[0]->id == made[0]);
  const auto rest = store.catalog().list_unnamed(first[1]->id, 2).value();
  REQUIRE(rest.size() == 1);
  CHECK(rest[0]->id == made[2]);
}

}  // namespace dinette::store::unnamed_tables_test
