#pragma once

#include <span>
#include <string_view>

/// How the operations of a service that speaks REST-JSON are called: a method and a path name the operation.
/// Read-only tables of static storage, which scripts/gen_api.py generates from api-specs/.
namespace dinette::aws {

/// A member of the input that is in the query.
struct QueryMember {
  enum class Kind { text, number, texts };  ///< texts: a list, one parameter per element

  std::string_view parameter;  ///< its name in the query
  std::string_view name;
  Kind kind = Kind::text;
};

struct RestRoute {
  std::string_view method;
  /// Such as "/2015-03-31/things/{Name}", where any segment of a request becomes the member `Name` of the
  /// input. A request may have a slash after it.
  std::string_view path;
  std::span<const QueryMember> query = {};
  int status = 200;  ///< of a success
};

}  // namespace dinette::aws
