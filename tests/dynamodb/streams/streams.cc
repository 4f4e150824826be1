#include "dynamodb/streams/streams.h"

#include <algorithm>

namespace test {

Json stream_setting(bool enabled, std::string_view view_type) {
  Json specification = {{"StreamEnabled", enabled}};
  if (!view_type.empty()) specification["StreamViewType"] = view_type;
  return {{"StreamSpecification", specification}};
}

Json with_stream(std::string_view view_type) {
  return with(provisioned(), stream_setting(true, view_type));
}

std::string stream_arn(DynamoDb& db, std::string_view table) {
  return describe(db, table).at("LatestStreamArn");
}

Json describe_stream(DynamoDb& db, const std::string& arn) {
  return db.ok("DescribeStream", {{"StreamArn", arn}}).at("StreamDescription");
}

Json shards(DynamoDb& db, const std::string& arn) {
  Json all = Json::array();
  Json request = {{"StreamArn", arn}};
  for (;;) {
    const Json page = db.ok("DescribeStream", request).at("StreamDescription");
    for (const Json& shard : page.at("Shards")) all.push_back(shard);
    if (!page.contains("LastEvaluatedShardId")) return all;
    request["ExclusiveStartShardId"] = page.at("LastEvaluatedShardId");
  }
}

std::vector<std::string> shard_ids(DynamoDb& db, const std::string& arn) {
  std::vector<std::string> ids;
  const Json listed = shards(db, arn);
  for (const Json& shard : listed) ids.push_back(shard.at("ShardId"));
  return ids;
}

Json iterator_request(const std::string& arn, const std::string& shard, std::string_view type,
                      std::string_view number) {
  Json request = {{"StreamArn", arn}, {"ShardId", shard}, {"ShardIteratorType", type}};
  if (!number.empty()) request["SequenceNumber"] = number;
  return request;
}

std::string iterator(DynamoDb& db, const std::string& arn, const std::string& shard, std::string_view type,
                     std::string_view number) {
  return db.ok("GetShardIterator", iterator_request(arn, shard, type, number)).at("ShardIterator");
}

Json page(DynamoDb& db, const std::string& shard_iterator, int limit) {
  return db.ok("GetRecords", {{"ShardIterator", shard_iterator}, {"Limit", limit}});
}

std::vector<Json> records(DynamoDb& db, const std::string& arn) {
  std::vector<Json> all;
  for (const std::string& shard : shard_ids(db, arn)) {
    std::string next = iterator(db, arn, shard);
    while (!next.empty()) {
      const Json answer = page(db, next);
      for (const Json& record : answer.at("Records")) all.push_back(record);
      next = answer.at("Records").empty() ? "" : answer.value("NextShardIterator", "");
    }
  }
  return all;
}

std::vector<Json> changes(DynamoDb& db) {
  std::vector<Json> all;
  for (const Json& record : records(db, stream_arn(db))) {
    Json content = record.at("dynamodb");
    for (const char* member :
         {"ApproximateCreationDateTime", "SequenceNumber", "SizeBytes", "StreamViewType"})
      content.erase(member);
    all.push_back({{record.at("eventName").get<std::string>(), content}});
  }
  return all;
}

void put(DynamoDb& db, std::string_view pk, std::string_view attributes) {
  Json item = Json::parse("{" + std::string(attributes) + "}");
  item["pk"] = {{"S", pk}};
  db.put("Music", item);
}

void remove(DynamoDb& db, std::string_view pk) {
  db.ok("DeleteItem", {{"TableName", "Music"}, {"Key", {{"pk", {{"S", pk}}}}}});
}

}  // namespace test
