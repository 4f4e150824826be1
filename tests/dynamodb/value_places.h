#pragma once

#include <array>
#include <string>
#include <string_view>

#include "dynamodb/one_item.h"

namespace test {

/// A place where an attribute value may be, in a request that is sound otherwise.
struct ValuePlace {
  std::string_view operation;
  std::string_view before;  ///< members up to the value, as JSON
  std::string_view after;
  bool enveloped;  ///< whether the operation puts the envelope around what is wrong with a value
  bool start_key = false;

  std::string members(std::string_view value) const {
    return std::string(before) + std::string(value) + std::string(after);
  }
  std::string worded(std::string_view sentence) const {
    return enveloped ? test::enveloped(sentence) : bare(sentence);
  }
  /// Of what is no value at all, a start key says that it is invalid (docs/service/query-scan.md section 2).
  std::string bare(std::string_view sentence) const;
};

/// Everywhere that the single-item operations and Query take a value (docs/service/values.md section 3, its
/// last line).
inline constexpr std::array value_places = {
    ValuePlace{"PutItem", R"("Item":{"pk":)", "}", true},
    ValuePlace{"PutItem", R"("Item":{"pk":{"S":"a"},"x":)", "}", true},
    ValuePlace{"PutItem", R"("Item":{"pk":{"S":"a"},"x":{"L":[{"M":{"y":)", "}}]}}", true},
    ValuePlace{"PutItem", R"("ConditionExpression":"x = :v","ExpressionAttributeValues":{":v":)", "}", true},
    ValuePlace{"PutItem", R"("Expected":{"x":{"Value":)", "}}", true},
    ValuePlace{"PutItem", R"("Expected":{"x":{"ComparisonOperator":"EQ","AttributeValueList":[)", "]}}",
               true},
    ValuePlace{"UpdateItem", R"("Key":{"pk":)", "}", true},
    ValuePlace{"UpdateItem", R"("UpdateExpression":"SET x = :v","ExpressionAttributeValues":{":v":)", "}",
               true},
    ValuePlace{"UpdateItem", R"("ConditionExpression":"x = :v","ExpressionAttributeValues":{":v":)", "}",
               true},
    ValuePlace{"UpdateItem", R"("AttributeUpdates":{"x":{"Value":)", "}}", true},
    ValuePlace{"UpdateItem", R"("Expected":{"x":{"Value":)", "}}", true},
    ValuePlace{"DeleteItem", R"("Key":{"pk":)", "}", true},
    ValuePlace{"DeleteItem", R"("ConditionExpression":"x = :v","ExpressionAttributeValues":{":v":)", "}",
               true},
    ValuePlace{"DeleteItem", R"("Expected":{"x":{"Value":)", "}}", true},
    ValuePlace{"GetItem", R"("Key":{"pk":)", "}", false},
    ValuePlace{"Query", R"("KeyConditionExpression":"pk = :v","ExpressionAttributeValues":{":v":)", "}",
               false},
    ValuePlace{
        "Query",
        R"("KeyConditionExpression":"pk = :p","FilterExpression":"x = :v","ExpressionAttributeValues":{":p":{"S":"a"},":v":)",
        "}", false},
    ValuePlace{
        "Query",
        R"("KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":"a"}},"ExclusiveStartKey":{"pk":)",
        "}", false, true},
    ValuePlace{"Query", R"("KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[)", "]}}",
               false},
    ValuePlace{
        "Query",
        R"("KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}},"QueryFilter":{"x":{"ComparisonOperator":"EQ","AttributeValueList":[)",
        "]}}", false},
};

/// Places where only values of some types may be (docs/service/expressions.md section 4, legacy-api.md
/// sections 2 and 5).
inline constexpr std::array typed_value_places = {
    ValuePlace{"UpdateItem", R"("UpdateExpression":"ADD x :v","ExpressionAttributeValues":{":v":)", "}",
               true},
    ValuePlace{"UpdateItem", R"("UpdateExpression":"DELETE x :v","ExpressionAttributeValues":{":v":)", "}",
               true},
    ValuePlace{"UpdateItem", R"("UpdateExpression":"SET x = x - :v","ExpressionAttributeValues":{":v":)", "}",
               true},
    ValuePlace{"UpdateItem",
               R"~("UpdateExpression":"SET x = list_append(x, :v)","ExpressionAttributeValues":{":v":)~", "}",
               true},
    ValuePlace{"UpdateItem", R"("ConditionExpression":"x < :v","ExpressionAttributeValues":{":v":)", "}",
               true},
    ValuePlace{
        "UpdateItem",
        R"("ConditionExpression":"x BETWEEN :w AND :v","ExpressionAttributeValues":{":w":{"B":""},":v":)",
        "}", true},
    ValuePlace{"UpdateItem", R"("ConditionExpression":"size(:v) = x","ExpressionAttributeValues":{":v":)",
               "}", true},
    ValuePlace{"UpdateItem",
               R"~("ConditionExpression":"attribute_type(x, :v)","ExpressionAttributeValues":{":v":)~", "}",
               true},
    ValuePlace{"UpdateItem", R"("AttributeUpdates":{"x":{"Action":"ADD","Value":)", "}}", true},
    ValuePlace{"UpdateItem", R"("AttributeUpdates":{"x":{"Action":"DELETE","Value":)", "}}", true},
    ValuePlace{"UpdateItem", R"("Expected":{"x":{"ComparisonOperator":"CONTAINS","AttributeValueList":[)",
               "]}}", true},
    ValuePlace{"PutItem", R"("Expected":{"x":{"ComparisonOperator":"LT","AttributeValueList":[)", "]}}",
               true},
    ValuePlace{"PutItem", R"("Expected":{"x":{"ComparisonOperator":"IN","AttributeValueList":[{"B":""},)",
               "]}}", true},
    ValuePlace{"PutItem", R"("ConditionExpression":"x < :v","ExpressionAttributeValues":{":v":)", "}", true},
    ValuePlace{"DeleteItem", R"("Expected":{"x":{"ComparisonOperator":"BEGINS_WITH","Value":)", "}}", true},
    ValuePlace{
        "Query",
        R"~("KeyConditionExpression":"pk = :p AND begins_with(sk, :v)","ExpressionAttributeValues":{":p":{"S":"a"},":v":)~",
        "}", false},
    ValuePlace{
        "Query",
        R"("KeyConditionExpression":"pk = :p","FilterExpression":"x >= :v","ExpressionAttributeValues":{":p":{"S":"a"},":v":)",
        "}", false},
    ValuePlace{
        "Query",
        R"("KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]},"sk":{"ComparisonOperator":"GT","AttributeValueList":[)",
        "]}}", false},
    ValuePlace{
        "Query",
        R"("KeyConditions":{"pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"a"}]}},"QueryFilter":{"x":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"B":""},)",
        "]}}", false},
    ValuePlace{"Scan", R"("ScanFilter":{"x":{"ComparisonOperator":"LE","AttributeValueList":[)", "]}}",
               false},
};

/// `value` (JSON) is refused with `sentence` wherever it is, before the table is looked up.
void check_refused_everywhere(std::string_view value, std::string_view sentence);

}  // namespace test
