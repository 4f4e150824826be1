#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/dynamodb.h"
#include "support/tables.h"

/// What the tests of vector indexes say over and over.
namespace test {

/// A definition of an index of the attribute `embedding`, of three dimensions, by the cosine, that projects
/// everything; with the members of `changes` put in.
Json vector_index(std::string_view name, const Json& changes = Json::object());

/// A search schema: "tenant:HASH color:INLINE_FILTER".
Json search_schema(std::string_view elements);

/// An on-demand table, Music, with the hash key `pk` (S) and these indexes; `others` are defined for search
/// schemas, as table_request() takes them.
Json with_vectors(std::vector<Json> indexes, std::string_view others = "");

/// A list of numbers as attribute values: `[{"N": "1"}, ...]`.
Json numbers(const std::vector<std::string>& values);
/// The same as the value of an attribute.
Json vector_of(const std::vector<std::string>& values);

/// An item with the key `pk` and a vector; with the members of `others` put in.
Json item_with(std::string_view pk, const std::vector<std::string>& vector,
               const Json& others = Json::object());

/// A SearchVectors of Music for ten items; with the members of `changes` put in.
Json search_request(std::string_view index, const std::vector<std::string>& vector,
                    const Json& changes = Json::object());

/// Returns the keys of the results in their order.
std::vector<std::string> found_keys(const Json& answer);

/// Creates such a table, and lets what goes on behind it come to its end.
void create_with_vectors(DynamoDb& db, std::vector<Json> indexes, std::string_view others = "");

}  // namespace test
