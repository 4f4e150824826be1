#include "dynamodb/indexes/index_key_checks.h"

#include <algorithm>

#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb {
namespace {

using model::AttributeValue;

base::Failure<ApiError> mismatch(const IndexSchema& index, const KeyAttribute& key,
                                 const AttributeValue& value) {
  return invalid("Type mismatch for Index Key " + key.name +
                 " Expected: " + std::string(model::type_name(key.type)) +
                 " Actual: " + std::string(model::type_name(value.type())) + " IndexName: " + index.name);
}

/// Returns "string" or "binary" for an empty value of that type, else nothing.
std::string_view empty_kind(const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) return text->empty() ? "string" : "";
  if (const auto* binary = value.get_if<model::Binary>()) return binary->bytes.empty() ? "binary" : "";
  return "";
}

model::Checked<void> check_length(const KeyAttribute& key, const AttributeValue& value) {
  std::size_t length = 0;
  if (const auto* text = value.get_if<std::string>()) length = text->size();
  if (const auto* binary = value.get_if<model::Binary>()) length = binary->bytes.size();
  return model::check_key_length(length, key.hash ? model::KeyRole::partition : model::KeyRole::sort);
}

/// Holds every key attribute of every index that `item` has, or of these only the `changed` ones, to its type
/// and lengths. The operations word their own refusals.
template <class WrongType, class Empty, class TooLong>
Answer<void> check_keys(const TableSchema& schema, const model::Item& item,
                        const std::vector<std::string_view>* changed, WrongType wrong_type, Empty empty,
                        TooLong too_long) {
  for (const IndexSchema& index : schema.indexes()) {
    for (const KeyAttribute& key : index.keys) {
      if (changed && std::ranges::find(*changed, key.name) == changed->end()) continue;
      const AttributeValue* value = item.find(key.name);
      if (!value) continue;
      if (value->type() != key.type) return wrong_type(index, key, *value);
      if (const std::string_view kind = empty_kind(*value); !kind.empty()) {
        return empty(index, key,
                     "The AttributeValue for a key attribute cannot contain an empty " + std::string(kind) +
                         " value.");
      }
      if (auto checked = check_length(key, *value); !checked) return too_long(std::move(checked).error());
    }
  }
  return {};
}

}  // namespace

Answer<void> check_index_keys(const TableSchema& schema, const model::Item& item) {
  const auto empty = [](const IndexSchema& index, const KeyAttribute& key, const std::string& reason) {
    return of_request(validation(
        "One or more parameter values are not valid. A value specified for a secondary index key is not "
        "supported. " +
        reason + " IndexName: " + index.name + ", IndexKey: " + key.name));
  };
  const auto too_long = [](std::string reason) { return validation(std::move(reason)); };
  return check_keys(schema, item, nullptr, mismatch, empty, too_long);
}

Answer<void> check_updated_index_keys(const TableSchema& schema, const model::Item& item,
                                      const std::vector<std::string_view>* changed,
                                      base::FunctionRef<bool(std::string_view)> taken_from_item) {
  const auto wrong_type = [&](const IndexSchema& index, const KeyAttribute& key,
                              const AttributeValue& value) {
    if (!taken_from_item(key.name)) return mismatch(index, key, value);
    return validation(
        "The update expression attempted to update the secondary index key to unsupported type");
  };
  const auto empty = [](const IndexSchema&, const KeyAttribute&, const std::string& reason) {
    return of_request(validation(
        "One or more parameter values are not valid. The update expression attempted to update a secondary "
        "index key to a value that is not supported. " +
        reason));
  };
  // The API's model knows this sentence (docs/service/transactions.md section 5).
  const auto too_long = [](const std::string&) {
    return validation(
        "The update expression attempted to update the secondary index key beyond allowed size limits");
  };
  return check_keys(schema, item, changed, wrong_type, empty, too_long);
}

}  // namespace dinette::dynamodb
