#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/concurrent_clients.h"
#include "dynamodb/vectors/vectors.h"
#include "support/random_seed.h"

// Searches compared with a search that looks at every item, in random tables, and consistent during writes
// (docs/service/vector-search.md, "SearchVectors").
namespace test::vector_model_test {
namespace {

constexpr int most_items = 60;
const std::vector<std::string> colors = {"red", "green", "blue"};

struct Thing {
  std::vector<double> vector;
  std::optional<std::string> color;
  std::optional<std::string> tenant;
};
using Things = std::map<std::string, Thing>;

double score_of(const std::string& distance, const std::vector<double>& a, const std::vector<double>& b) {
  double product = 0;
  double squares = 0;
  double of_a = 0;
  double of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += a[i] * b[i];
    squares += (a[i] - b[i]) * (a[i] - b[i]);
    of_a += a[i] * a[i];
    of_b += b[i] * b[i];
  }
  if (distance == "DOT_PRODUCT") return product;
  if (distance == "EUCLIDEAN") return std::sqrt(squares);
  return of_a * of_b == 0 ? 1 : 1 - product / std::sqrt(of_a) / std::sqrt(of_b);
}

std::vector<std::string> texts_of(const std::vector<double>& vector) {
  std::vector<std::string> texts;
  for (const double value : vector) texts.push_back(std::to_string(value));
  return texts;
}

class RandomTable {
 public:
  explicit RandomTable(std::uint64_t seed) : random_(seed), dimensions_(1 + below(20)) {
    std::vector<Json> indexes;
    for (const std::string distance : {"COSINE", "EUCLIDEAN", "DOT_PRODUCT"}) {
      const Json common = {{"DistanceFunction", distance}, {"Dimensions", dimensions_}};
      indexes.push_back(vector_index(distance, common));
    }
    indexes.push_back(vector_index("by_color", {{"Dimensions", dimensions_},
                                                {"DistanceFunction", "EUCLIDEAN"},
                                                {"SearchSchema", search_schema("color:INLINE_FILTER")}}));
    indexes.push_back(
        vector_index("by_tenant", {{"Dimensions", dimensions_},
                                   {"DistanceFunction", "DOT_PRODUCT"},
                                   {"SearchSchema", search_schema("tenant:HASH color:INLINE_FILTER")}}));
    create_with_vectors(db_, indexes, "color tenant");
  }

  void change_one() {
    const std::string pk = std::to_string(below(most_items));
    const Json key = {{"pk", {{"S", pk}}}};
    if (below(5) == 0) {
      db_.ok("DeleteItem", {{"TableName", "Music"}, {"Key", key}});
      things_.erase(pk);
    } else if (below(4) == 0 && things_.contains(pk)) {
      things_[pk].color = pick_color();
      const auto& color = things_[pk].color;
      Json update = {{"TableName", "Music"}, {"Key", key}, {"UpdateExpression", "REMOVE color"}};
      if (color) {
        update["UpdateExpression"] = "SET color = :c";
        update["ExpressionAttributeValues"] = {{":c", {{"S", *color}}}};
      }
      db_.ok("UpdateItem", update);
    } else {
      Thing thing{made_vector(), pick_color(), pick_color()};
      Json item = item_with(pk, texts_of(thing.vector));
      if (thing.color) item["color"] = {{"S", *thing.color}};
      if (thing.tenant) item["tenant"] = {{"S", *thing.tenant}};
      db_.put("Music", item);
      things_[pk] = std::move(thing);
    }
  }

  void check_searches() {
    for (const std::string distance : {"COSINE", "EUCLIDEAN", "DOT_PRODUCT"})
      check(distance, distance, std::nullopt, std::nullopt);
    check("by_color", "EUCLIDEAN", std::nullopt, std::nullopt);
    for (const std::string& color : colors) {
      check("by_color", "EUCLIDEAN", color, std::nullopt);
      check("by_tenant", "DOT_PRODUCT", std::nullopt, color);
      check("by_tenant", "DOT_PRODUCT", colors.front(), color);
    }
  }

 private:
  int below(int limit) { return std::uniform_int_distribution(0, limit - 1)(random_); }

  std::optional<std::string> pick_color() {
    const auto at = static_cast<std::size_t>(below(4));
    return at < colors.size() ? std::optional(colors[at]) : std::nullopt;
  }

  /// Values that have few digits, so that scores are often equal.
  std::vector<double> made_vector() {
    std::vector<double> vector;
    for (int i = 0; i < dimensions_; ++i) vector.push_back(below(9) - 4 + below(4) * 0.25);
    return vector;
  }

  void check(const std::string& index, const std::string& distance, const std::optional<std::string>& color,
             const std::optional<std::string>& tenant) {
    const std::vector<double> wanted = made_vector();
    const int top_k = 1 + below(most_items);
    Json request = search_request(index, texts_of(wanted), {{"TopK", top_k}});
    std::string expression;
    const auto add = [&](const char* attribute, const std::optional<std::string>& value) {
      if (!value) return;
      const std::string placeholder = std::string(":") + attribute;
      expression += (expression.empty() ? "" : " AND ") + (attribute + (" = " + placeholder));
      request["ExpressionAttributeValues"][placeholder] = {{"S", *value}};
    };
    add("color", color);
    add("tenant", tenant);
    if (!expression.empty()) request["SearchConditionExpression"] = expression;
    INFO(request.dump());
    std::vector<double> expected;
    for (const auto& [pk, thing] : things_) {
      if ((!color || thing.color == color) && (!tenant || thing.tenant == tenant))
        expected.push_back(score_of(distance, wanted, thing.vector));
    }
    std::ranges::sort(expected);
    if (distance == "DOT_PRODUCT") std::ranges::reverse(expected);
    expected.resize(std::min(expected.size(), static_cast<std::size_t>(top_k)));
    const Json results = db_.ok("SearchVectors", request).at("SearchResults");
    REQUIRE(results.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double score = results[i].at("Score");
      CHECK(score == Approx(expected[i]).margin(1e-6));
      const Thing& thing = things_.at(results[i].at("Item").at("pk").at("S"));
      CHECK(score == Approx(score_of(distance, wanted, thing.vector)).margin(1e-6));
      CHECK((!color || thing.color == color));
      CHECK((!tenant || thing.tenant == tenant));
    }
  }

  std::mt19937_64 random_;
  const int dimensions_;
  Things things_;
  DynamoDb db_;
};

}  // namespace

TEST_CASE("vector model: what is found is what a look at every item finds") {
  std::mt19937_64 seeds(dinette::test::random_seed());
  for (int table = 0; table < dinette::test::rounds_of(20); ++table) {
    RandomTable random(seeds());
    for (int i = 0; i < 150; ++i) {
      random.change_one();
      if (i % 25 == 0) random.check_searches();
    }
    random.check_searches();
  }
}

TEST_CASE("vector model: a search during writes sees whole items") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain", {{"DistanceFunction", "EUCLIDEAN"}})});
  std::atomic<int> writing = 2;
  std::atomic<int> torn = 0;
  const int rounds = dinette::test::rounds_of(300);
  // Each item says how far it is from the origin.
  in_threads(4, [&](int thread) {
    if (thread < 2) {
      for (int i = 0; i < rounds; ++i) {
        const std::string far = std::to_string(i);
        db.call("PutItem",
                Json{{"TableName", "Music"},
                     {"Item", item_with(std::to_string(i % 20), {far, "0", "0"}, {{"n", {{"N", far}}}})}});
      }
      --writing;
      return;
    }
    while (writing > 0) {
      const Reply reply = db.call("SearchVectors", search_request("plain", {"0", "0", "0"}));
      const Json answer = reply.json();
      for (const Json& result : answer.at("SearchResults")) {
        const double far = std::stod(result.at("Item").at("n").at("N").get<std::string>());
        if (result.at("Score").get<double>() != far) ++torn;
      }
    }
  });
  CHECK(torn == 0);
  CHECK(describe(db).at("VectorIndexes").at(0).at("ItemCount") == 20);
}

}  // namespace test::vector_model_test
