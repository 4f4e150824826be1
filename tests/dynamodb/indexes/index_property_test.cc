#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <thread>

#include <catch2/catch.hpp>

#include "dynamodb/reads/reads.h"
#include "dynamodb/table_model.h"
#include "support/random_seed.h"

// Whatever is written, every index holds what the table says (docs/service/indexes.md section 2), and the
// counts and sizes of DescribeTable are exact.
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

/// The sizes of all item collections, ascending: only tables with local indexes have such.
std::vector<std::int64_t> collection_sizes(const TableModel& model) {
  std::map<std::string, std::int64_t> sizes;
  for (const Walk& walk : model.walks()) {
    if (!walk.local && !walk.index.empty()) continue;
    for (const Row& row : model.rows(walk))
      sizes[row.item["pk"].dump()] += static_cast<std::int64_t>(size_in_bytes(row.entry));
  }
  std::vector<std::int64_t> ascending;
  if (std::ranges::none_of(model.walks(), &Walk::local)) return ascending;
  for (const auto& [collection, size] : sizes) ascending.push_back(size);
  std::ranges::sort(ascending);
  return ascending;
}

/// The same as the store keeps them (src/store/FORMAT.md).
std::vector<std::int64_t> collection_sizes(DynamoDb& db) {
  constexpr std::size_t space = 9;  // of a key
  std::vector<std::int64_t> ascending;
  const auto cursor = std::move(db.engine().snapshot().value()->cursor({})).value();
  for (bool more = cursor->first().value(); more; more = cursor->next().value()) {
    if (cursor->key()[space] == 0x11) ascending.push_back(dinette::kv::read_counter(cursor->value(), 0));
  }
  std::ranges::sort(ascending);
  return ascending;
}

/// Every index, entry by entry, and the table itself; and how they are counted.
void check_indexes(DynamoDb& db, const Json& create_table, const TableModel& model) {
  INFO(create_table.dump());
  check_described(db, model);
  REQUIRE(collection_sizes(db) == collection_sizes(model));
  for (const Walk& walk : model.walks()) {
    INFO("index '" << walk.index << "'");
    const std::string index = walk.index.empty() ? "" : R"("IndexName": ")" + walk.index + '"';
    REQUIRE(sorted(items_of(pages_of(db, "Scan", index))) == entries(model.rows(walk)));
  }
}

/// Attributes next to the key are set or removed so that the item becomes `wanted`, and some more that it
/// does not have.
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
    switch (random_() % 5) {
      case 0:
        return write_batch();
      case 1:
        model_.erase(model_.key_of(item));
        ok_item(db_, "DeleteItem", members_of({{"Key", model_.key_of(item)}}));
        break;
      case 2:
        update(item);
        break;
      default:
        model_.put(item);
        ok_item(db_, "PutItem", members_of({{"Item", item}}));
    }
  }

  /// So many rows, if keys may be any strings.
  void fill(int rows) {
    for (int row = 0; row < rows; ++row) {
      Json item = random_item(random_, request_);
      if (item["pk"].begin().key() != "S") return;
      item["pk"] = {{"S", "row " + std::to_string(row)}};
      model_.put(item);
      db_.put(the_table, item);
    }
  }

  /// One more index, to be filled step by step while writes go on.
  void add_index(const std::string& name) {
    const Json definition = random_index(random_, name, request_);
    db_.ok("UpdateTable", {{"TableName", the_table},
                           {"AttributeDefinitions", request_["AttributeDefinitions"]},
                           {"GlobalSecondaryIndexUpdates", {{{"Create", definition}}}}});
    model_.add_index(definition);
  }

  void check() const { check_indexes(db_, request_, model_); }

 private:
  /// An update that only removes attributes makes no new item (docs/service/items.md section 2).
  void update(const Json& item) {
    const Json key = model_.key_of(item);
    if (item != key || model_.items().contains(key.dump())) model_.put(item);
    ok_item(db_, "UpdateItem", members_of(update_to(model_, item)));
  }

  /// Puts and deletes of a few items, each once.
  void write_batch() {
    std::map<std::string, Json> requests;
    for (int i = 0; i < 6; ++i) {
      const Json item = next_item();
      const Json key = model_.key_of(item);
      requests[key.dump()] = random_() % 3 == 0 ? Json{{"DeleteRequest", {{"Key", key}}}}
                                                : Json{{"PutRequest", {{"Item", item}}}};
    }
    Json batch = Json::array();
    for (const auto& [key, request] : requests) {
      batch.push_back(request);
      if (request.contains("PutRequest"))
        model_.put(request["PutRequest"]["Item"]);
      else
        model_.erase(request["DeleteRequest"]["Key"]);
    }
    const Json reply = db_.ok("BatchWriteItem", {{"RequestItems", {{the_table, batch}}}});
    REQUIRE(reply["UnprocessedItems"].empty());
  }

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

TEST_CASE("an index that is made while items are written is the one that the table gives") {
  Random random(dinette::test::random_seed());
  for (int round = 0; round < dinette::test::rounds_of(4); ++round) {
    DynamoDb db;
    Writer writer(db, random);
    writer.fill(600);  // more than one step enters
    for (int writes = 0; writes < 60; ++writes) writer.write();
    for (const std::string index : {"late1", "late2"}) {
      writer.add_index(index);
      do {
        for (auto writes = random() % 20; writes > 0; --writes) writer.write();
      } while (db.jobs().run_step());
      writer.check();
      for (int writes = 0; writes < 20; ++writes) writer.write();
      writer.check();
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
