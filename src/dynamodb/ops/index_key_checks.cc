#include "dynamodb/ops/index_key_checks.h"

#include <algorithm>

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb::ops {
namespace {

using model::AttributeValue;

base::Failure<ApiError> wrong_type(const IndexSchema& index, const KeyAttribute& key,
                                   const AttributeValue& value) {
  return invalid("Type mismatch for Index Key " + key.name +
                 " Expected: " + std::string(model::type_name(key.type)) +
                 " Actual: " + std::string(model::type_name(value.type())) + " IndexName: " + index.name);
}

/// "string" or "binary" for an empty value of that type, else nothing.
std::string_view empty_kind(const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) return text->empty() ? "string" : "";
  if (const auto* binary = value.get_if<model::Binary>()) return binary->bytes.empty() ? "binary" : "";
  return "";
}

base::Failure<ApiError> empty_value(const IndexSchema& index, const KeyAttribute& key, std::string_view kind,
                                    IndexKeyWrite write) {
  const std::string reason =
      "The AttributeValue for a key attribute cannot contain an empty " + std::string(kind) + " value.";
  if (write == IndexKeyWrite::update) {
    return validation(
        "One or more parameter values are not valid. The update expression attempted to update a "
        "secondary index key to a value that is not supported. " +
        reason);
  }
  return validation(
      "One or more parameter values are not valid. A value specified for a secondary index key is not "
      "supported. " +
      reason + " IndexName: " + index.name + ", IndexKey: " + key.name);
}

std::size_t length_of(const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) return text->size();
  if (const auto* binary = value.get_if<model::Binary>()) return binary->bytes.size();
  return 0;
}

Answer<void> check_index_key(const IndexSchema& index, const KeyAttribute& key, bool hash,
                             const AttributeValue& value, IndexKeyWrite write) {
  if (value.type() != key.type) return wrong_type(index, key, value);
  if (const std::string_view kind = empty_kind(value); !kind.empty())
    return empty_value(index, key, kind, write);
  const std::size_t limit = hash ? model::limits::partition_key_bytes : model::limits::sort_key_bytes;
  if (length_of(value) <= limit) return {};
  return invalid(std::string("Size of ") + (hash ? "hashkey" : "rangekey") +
                 " has exceeded the maximum size limit of" + std::to_string(limit) + " bytes");
}

}  // namespace

Answer<void> check_index_keys(const TableSchema& schema, const model::Item& item, IndexKeyWrite write,
                              const std::vector<std::string_view>* changed) {
  for (const IndexSchema& index : schema.indexes()) {
    for (const KeyAttribute& key : index.keys) {
      if (changed && std::ranges::find(*changed, key.name) == changed->end()) continue;
      const AttributeValue* value = item.find(key.name);
      if (!value) continue;
      DINETTE_CHECK(check_index_key(index, key, key.hash, *value, write));
    }
  }
  return {};
}

}  // namespace dinette::dynamodb::ops
