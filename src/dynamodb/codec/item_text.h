#pragma once

#include <string>
#include <string_view>

#include "dinette/aws/json_writer.h"

#include "dynamodb/codec/inputs.h"
#include "dynamodb/model/attribute_value.h"

namespace dinette::dynamodb::codec {

/// Appends the canonical wire text of a value, item or, `"name":value`, attribute: typed JSON without spaces,
/// names and set members ascending, numbers as the service prints them. Equal items have equal texts.
void append_value(std::string& out, const model::AttributeValue& value);
void append_attribute(std::string& out, std::string_view name, const model::AttributeValue& value);
void append_item(std::string& out, const model::Item& item);

/// Writes the values by their placeholders, as a request may have them. They are without problem.
void write_values(aws::JsonWriter& json, const ValuesInput& values);

ItemText to_text(const model::Item& item);
/// The text that a record has already.
ItemText copy_of(std::string_view text);

}  // namespace dinette::dynamodb::codec
