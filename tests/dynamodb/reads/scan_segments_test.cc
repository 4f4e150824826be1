#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "reads.h"

// Parallel scans (docs/service/query-scan.md section 5).
namespace test::scan_segments_test {
namespace {

void make_table(DynamoDb& db) {
  db.create_table(the_table, "S", "N");
  for (int pk = 0; pk < 40; ++pk) {
    for (const std::string sk : {"1", "2"})
      put_items(db, {R"({"pk": {"S": "p)" + std::to_string(pk) + R"("}, "sk": {"N": ")" + sk + R"("}})"});
  }
}

std::string segment(int number, int total) {
  return R"("Segment": )" + std::to_string(number) + R"(, "TotalSegments": )" + std::to_string(total);
}

}  // namespace

TEST_CASE("segments are disjoint and together the whole table, in the order of the scan") {
  DynamoDb db;
  make_table(db);
  const Json whole = items_of(db, "Scan", "");
  for (const int total : {1, 2, 3, 7, 100}) {
    Json together = Json::array();
    for (int number = 0; number < total; ++number) {
      const Json part = items_of(db, "Scan", segment(number, total));
      together.insert(together.end(), part.begin(), part.end());
    }
    CHECK(together == whole);
  }
}

TEST_CASE("the rows of a partition are in one segment") {
  DynamoDb db;
  make_table(db);
  std::map<std::string, std::set<int>> segments;
  for (int number = 0; number < 5; ++number) {
    for (const Json& item : items_of(db, "Scan", segment(number, 5)))
      segments[item["pk"]["S"]].insert(number);
  }
  CHECK(segments.size() == 40);
  for (const auto& [pk, of] : segments) CHECK(of.size() == 1);
}

TEST_CASE("there may be a million segments, most of them empty") {
  DynamoDb db;
  make_table(db);
  CHECK(ok_item(db, "Scan", segment(999'999, 1'000'000)) ==
        Json::parse(R"({"Items": [], "Count": 0, "ScannedCount": 0})"));
}

TEST_CASE("each segment pages on its own") {
  DynamoDb db;
  make_table(db);
  for (int number = 0; number < 3; ++number) {
    const std::string part = segment(number, 3);
    CHECK(items_of(pages_of(db, "Scan", part + R"(, "Limit": 3)")) == items_of(db, "Scan", part));
  }
}

TEST_CASE("a start key of another segment is refused") {
  DynamoDb db;
  make_table(db);
  for (int number = 0; number < 3; ++number) {
    const Json first = ok_item(db, "Scan", segment(number, 3) + R"(, "Limit": 1)");
    const std::string start = R"(, "ExclusiveStartKey": )" + first["LastEvaluatedKey"].dump();
    for (int other = 0; other < 3; ++other) {
      const std::string members = segment(other, 3) + start;
      if (other == number) {
        ok_item(db, "Scan", members);
      } else {
        check_refusal(db, {"Scan", members,
                           "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
                           "ExclusiveStartKey with correct Segment. TotalSegments: 3 Segment: " +
                               std::to_string(other)});
      }
    }
  }
}

TEST_CASE("Segment and TotalSegments come together, and one is below the other") {
  DynamoDb db;
  check_refusals(db, {{"Scan", R"("Segment": 0)",
                       "The TotalSegments parameter is required but was not present in the request when "
                       "Segment parameter is "
                       "present"},
                      {"Scan", R"("TotalSegments": 1)",
                       "The Segment parameter is required but was not present in the request when parameter "
                       "TotalSegments is "
                       "present"},
                      {"Scan", segment(5, 5),
                       "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
                       "Segment: 5 is not "
                       "less than TotalSegments: 5"},
                      {"Scan", segment(7, 2),
                       "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
                       "Segment: 7 is not "
                       "less than TotalSegments: 2"}});
}

}  // namespace test::scan_segments_test
