#include "dynamodb/reads/reads.h"

#include <catch2/catch.hpp>

namespace test {

void put_items(DynamoDb& db, std::initializer_list<std::string_view> items) {
  for (const std::string_view item : items) db.put(the_table, Json::parse(item));
}

std::string key_condition(std::string_view text, std::string_view values, std::string_view names) {
  return expression("KeyCondition", text, values, names);
}

std::string filter(std::string_view text, std::string_view values, std::string_view names) {
  return expression("Filter", text, values, names);
}

std::string filtered_by(std::string_view text) {
  return R"(, "FilterExpression": )" + Json(text).dump();
}

std::string used_in(std::string_view expression, std::string_view values) {
  const Json all = Json::parse("{" + std::string(values) + "}");
  Json used = Json::object();
  for (const auto& [name, value] : all.items()) {
    if (expression.find(name) != std::string_view::npos) used[name] = value;
  }
  return members_of(used);
}

std::string members_of(const Json& object) {
  const std::string text = object.dump();
  return text.substr(1, text.size() - 2);
}

Json items_of(DynamoDb& db, std::string_view operation, std::string_view members) {
  return ok_item(db, operation, members).at("Items");
}

std::string column(const Json& items, std::string_view attribute) {
  std::string texts;
  for (const Json& item : items) {
    if (!texts.empty()) texts += ' ';
    const auto found = item.find(attribute);
    texts += found == item.end() ? "-" : found->begin()->get<std::string>();
  }
  return texts;
}

Json reversed(const Json& items) {
  return std::vector<Json>(items.rbegin(), items.rend());
}

std::vector<Json> pages_of(DynamoDb& db, std::string_view operation, std::string_view members) {
  std::vector<Json> pages = {ok_item(db, operation, members)};
  while (pages.back().contains("LastEvaluatedKey")) {
    REQUIRE(pages.size() < 10'000);
    std::string next = R"("ExclusiveStartKey": )" + pages.back().at("LastEvaluatedKey").dump();
    if (!members.empty()) next.append(", ").append(members);
    pages.push_back(ok_item(db, operation, next));
  }
  return pages;
}

Json items_of(const std::vector<Json>& pages) {
  Json items = Json::array();
  for (const Json& page : pages) items.insert(items.end(), page.at("Items").begin(), page.at("Items").end());
  return items;
}

}  // namespace test
