#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dinette/aws/json.h"

namespace dinette::dynamodb::wire {

/// A member of requests that names something, or in which a member does.
struct NamingMember {
  enum class Names : std::uint8_t {
    nothing,    ///< itself
    table,      ///< by name or ARN, or by the ARN of something that belongs to it
    item,       ///< by key, or whole; or several of them
    statement,  ///< of PartiQL
    tables,     ///< by the keys of a map
  };
  std::string_view name;
  Names names;
  std::span<const NamingMember> inside = {};  ///< also of its elements and values
};
using NamingMembers = std::span<const NamingMember>;

/// Gets a table, and the key or the attributes of an item in it if the request names one.
using VisitTable = std::function<void(std::string_view table, std::optional<aws::JsonObject> item)>;
using VisitStatement = std::function<void(std::string_view statement)>;

/// Calls the functions for the tables, items and statements that a request names in its `members`, in the
/// order of the request. It may be malformed. All names are views of it.
void visit_named(NamingMembers members, aws::JsonObject request, const VisitTable& visit_table,
                 const VisitStatement& visit_statement);

/// Returns the tables, but not those of statements; some perhaps twice.
std::vector<std::string_view> named_tables(NamingMembers members, aws::JsonObject request);

}  // namespace dinette::dynamodb::wire
