#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "cql/error.h"
#include "cql/grammar/ast.h"
#include "cql/schema/schema.h"

namespace dinette::cql::schema {

/// How deep frozen collections and user types may nest (docs/service-keyspaces/limits.md).
inline constexpr int most_frozen = 8;

/// Returns the type that a name means for columns, fields and casts in a keyspace
/// (docs/service-keyspaces/types.md sections 5 to 7), which has no more than most_parts_of_type.
Answer<Type> resolve_type(const Keyspace& keyspace, const grammar::TypeName& name);

/// How many types a type may consist of, itself included, and the types of the columns of a table together:
/// user types in user types would make them grow without end.
inline constexpr std::size_t most_parts_of_type = 10'000;
inline constexpr std::size_t most_parts_of_table = 100'000;

/// Returns how many types a type consists of. `changed`: a user type of which each part of that name is to
/// become; or null.
std::size_t count_parts(const Type& type, const UserType* changed = nullptr);
/// The same of all columns.
std::size_t count_parts(std::span<const Column> columns, const UserType* changed = nullptr);
/// Fails if a type, or a table, has too many.
Answer<void> check_parts(std::size_t parts, std::string_view of, std::size_t most);

/// Returns how many frozen types are inside one another at most.
int frozen_depth(const Type& type);

/// Returns true if a value of the type has one of the user type, at any depth.
bool contains_user_type(const Type& type, std::string_view user_type);

/// The same of a type that names it itself, and not by another user type.
bool names_user_type(const Type& type, std::string_view user_type);

/// Adds the names of all user types in a type.
void add_user_types(const Type& type, std::set<std::string>& names);

}  // namespace dinette::cql::schema
