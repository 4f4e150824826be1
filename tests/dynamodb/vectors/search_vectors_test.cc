#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/api/limits.h"
#include "dynamodb/reads/vector_search.h"
#include "dynamodb/vectors/vectors.h"

// docs/service/vector-search.md, "SearchVectors", "Query, Scan, PartiQL" and "Capacity".
namespace test::search_vectors_test {
namespace {

using Keys = std::vector<std::string>;
constexpr double largest = std::numeric_limits<float>::max();

void search_refused(DynamoDb& db, const Json& request, const std::string& message,
                    std::string_view error = "ValidationException") {
  check_refused(db, "SearchVectors", request, message, error);
}

std::vector<double> scores(const Json& answer) {
  std::vector<double> all;
  for (const Json& result : answer.at("SearchResults")) all.push_back(result.at("Score"));
  return all;
}

/// A table with an index of each distance.
void create_all(DynamoDb& db) {
  create_with_vectors(db, {vector_index("cos"), vector_index("euclid", {{"DistanceFunction", "EUCLIDEAN"}}),
                           vector_index("dot", {{"DistanceFunction", "DOT_PRODUCT"}})});
}

/// A table whose index filters by color and n within a tenant.
void create_filtered(DynamoDb& db) {
  create_with_vectors(
      db,
      {vector_index("plain",
                    {{"SearchSchema", search_schema("tenant:HASH color:INLINE_FILTER n:INLINE_FILTER")},
                     {"Projection", keys_only()},
                     {"DistanceFunction", "EUCLIDEAN"}})},
      "tenant color n:N");
}

Json condition(std::string_view expression, const Json& values) {
  return {{"SearchConditionExpression", expression}, {"ExpressionAttributeValues", values}};
}

Json filtered(std::string_view expression, const Json& values) {
  return search_request("plain", {"0", "0", "0"}, condition(expression, values));
}

const std::string of_condition = "Invalid SearchConditionExpression: ";

}  // namespace

TEST_CASE("search: distances") {
  DynamoDb db;
  create_all(db);
  db.put("Music", item_with("same", {"1", "2", "2"}));
  db.put("Music", item_with("opposite", {"-1", "-2", "-2"}));
  db.put("Music", item_with("square", {"2", "-1", "0"}));
  db.put("Music", item_with("zero", {"0", "0", "0"}));
  const auto answer = [&](std::string_view index) {
    return db.ok("SearchVectors", search_request(index, {"1", "2", "2"}));
  };
  Json found = answer("cos");
  CHECK(scores(found) == std::vector<double>{0, 1, 1, 2});
  CHECK(found_keys(found).front() == "same");
  CHECK(found_keys(found).back() == "opposite");
  found = answer("euclid");
  CHECK(found_keys(found) == Keys{"same", "zero", "square", "opposite"});
  CHECK(scores(found) == std::vector<double>{0, 3, double{std::sqrt(14.0F)}, 6});
  found = answer("dot");
  CHECK(scores(found) == std::vector<double>{9, 0, 0, -9});
  for (const Json& result : found.at("SearchResults")) CHECK(result.size() == 2);
}

TEST_CASE("search: scores are 32-bit floats of wider sums, held to their range") {
  DynamoDb db;
  create_all(db);
  db.put("Music", item_with("large", {"3e38", "3e38", "0"}));
  db.put("Music", item_with("cancels", {"3e38", "-3e38", "0"}));
  db.put("Music", item_with("tiny", {"1e-23", "0", "0"}));
  Json found = db.ok("SearchVectors", search_request("dot", {"3e38", "3e38", "0"}));
  CHECK(found_keys(found) == Keys{"large", "tiny", "cancels"});
  CHECK(scores(found).front() == largest);
  CHECK(scores(found).back() == 0);
  found = db.ok("SearchVectors", search_request("dot", {"-3e38", "-3e38", "0"}));
  CHECK(scores(found).back() == -largest);
  found = db.ok("SearchVectors", search_request("euclid", {"-3e38", "-3e38", "0"}));
  CHECK(scores(found).back() == largest);
  found = db.ok("SearchVectors", search_request("cos", {"1e-23", "0", "0"}));
  CHECK(found_keys(found).front() == "tiny");
  CHECK(scores(found).front() == 0);
  found = db.ok("SearchVectors", search_request("cos", {"0", "0", "0"}));
  CHECK(scores(found) == std::vector<double>{1, 1, 1});
}

// docs/differences.md, "Vector search".
TEST_CASE("search: equal scores are in the order of the keys of their entries, which is that of a Scan") {
  DynamoDb db;
  create_all(db);
  for (int i = 0; i < 20; ++i) db.put("Music", item_with(std::to_string(i), {"1", "2", "3"}));
  Keys scanned;
  const Json items = db.ok("Scan", {{"TableName", "Music"}}).at("Items");
  for (const Json& item : items) scanned.push_back(item.at("pk").at("S"));
  for (const int top_k : {20, 5}) {
    scanned.resize(static_cast<std::size_t>(top_k));
    for (const std::string index : {"cos", "euclid", "dot"}) {
      const Json request = search_request(index, {"3", "2", "1"}, {{"TopK", top_k}});
      CHECK(found_keys(db.ok("SearchVectors", request)) == scanned);
    }
  }
}

TEST_CASE("search: one of many entries or dimensions leaves its event loop") {
  dinette::dynamodb::IndexSchema index;
  index.vector.emplace().dimensions = 3;
  using dinette::dynamodb::work_of_search;
  constexpr std::size_t most = dinette::dynamodb::model::limits::loop_work;
  CHECK(work_of_search(index, 100'000) < most);
  CHECK(work_of_search(index, 300'000) > most);
  index.vector->dimensions = 4096;
  CHECK(work_of_search(index, 20'000) > most);
}

TEST_CASE("search: TopK") {
  DynamoDb db;
  create_all(db);
  for (int i = 0; i < 20; ++i) db.put("Music", item_with(std::to_string(i), {std::to_string(i), "0", "0"}));
  const auto found = [&](int top_k) {
    return found_keys(db.ok("SearchVectors", search_request("euclid", {"0", "0", "0"}, {{"TopK", top_k}})));
  };
  CHECK(found(3) == Keys{"0", "1", "2"});
  CHECK(found(100).size() == 20);
  CHECK(db.ok("SearchVectors", search_request("cos", {"0", "0", "0"}, {{"TopK", 1}}))
            .at("SearchResults")
            .size() == 1);
}

TEST_CASE("search: members of a Query are ignored, no match is an empty list") {
  DynamoDb db;
  create_all(db);
  const Json answer = db.ok("SearchVectors", search_request("cos", {"1", "2", "3"},
                                                            {{"Limit", "x"},
                                                             {"ConsistentRead", 7},
                                                             {"ExclusiveStartKey", Json::array()},
                                                             {"ScanIndexForward", "y"},
                                                             {"AttributesToGet", 1}}));
  CHECK(answer == Json{{"SearchResults", Json::array()}});
}

TEST_CASE("search: conditions choose what is ranked") {
  DynamoDb db;
  create_filtered(db);
  const auto put = [&](std::string_view pk, const std::string& x, const Json& others) {
    db.put("Music", item_with(pk, {x, "0", "0"}, others));
  };
  put("a", "1", {{"tenant", {{"S", "t"}}}, {"color", {{"S", "red"}}}, {"n", {{"N", "9007199254740993"}}}});
  put("b", "2", {{"tenant", {{"S", "t"}}}, {"color", {{"S", "blue"}}}, {"n", {{"N", "9007199254740992"}}}});
  put("c", "3", {{"tenant", {{"S", "t"}}}});
  put("d", "4", {{"tenant", {{"S", "u"}}}, {"color", {{"S", "red"}}}, {"n", {{"N", "1.00"}}}});
  put("e", "5", {{"color", {{"S", "red"}}}});
  const Json t = {{":t", {{"S", "t"}}}};
  const auto found = [&](std::string_view expression, const Json& values) {
    return found_keys(db.ok("SearchVectors", filtered(expression, values)));
  };
  CHECK(found("tenant = :t", t) == Keys{"a", "b", "c"});
  CHECK(found(":t = tenant", t) == Keys{"a", "b", "c"});
  CHECK(found("tenant = :t", {{":t", {{"S", "unknown"}}}}).empty());
  CHECK(found("tenant = :t AND color = :c", with(t, {{":c", {{"S", "blue"}}}})) == Keys{"b"});
  CHECK(found("color = :c AND (tenant = :t)", with(t, {{":c", {{"S", "blue"}}}})) == Keys{"b"});
  CHECK(found("tenant = :t AND n = :n", with(t, {{":n", {{"N", "9007199254740993.0"}}}})) == Keys{"a"});
  CHECK(found("tenant = :t AND n = :n", {{":t", {{"S", "u"}}}, {":n", {{"N", "1"}}}}) == Keys{"d"});
  CHECK(found("tenant = :t AND n = :n AND color = :c",
              with(t, {{":n", {{"N", "9007199254740993"}}}, {":c", {{"S", "blue"}}}}))
            .empty());
  // Filters need not be in the order of their names.
  CHECK(found("tenant = :t AND n = :n AND color = :c",
              with(t, {{":n", {{"N", "9007199254740993"}}}, {":c", {{"S", "red"}}}})) == Keys{"a"});
  const Json one =
      with(filtered("tenant = :t AND color = :c", with(t, {{":c", {{"S", "blue"}}}})), {{"TopK", 1}});
  CHECK(found_keys(db.ok("SearchVectors", one)) == Keys{"b"});
}

TEST_CASE("search: values of a search schema are compared by their types") {
  DynamoDb db;
  create_with_vectors(
      db, {vector_index("plain", {{"SearchSchema", search_schema("tenant:HASH color:INLINE_FILTER")}})},
      "tenant:N color");
  db.put("Music", item_with("a", {"1", "2", "3"}, {{"tenant", {{"N", "1.00"}}}, {"color", {{"S", ""}}}}));
  db.put("Music", item_with("b", {"1", "2", "3"}, {{"tenant", {{"N", "1"}}}, {"color", {{"S", "red"}}}}));
  const Json values = {{":t", {{"N", "1.0"}}}, {":c", {{"S", ""}}}};
  const auto found = [&](std::string_view expression, const Json& of) {
    return found_keys(
        db.ok("SearchVectors", search_request("plain", {"1", "2", "3"}, condition(expression, of))));
  };
  CHECK(found("tenant = :t", {{":t", {{"N", "1.0"}}}}).size() == 2);
  CHECK(found("tenant = :t AND color = :c", values) == Keys{"a"});
}

TEST_CASE("search: another attribute of the same value meets no condition") {
  DynamoDb db;
  create_with_vectors(
      db, {vector_index("plain", {{"SearchSchema", search_schema("a:INLINE_FILTER b:INLINE_FILTER")}})},
      "a b");
  db.put("Music", item_with("x", {"1", "2", "3"}, {{"b", {{"S", "v"}}}}));
  const auto found = [&](std::string_view expression) {
    return found_keys(db.ok("SearchVectors", search_request("plain", {"1", "2", "3"},
                                                            condition(expression, {{":v", {{"S", "v"}}}}))));
  };
  CHECK(found("b = :v") == Keys{"x"});
  CHECK(found("a = :v").empty());
}

TEST_CASE("search: an answer has at most 16 MB") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain")});
  const std::string text(400'000, 't');
  for (int i = 0; i < 45; ++i)
    db.put("Music", item_with(std::to_string(10 + i), {"1", "2", "3"}, {{"t", {{"S", text}}}}));
  const Json request = search_request("plain", {"1", "2", "3"}, {{"TopK", 100}});
  // 41 items of 400,000 characters and some more are less than 16 times 2^20, and 42 are not.
  CHECK(db.ok("SearchVectors", request).at("SearchResults").size() == 41);
}

TEST_CASE("search: what is returned of an item") {
  DynamoDb db;
  create_with_vectors(db,
                      {vector_index("all"), vector_index("some", {{"Projection", including({"m"})}}),
                       vector_index("keys", {{"Projection", keys_only()},
                                             {"SearchSchema", search_schema("color:INLINE_FILTER")}})},
                      "color");
  const Json others = {{"color", {{"S", "red"}}},
                       {"m", {{"M", {{"x", {{"N", "1"}}}, {"y", {{"N", "2"}}}}}}},
                       {"title", {{"S", "T"}}}};
  db.put("Music", item_with("a", {"1", "0.1", "16777217"}, others));
  const auto item = [&](std::string_view index, const Json& changes = Json::object()) {
    return db.ok("SearchVectors", search_request(index, {"1", "2", "3"}, changes))
        .at("SearchResults")
        .at(0)
        .at("Item");
  };
  const Json pk = {{"pk", {{"S", "a"}}}};
  CHECK(item("all") == with(pk, others));
  CHECK(item("some") == with(pk, {{"m", others.at("m")}}));
  CHECK(item("keys") == with(pk, {{"color", others.at("color")}}));
  CHECK(item("some", {{"ProjectionExpression", "m.y, title"}}) ==
        Json{{"m", {{"M", {{"y", {{"N", "2"}}}}}}}});
  CHECK(item("keys", {{"ProjectionExpression", "m.x"}}) == Json::object());
  const Json vector = vector_of({"1.0", "0.1", "16777216.0"});
  for (const std::string index : {"all", "some", "keys"})
    CHECK(item(index, {{"ProjectionExpression", "embedding, pk"}}) == with(pk, {{"embedding", vector}}));
  CHECK(
      item("all", {{"ProjectionExpression", "#e[1]"}, {"ExpressionAttributeNames", {{"#e", "embedding"}}}}) ==
      Json{{"embedding", vector_of({"0.1"})}});
  CHECK(db.get("Music", pk).at("embedding") == vector_of({"1", "0.1", "16777217"}));
}

TEST_CASE("search: floats are printed with the fewest digits, and a fraction") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("all", {{"Dimensions", 6}})});
  db.put("Music", item_with("a", {"0", "-2", "1e-7", "3.4028235E38", "0.333333333333333333333", "-1.5"}));
  const Json answer = db.ok("SearchVectors", search_request("all", {"1", "1", "1", "1", "1", "1"},
                                                            {{"ProjectionExpression", "embedding"}}));
  CHECK(answer.at("SearchResults").at(0).at("Item").at("embedding") ==
        vector_of(
            {"0.0", "-2.0", "0.0000001", "340282350000000000000000000000000000000.0", "0.33333334", "-1.5"}));
}

TEST_CASE("search: members that the model refuses") {
  DynamoDb db;
  create_all(db);
  const Json good = search_request("cos", {"1", "2", "3"});
  const auto at = [](const std::string& member, const std::string& rest) {
    return enveloped("Value at '" + member + "' failed to satisfy constraint: Member must " + rest);
  };
  search_refused(db, with(good, {{"TopK", 0}}), at("TopK", "have value greater than or equal to 1"));
  search_refused(
      db, with(good, {{"TopK", 101}}),
      "Provided TopK value '101' is out of valid range. The value must be between 1 and 100 inclusive");
  search_refused(db, with(good, {{"IndexName", "vx"}}),
                 at("IndexName", "have length greater than or equal to 3"));
  search_refused(db, with(good, {{"SearchVector", Json::array()}}),
                 at("SearchVector", "have length greater than or equal to 1"));
  search_refused(db, with(good, {{"SearchVector", numbers(std::vector<std::string>(4096, "1"))}}),
                 "Input search vector dimension 4096 does not match vector index dimension 3");
  search_refused(db, with(good, {{"SearchVector", numbers(std::vector<std::string>(4097, "1"))}}),
                 at("SearchVector", "have length less than or equal to 4096"));
  Json lacking = good;
  for (const std::string member : {"IndexName", "SearchVector", "TopK"}) {
    lacking = good;
    lacking.erase(member);
    search_refused(db, lacking, at(member, "not be null"));
  }
  search_refused(db, with(good, {{"TableName", "Nowhere"}}), "Requested resource not found",
                 "ResourceNotFoundException");
  search_refused(db, with(good, {{"IndexName", "nope"}}),
                 "The table does not have the specified index: nope");
}

TEST_CASE("search: the body is read strictly") {
  DynamoDb db;
  create_all(db);
  const auto refused = [&](const std::string& body, const std::string& error, const std::string& message) {
    INFO(body);
    const Reply reply = db.call("SearchVectors", body);
    CHECK(reply.error() == error);
    const Json json = reply.json();
    CHECK(json.value("message", json.value("Message", "")) == message);
  };
  const std::string rest = R"("SearchVector":[{"N":"1"}],"TopK":1})";
  const std::string without_table = R"({"IndexName":"x",)" + rest;
  refused(without_table, "ValidationException",
          "missing field `TableName` at line 1 column " + std::to_string(without_table.size()));
  refused(R"({"TableName":null,)" + rest, "SerializationException",
          "invalid type: null, expected a string at line 1 column 17");
  refused(R"({"SearchVector":null,"TableName":"Music"})", "SerializationException",
          "invalid type: null, expected a sequence at line 1 column 20");
  refused(R"({"TableName":"Music","TopK":null})", "SerializationException",
          "invalid type: null, expected i32 at line 1 column 32");
  for (const std::string& wrong :
       {std::string(R"("TopK":"1")"), std::string(R"("TopK":1.5)"), std::string(R"("SearchVector":"x")")}) {
    CHECK(db.call("SearchVectors", R"({"TableName":"Music","IndexName":"cos",)" + wrong + "}").error() ==
          "SerializationException");
  }
}

TEST_CASE("search: vectors that do not fit the index") {
  DynamoDb db;
  create_all(db);
  search_refused(db, search_request("cos", {"1", "2"}),
                 "Input search vector dimension 2 does not match vector index dimension 3");
  const std::string invalid_values =
      "Search vector contains invalid values. All values in the search vector must be a 32-bit "
      "floating-point "
      "number attribute";
  const auto with_element = [](const Json& element) {
    return with(search_request("cos", {}), {{"SearchVector", Json::array({element})}});
  };
  for (const Json& element :
       {Json{{"L", Json::array()}}, Json{{"S", "1"}}, Json{{"N", "x"}}, Json{{"N", "NaN"}},
        Json{{"N", "Infinity"}}, Json{{"N", "3.5e38"}}, Json{{"NS", {"1"}}}}) {
    INFO(element.dump());
    search_refused(db, with_element(element), invalid_values);
  }
  db.ok("SearchVectors",
        search_request("cos", {"0.12345678901234567890123456789", "3.4028235E38", "1e-130"}));
}

TEST_CASE("search: conditions that fit no search schema") {
  DynamoDb db;
  create_filtered(db);
  const Json tenant = {{":t", {{"S", "t"}}}};
  search_refused(db, search_request("plain", {"0", "0", "0"}),
                 "SearchConditionExpression must be provided when SearchSchema has a HASH key");
  search_refused(db, filtered("color = :t", tenant),
                 "SearchConditionExpression must have all HASH attributes in configured SearchSchema");
  for (const std::string other : {"pk", "embedding", "brand"}) {
    search_refused(
        db, filtered("tenant = :t AND " + other + " = :t", tenant),
        "SearchConditionExpression must not contain any attributes that is not in SearchSchema. Invalid "
        "attribute: " +
            other);
  }
  search_refused(db, filtered("tenant = :t", {{":t", {{"N", "1"}}}}),
                 "Type of 'tenant' attribute in SearchConditionExpression (N) does not match type in search "
                 "schema (S)");
  search_refused(
      db, filtered("tenant = :t AND n = :t", tenant),
      "Type of 'n' attribute in SearchConditionExpression (S) does not match type in search schema (N)");
  search_refused(db, filtered("tenant = :t", {{":t", {{"S", ""}}}}),
                 "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
                 "contain an empty string value. Key: tenant");
  DynamoDb binary;
  create_with_vectors(binary, {vector_index("plain", {{"SearchSchema", search_schema("tenant:HASH")}})},
                      "tenant:B");
  search_refused(binary, filtered("tenant = :t", {{":t", {{"B", ""}}}}),
                 "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
                 "contain an empty binary value. Key: tenant");
}

TEST_CASE("search: one HASH and 20 filters at most, which no search schema has") {
  DynamoDb db;
  create_filtered(db);
  const auto of_others = [](int count) {
    std::string expression = "tenant = :t";
    for (int i = 0; i < count; ++i) expression += " AND f" + std::to_string(i) + " = :t";
    return filtered(expression, {{":t", {{"S", "t"}}}});
  };
  search_refused(db, of_others(20),
                 "SearchConditionExpression must not contain any attributes that is not in SearchSchema. "
                 "Invalid attribute: f0");
  search_refused(
      db, of_others(21),
      of_condition +
          "SearchConditionExpression cannot have more than 1 partition key and more than 20 inline "
          "filter key attributes");
}

TEST_CASE("search: only in indexes of vectors") {
  DynamoDb db;
  db.ok("CreateTable",
        table_request("Music", "pk sk", "g l", {global_index("byG", "g"), local_index("byL", "l")}));
  for (const std::string index : {"byG", "byL"}) {
    search_refused(db, search_request(index, {"1", "2", "3"}),
                   "The table does not have the specified index: " + index);
  }
}

TEST_CASE("search: conditions that are no equalities") {
  DynamoDb db;
  create_filtered(db);
  const Json tenant = {{":t", {{"S", "t"}}}};
  for (const std::string comparator : {"<>", "<", "<=", ">", ">="}) {
    for (const std::string& expression :
         {"color " + comparator + " :t AND tenant = :t", "tenant " + comparator + " :t"})
      search_refused(db, filtered(expression, tenant),
                     of_condition + "Invalid comparator used in SearchConditionExpression");
  }
  search_refused(db, filtered("tenant = :t AND tenant = :t", tenant),
                 of_condition + "SearchConditionExpression must only contain one condition per attribute");
  search_refused(db, filtered("color = :u AND color = :t", with(tenant, {{":u", {{"S", "u"}}}})),
                 of_condition + "SearchConditionExpression must only contain one condition per attribute");
  search_refused(db, filtered("m.a = :t", tenant),
                 of_condition + "SearchConditionExpression cannot have conditions on nested attributes");
  for (const auto& [expression, named] :
       {std::pair<std::string, std::string>{"tenant = :t OR color = :t", "OR"},
        {"NOT tenant = :t", "NOT"},
        {"tenant IN (:t)", "IN"},
        {"tenant BETWEEN :t AND :t", "BETWEEN"},
        {"begins_with(tenant, :t)", "begins_with"}}) {
    search_refused(db, filtered(expression, tenant),
                   of_condition + "Invalid operator used in SearchConditionExpression: " + named);
  }
  for (const std::string expression : {"tenant = color", "size(tenant) = :t"}) {
    search_refused(
        db, filtered(expression, tenant),
        of_condition + "Invalid condition in SearchConditionExpression: an attribute must equal a value");
  }
  // The functions of updates have the text of other conditions: no source has one.
  for (const std::string function : {"list_append", "if_not_exists"}) {
    search_refused(
        db, filtered(function + "(tenant, :t) = :t", tenant),
        of_condition + "The function is not allowed in a search condition expression; function: " + function);
  }
}

TEST_CASE("search: names and values of expressions") {
  DynamoDb db;
  create_filtered(db);
  const Json plain = search_request("plain", {"0", "0", "0"});
  search_refused(db, with(plain, {{"ExpressionAttributeValues", {{":t", {{"S", "t"}}}}}}),
                 "ExpressionAttributeValues can only be specified when using expressions");
  search_refused(db, with(plain, {{"ExpressionAttributeNames", {{"#t", "t"}}}}),
                 "ExpressionAttributeNames can only be specified when using expressions");
  search_refused(db,
                 with(filtered("tenant = :t", {{":t", {{"S", "t"}}}}),
                      {{"ExpressionAttributeNames", {{"#n", "tenant"}}}}),
                 "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}");
  search_refused(db, filtered("tenant = :t", {{":t", {{"S", "t"}}}, {":u", {{"S", "t"}}}}),
                 "Value provided in ExpressionAttributeValues unused in expressions: keys: {:u}");
  search_refused(
      db, filtered("tenant = :nope", {{":t", {{"S", "t"}}}}),
      of_condition +
          "An expression attribute value used in expression is not defined; attribute value: :nope");
}

TEST_CASE("search: what is wrong with the request comes before the table and the index") {
  DynamoDb db;
  create_filtered(db);
  const Json nowhere = {{"TableName", "Nowhere"}};
  search_refused(
      db, with(search_request("plain", {}, nowhere), {{"SearchVector", numbers({"1"})}, {"TopK", 101}}),
      "Provided TopK value '101' is out of valid range. The value must be between 1 and 100 inclusive");
  search_refused(
      db, with(filtered("a < :t", {{":t", {{"S", "t"}}}}), {{"TopK", 101}}),
      "Provided TopK value '101' is out of valid range. The value must be between 1 and 100 inclusive");
  search_refused(
      db, search_request("vx", {"1"}, {{"TopK", 101}}),
      enveloped("Value at 'IndexName' failed to satisfy constraint: Member must have length greater "
                "than or equal to 3"));
  search_refused(db, with(filtered("a < :t", {{":t", {{"S", "t"}}}}), nowhere),
                 of_condition + "Invalid comparator used in SearchConditionExpression");
  // The vector comes before the search schema.
  search_refused(db, search_request("plain", {"1"}),
                 "Input search vector dimension 1 does not match vector index dimension 3");
}

TEST_CASE("search: what it costs") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain", {{"Dimensions", 64}})});
  const std::vector<std::string> ones(64, "1");
  const auto spent = [&](const Json& changes) {
    return db
        .ok("SearchVectors",
            search_request("plain", ones, with({{"ReturnConsumedCapacity", "TOTAL"}}, changes)))
        .at("ConsumedCapacity");
  };
  const auto bytes = [](std::int64_t count) {
    return Json{{"VectorSearchRequestBytes", count}, {"VectorSearchUnits", count}};
  };
  constexpr std::int64_t nothing_found = 1964;  // 64 times 30.6875
  CHECK(spent(Json::object()) == bytes(nothing_found));
  db.put("Music", item_with("a", ones));
  CHECK(spent(Json::object()) == bytes(nothing_found + 65 + 3));
  CHECK(spent({{"ReturnConsumedCapacity", "INDEXES"}}) == bytes(nothing_found + 65 + 3));
  CHECK(spent({{"ProjectionExpression", "pk, embedding"}}) == bytes(nothing_found + 65 + 3 + 256));
  CHECK_FALSE(db.ok("SearchVectors", search_request("plain", ones)).contains("ConsumedCapacity"));
  DynamoDb odd;
  create_with_vectors(odd, {vector_index("plain", {{"Dimensions", 65}})});
  const Json request =
      search_request("plain", std::vector<std::string>(65, "1"), {{"ReturnConsumedCapacity", "TOTAL"}});
  CHECK(odd.ok("SearchVectors", request).at("ConsumedCapacity") == bytes(1995));  // 1994.6875
  DynamoDb small;
  create_all(small);
  CHECK(
      small.ok("SearchVectors", search_request("cos", {"1", "2", "3"}, {{"ReturnConsumedCapacity", "TOTAL"}}))
          .at("ConsumedCapacity") == bytes(1024));
}

TEST_CASE("search: other reads do not take an index of vectors") {
  DynamoDb db;
  create_filtered(db);
  const Json of_index = {{"TableName", "Music"}, {"IndexName", "plain"}};
  const Json by_tenant = {{"KeyConditionExpression", "tenant = :t"},
                          {"ExpressionAttributeValues", {{":t", {{"S", "t"}}}}}};
  check_refused(db, "Query", with(of_index, by_tenant), "Query operation not supported on this index type.");
  check_refused(db, "Query", with(with(of_index, by_tenant), {{"ConsistentRead", true}}),
                "Consistent reads are not supported on global secondary indexes");
  CHECK(db.call("Query", of_index).refusal().starts_with("Either the KeyConditions"));
  check_refused(db, "Scan", of_index, "Scan operation not supported on this index type");
  check_refused(db, "Scan", with(of_index, {{"ConsistentRead", true}}),
                "Scan operation not supported on this index type");
  check_refused(db, "Scan", with(of_index, {{"IndexName", "nope"}}),
                "The table does not have the specified index: nope");
  for (const std::string statement :
       {R"(SELECT * FROM "Music"."plain")", R"(SELECT * FROM "Music"."plain" WHERE tenant = 't')"}) {
    check_refused(db, "ExecuteStatement", {{"Statement", statement}},
                  "Scan operation not supported on this index type");
  }
}

}  // namespace test::search_vectors_test
