#include <catch2/catch.hpp>

#include "statements.h"

// docs/service/partiql.md section 3, "Paging".
namespace test::partiql::paging_test {
namespace {

void make_rows(DynamoDb& db) {
  db.create_table(the_table, "S", "N");
  for (const std::string pk : {"a", "b"}) {
    for (const std::string sk : {"1", "2", "3", "4"})
      put_items(db, {R"({"pk": {"S": ")" + pk + R"("}, "sk": {"N": ")" + sk + R"("}, "x": {"S": ")" + pk +
                     sk + "\"}}"});
  }
}

std::string limit(int rows) {
  return R"("Limit": )" + std::to_string(rows);
}

std::string from(const Json& page, const std::string& members = "") {
  return R"("NextToken": )" + page.at("NextToken").dump() + (members.empty() ? "" : ", " + members);
}

/// The column x of each page, `+` for a NextToken, `k` for a LastEvaluatedKey.
std::string shape(DynamoDb& db, const std::string& text, const std::string& members) {
  std::string all;
  for (const Json& page : pages_of_statement(db, text, members)) {
    all += (all.empty() ? "" : " | ") + column(page.at("Items"), "x");
    if (page.contains("NextToken")) all += '+';
    if (page.contains("LastEvaluatedKey")) all += 'k';
  }
  return all;
}

}  // namespace

TEST_CASE("Limit counts the rows that are read") {
  DynamoDb db;
  make_rows(db);
  const std::string all = "SELECT * FROM Tab WHERE pk = 'a'";
  CHECK(shape(db, all, limit(3)) == "a1 a2 a3+k | a4");
  CHECK(shape(db, all, limit(2)) == "a1 a2+k | a3 a4");
  CHECK(shape(db, all, limit(4)) == "a1 a2 a3 a4");
  CHECK(shape(db, all, limit(9)) == "a1 a2 a3 a4");
  CHECK(shape(db, all + " AND x = 'a4'", limit(2)) == "+k | a4");
  CHECK(shape(db, all + " ORDER BY sk DESC", limit(3)) == "a4 a3 a2+k | a1");
  CHECK(shape(db, all + " ORDER BY pk", limit(3)) == "a4 a3 a2+k | a1");
  CHECK(shape(db, "SELECT * FROM Tab WHERE pk IN ['a', 'b'] ORDER BY pk DESC, sk", limit(3)) ==
        "b1 b2 b3+k | b4 a1 a2+k | a3 a4");
  check_refused_statement(
      db, all,
      enveloped("Value '0' at 'limit' failed to satisfy constraint: Member must have value greater "
                "than or equal to 1"),
      limit(0));
}

TEST_CASE("the last key is that of the row, whatever the columns") {
  DynamoDb db;
  make_rows(db);
  const Json page = executed(db, "SELECT x FROM Tab WHERE pk = 'a'", limit(2));
  CHECK(page.at("LastEvaluatedKey") == Json::parse(R"({"pk": {"S": "a"}, "sk": {"N": "2"}})"));
}

TEST_CASE("a scan is paged as Scan is") {
  DynamoDb db;
  make_rows(db);
  const std::vector<Json> pages = pages_of_statement(db, "SELECT * FROM Tab", limit(3));
  REQUIRE(pages.size() == 3);
  CHECK(items_of(pages) == items_of(db, "Scan", ""));
  CHECK(pages[0].at("LastEvaluatedKey") == ok_item(db, "Scan", limit(3)).at("LastEvaluatedKey"));
  CHECK_FALSE(pages[2].contains("LastEvaluatedKey"));
}

TEST_CASE("a key read by the whole key has a last key when Limit is reached, and no token after the last") {
  DynamoDb db;
  make_rows(db);
  const std::string one = "SELECT * FROM Tab WHERE pk = 'a' AND sk = 2";
  CHECK(shape(db, one, "") == "a2");
  CHECK(shape(db, one, limit(1)) == "a2k");
  CHECK(shape(db, one, limit(2)) == "a2");
  CHECK(shape(db, one + " AND x = 'a2'", limit(1)) == "a2");
  CHECK(shape(db, one + " AND x = 'none'", limit(1)) == "");
  CHECK(shape(db, "SELECT * FROM Tab WHERE pk = 'a' AND sk IN [3, 1]", limit(1)) == "a1+k | a3k");
}

// The developer guide, ql-operators: pages of up to 10 items, then NextToken.
TEST_CASE("a page of the keys of an IN has ten rows, and no other page") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  const auto key = [](int i) { return "'k" + std::to_string(10 + i) + "'"; };
  std::string keys;
  std::string either;
  std::string sorts;
  for (int i = 0; i < 25; ++i) {
    put_items(db, {R"({"pk": {"S": "k)" + std::to_string(10 + i) + R"("}, "sk": {"N": "1"}})",
                   R"({"pk": {"S": "one"}, "sk": {"N": ")" + std::to_string(i) + R"("}})"});
    keys += (i == 0 ? "" : ", ") + key(i);
    either += (i == 0 ? "pk = " : " OR pk = ") + key(i);
    sorts += (i == 0 ? "" : ", ") + std::to_string(i);
  }
  const auto sizes = [&](const std::string& where, const std::string& members = "") {
    std::string all;
    for (const Json& page : pages_of_statement(db, "SELECT * FROM Tab WHERE " + where, members)) {
      all += (all.empty() ? "" : " ") + std::to_string(page.at("Items").size());
    }
    return all;
  };
  CHECK(sizes("pk IN [" + keys + "]") == "10 10 5");
  CHECK(sizes("pk = 'one' AND sk IN [" + sorts + "]") == "10 10 5");
  CHECK(sizes("pk IN ['one', 'k10']") == "10 10 6");
  CHECK(sizes("pk IN [" + keys + "] ORDER BY pk DESC") == "10 10 5");
  CHECK(sizes("pk IN [" + keys + "]", limit(20)) == "10 10 5");
  CHECK(sizes("pk IN [" + keys + "]", limit(7)) == "7 7 7 4");
  CHECK(sizes("pk IN ['one']") == "25");
  CHECK(sizes("pk = 'one'") == "25");
  CHECK(sizes(either) == "25");
  CHECK(sizes("sk IN [" + sorts + "]") == "50");
}

TEST_CASE("the last row of an IN ends its pages, though it is a tenth") {
  DynamoDb db;
  db.create_table(the_table);
  std::string keys;
  for (int i = 0; i < 10; ++i) {
    put_items(db, {R"({"pk": {"S": "k)" + std::to_string(i) + R"("}})"});
    keys += "'k" + std::to_string(i) + "', ";
  }
  const auto page = [&](const std::string& more) {
    return db.ok("ExecuteStatement", {{"Statement", "SELECT * FROM Tab WHERE pk IN [" + keys + more + "]"}});
  };
  const Json last = page("'a'");
  CHECK(last.at("Items").size() == 10);
  CHECK_FALSE(last.contains("NextToken"));
  CHECK_FALSE(last.contains("LastEvaluatedKey"));
  const Json more = page("'z'");
  CHECK(more.at("Items").size() == 10);
  CHECK(more.contains("NextToken"));
  CHECK_FALSE(more.contains("LastEvaluatedKey"));
}

TEST_CASE("several partitions, one after the other") {
  DynamoDb db;
  make_rows(db);
  const std::string both = "SELECT * FROM Tab WHERE pk IN ['b', 'a']";
  CHECK(shape(db, both, limit(4)) == "a1 a2 a3 a4+ | b1 b2 b3 b4");
  CHECK(shape(db, both, limit(3)) == "a1 a2 a3+k | a4 b1 b2+k | b3 b4");
  CHECK(shape(db, both + " AND x = 'none'", limit(4)) == "+ | ");
  CHECK(shape(db, both + " AND sk < 2 ORDER BY pk, sk", limit(1)) == "a1+ | b1");
  CHECK(shape(db, "SELECT * FROM Tab WHERE pk = 'a' AND (sk <= 2 OR sk > 3)", limit(2)) == "a1 a2+k | a4");
}

TEST_CASE("a key read that finds nothing does not count, but costs") {
  DynamoDb db;
  make_rows(db);
  const std::string text = "SELECT * FROM Tab WHERE pk = 'a' AND sk IN [0, 1, 5, 6, 2]";
  CHECK(shape(db, text, limit(2)) == "a1 a2+k | ");
  const std::string wishes = R"("ConsistentRead": true, "ReturnConsumedCapacity": "TOTAL", )" + limit(2);
  const Json first = executed(db, text, wishes);
  CHECK(first.at("ConsumedCapacity").at("CapacityUnits") == 3);
  CHECK(executed(db, text, from(first, wishes)).at("ConsumedCapacity").at("CapacityUnits") == 2);
}

TEST_CASE("a page ends after a megabyte") {
  DynamoDb db;
  db.create_table(the_table, "S", "N");
  for (const std::string pk : {"a", "b"}) {
    for (int i = 0; i < 3; ++i) {
      put_items(
          db, {R"({"pk": {"S": ")" + pk + R"("}, "sk": {"N": ")" + std::to_string(i) + R"("}, "x": {"S": ")" +
               pk + std::to_string(i) + R"("}, "big": {"S": ")" + std::string(300'000, '.') + "\"}}"});
    }
  }
  CHECK(shape(db, "SELECT x FROM Tab WHERE pk IN ['a', 'b']", "") == "a0 a1 a2 b0+k | b1 b2");
}

TEST_CASE("a token goes with its statement and parameters") {
  DynamoDb db;
  make_rows(db);
  const std::string text = "SELECT * FROM Tab WHERE pk = ? AND x <> ?";
  const std::string values = parameters(R"({"S": "a"}, {"S": "y"})");
  const Json page = executed(db, text, values + ", " + limit(1));
  const auto next = [&](const std::string& other, const std::string& members) {
    return execute(db, other, from(page, members)).refusal();
  };
  for (const std::string& members :
       {values, values + ", " + limit(3), values + R"(, "ConsistentRead": true)"}) {
    const Json rest = executed(db, text, from(page, members));
    CHECK(rest.at("Items").at(0).at("sk").at("N") == "2");
  }
  CHECK(executed(db, text, from(page, values)) == executed(db, text, from(page, values)));
  const std::string mismatch = "NextToken does not match request";
  CHECK(next("SELECT x FROM Tab WHERE pk = ? AND x <> ?", values) == mismatch);
  CHECK(next("SELECT * FROM Tab WHERE  pk = ? AND x <> ?", values) == mismatch);
  CHECK(next("SELECT * FROM Tab WHERE x <> ? AND pk = ?", parameters(R"({"S": "y"}, {"S": "a"})")) ==
        mismatch);
  CHECK(next(text + " ORDER BY sk", values) == mismatch);
  CHECK(next(text, parameters(R"({"S": "a"}, {"S": "z"})")) == mismatch);
}

TEST_CASE("a token that is not ours is refused") {
  DynamoDb db;
  make_rows(db);
  const std::string text = "SELECT * FROM Tab WHERE pk = 'a'";
  const std::string token = executed(db, text, limit(1)).at("NextToken");
  std::string altered = token;
  altered[altered.size() / 2] = altered[altered.size() / 2] == 'A' ? 'B' : 'A';
  for (const std::string& wrong : {std::string("x"), std::string("!"), std::string("AAAA"), altered,
                                   token.substr(4), token.substr(0, token.size() - 4), token + "AAAA"}) {
    check_refused_statement(db, text, "Invalid NextToken", R"("NextToken": )" + Json(wrong).dump());
  }
  check_refused_statement(db, "SELECT * FROM Tab WHERE pk = 1",
                          "Key attribute's data type should match its data type in table's schema: Key pk",
                          R"("NextToken": "x")");
}

}  // namespace test::partiql::paging_test
