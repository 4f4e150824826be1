#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/one_item.h"
#include "dynamodb/reads/reads.h"

/// Tests of PartiQL: statements on the table `the_table` and what they are answered.
namespace test {

/// In front of what the grammar refuses.
inline constexpr std::string_view not_well_formed = "Statement wasn't well formed, can't be processed: ";

/// The body of an ExecuteStatement; `members` is JSON without the outer braces.
std::string statement(std::string_view text, std::string_view members = "");

Reply execute(DynamoDb& db, std::string_view text, std::string_view members = "");

/// The same where the test needs success.
Json executed(DynamoDb& db, std::string_view text, std::string_view members = "");

/// The items of a SELECT that succeeds.
Json selected(DynamoDb& db, std::string_view text, std::string_view members = "");

/// Parameters as a member of a request; `values` is JSON without the outer brackets.
std::string parameters(std::string_view values);

/// The statement is refused with a ValidationException of exactly this message.
void check_refused_statement(DynamoDb& db, std::string_view text, std::string_view message,
                             std::string_view members = "");

struct RefusedStatement {
  std::string_view text;
  std::string message;
};
void check_refused_statements(DynamoDb& db, std::initializer_list<RefusedStatement> refusals);

/// `Statement wasn't well formed...` and then that.
std::string ill_formed(std::string_view problem);

/// The capacity of a statement, with all its arms.
Json capacity_of(DynamoDb& db, std::string_view text, std::string_view members = "");

/// A list of values.
template <class... Value>
Json listed(const Value&... value) {
  Json all = Json::array();
  (all.push_back(value), ...);
  return all;
}

/// All pages of a SELECT, followed by NextToken.
std::vector<Json> pages_of_statement(DynamoDb& db, std::string_view text, std::string_view members = "");

}  // namespace test
