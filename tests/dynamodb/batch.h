#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/one_item.h"
#include "support/tables.h"

/// Batches on tables with the hash key `pk` (S).
namespace test {

/// A key or item with `pk` alone.
Json with_pk(std::string_view pk);

/// `count` keys "1", "2", ...
Json numbered_keys(int count);

Json put_request(Json item);
Json delete_request(Json key);
/// `count` puts of the items "1", "2", ...
Json numbered_puts(int count);

/// A request of BatchGetItem or BatchWriteItem about these tables.
Json batch(Json request_items, const Json& wishes = Json::object());

/// The ARN of a table of the default caller.
std::string arn_of(std::string_view table);

}  // namespace test
