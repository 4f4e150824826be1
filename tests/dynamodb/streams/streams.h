#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/tables.h"

/// Tables with a stream, and what their streams say.
namespace test {

/// `{"StreamSpecification": ...}`; no view type: none is given.
Json stream_setting(bool enabled, std::string_view view_type = "");

/// A provisioned table `Music` with the hash key `pk` (S), whose stream has one shard.
Json with_stream(std::string_view view_type = "NEW_AND_OLD_IMAGES");

/// The ARN of the table's latest stream.
std::string stream_arn(DynamoDb& db, std::string_view table = "Music");

Json describe_stream(DynamoDb& db, const std::string& arn);
/// The stream's shards, from all pages of DescribeStream.
Json shards(DynamoDb& db, const std::string& arn);
/// The ids of the shards.
std::vector<std::string> shard_ids(DynamoDb& db, const std::string& arn);

/// The body of a GetShardIterator; no number: none is given.
Json iterator_request(const std::string& arn, const std::string& shard, std::string_view type,
                      std::string_view number = "");
std::string iterator(DynamoDb& db, const std::string& arn, const std::string& shard,
                     std::string_view type = "TRIM_HORIZON", std::string_view number = "");

/// The answer of a GetRecords.
Json page(DynamoDb& db, const std::string& shard_iterator, int limit = 1000);

/// All records of a stream, oldest first in each shard, parents before their children.
std::vector<Json> records(DynamoDb& db, const std::string& arn);
/// The same of the table `Music`, without what differs from run to run: `{"INSERT": {"Keys", ...}}`.
std::vector<Json> changes(DynamoDb& db);

/// Puts an item of `Music` whose attributes are `{"pk": {"S": pk}, ...}`; `attributes` is JSON without the
/// outer braces.
void put(DynamoDb& db, std::string_view pk, std::string_view attributes = "");
void remove(DynamoDb& db, std::string_view pk);

}  // namespace test
