#include <array>
#include <random>

#include <catch2/catch.hpp>

#include "statements.h"
#include "support/random_seed.h"

// A statement equal in meaning to a GetItem, Query or UpdateItem gives the same answer and costs the same.
namespace test::partiql::property_test {
namespace {

using Random = std::mt19937_64;

const std::string number_values[] = {"0", "1", "2", "-1.5"};
const std::string string_values[] = {"", "a", "ab", "b"};

/// A condition as both languages have it, with the values that it needs.
struct Both {
  std::string statement;
  std::string expression;
  Json values = Json::array();
};

class Maker {
 public:
  explicit Maker(Random& random) : random_(random) {}

  Json value() {
    const auto one = random_() % 4;
    if (random_() % 2 == 0) return {{"N", number_values[one]}};
    return {{"S", string_values[one]}};
  }

  /// On the attributes x, y and m.z.
  Both condition(int depth) {
    const auto kind = random_() % (depth > 0 ? 9 : 6);
    const std::string path = std::array{"x", "y", "m.z"}[random_() % 3];
    switch (kind) {
      case 0:
      case 1: {
        const std::string op = std::array{"=", "<>", "<", "<=", ">", ">="}[random_() % 6];
        return compared(path + " " + op + " ");
      }
      case 2: {
        const std::string name = random_() % 2 == 0 ? "attribute_exists" : "attribute_not_exists";
        return same(name + "(" + path + ")");
      }
      case 3: {
        Both made = same("begins_with(" + path + ", ");
        add(made, Json{{"S", string_values[1 + random_() % 3]}});
        return closed(std::move(made), ")", ")");
      }
      case 4: {
        Both made{path + " IN [", path + " IN (", Json::array()};
        add(made, value());
        made.statement += ", ";
        made.expression += ", ";
        add(made, value());
        return closed(std::move(made), "]", ")");
      }
      case 5: {
        Both made = same("size(" + path + ") > ");
        add(made, Json{{"N", std::to_string(random_() % 3)}});
        return made;
      }
      case 6: {
        Both inner = condition(depth - 1);
        // An expression has no superfluous parentheses.
        if (inner.statement.starts_with('('))
          return {"NOT " + inner.statement, "NOT " + inner.expression, inner.values};
        return {"NOT (" + inner.statement + ")", "NOT (" + inner.expression + ")", inner.values};
      }
      default: {
        const std::string op = random_() % 2 == 0 ? " AND " : " OR ";
        Both left = condition(depth - 1);
        Both right = condition(depth - 1);
        return joined(std::move(left), op, std::move(right));
      }
    }
  }

  /// The expression's placeholders are numbered over all of a request.
  void add(Both& made, Json value) {
    made.statement += '?';
    made.expression += ":v" + std::to_string(next_++);
    made.values.push_back(std::move(value));
  }

  static Both joined(Both a, const std::string& op, Both b) {
    Json values = std::move(a.values);
    values.insert(values.end(), b.values.begin(), b.values.end());
    return {"(" + a.statement + op + b.statement + ")", "(" + a.expression + op + b.expression + ")",
            std::move(values)};
  }

 private:
  static Both same(const std::string& text) { return {text, text, Json::array()}; }
  static Both closed(Both made, const std::string& of_statement, const std::string& of_expression) {
    made.statement += of_statement;
    made.expression += of_expression;
    return made;
  }
  Both compared(const std::string& front) {
    Both made = same(front);
    add(made, value());
    return made;
  }

  Random& random_;
  int next_ = 0;
};

/// Placeholders in the order of their numbers, which is that of the parameters.
Json named(const Json& values) {
  Json all = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) all[":v" + std::to_string(i)] = values[i];
  return all;
}

Json random_item(Random& random, const std::string& pk, int sk) {
  Maker maker(random);
  Json item = {{"pk", {{"S", pk}}}, {"sk", {{"N", std::to_string(sk)}}}};
  if (random() % 3 != 0) item["x"] = maker.value();
  if (random() % 3 != 0) item["y"] = maker.value();
  if (random() % 3 != 0) item["m"] = {{"M", {{"z", maker.value()}}}};
  if (random() % 4 == 0) item["big"] = {{"S", std::string(random() % 6000, '.')}};
  return item;
}

void fill(DynamoDb& db, Random random) {
  db.create_table(the_table, "S", "N");
  for (const std::string pk : {"a", "b"}) {
    for (int sk = 0; sk < 12; ++sk) {
      if (random() % 4 != 0) db.put(the_table, random_item(random, pk, sk));
    }
  }
}

Json statement_of(const Both& where, const std::string& front, const std::string& back = "") {
  Json request = {{"Statement", front + where.statement + back}, {"ReturnConsumedCapacity", "INDEXES"}};
  if (!where.values.empty()) request["Parameters"] = where.values;
  return request;
}

Json request_of(const Json& values) {
  Json request = {{"TableName", the_table}, {"ReturnConsumedCapacity", "INDEXES"}};
  if (!values.empty()) request["ExpressionAttributeValues"] = named(values);
  return request;
}

}  // namespace

TEST_CASE("a select by the whole key is a GetItem") {
  Random random(dinette::test::random_seed());
  DynamoDb db;
  fill(db, random);
  for (int round = 0; round < dinette::test::rounds_of(200); ++round) {
    const std::string pk = random() % 2 == 0 ? "a" : "b";
    const std::string sk = std::to_string(random() % 14);
    const bool consistent = random() % 2 == 0;
    const std::string columns = random() % 2 == 0 ? "*" : "x, big, sk";
    Json get = request_of(Json::array());
    get["Key"] = {{"pk", {{"S", pk}}}, {"sk", {{"N", sk}}}};
    get["ConsistentRead"] = consistent;
    if (columns != "*") get["ProjectionExpression"] = columns;
    const Json item = db.ok("GetItem", get);
    const Json answer =
        db.ok("ExecuteStatement",
              {{"Statement", "SELECT " + columns + " FROM Tab WHERE sk = " + sk + " AND pk = '" + pk + "'"},
               {"ConsistentRead", consistent},
               {"ReturnConsumedCapacity", "INDEXES"}});
    CHECK(answer.at("Items") == (item.contains("Item") ? Json::array({item.at("Item")}) : Json::array()));
    CHECK(answer.at("ConsumedCapacity") == item.at("ConsumedCapacity"));
  }
}

TEST_CASE("a select of a partition is a Query") {
  Random random(dinette::test::random_seed());
  DynamoDb db;
  fill(db, random);
  for (int round = 0; round < dinette::test::rounds_of(2000); ++round) {
    Maker maker(random);
    Both key{"pk = ", "pk = ", Json::array()};
    maker.add(key, {{"S", random() % 2 == 0 ? "a" : "b"}});
    if (random() % 2 == 0) {
      Both range{"sk ", "sk ", Json::array()};
      const std::string op = std::array{"= ", "< ", "<= ", "> ", ">= "}[random() % 5];
      range.statement += op;
      range.expression += op;
      maker.add(range, {{"N", std::to_string(random() % 12)}});
      key = Maker::joined(std::move(key), " AND ", std::move(range));
    }
    Json query = request_of(Json::array());
    query["KeyConditionExpression"] = key.expression;
    Both where = key;
    if (random() % 3 != 0) {
      const Both filter = maker.condition(3);
      query["FilterExpression"] = filter.expression;
      where = Maker::joined(std::move(where), " AND ", filter);
    }
    query["ExpressionAttributeValues"] = named(where.values);
    const bool descending = random() % 2 == 0;
    query["ScanIndexForward"] = !descending;
    Json select = statement_of(where, "SELECT * FROM Tab WHERE ", descending ? " ORDER BY sk DESC" : "");
    const bool consistent = random() % 2 == 0;
    query["ConsistentRead"] = select["ConsistentRead"] = consistent;
    if (random() % 2 == 0) query["Limit"] = select["Limit"] = 1 + random() % 6;
    const Reply queried = db.call("Query", query);
    const Reply answer = db.call("ExecuteStatement", select);
    INFO(select.dump() << " -> " << answer.body << " but " << query.dump() << " -> " << queried.body);
    REQUIRE(queried.status == 200);
    REQUIRE(answer.status == 200);
    CHECK(answer.json().at("Items") == queried.json().at("Items"));
    CHECK(answer.json().at("ConsumedCapacity") == queried.json().at("ConsumedCapacity"));
    if (answer.json().contains("NextToken"))
      CHECK(answer.json().at("LastEvaluatedKey") == queried.json().at("LastEvaluatedKey"));
  }
}

TEST_CASE("an update of an item is an UpdateItem") {
  const std::uint64_t seed = dinette::test::random_seed();
  Random random(seed);
  DynamoDb by_statement;
  DynamoDb by_request;
  fill(by_statement, Random(seed));
  fill(by_request, Random(seed));
  for (int round = 0; round < dinette::test::rounds_of(1000); ++round) {
    Maker maker(random);
    const std::string sk = std::to_string(random() % 12);
    const Json item_key = {{"pk", {{"S", "a"}}}, {"sk", {{"N", sk}}}};
    Both update{"SET x = ", "SET x = ", Json::array()};
    switch (random() % 4) {
      case 0:
        update = {"REMOVE x REMOVE y", "REMOVE x, y", Json::array()};
        break;
      case 1:
        update = {"SET x = y SET y = x + ", "SET x = y, y = x + ", Json::array()};
        maker.add(update, {{"N", "1"}});
        break;
      case 2:
        update = {"SET m.z = ", "SET m.z = ", Json::array()};
        maker.add(update, maker.value());
        break;
      default:
        maker.add(update, maker.value());
    }
    const Both condition = maker.condition(2);
    constexpr std::array<std::pair<const char*, const char*>, 4> wishes = {{{"ALL OLD", "ALL_OLD"},
                                                                            {"ALL NEW", "ALL_NEW"},
                                                                            {"MODIFIED OLD", "UPDATED_OLD"},
                                                                            {"MODIFIED NEW", "UPDATED_NEW"}}};
    const auto& wish = wishes[random() % wishes.size()];
    Json values = update.values;
    values.insert(values.end(), condition.values.begin(), condition.values.end());
    Json request = request_of(values);
    request["Key"] = item_key;
    request["UpdateExpression"] = update.expression;
    request["ConditionExpression"] = "attribute_exists(pk) AND " + condition.expression;
    request["ReturnValues"] = wish.second;
    const Both where{update.statement + " WHERE pk = 'a' AND sk = " + sk + " AND " + condition.statement, "",
                     values};
    const Json update_statement =
        statement_of(where, "UPDATE Tab ", std::string(" RETURNING ") + wish.first + " *");
    const Reply answer = by_statement.call("ExecuteStatement", update_statement);
    const Reply updated = by_request.call("UpdateItem", request);
    INFO(update_statement.dump() << " -> " << answer.body << " but " << request.dump() << " -> "
                                 << updated.body);
    REQUIRE(answer.status == updated.status);
    CHECK(answer.error() == updated.error());
    CHECK(by_statement.get(the_table, item_key) == by_request.get(the_table, item_key));
    if (answer.status != 200) continue;
    const Json attributes = updated.json().value("Attributes", Json());
    CHECK(answer.json().at("Items") == (attributes.is_null() ? Json::array() : Json::array({attributes})));
    CHECK(answer.json().at("ConsumedCapacity") == updated.json().at("ConsumedCapacity"));
  }
}

}  // namespace test::partiql::property_test
