#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "dinette/base/base64.h"

#include "dynamodb/expr/expressions.h"
#include "dynamodb/expr/key_condition.h"
#include "dynamodb/expr/search_condition.h"
#include "dynamodb/model/attribute_value.h"

/// Values in the wire's notation, and expressions with their request, for tests that read as tables.
namespace dinette::dynamodb::expr::notation {

using Json = nlohmann::json;

model::Map map(const Json& json);

/// `{"S":"a"}`, ... as AttributeValue.
model::AttributeValue value(const Json& json);

model::Item item(std::string_view text);

/// The same back again, for messages and comparisons that a reader can follow.
Json json(const model::AttributeValue& value);

Json json(const model::Map& map);

/// A request's two maps: `{"#n":"name"}` and `{":v":{"S":"a"}}`. Outlives what is bound with it.
class Request {
 public:
  explicit Request(std::string_view names = "{}", std::string_view values = "{}");
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Placeholders placeholders;

 private:
  std::vector<NameEntry> names_;
  std::vector<ValueEntry> values_;
};

/// The refusal of an expression, parsed and bound; empty if it is accepted.
std::string refusal(Kind kind, std::string_view text, std::string_view names = "{}",
                    std::string_view values = "{}");

}  // namespace dinette::dynamodb::expr::notation
