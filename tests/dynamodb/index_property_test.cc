#include <algorithm>
#include <atomic>
#include <thread>

#include <catch2/catch.hpp>

#include "reads.h"
#include "support/random_seed.h"
#include "table_model.h"

// Whatever is written, every index holds what the table says (facts: indexes.md section 2), and the counts
// and sizes of DescribeTable are exact.
namespace test::index_property_test {
namespace {

Json entries(const std::vector<Row>& rows) {
  std::vector<Json> all;
  for (const Row& row : rows) all.push_back(row.entry);
  return sorted(std::move(all));
}

void check_counts(const TableModel& model, const Walk& walk, const Json& count, const Json& bytes) {
  INFO("index '" << walk.index << "'");
  const std::vector<Row> rows = model.rows(walk);
  std::size_t size = 0;
  for (const Row& row : rows) size += size_in_bytes(row.entry);
  REQUIRE(count == rows.size());
  REQUIRE(bytes == size);
}

void check_described(DynamoDb& db, const TableModel& model) {
  const Json table = db.ok("DescribeTable", {{"TableName", the_table}})["Table"];
  check_counts(model, model.table(), table["ItemCount"], table["TableSizeBytes"]);
  for (const Walk& walk : model.walks()) {
    if (walk.index.empty()) continue;
    for (const Json& index : table[walk.local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes"]) {
      if (index["IndexName"] == walk.index)
        check_counts(model, walk, index["ItemCount"], index["IndexSizeBytes"]);
    }
  }
}

/// Every index, entry by entry, and the table itself; and how they are counted.
void check_indexes(DynamoDb& db, const Json& create_table, const TableModel& model) {
  INFO(create_table.dump());
  check_described(db, model);
  for (const Walk& walk : model.walks()) {
    INFO("index '" << walk.index << "'");
    const std::string index = walk.index.empty() ? "" : R"("IndexName": ")" + walk.index + '"';
    REQUIRE(sorted(items_of(pages_of(db, "Scan", index))) == entries(model.rows(walk)));
  }
}

/// Attributes beside the key are set or removed so that the item becomes `wanted`, and some more that it does
/// not have.
Json update_to(const TableModel& model, const Json& wanted) {
  Json request = {{"Key", model.key_of(wanted)}};
  std::string set;
  std::string remove = "REMOVE nothing";
  for (const std::string name : {"sk", "a", "b", "c", "d", "x", "y"}) {
    if (request["Key"].contains(name)) continue;
    if (!wanted.contains(name)) {
      remove += ", " + name;
      continue;
    }
    set += (set.empty() ? "SET " : ", ") + name + " = :" + name;
    request["ExpressionAttributeValues"][":" + name] = wanted[name];
  }
  request["UpdateExpression"] = set + " " + remove;
  return request;
}

/// Table and service side by side.
class Writer {
 public:
  Writer(DynamoDb& db, Random& random)
      : db_(db), random_(random), request_(random_table(random)), model_(request_) {
    db_.ok("CreateTable", request_);
  }

  void write() {
    const Json item = next_item();
    switch (random_() % 4) {
      case 0:
        model_.erase(model_.key_of(item));
        ok_item(db_, "DeleteItem", members_of({{"Key", model_.key_of(item)}}));
        break;
      case 1:
        model_.put(item);
        ok_item(db_, "UpdateItem", members_of(update_to(model_, item)));
        break;
      default:
        model_.put(item);
        ok_item(db_, "PutItem", members_of({{"Item", item}}));
    }
  }

  void check() const { check_indexes(db_, request_, model_); }

 private:
  /// A new one, or one that is stored, as it is or with an attribute less.
  Json next_item() {
    if (model_.items().empty() || random_() % 3 != 0) return random_item(random_, request_);
    auto stored = model_.items().begin();
    std::advance(stored, random_() % model_.items().size());
    Json item = stored->second;
    const std::string names[] = {"a", "b", "c", "d", "x", "y", "none"};
    item.erase(names[random_() % std::size(names)]);
    return item;
  }

  DynamoDb& db_;
  Random& random_;
  Json request_;
  TableModel model_;
};

}  // namespace

TEST_CASE("after any writes every index is the one that the table gives") {
  Random random(dinette::test::random_seed());
  for (int round = 0; round < dinette::test::rounds_of(20); ++round) {
    DynamoDb db;
    Writer writer(db, random);
    for (int writes = 1; writes <= 120; ++writes) {
      writer.write();
      if (writes % 30 == 0) writer.check();
    }
  }
}

TEST_CASE("after the writes of several clients at once every index is the one that the table gives") {
  Random random(dinette::test::random_seed());
  for (int round = 0; round < std::max(1, dinette::test::rounds_of(5)); ++round) {
    DynamoDb db;
    const Json request = random_table(random);
    db.ok("CreateTable", request);
    const TableModel schema(request);
    std::atomic<int> refused{0};
    std::vector<std::jthread> clients;
    for (unsigned client = 0; client < 3; ++client) {
      clients.emplace_back([&, of_client = Random(random())]() mutable {
        for (int writes = 0; writes < 150; ++writes) {
          const Json item = random_item(of_client, request);
          const bool remove = of_client() % 4 == 0;
          const std::string written =
              remove ? members_of({{"Key", schema.key_of(item)}}) : members_of({{"Item", item}});
          if (call_item(db, remove ? "DeleteItem" : "PutItem", written).status != 200) ++refused;
        }
      });
    }
    clients.clear();
    REQUIRE(refused == 0);
    TableModel model(request);
    for (const Json& item : items_of(pages_of(db, "Scan", ""))) model.put(item);
    check_indexes(db, request, model);
  }
}

}  // namespace test::index_property_test
