#include <algorithm>

#include <catch2/catch.hpp>

#include "dynamodb/value_places.h"

// docs/service/values.md section 3.
namespace test::sets_test {
namespace {

/// The members of a set in the order of their text: a set itself keeps none.
Json members(const Json& set) {
  Json sorted = set;
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

TEST_CASE("an empty set is refused wherever it is") {
  test::check_refused_everywhere(R"({"SS":[]})", test::invalid("An string set  may not be empty"));
  test::check_refused_everywhere(R"({"NS":[]})", test::invalid("An number set  may not be empty"));
  test::check_refused_everywhere(R"({"BS":[]})", test::invalid("Binary sets should not be empty"));
}

TEST_CASE("a repeated member is refused wherever it is") {
  test::check_refused_everywhere(R"({"SS":["b","a","b"]})",
                                 test::invalid(R"(Input collection ["a", "b", "b"] contains duplicates.)"));
  test::check_refused_everywhere(
      R"({"BS":["/w==","AA==","AA=="]})",
      test::invalid(R"(Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.)"));
  test::check_refused_everywhere(R"({"NS":["2","1","2"]})",
                                 test::invalid("Input collection contains duplicates."));
}

TEST_CASE("the repeated member stands between the ordered ones before it and those after it as sent") {
  DynamoDb db;
  const auto listed = [&](std::string_view set, const std::string& listing) {
    test::check_refusal(
        db, {"PutItem", R"("Item":{"pk":{"S":"a"},"x":)" + std::string(set) + "}",
             test::enveloped(test::invalid("Input collection " + listing + " contains duplicates."))});
  };
  listed(R"({"SS":["c","a","b","a","e","d","c"]})", R"(["a", "b", "c", "a", "e", "d", "c"])");
  listed(R"({"SS":["x","x"]})", R"(["x", "x"])");
  listed(R"({"SS":["","a",""]})", R"(["", "a", ""])");
  listed(R"({"SS":["\u00e9","z","z"]})", "[\"z\", \"\xc3\xa9\", \"z\"]");
  listed(R"({"BS":["Ag==","AQ==","Ag==","AA=="]})", R"(["AQ==","Ag==","Ag==","AA=="]of type BS)");
}

TEST_CASE("repeated numbers are found by value") {
  DynamoDb db;
  for (const std::string_view set :
       {R"(["1","1.0"])", R"(["100","1e2"])", R"(["0","-0"])", R"(["+5","05"])"}) {
    test::check_refusal(db, {"PutItem", R"("Item":{"pk":{"S":"a"},"x":{"NS":)" + std::string(set) + "}}",
                             test::enveloped(test::invalid("Input collection contains duplicates."))});
  }
}

TEST_CASE("a set may hold an empty string or an empty binary, also alone") {
  DynamoDb db;
  db.create_table(test::the_table);
  for (const std::string_view set :
       {R"({"SS":[""]})", R"({"BS":[""]})", R"({"SS":["","a"]})", R"({"BS":["","AQ=="]})"}) {
    test::store_item(db, R"("x":)" + std::string(set));
    const Json sent = Json::parse(set);
    const Json stored = test::stored_attributes(db).at("x");
    REQUIRE(stored.begin().key() == sent.begin().key());
    CHECK(members(stored.front()) == sent.front());
  }
}

TEST_CASE("ADD, DELETE and contains know the empty member of a set") {
  DynamoDb db;
  db.create_table(test::the_table);
  const std::string values = R"("ExpressionAttributeValues":{":s":{"SS":[""]},":b":{"BS":[""]}})";
  test::store_item(db, R"("s":{"SS":["a"]},"b":{"BS":["AQ=="]})");
  test::ok_item(db, "UpdateItem", R"("UpdateExpression":"ADD s :s, b :b",)" + values);
  const Json both = test::stored_attributes(db);
  CHECK(members(both["s"]["SS"]) == R"(["","a"])"_json);
  CHECK(members(both["b"]["BS"]) == R"(["","AQ=="])"_json);
  test::ok_item(db, "UpdateItem", R"~("ConditionExpression":"contains(s, :es) AND contains(b, :eb)",
      "UpdateExpression":"DELETE s :s, b :b",
      "ExpressionAttributeValues":{":s":{"SS":[""]},":b":{"BS":[""]},":es":{"S":""},":eb":{"B":""}})~");
  CHECK(test::stored_attributes(db) == R"({"s":{"SS":["a"]},"b":{"BS":["AQ=="]}})"_json);
}

TEST_CASE("sets are equal whatever the order, numbers in them by value") {
  DynamoDb db;
  db.create_table(test::the_table);
  test::store_item(db, R"("s":{"SS":["b","a"]},"n":{"NS":["2.0","1"]},"b":{"BS":["/w==","AA=="]})");
  test::ok_item(db, "DeleteItem", R"("ConditionExpression":"s = :s AND n = :n AND b = :b",
      "ExpressionAttributeValues":{":s":{"SS":["a","b"]},":n":{"NS":["1.0","2"]},":b":{"BS":["AA==","/w=="]}})");
}

TEST_CASE("only strings, numbers and binaries can be members of sets") {
  DynamoDb db;
  for (const std::string_view set :
       {R"({"SS":[true]})", R"({"SS":[{"S":"a"}]})", R"({"NS":[1]})", R"({"BS":[["AA=="]]})"}) {
    const auto reply =
        test::call_item(db, "PutItem", R"("Item":{"pk":{"S":"a"},"x":)" + std::string(set) + "}");
    CHECK(reply.error() == "SerializationException");
  }
}

}  // namespace test::sets_test
