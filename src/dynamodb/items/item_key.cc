#include "dynamodb/items/item_key.h"

#include "dinette/store/key_codec.h"
#include "dinette/store/placement.h"

#include "dynamodb/items/partition_hash.h"
#include "dynamodb/model/decimal.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb {
namespace {

using model::AttributeValue;
using model::KeyRole;

Answer<void> check_value(const KeyAttribute& attribute, const AttributeValue& value, KeyRole role) {
  if (auto checked = model::check_key_value(attribute.name, value, role); !checked) {
    return of_request(validation(std::move(checked).error()));
  }
  return {};
}

base::Failure<ApiError> no_match() {
  return validation(std::string(key_schema_mismatch));
}

bool matches(const KeyAttribute& attribute, const model::Item& key) {
  const AttributeValue* value = key.find(attribute.name);
  return value && value->type() == attribute.type;
}

bool has_key(const TableSchema& schema, const model::Item& item) {
  return matches(schema.hash_key(), item) && (!schema.range_key() || matches(*schema.range_key(), item));
}

Answer<void> check_stored_attribute(const KeyAttribute& attribute, const model::Item& item) {
  const AttributeValue* value = item.find(attribute.name);
  if (!value) {
    return invalid("Missing the key " + attribute.name + " in the item");
  }
  if (value->type() == attribute.type) return {};
  return invalid("Type mismatch for key " + attribute.name +
                 " expected: " + std::string(model::type_name(attribute.type)) +
                 " actual: " + std::string(model::type_name(value->type())));
}

void append_number(std::string& out, const model::Number& number) {
  model::DigitBuffer buffer;
  const std::string_view digits = model::write_digits(number.coefficient(), buffer);
  store::append_decimal(out, {.negative = number.negative(),
                              .exponent = number.exponent() + static_cast<int>(digits.size()),
                              .digits = digits});
}

}  // namespace

Answer<void> check_key_fits(const TableSchema& schema, const model::Item& key) {
  return key.size() == schema.key_size() && has_key(schema, key) ? Answer<void>() : no_match();
}

Answer<void> check_key_values(const TableSchema& schema, const model::Item& item) {
  DINETTE_CHECK(check_value(schema.hash_key(), *item.find(schema.hash_key().name), KeyRole::partition));
  if (!schema.range_key()) return {};
  return check_value(*schema.range_key(), *item.find(schema.range_key()->name), KeyRole::sort);
}

Answer<void> check_key(const TableSchema& schema, const model::Item& key) {
  DINETTE_CHECK(check_key_fits(schema, key));
  return check_key_values(schema, key);
}

Answer<void> check_key_within(const TableSchema& schema, const model::Item& item) {
  if (!has_key(schema, item)) return no_match();
  return check_key_values(schema, item);
}

Answer<void> check_has_key(const TableSchema& schema, const model::Item& item) {
  DINETTE_CHECK(check_stored_attribute(schema.hash_key(), item));
  return schema.range_key() ? check_stored_attribute(*schema.range_key(), item) : Answer<void>();
}

Answer<void> check_key_of_item(const TableSchema& schema, const model::Item& item) {
  DINETTE_CHECK(check_has_key(schema, item));
  return check_key_values(schema, item);
}

void append_key_component(std::string& out, const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) store::append_bytes(out, *text);
  if (const auto* number = value.get_if<model::Number>()) append_number(out, *number);
  if (const auto* binary = value.get_if<model::Binary>()) store::append_bytes(out, binary->bytes);
}

std::string encode_partition(const AttributeValue& hash) {
  constexpr std::size_t usual_bytes = 78;  // of a key; also what fits a small block of memory
  const AttributeValue* const values[] = {&hash};
  std::string out;
  out.reserve(usual_bytes);
  store::append_partition_hash(out, partition_hash(values));
  append_key_component(out, hash);
  return out;
}

std::string encode_key(const TableSchema& schema, const model::Item& key) {
  std::string out = encode_partition(*key.find(schema.hash_key().name));
  if (schema.range_key()) append_key_component(out, *key.find(schema.range_key()->name));
  return out;
}

}  // namespace dinette::dynamodb
