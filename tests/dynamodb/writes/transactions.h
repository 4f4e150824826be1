#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "support/dynamodb.h"

/// Requests with transactions, and what comes of them.
namespace test {

/// `{"pk": {"S": pk}}`.
Json key_of(std::string_view pk);

/// `{"TransactItems": [...]}`; each action is JSON text such as `{"Put": {...}}`.
Json transaction(std::initializer_list<std::string_view> actions);

/// A cancellation, as its message and each reason in short: `None`, `Code: Message`, with ` + item` if the
/// reason has an item. For another answer its status and body.
std::string cancellation(const Reply& reply);
/// The same, made of reasons in short.
std::string cancelled(std::initializer_list<std::string_view> reasons);

inline constexpr std::string_view condition_failed_reason =
    "ConditionalCheckFailed: The conditional request failed";

}  // namespace test
