#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dinette/definitions/node.h"

namespace dinette::app {

/// A member in which two tables differ.
struct Difference {
  std::string member;  ///< "GlobalSecondaryIndexes.by-bed.Projection"
  std::string left;    ///< its value, short; "none" if it is not there
  std::string right;
  bool needs_new_table = false;  ///< the service cannot change it in a table that exists
};

/// Returns in which members two tables of one name differ, given in their normal form; none if they are the
/// same.
std::vector<Difference> differences(const definitions::Node& left, const definitions::Node& right);

/// Returns "BillingMode: PROVISIONED in the table, PAY_PER_REQUEST in the file".
std::string text_of(const Difference& difference, std::string_view left_name, std::string_view right_name);

/// Returns why an update refuses a difference that needs a new table.
std::string needs_new_table(const Difference& difference);

/// Returns a value in few words: "pk HASH, sk RANGE" for a key schema.
std::string short_text(const definitions::Node* value);

/// Returns true if an attribute that both have has two types, and is in the key of the table or of a local
/// index.
bool has_fixed_type(std::string_view attribute, const definitions::Node& table);

/// Returns true if the key of an index has this attribute.
bool has_key_attribute(const definitions::Node& index, std::string_view attribute);

/// Returns the attributes that both tables define, with different types.
std::vector<std::string> retyped_attributes(const definitions::Node& left, const definitions::Node& right);

}  // namespace dinette::app
