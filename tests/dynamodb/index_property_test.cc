#include <catch2/catch.hpp>

#include "reads.h"
#include "support/random_seed.h"
#include "table_model.h"

// Whatever is written, every index holds what the table says (facts: indexes.md section 2), and the counts
// and sizes of DescribeTable are exact.
using namespace test;

namespace {

std::string members(const Json& request) {
  const std::string text = request.dump();
  return text.substr(1, text.size() - 2);
}

Json entries(const std::vector<Row>& rows) {
  std::vector<Json> all;
  for (const Row& row : rows) all.push_back(row.entry);
  return sorted(std::move(all));
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
        ok_item(db_, "DeleteItem", members({{"Key", model_.key_of(item)}}));
        break;
      case 1:
        model_.put(item);
        ok_item(db_, "UpdateItem", members(update_to(model_, item)));
        break;
      default:
        model_.put(item);
        ok_item(db_, "PutItem", members({{"Item", item}}));
    }
  }

  void check() const {
    INFO(request_.dump());
    check_described();
    for (const Walk& walk : model_.walks()) {
      INFO("index '" << walk.index << "'");
      const std::string members = walk.index.empty() ? "" : R"("IndexName": ")" + walk.index + '"';
      REQUIRE(sorted(items_of(db_, "Scan", members)) == entries(model_.rows(walk)));
    }
  }

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

  void check_described() const {
    const Json table = db_.ok("DescribeTable", {{"TableName", the_table}})["Table"];
    check_counts(model_.table(), table["ItemCount"], table["TableSizeBytes"]);
    for (const Walk& walk : model_.walks()) {
      if (walk.index.empty()) continue;
      for (const Json& index : table[walk.local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes"]) {
        if (index["IndexName"] == walk.index) check_counts(walk, index["ItemCount"], index["IndexSizeBytes"]);
      }
    }
  }

  void check_counts(const Walk& walk, const Json& count, const Json& bytes) const {
    INFO("index '" << walk.index << "'");
    const std::vector<Row> rows = model_.rows(walk);
    std::size_t size = 0;
    for (const Row& row : rows) size += size_in_bytes(row.entry);
    REQUIRE(count == rows.size());
    REQUIRE(bytes == size);
  }

  DynamoDb& db_;
  Random& random_;
  Json request_;
  TableModel model_;
};

}  // namespace

TEST_CASE("after any writes every index is the one that the table gives") {
  Random random(dinette::test::random_seed());
  for (int round = 0; round < dinette::test::rounds_of(30); ++round) {
    DynamoDb db;
    Writer writer(db, random);
    for (int writes = 1; writes <= 120; ++writes) {
      writer.write();
      if (writes % 30 == 0) writer.check();
    }
  }
}
