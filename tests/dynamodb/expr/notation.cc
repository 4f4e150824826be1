#include "dynamodb/expr/notation.h"

#include <algorithm>

namespace dinette::dynamodb::expr::notation {
namespace {

template <class Member, class Read>
model::AttributeValue set_of(const Json& json, Read read) {
  std::vector<Member> members;
  for (const Json& one : json) members.push_back(read(one.get<std::string>()));
  std::ranges::sort(members);
  return model::SetOf<Member>{std::move(members)};
}

struct ToJson {
  Json operator()(const std::string& text) const { return {{"S", text}}; }
  Json operator()(const model::Number& number) const { return {{"N", number.to_string()}}; }
  Json operator()(const model::Binary& binary) const { return {{"B", base::base64_encode(binary.bytes)}}; }
  Json operator()(const model::StringSet& set) const { return {{"SS", set.members}}; }
  Json operator()(const model::NumberSet& set) const {
    Json members = Json::array();
    for (const model::Number& one : set.members) members.push_back(one.to_string());
    return {{"NS", members}};
  }
  Json operator()(const model::BinarySet& set) const {
    Json members = Json::array();
    for (const model::Binary& one : set.members) members.push_back(base::base64_encode(one.bytes));
    return {{"BS", members}};
  }
  Json operator()(const model::List& list) const {
    Json elements = Json::array();
    for (const model::AttributeValue& one : list) elements.push_back(json(one));
    return {{"L", elements}};
  }
  Json operator()(const model::Map& map) const { return {{"M", json(map)}}; }
  Json operator()(const model::Null&) const { return {{"NULL", true}}; }
  Json operator()(bool truth) const { return {{"BOOL", truth}}; }
};

}  // namespace

model::Map map(const Json& json) {
  std::vector<model::Attribute> attributes;
  for (const auto& [name, one] : json.items()) attributes.push_back({name, value(one)});
  return model::Map::from_unsorted(std::move(attributes));
}

model::AttributeValue value(const Json& json) {
  const auto number = [](const std::string& text) { return model::Number::parse(text).value(); };
  const auto binary = [](const std::string& text) {
    return model::Binary{base::base64_decode(text).value()};
  };
  const auto only = json.begin();
  const std::string& type = only.key();
  const Json& content = only.value();
  if (type == "S") return content.get<std::string>();
  if (type == "N") return number(content.get<std::string>());
  if (type == "B") return binary(content.get<std::string>());
  if (type == "BOOL") return content.get<bool>();
  if (type == "NULL") return model::Null{};
  if (type == "M") return map(content);
  if (type == "SS") return set_of<std::string>(content, [](const std::string& text) { return text; });
  if (type == "NS") return set_of<model::Number>(content, number);
  if (type == "BS") return set_of<model::Binary>(content, binary);
  model::List list;
  for (const Json& one : content) list.push_back(value(one));
  return list;
}

model::Item item(std::string_view text) {
  return map(Json::parse(text));
}

Json json(const model::Map& map) {
  Json object = Json::object();
  for (const model::Attribute& attribute : map) object[attribute.name] = json(attribute.value);
  return object;
}

Json json(const model::AttributeValue& value) {
  return std::visit(ToJson{}, value.alternatives());
}

Request::Request(std::string_view names, std::string_view values) {
  const Json parsed_names = Json::parse(names);
  const Json parsed_values = Json::parse(values);
  for (const auto& [key, name] : parsed_names.items()) names_.emplace_back(key, name.get<std::string>());
  for (const auto& [key, one] : parsed_values.items()) values_.emplace_back(key, value(one));
  placeholders = Placeholders(names_, values_);
}

std::string refusal(Kind kind, std::string_view text, std::string_view names, std::string_view values) {
  Request request(names, values);
  const auto parsed = parse(kind, text, SizeTail::omitted);
  if (!parsed.ok()) return parsed.error().message;
  const auto message = [](const auto& bound) { return bound.ok() ? std::string() : bound.error().message; };
  switch (kind) {
    case Kind::condition:
    case Kind::filter:
      return message(bind_condition(*parsed, request.placeholders));
    case Kind::update:
      return message(bind_update(*parsed, request.placeholders));
    case Kind::projection:
      return message(bind_projection(*parsed, request.placeholders));
    case Kind::key_condition:
      return message(bind_key_condition(*parsed, request.placeholders));
    case Kind::search_condition:
      return message(bind_search_condition(*parsed, request.placeholders));
  }
  return {};
}

}  // namespace dinette::dynamodb::expr::notation
