#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/definitions/definitions.h"

#include "member_kinds.h"

namespace dinette::definitions {

/// Converts the scalars of an operation's input to the JSON types that its members have: "5" to a number
/// where a member is an integer; "true", "yes" and "on" in any case to a boolean; 5 to a text where a name or
/// the value of a tag is one. Removes members that are null. Members that Dinette does not know are left as
/// they are. What cannot be converted is an error that names the member, at its place:
/// `table "Orders", ProvisionedThroughput.ReadCapacityUnits: "many" is no integer`.
/// Returns false if there was one; it is then in `to.errors`.
bool convert_members(Node& input, std::string_view table, Definitions& to);

/// Converts one scalar as convert_members does. Returns nothing if `value` is no such scalar.
std::optional<Node> as_integer(const Node& value);
std::optional<Node> as_boolean(const Node& value);
std::optional<Node> as_text(const Node& value);

/// Returns the value as a member of that type; nothing if it has no such form.
std::optional<Node> as_kind(const Node& value, MemberKind kind);

/// Returns `"many" is no integer`, of a value that as_kind() does not convert.
std::string not_of_kind(const Node& value, MemberKind kind);

/// Converts the members of `table.create` and of the follow-ups, and checks what every format has to fulfil
/// before a table can be created: a name, a KeySchema, AttributeDefinitions. Drops empty lists, which the
/// service refuses (NonKeyAttributes). Takes the name from `create` if `table.name` is empty, otherwise sets
/// it there; an empty id becomes the name. Adds the table to `to.tables`, or its error to `to.errors`. A
/// table of that name that is there already is an error.
void add_table(TableDefinition table, Definitions& to);

}  // namespace dinette::definitions
