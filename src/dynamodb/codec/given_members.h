#pragma once

#include <string_view>

#include <boost/container/small_vector.hpp>

namespace dinette::dynamodb::codec {

/// Names of members that a request has, in the order of messages.
using GivenMembers = boost::container::small_vector<std::string_view, 4>;

/// Members of the two families that exclude each other (docs/service/legacy-api.md section 1).
struct FamilyMembers {
  GivenMembers legacy;
  GivenMembers expressions;
};

}  // namespace dinette::dynamodb::codec
