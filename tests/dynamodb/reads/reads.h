#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/one_item.h"

/// Tests of Query and Scan on the table `the_table`.
namespace test {

/// Items are written as `{"pk": {"S": "a"}, ...}`.
void put_items(DynamoDb& db, std::initializer_list<std::string_view> items);

std::string key_condition(std::string_view text, std::string_view values = "", std::string_view names = "");
std::string filter(std::string_view text, std::string_view values = "", std::string_view names = "");

/// A FilterExpression as one more member of a request that has its values.
std::string filtered_by(std::string_view text);

/// Returns those of the values that an expression uses: a request with others is refused.
std::string used_in(std::string_view expression, std::string_view values);

/// A JSON object without its braces.
std::string members_of(const Json& object);

/// The items of a Query or Scan that succeeds.
Json items_of(DynamoDb& db, std::string_view operation, std::string_view members);

/// The scalars of that attribute, item by item: "1 2 - 3", where "-" has none.
std::string column(const Json& items, std::string_view attribute);

Json reversed(const Json& items);

/// All pages of a request, followed by LastEvaluatedKey.
std::vector<Json> pages_of(DynamoDb& db, std::string_view operation, std::string_view members);

/// The items of these pages.
Json items_of(const std::vector<Json>& pages);

}  // namespace test
