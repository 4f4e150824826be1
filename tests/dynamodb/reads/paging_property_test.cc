#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

#include <catch2/catch.hpp>

#include "dynamodb/table_model.h"
#include "reads.h"
#include "support/random_seed.h"
#include "support/tables.h"

// Walking by LastEvaluatedKey meets every row once and in order, whatever the table, index, filter, direction
// and page size (docs/service/query-scan.md sections 2 and 5).
namespace test::paging_property_test {
namespace {

template <class List>
const auto& pick(Random& random, const List& list) {
  return list[random() % std::size(list)];
}

/// A filter as the service and as the model has it.
struct Filter {
  std::string text;
  Json values = Json::object();
  std::function<bool(const Json&)> admits = [](const Json&) { return true; };
};

/// On attributes that are no keys.
Filter random_filter(Random& random) {
  const std::string name = random() % 2 == 0 ? "x" : "y";
  const Json value = random_value(random, random() % 2 == 0 ? "N" : "S");
  const auto has = [name](const Json& item) { return item.contains(name); };
  switch (random() % 5) {
    case 0:
      return {"attribute_exists(" + name + ")", Json::object(), has};
    case 1:
      return {"NOT attribute_exists(" + name + ")", Json::object(), std::not_fn(has)};
    case 2:
      return {name + " <> :f", {{":f", value}}, [=](const Json& item) {
                return !has(item) || item[name] != value;
              }};
    case 3:
      return {name + " > :f", {{":f", value}}, [=](const Json& item) {
                return has(item) && item[name].begin().key() == value.begin().key() &&
                       sorts_before(value, item[name]);
              }};
    default:
      return {};
  }
}

/// A condition on the range attributes of a walk.
struct Range {
  std::string text;
  Json values = Json::object();
  std::function<bool(const Json&)> admits = [](const Json&) { return true; };
  bool whole_key = false;  ///< Every range attribute has an equality.
};

void narrow(Range& range, const std::string& text, const std::function<bool(const Json&)>& admits) {
  range.text += " AND " + text;
  range.admits = [before = range.admits, admits](const Json& entry) {
    return before(entry) && admits(entry);
  };
}

bool begins_with(const Json& value, const Json& beginning) {
  return value.begin()->get<std::string>().starts_with(beginning.begin()->get<std::string>());
}

/// The last clause: any operator but for `=`.
void narrow_at_last(Range& range, Random& random, const std::string& name, const Json& value,
                    const Json& other) {
  const bool text = value.begin().key() == "S";
  switch (random() % (text ? 6 : 5)) {
    case 0:
      return narrow(range, name + " < :r",
                    [=](const Json& entry) { return sorts_before(entry[name], value); });
    case 1:
      return narrow(range, name + " <= :r",
                    [=](const Json& entry) { return !sorts_before(value, entry[name]); });
    case 2:
      return narrow(range, name + " > :r",
                    [=](const Json& entry) { return sorts_before(value, entry[name]); });
    case 3:
      return narrow(range, ":r <= " + name,
                    [=](const Json& entry) { return !sorts_before(entry[name], value); });
    case 4: {
      const bool turned = sorts_before(other, value);
      const Json low = turned ? other : value;
      const Json high = turned ? value : other;
      range.values[":r"] = low;
      range.values[":s"] = high;
      return narrow(range, name + " BETWEEN :r AND :s", [=](const Json& entry) {
        return !sorts_before(entry[name], low) && !sorts_before(high, entry[name]);
      });
    }
    default:
      return narrow(range, "begins_with(" + name + ", :r)",
                    [=](const Json& entry) { return begins_with(entry[name], value); });
  }
}

/// Equalities on some range attributes, then perhaps another condition on the next one; the values are those
/// of `like`, so that something is found.
Range random_range(Random& random, const Walk& walk, const Json& like) {
  Range range;
  std::size_t next = 0;
  for (; next < walk.range.size() && random() % 3 == 0; ++next) {
    const std::string name = walk.range[next];
    const std::string placeholder = ":e" + std::to_string(next);
    range.values[placeholder] = like[name];
    narrow(range, name + " = " + placeholder, [=](const Json& entry) { return entry[name] == like[name]; });
  }
  range.whole_key = next == walk.range.size();
  if (range.whole_key || random() % 2 == 0) return range;
  const std::string name = walk.range[next];
  range.values[":r"] = like[name];
  narrow_at_last(range, random, name, like[name], random_value(random, like[name].begin().key()));
  return range;
}

constexpr std::size_t page_bytes = 1024 * 1024;

/// A walk over `rows`, which are all that its key condition admits.
struct Expected {
  std::vector<Row> rows;
  std::size_t limit = 0;
  Filter filter;
  const Walk& walk;
  bool one_item =
      false;  ///< The whole key of an item is asked for, and there is no start key (query-scan.md).
  bool others_follow = false;  ///< Rows that do not meet the key condition come after the last one.

  /// What the filter admits: it sees the item through a local index.
  std::vector<Json> items() const {
    std::vector<Json> admitted;
    for (const Row& row : rows) {
      if (filter.admits(walk.local ? row.item : row.entry)) admitted.push_back(row.entry);
    }
    return admitted;
  }

  /// Returns true if pages end by the limit alone. Items that a filter fetches count, too.
  bool small() const {
    std::size_t bytes = 0;
    for (const Row& row : rows) bytes += size_in_bytes(row.entry) + size_in_bytes(row.item);
    return bytes < page_bytes;
  }
};

/// The values of the range attributes, entry by entry.
Json range_keys(const Walk& walk, const std::vector<Json>& entries) {
  Json keys = Json::array();
  for (const Json& entry : entries) {
    for (const std::string& name : walk.range) keys.push_back(entry[name]);
  }
  return keys;
}

std::vector<Json> entries_of(const std::vector<Row>& rows) {
  std::vector<Json> entries;
  for (const Row& row : rows) entries.push_back(row.entry);
  return entries;
}

/// The pages are full but for the last one, which is never empty if other rows follow.
void check_page_sizes(const std::vector<Json>& pages, const Expected& expected) {
  const std::size_t rows = expected.rows.size();
  std::size_t full = expected.limit == 0 || expected.one_item ? 0 : rows / expected.limit;
  if (full > 0 && rows % expected.limit == 0 && expected.others_follow) --full;
  REQUIRE(pages.size() == full + 1);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    REQUIRE(pages[i]["ScannedCount"] == (i < full ? expected.limit : rows - full * expected.limit));
    REQUIRE(pages[i]["Count"] == pages[i]["Items"].size());
  }
}

class Walker {
 public:
  Walker(Random& random, int items) : random_(random), request_(random_table(random)), model_(request_) {
    db_.ok("CreateTable", request_);
    for (int i = 0; i < items; ++i) put(random_item(random_, request_));
  }

  /// An item of so many bytes and some.
  void put_large(std::size_t bytes) {
    Json item = random_item(random_, request_);
    item["x"] = {{"S", std::string(bytes, 'x')}};
    put(item);
  }

  void walk_somewhere() {
    const Walk& walk = pick(random_, model_.walks());
    const std::vector<Row> rows = model_.rows(walk);
    INFO(request_.dump());
    if (!rows.empty()) query(walk, pick(random_, rows).entry);
    scan(walk, rows);
  }

 private:
  void put(const Json& item) {
    model_.put(item);
    db_.put(the_table, item);
  }

  Json request_for(const Walk& walk, const Filter& filter, std::size_t limit) const {
    Json request = Json::object();
    if (!walk.index.empty()) request["IndexName"] = walk.index;
    if (!filter.text.empty()) request["FilterExpression"] = filter.text;
    if (!filter.values.empty()) request["ExpressionAttributeValues"] = filter.values;
    if (limit != 0) request["Limit"] = limit;
    return request;
  }

  std::size_t random_limit() { return random_() % 8; }

  /// The partition of `like`, or a part of it.
  void query(const Walk& walk, const Json& like) {
    const Range range = random_range(random_, walk, like);
    const bool backward = random_() % 2 == 0;
    Expected expected{model_.partition(walk, like), random_limit(), random_filter(random_), walk,
                      walk.index.empty() && range.whole_key};
    std::erase_if(expected.rows, [&](const Row& row) { return !range.admits(row.entry); });
    if (backward) std::ranges::reverse(expected.rows);
    expected.others_follow = others_follow(walk, expected, backward);

    Json request = request_for(walk, expected.filter, expected.limit);
    std::string condition;
    for (const std::string& name : walk.hash) {
      condition += (condition.empty() ? "" : " AND ") + name + " = :h" + name;
      request["ExpressionAttributeValues"][":h" + name] = like[name];
    }
    request["ExpressionAttributeValues"].update(range.values);
    request["KeyConditionExpression"] = condition + range.text;
    request["ScanIndexForward"] = !backward;
    check(walk, "Query", request, expected);
  }

  /// The order of all rows is that of a scan.
  bool others_follow(const Walk& walk, const Expected& expected, bool backward) {
    const Json all = items_of(pages_of(db_, "Scan", members_of(request_for(walk, {}, 0))));
    const Json& edge = backward ? all.front() : all.back();
    return std::ranges::none_of(expected.rows, [&](const Row& row) { return row.entry == edge; });
  }

  void scan(const Walk& walk, const std::vector<Row>& rows) {
    const Expected whole{rows, random_limit(), random_filter(random_), walk};
    check(walk, "Scan", request_for(walk, whole.filter, whole.limit), whole);
    scan_segments(walk, rows);
  }

  /// All segments together are the whole.
  void scan_segments(const Walk& walk, const std::vector<Row>& rows) {
    Json request = request_for(walk, {}, random_limit());
    const int total = 1 + static_cast<int>(random_() % 5);
    request["TotalSegments"] = total;
    std::vector<Json> together;
    for (request["Segment"] = 0; request["Segment"] < total;
         request["Segment"] = request["Segment"].get<int>() + 1) {
      for (const Json& item : items_of(pages_of(db_, "Scan", members_of(request)))) together.push_back(item);
    }
    REQUIRE(sorted(together) == sorted(entries_of(rows)));
  }

  void check(const Walk& walk, const std::string& operation, Json request, const Expected& expected) {
    INFO(operation << " " << request.dump());
    const std::vector<Json> pages = pages_of(db_, operation, members_of(request));
    if (expected.small()) check_page_sizes(pages, expected);
    const std::vector<Json> wanted = expected.items();
    const std::vector<Json> items = items_of(pages);
    REQUIRE(sorted(items) == sorted(wanted));
    // Pages of any size show the rows in one order, and backward in the opposite one.
    request.erase("Limit");
    REQUIRE(items_of(pages_of(db_, operation, members_of(request))) == Json(items));
    if (operation == "Scan") return;
    REQUIRE(range_keys(walk, items) == range_keys(walk, wanted));
    request["ScanIndexForward"] = !request["ScanIndexForward"];
    const Json turned = items_of(pages_of(db_, operation, members_of(request)));
    REQUIRE(reversed(turned) == Json(items));
  }

  DynamoDb db_;
  Random& random_;
  Json request_;
  TableModel model_;
};

}  // namespace

TEST_CASE("walking the pages of any query or scan meets each row once and in order") {
  Random random(dinette::test::random_seed());
  for (int round = 0; round < dinette::test::rounds_of(20); ++round) {
    Walker walker(random, 60);
    for (int walks = 0; walks < 20; ++walks) walker.walk_somewhere();
  }
}

TEST_CASE("pages that a megabyte ends make up the whole, too") {
  Random random(dinette::test::random_seed());
  for (int round = 0; round < std::max(1, dinette::test::rounds_of(1)); ++round) {
    Walker walker(random, 20);
    // Each counts three times, with its entries in local indexes.
    for (int i = 0; i < 16; ++i) walker.put_large(100'000);
    for (int walks = 0; walks < 2; ++walks) walker.walk_somewhere();
  }
}

namespace {

/// Even numbers stay, odd ones come, go and move in the indexes gsi and lsi.
std::string numbered_item(unsigned number, unsigned place) {
  return R"({"pk": {"S": "a"}, "sk": {"N": ")" + std::to_string(number) +
         R"("}, "g": {"S": "g"}, "n": {"N": ")" + std::to_string(place) + "\"}}";
}

Json untouched(const std::vector<Json>& pages) {
  Json items = items_of(pages);
  Json::array_t kept;
  for (const Json& item : items) {
    if (std::stoi(item["sk"]["N"].get<std::string>()) % 2 == 0) kept.push_back(item);
  }
  return kept;
}

}  // namespace

TEST_CASE("rows that are not written are met once and in order while others are") {
  DynamoDb db;
  db.ok("CreateTable",
        table_request("Tab", "pk sk:N", "g n:N",
                      {global_index("gsi", "g", "n", keys_only()), local_index("lsi", "n", keys_only())}));
  for (unsigned number = 0; number < 60; number += 2) put_items(db, {numbered_item(number, number / 10)});

  const std::string of_a = key_condition("pk = :p", R"(":p": {"S": "a"})") + R"(, "Limit": 3)";
  const std::string of_g = key_condition("g = :g", R"(":g": {"S": "g"})") + R"(, "Limit": 3)";
  std::vector<std::pair<std::string, std::string>> walks = {{"Scan", R"("Limit": 3)"},
                                                            {"Scan", R"("IndexName": "gsi", "Limit": 3)"},
                                                            {"Scan", R"("IndexName": "lsi", "Limit": 3)"}};
  for (const std::string order : {"true", "false"}) {
    for (const std::string& query :
         {of_a, R"("IndexName": "gsi", )" + of_g, R"("IndexName": "lsi", )" + of_a})
      walks.emplace_back("Query", query + R"(, "ScanIndexForward": )" + order);
  }
  const std::size_t unfiltered = walks.size();
  const std::string low = R"(":two": {"N": "2"})";
  const std::string low_of_a = key_condition("pk = :p", R"(":p": {"S": "a"}, )" + low) + R"(, "Limit": 3)";
  const std::string low_of_g = key_condition("g = :g", R"(":g": {"S": "g"}, )" + low) + R"(, "Limit": 3)";
  walks.emplace_back("Scan", R"("Limit": 3, )" + filter("n < :two", low));
  walks.emplace_back("Scan",
                     R"("IndexName": "lsi", "Limit": 3, )" + filter("n < :two AND attribute_exists(g)", low));
  walks.emplace_back("Query", low_of_a + filtered_by("n < :two"));
  walks.emplace_back("Query", low_of_a + filtered_by("n < :two") + R"(, "ScanIndexForward": false)");
  walks.emplace_back("Query", R"("IndexName": "gsi", )" + low_of_g + filtered_by("sk < :two"));
  std::vector<Json> quiet;
  for (const auto& [operation, members] : walks) {
    quiet.push_back(untouched(pages_of(db, operation, members)));
    const bool filtered = quiet.size() > unfiltered;
    REQUIRE(quiet.back().size() == (filtered ? members.find("sk <") != std::string::npos ? 1 : 10 : 30));
  }

  std::atomic<int> refused{0};
  Random seeds(dinette::test::random_seed());
  const auto write = [&](const std::stop_token& stop, std::uint64_t seed) {
    Random random(seed);
    while (!stop.stop_requested()) {
      const unsigned number = 1 + 2 * static_cast<unsigned>(random() % 30);
      const std::string item = numbered_item(number, static_cast<unsigned>(random() % 7));
      const bool remove = random() % 3 == 0;
      const std::string request =
          remove ? R"("Key": {"pk": {"S": "a"}, "sk": {"N": ")" + std::to_string(number) + "\"}}"
                 : R"("Item": )" + item;
      if (call_item(db, remove ? "DeleteItem" : "PutItem", request).status != 200) ++refused;
    }
  };
  std::vector<std::jthread> writers;
  for (int writer = 0; writer < 3; ++writer) writers.emplace_back(write, seeds());
  std::vector<std::vector<Json>> walked(walks.size());
  for (int round = 0; round < dinette::test::rounds_of(20); ++round) {
    for (std::size_t i = 0; i < walks.size(); ++i)
      walked[i].push_back(untouched(pages_of(db, walks[i].first, walks[i].second)));
  }
  for (std::jthread& writer : writers) writer.request_stop();
  writers.clear();
  CHECK(refused == 0);
  for (std::size_t i = 0; i < walks.size(); ++i) {
    INFO(walks[i].first << " " << walks[i].second);
    for (const Json& items : walked[i]) CHECK(items == quiet[i]);
  }
}

}  // namespace test::paging_property_test
