#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "dynamodb/api/key_schema_element.h"
#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

/// The names of key attributes, of one schema or several.
using KeyNames = std::set<std::string, std::less<>>;

void add_names(KeyNames& names, const std::vector<api::KeySchemaElement>& key_schema);

/// Returns `[a, b]`.
std::string listing(const KeyNames& names);

/// The key attributes of indexes are defined.
Answer<void> check_defined(const KeyNames& keys, const KeyNames& defined);

}  // namespace dinette::dynamodb
