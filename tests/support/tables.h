#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "support/dynamodb.h"

/// What the tests of table operations say over and over: parts of CreateTable requests, and refusals.
namespace test {

Json key(std::string_view name, std::string_view role);

Json attribute(std::string_view name, std::string_view type);

Json units(int read, int write);

/// An on-demand table with the hash key `pk` (S).
Json on_demand(std::string_view name = "Music");

/// A provisioned table of 5 and 5 units with the hash key `pk` (S).
Json provisioned(std::string_view name = "Music");

/// An on-demand table with `pk` (S) and `sk` (S), and the attributes `a` and `b` (S) defined for indexes.
Json with_range(std::string_view name = "Music");

/// An index that projects everything.
Json index_on(std::string_view name, Json key_schema);

/// Projections of indexes.
Json keys_only();
Json including(std::initializer_list<std::string_view> attributes);

/// A secondary index as part of a CreateTable request.
struct NewIndex {
  std::string_view kind;  ///< the member of the request that lists it
  Json definition;
};

/// `hash` and `range` are attributes separated by spaces. Without `projection` it has all attributes.
NewIndex global_index(std::string_view name, std::string_view hash, std::string_view range = "",
                      const Json& projection = {});
/// An index of a table whose hash key is `pk`.
NewIndex local_index(std::string_view name, std::string_view range, const Json& projection = {});

/// An on-demand table with the hash key and perhaps the range key `key`, and `others` defined for indexes.
/// Attributes are separated by spaces, and are strings unless a type follows: "g n:N b:B".
Json table_request(std::string_view name, std::string_view key, std::string_view others,
                   const std::vector<NewIndex>& indexes = {});

/// The table that api-specs/README.md promises to the examples: Music, on demand, `Artist` (S, HASH) and
/// `Year` (N, RANGE), with two items and a stream.
void create_music(DynamoDb& db);

/// `request` with the members of `changes` put in; null takes one out.
Json with(Json request, const Json& changes);

/// The request is refused with this sentence.
void check_refused(DynamoDb& db, std::string_view operation, const Json& request, const std::string& message,
                   std::string_view error = "ValidationException");

/// The same where docs/service knows only the error's kind ("shape only"): a ValidationException that says
/// something.
void check_refused(DynamoDb& db, std::string_view operation, const Json& request);

Json describe(DynamoDb& db, std::string_view table = "Music");

}  // namespace test
