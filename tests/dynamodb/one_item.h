#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "support/dynamodb.h"

/// Tests about one item: the item with `pk` "a" of the table `the_table`. Requests are written as the members
/// that matter; what they leave out is filled in, and their members are in the order written.
namespace test {

inline constexpr std::string_view the_table = "Tab";  // the service wants three characters

inline const Json key_a = {{"pk", {{"S", "a"}}}};

/// The body of a request about that item; of a Query or Scan only the table is filled in. `members` is JSON
/// without the outer braces; a null takes a member away.
std::string about_one_item(std::string_view operation, std::string_view members);

/// An expression as members of a request; `values` and `names` are JSON without the outer braces.
std::string expression(std::string_view kind, std::string_view text, std::string_view values = "",
                       std::string_view names = "");
std::string condition(std::string_view text, std::string_view values = "", std::string_view names = "");
std::string update(std::string_view text, std::string_view values = "", std::string_view names = "");
std::string projection(std::string_view text, std::string_view names = "");

Reply call_item(DynamoDb& db, std::string_view operation, std::string_view members = "");

/// The same where the test needs success.
Json ok_item(DynamoDb& db, std::string_view operation, std::string_view members = "");

/// Stores the item with these attributes next to its key; `attributes` is JSON without the outer braces.
void store_item(DynamoDb& db, std::string_view attributes);

/// The stored item's attributes next to its key; null when there is no item.
Json stored_attributes(DynamoDb& db);

/// A request that the service refuses with a ValidationException of exactly this message.
struct Refusal {
  std::string_view operation;
  std::string members;
  std::string message;
};

void check_refusal(DynamoDb& db, const Refusal& refusal);

void check_refusals(DynamoDb& db, std::initializer_list<Refusal> refusals);

/// The item's write was refused because its condition does not hold.
void check_condition_failed(const Reply& reply);

/// Returns true if the condition among `members` holds for what is stored, found out by an UpdateItem.
bool condition_holds(DynamoDb& db, std::string_view members);

}  // namespace test
