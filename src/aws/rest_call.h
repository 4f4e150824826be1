#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/aws/rest_route.h"
#include "dinette/http/message.h"

namespace dinette::aws {

/// A request of REST-JSON. The members that are in its path and its query become part of its JSON, so that
/// everything else is as for AWS JSON.
class RestCall {
 public:
  /// Returns null if no route leads to the request. The routes must outlive the object.
  static std::unique_ptr<RestCall> of(const http::Request& request, std::span<const RestRoute> routes);

  /// The position of the route.
  std::size_t operation() const { return operation_; }
  /// Of a success.
  int status() const { return status_; }

  /// Returns the input: the object `body`, which may be empty, with the members of path and query, which
  /// count if the body has them, too. What is no JSON object stays none. A view of this object.
  std::string_view merge(std::string_view body);
  /// Returns it again; empty before.
  std::string_view input() const { return input_; }

 private:
  struct Member {
    std::string_view name;
    std::vector<std::string> values;
    QueryMember::Kind kind = QueryMember::Kind::text;
  };
  using Members = std::vector<Member>;

  RestCall(std::size_t operation, int status, Members members)
      : operation_(operation), status_(status), members_(std::move(members)) {}

  static bool take_labels(std::string_view path, std::string_view form, Members& out);
  static void take_query(std::string_view query, std::span<const QueryMember> members, Members& out);
  static void append(std::string& out, const Member& member);

  const std::size_t operation_;
  const int status_;
  const Members members_;
  std::string input_;
};

}  // namespace dinette::aws
