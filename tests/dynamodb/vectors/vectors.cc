#include "dynamodb/vectors/vectors.h"

#include <sstream>
#include <utility>

namespace test {

Json vector_index(std::string_view name, const Json& changes) {
  return with({{"IndexName", name},
               {"VectorAttribute", {{"AttributeName", "embedding"}}},
               {"Dimensions", 3},
               {"DistanceFunction", "COSINE"},
               {"Projection", {{"ProjectionType", "ALL"}}}},
              changes);
}

Json search_schema(std::string_view elements) {
  Json schema = Json::array();
  std::istringstream words{std::string(elements)};
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    schema.push_back(
        {{"AttributeName", word.substr(0, colon)}, {"SearchSchemaElementType", word.substr(colon + 1)}});
  }
  return schema;
}

Json with_vectors(std::vector<Json> indexes, std::string_view others) {
  return with(table_request("Music", "pk", others), {{"VectorIndexes", Json(std::move(indexes))}});
}

Json numbers(const std::vector<std::string>& values) {
  Json list = Json::array();
  for (const std::string& value : values) list.push_back({{"N", value}});
  return list;
}

Json vector_of(const std::vector<std::string>& values) {
  return {{"L", numbers(values)}};
}

Json item_with(std::string_view pk, const std::vector<std::string>& vector, const Json& others) {
  return with({{"pk", {{"S", pk}}}, {"embedding", vector_of(vector)}}, others);
}

Json search_request(std::string_view index, const std::vector<std::string>& vector, const Json& changes) {
  return with({{"TableName", "Music"}, {"IndexName", index}, {"SearchVector", numbers(vector)}, {"TopK", 10}},
              changes);
}

std::vector<std::string> found_keys(const Json& answer) {
  std::vector<std::string> keys;
  for (const Json& result : answer.at("SearchResults")) keys.push_back(result.at("Item").at("pk").at("S"));
  return keys;
}

void create_with_vectors(DynamoDb& db, std::vector<Json> indexes, std::string_view others) {
  db.ok("CreateTable", with_vectors(std::move(indexes), others));
  db.jobs().run_due();
}

}  // namespace test
