#include "dynamodb/indexes/index_key_checks.h"

#include <cstddef>
#include <string>
#include <utility>

#include "dynamodb/api/limits.h"

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

std::size_t length_of(const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) return text->size();
  if (const auto* binary = value.get_if<model::Binary>()) return binary->bytes.size();
  return 0;
}

std::size_t max_length(const KeyAttribute& key) {
  return key.hash ? model::limits::partition_key_bytes : model::limits::sort_key_bytes;
}

base::Failure<ApiError> too_long(const IndexSchema& index, const KeyAttribute& key,
                                 const AttributeValue& value) {
  return invalid("Size limit exceeded for Index Key " + key.name +
                 " Actual Size: " + std::to_string(length_of(value)) +
                 " bytes Max Size: " + std::to_string(max_length(key)) + " bytes IndexName: " + index.name);
}

/// Holds every key attribute of every index that `item` has to its type and lengths. Of several refusals that
/// of the first index by name counts. The operations word their own.
template <class WrongType, class Empty, class TooLong>
Answer<void> check_keys(const TableSchema& schema, const model::Item& item, WrongType wrong_type, Empty empty,
                        TooLong longer) {
  for (const IndexSchema& index : schema.indexes()) {
    if (index.vector) continue;  // vector_checks.h
    for (const KeyAttribute& key : index.keys) {
      const AttributeValue* value = item.find(key.name);
      if (!value) continue;
      if (value->type() != key.type) return wrong_type(index, key, *value);
      if (const std::string_view kind = empty_kind(*value); !kind.empty()) {
        return empty(index, key,
                     "The AttributeValue for a key attribute cannot contain an empty " + std::string(kind) +
                         " value.");
      }
      if (length_of(*value) > max_length(key)) return longer(index, key, *value);
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
  return check_keys(schema, item, mismatch, empty, too_long);
}

Answer<void> check_updated_index_keys(const TableSchema& schema, const model::Item& item,
                                      base::FunctionRef<bool(std::string_view)> is_of_request) {
  constexpr std::string_view attempted = "The update expression attempted to update the secondary index key ";
  const auto wrong_type = [&](const IndexSchema& index, const KeyAttribute& key,
                              const AttributeValue& value) {
    if (is_of_request(key.name)) return mismatch(index, key, value);
    return validation(std::string(attempted) + "to unsupported type");
  };
  const auto empty = [&](const IndexSchema&, const KeyAttribute& key, const std::string& reason) {
    base::Failure<ApiError> refused = validation(
        "One or more parameter values are not valid. The update expression attempted to update a secondary "
        "index key to a value that is not supported. " +
        reason);
    return is_of_request(key.name) ? of_request(std::move(refused)) : std::move(refused);
  };
  const auto longer = [&](const IndexSchema& index, const KeyAttribute& key, const AttributeValue& value) {
    if (is_of_request(key.name)) return too_long(index, key, value);
    return validation(std::string(attempted) + "beyond allowed size limits");
  };
  return check_keys(schema, item, wrong_type, empty, longer);
}

}  // namespace dinette::dynamodb
