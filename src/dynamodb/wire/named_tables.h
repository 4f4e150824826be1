#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "dinette/aws/json.h"

namespace dinette::dynamodb::wire {

/// Gets a table, and the key or the attributes of an item in it if the request names one.
using VisitNamed = std::function<void(std::string_view table, std::optional<aws::JsonObject> item)>;

/// Calls `visit` for the tables that a request names, by name or ARN or as what the ARN of a stream, a
/// backup, an export or an import is of: as a member of its own, or in its list of keys, writes or actions,
/// and for each item that it names there. Not for PartiQL statements. The names are views of the request.
void visit_named(aws::JsonObject request, const VisitNamed& visit);

/// Returns these tables; some perhaps twice.
std::vector<std::string_view> named_tables(aws::JsonObject request);

}  // namespace dinette::dynamodb::wire
