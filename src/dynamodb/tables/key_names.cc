#include "dynamodb/tables/key_names.h"

#include <algorithm>

namespace dinette::dynamodb {

void add_names(KeyNames& names, const std::vector<api::KeySchemaElement>& key_schema) {
  for (const auto& element : key_schema) names.insert(element.attribute_name);
}

std::string listing(const KeyNames& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return "[" + text + "]";
}

Answer<void> check_defined(const KeyNames& keys, const KeyNames& defined) {
  if (std::ranges::includes(defined, keys)) return {};
  return invalid("Some index key attributes are not defined in AttributeDefinitions. Keys: " + listing(keys) +
                 ", AttributeDefinitions: " + listing(defined));
}

}  // namespace dinette::dynamodb
