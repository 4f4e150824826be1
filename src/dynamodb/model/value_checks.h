#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/model/number.h"

/// What the service refuses in values, with the sentences it says so in: without the envelope, which depends
/// on the operation (docs/service/README.md, "Families inside E").
namespace dinette::dynamodb::model {

/// In front of many a refusal's sentence.
inline constexpr std::string_view invalid_parameters = "One or more parameter values were invalid: ";

inline constexpr std::string_view nested_too_deep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
    "supported limit";
inline constexpr std::string_view no_datatype =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
inline constexpr std::string_view several_datatypes =
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported "
    "datatypes";
inline constexpr std::string_view update_too_large =
    "Item size to update has exceeded the maximum allowed size";
inline constexpr std::string_view empty_attribute_name = "Empty attribute name";
/// In every operation, so with its envelope (docs/service/names-limits.md section 1).
inline constexpr std::string_view attribute_name_too_large =
    "1 validation error detected: Attribute name is too large, must be less than 65536 bytes";

/// These after invalid_parameters.
inline constexpr std::string_view null_not_true = "Null attribute value types must have the value of true";
inline constexpr std::string_view empty_string_set = "An string set  may not be empty";
inline constexpr std::string_view empty_binary_set = "Binary sets should not be empty";

/// A result whose failure is the whole sentence for the client.
template <class T>
using Checked = base::Result<T, std::string>;

/// The number that `text` says.
Checked<Number> read_number(std::string_view text, Generation generation);

/// Sets of the members as they were sent: refused when there are none or two are equal
/// (docs/service/values.md section 3).
Checked<StringSet> make_string_set(std::vector<std::string>&& as_sent, Generation generation);
Checked<BinarySet> make_binary_set(std::vector<Binary>&& as_sent, Generation generation);
Checked<NumberSet> make_number_set(std::vector<Number>&& as_sent, Generation generation);
/// The first text that is not a number is refused before an equal pair.
Checked<NumberSet> read_number_set(const std::vector<std::string>& as_sent, Generation generation);

/// Checks `NULL` as sent; only true is allowed.
Checked<Null> make_null(bool as_sent);

/// Returns true if `value` has more than limits::nesting_levels levels, itself being the first.
bool nests_too_deep(const AttributeValue& value);
bool nests_too_deep(const Item& item);

enum class KeyRole : bool { partition, sort };

/// Checks the value of the key attribute `name`: not empty, and within the limit of its role. The type is the
/// schema's affair. These sentences have no envelope in any operation (docs/service/values.md sections 4 and
/// 6).
Checked<void> check_key_value(std::string_view name, const AttributeValue& value, KeyRole role);

}  // namespace dinette::dynamodb::model
