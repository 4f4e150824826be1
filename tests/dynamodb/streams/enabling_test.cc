#include <catch2/catch.hpp>

#include "dynamodb/streams/streams.h"

// docs/service/streams.md section 1.
namespace test::enabling_test {

using namespace std::chrono_literals;

namespace {

const Json music = {{"TableName", "Music"}};

Json enable(std::string_view view_type = "NEW_IMAGE") {
  return with(music, stream_setting(true, view_type));
}
const Json disable = with(music, stream_setting(false));

/// The members of a table's description that are about its stream.
Json stream_members(const Json& description) {
  Json members = Json::object();
  for (const char* name : {"StreamSpecification", "LatestStreamLabel", "LatestStreamArn"}) {
    if (description.contains(name)) members[name] = description.at(name);
  }
  return members;
}

Json members_of(std::string_view label, std::string_view view_type) {
  Json members = {{"LatestStreamLabel", label},
                  {"LatestStreamArn",
                   "arn:aws:dynamodb:us-east-1:000000000000:table/Music/stream/" + std::string(label)}};
  if (!view_type.empty()) members.update(stream_setting(true, view_type));
  return members;
}

constexpr auto delay = 5s;

struct SlowTables : DynamoDb {
  SlowTables() : DynamoDb(options()) {}
  static dinette::dynamodb::ServiceOptions options() {
    dinette::dynamodb::ServiceOptions options;
    options.state_delay = delay;
    return options;
  }
};

}  // namespace

TEST_CASE("a stream: CreateTable, DescribeTable and ListStreams show the same ARN and label") {
  DynamoDb db;
  const Json expected = members_of("2026-10-10T12:00:00.000", "KEYS_ONLY");
  CHECK(stream_members(db.ok("CreateTable", with_stream("KEYS_ONLY")).at("TableDescription")) == expected);
  CHECK(stream_members(describe(db)) == expected);
  CHECK(db.ok("ListStreams", Json::object()).at("Streams") ==
        Json::array({{{"StreamArn", expected.at("LatestStreamArn")},
                      {"TableName", "Music"},
                      {"StreamLabel", expected.at("LatestStreamLabel")}}}));
}

TEST_CASE("a stream: its label is the time of its creation with three digits after the point") {
  DynamoDb db;
  db.clock().set(dinette::base::TimePoint(1571767321576ms));
  db.ok("CreateTable", with_stream());
  CHECK(describe(db).at("LatestStreamLabel") == "2019-10-22T18:02:01.576");
  CHECK(describe_stream(db, stream_arn(db)).at("CreationRequestDateTime") == 1571767321.576);
  CHECK(describe(db).at("CreationDateTime") == 1571767321.576);
}

TEST_CASE("a stream that is not enabled leaves no members") {
  DynamoDb db;
  db.ok("CreateTable", with(provisioned(), stream_setting(false)));
  CHECK(stream_members(describe(db)) == Json::object());
  CHECK(db.ok("ListStreams", Json::object()).at("Streams") == Json::array());
}

TEST_CASE("a stream: enabled and disabled by UpdateTable, with a label of its own each time") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  db.clock().advance(1s);
  const Json first = members_of("2026-10-10T12:00:01.000", "NEW_IMAGE");
  CHECK(stream_members(db.ok("UpdateTable", enable()).at("TableDescription")) == first);
  CHECK(stream_members(describe(db)) == first);

  db.clock().advance(1s);
  const Json disabled = members_of("2026-10-10T12:00:01.000", "");
  CHECK(stream_members(db.ok("UpdateTable", disable).at("TableDescription")) == disabled);
  CHECK(stream_members(describe(db)) == disabled);

  const Json second = members_of("2026-10-10T12:00:02.000", "OLD_IMAGE");
  CHECK(stream_members(db.ok("UpdateTable", enable("OLD_IMAGE")).at("TableDescription")) == second);
  CHECK(db.ok("ListStreams", music).at("Streams").size() == 2);
}

TEST_CASE("a stream: two of one table in one millisecond have different labels") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  db.ok("UpdateTable", disable);
  CHECK(db.ok("UpdateTable", enable()).at("TableDescription").at("LatestStreamLabel") ==
        "2026-10-10T12:00:00.001");
  db.ok("DeleteTable", music);
  CHECK(db.ok("CreateTable", with_stream()).at("TableDescription").at("LatestStreamLabel") ==
        "2026-10-10T12:00:00.002");
}

TEST_CASE("a stream: one that is enabled cannot be enabled, nor one that is disabled be disabled") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  const std::string none = "Table has no stream to disable: TableName: Music";
  check_refused(db, "UpdateTable", disable, none);
  db.ok("UpdateTable", enable());
  db.ok("UpdateTable", disable);
  check_refused(db, "UpdateTable", disable, none);
  db.ok("UpdateTable", enable());
  for (const char* view_type : {"NEW_IMAGE", "OLD_IMAGE"}) {
    check_refused(db, "UpdateTable", enable(view_type),
                  "Table already has an enabled stream: TableName: Music");
  }
  CHECK(shard_ids(db, stream_arn(db)).size() == 1);
}

TEST_CASE("a stream: what its setting may not say") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const auto constraint = [](const char* sentence) {
    return std::string("1 validation error detected: ") + sentence;
  };
  check_refused(
      db, "UpdateTable", enable("Fisk"),
      constraint("Value 'Fisk' at 'streamSpecification.streamViewType' failed to satisfy constraint: "
                 "Member must satisfy enum value set: [OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, "
                 "NEW_IMAGE]"));
  check_refused(db, "UpdateTable", with(music, {{"StreamSpecification", Json::object()}}),
                constraint("Value null at 'streamSpecification.streamEnabled' failed to satisfy constraint: "
                           "Member must not be null"));
  // Before the state of the stream, which is enabled, is looked at.
  check_refused(db, "UpdateTable", with(music, stream_setting(true)),
                invalid("If stream is being enabled then UpdateViewType is required"));
  check_refused(db, "UpdateTable", with(music, stream_setting(false, "NEW_IMAGE")),
                invalid("If stream is being disabled, then UpdateViewType must not be specified"));
}

TEST_CASE("a stream: changes that do not go together with it") {
  DynamoDb db;
  db.ok("CreateTable", provisioned());
  const std::string iops = invalid("You cannot modify stream status while updating table IOPS");
  check_refused(db, "UpdateTable", with(enable(), {{"ProvisionedThroughput", units(7, 7)}}), iops);
  check_refused(db, "UpdateTable",
                with(enable(), {{"BillingMode", "PROVISIONED"}, {"ProvisionedThroughput", units(7, 7)}}),
                iops);
  const Json dropped = Json::array({{{"Delete", {{"IndexName", "byA"}}}}});
  check_refused(db, "UpdateTable", with(enable(), {{"GlobalSecondaryIndexUpdates", dropped}}),
                invalid("You cannot create or delete index while changing stream status"));
  check_refused(
      db, "UpdateTable",
      with(enable(), {{"OnDemandThroughput", {{"MaxReadRequestUnits", 5}, {"MaxWriteRequestUnits", 5}}}}),
      invalid("OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"));
  check_refused(db, "UpdateTable", with(enable(), {{"DeletionProtectionEnabled", true}}),
                invalid("DeletionProtection modification must be the only operation in the request"));
  CHECK(stream_members(describe(db)) == Json::object());

  db.ok("UpdateTable", with(enable(), {{"BillingMode", "PAY_PER_REQUEST"}}));
  CHECK(describe(db).at("StreamSpecification").at("StreamEnabled") == true);
  CHECK(describe(db).at("BillingModeSummary").at("BillingMode") == "PAY_PER_REQUEST");
}

TEST_CASE("a stream: other changes of the table leave its ARN alone") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  const Json before = stream_members(describe(db));
  db.clock().advance(1s);
  const Json changed = db.ok("UpdateTable", with(music, {{"BillingMode", "PAY_PER_REQUEST"}}));
  CHECK(stream_members(changed.at("TableDescription")) == before);
  db.ok("TagResource", {{"ResourceArn", describe(db).at("TableArn")},
                        {"Tags", Json::array({{{"Key", "a"}, {"Value", "b"}}})}});
  CHECK(stream_members(describe(db)) == before);
}

TEST_CASE("a stream of a provisioned table starts with one shard, that of an on-demand table with four") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  CHECK(shard_ids(db, stream_arn(db)).size() == 1);
  db.ok("CreateTable", with(on_demand("Films"), stream_setting(true, "KEYS_ONLY")));
  CHECK(shard_ids(db, stream_arn(db, "Films")).size() == 4);
  db.ok("UpdateTable", with({{"TableName", "Films"}}, stream_setting(false)));
  db.ok("UpdateTable", with({{"TableName", "Films"}}, stream_setting(true, "KEYS_ONLY")));
  CHECK(shard_ids(db, stream_arn(db, "Films")).size() == 4);
}

TEST_CASE("a stream that lasts: ENABLING and DISABLING while the table is UPDATING") {
  SlowTables db;
  db.ok("CreateTable", provisioned());
  db.clock().advance(delay);
  const Json answer = db.ok("UpdateTable", enable());
  CHECK(answer.at("TableDescription").at("TableStatus") == "UPDATING");
  const std::string arn = stream_arn(db);
  CHECK(describe_stream(db, arn).at("StreamStatus") == "ENABLING");
  CHECK(shard_ids(db, arn).size() == 1);

  const std::string in_use = "Attempt to change a resource which is still in use: ";
  const std::string which = "Table: Music Stream: 2026-10-10T12:00:05.000 Operation: ENABLE";
  check_refused(db, "UpdateTable", disable,
                in_use + "A stream status change is currently in progress. " + which,
                "ResourceInUseException");
  check_refused(db, "UpdateTable", with(music, {{"ProvisionedThroughput", units(7, 7)}}),
                in_use + "Can't change table IOPS when stream status is being updated. " + which,
                "ResourceInUseException");
  check_refused(db, "UpdateTable", with(music, {{"TableClass", "STANDARD_INFREQUENT_ACCESS"}}),
                in_use + "Can't update table class when stream status is being updated. Table: Music",
                "ResourceInUseException");
  check_refused(db, "DeleteTable", music,
                in_use + "Cannot delete table while stream is being enabled/disabled.",
                "ResourceInUseException");
  // Taken in that time.
  db.ok("UpdateTable", with(music, {{"DeletionProtectionEnabled", false}}));

  put(db, "a");
  CHECK(records(db, arn).size() == 1);

  db.clock().advance(delay);
  CHECK(describe_stream(db, arn).at("StreamStatus") == "ENABLED");
  CHECK(describe(db).at("TableStatus") == "ACTIVE");
  const Json disabled = db.ok("UpdateTable", disable).at("TableDescription");
  CHECK(disabled.at("TableStatus") == "UPDATING");
  CHECK(stream_members(disabled) == members_of("2026-10-10T12:00:05.000", ""));
  CHECK(describe_stream(db, arn).at("StreamStatus") == "DISABLING");
  check_refused(db, "DeleteTable", music,
                in_use + "Cannot delete table while stream is being enabled/disabled.",
                "ResourceInUseException");
  db.clock().advance(delay);
  CHECK(describe_stream(db, arn).at("StreamStatus") == "DISABLED");
}

// docs/service/tables.md section 8.
TEST_CASE("a stream that lasts: indexes and on-demand ceilings do not change meanwhile") {
  SlowTables db;
  db.ok("CreateTable", on_demand());
  db.clock().advance(delay);
  db.ok("UpdateTable", enable());
  const std::string in_use = "Attempt to change a resource which is still in use: ";
  const Json create_index = {{"Create",
                              {{"IndexName", "byPk"},
                               {"KeySchema", Json::array({key("pk", "HASH")})},
                               {"Projection", {{"ProjectionType", "ALL"}}}}}};
  check_refused(db, "UpdateTable",
                with(music, {{"GlobalSecondaryIndexUpdates", Json::array({create_index})}}),
                in_use +
                    "Can't create or delete an index when stream status is being updated. Table: Music "
                    "Stream: 2026-10-10T12:00:05.000 Operation: ENABLE",
                "ResourceInUseException");
  check_refused(db, "UpdateTable", with(music, {{"OnDemandThroughput", {{"MaxReadRequestUnits", 10}}}}),
                in_use + "OnDemandThroughput cannot be updated while stream status update is in progress",
                "ResourceInUseException");
}

TEST_CASE("a stream of a table that is being created is shown, and there") {
  SlowTables db;
  db.ok("CreateTable", with_stream("KEYS_ONLY"));
  CHECK(describe(db).at("TableStatus") == "CREATING");
  CHECK(stream_members(describe(db)) == members_of("2026-10-10T12:00:00.000", "KEYS_ONLY"));
  CHECK(describe_stream(db, stream_arn(db)).at("CreationRequestDateTime") == 1791633600.0);
  CHECK(shard_ids(db, stream_arn(db)).size() == 1);
}

TEST_CASE("a stream cannot be changed while throughput or the table's class is") {
  SlowTables db;
  db.ok("CreateTable", provisioned());
  db.clock().advance(delay);
  const std::string in_use = "Attempt to change a resource which is still in use: ";
  db.ok("UpdateTable", with(music, {{"ProvisionedThroughput", units(7, 7)}}));
  check_refused(db, "UpdateTable", enable(),
                in_use + "Can't enable or disable stream while table IOPS are being updated. Table: Music",
                "ResourceInUseException");
  db.clock().advance(delay);
  db.ok("UpdateTable", with(music, {{"TableClass", "STANDARD_INFREQUENT_ACCESS"}}));
  check_refused(db, "UpdateTable", enable(),
                in_use +
                    "Can't change stream status when a table class update is in progress. Table: Music "
                    "TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS",
                "ResourceInUseException");
}

TEST_CASE("a stream outlives its table: DISABLED, with all shards closed, for 24 hours") {
  SlowTables db;
  db.ok("CreateTable", with_stream());
  db.clock().advance(delay);
  put(db, "a");
  const std::string arn = stream_arn(db);
  const std::string before = iterator(db, arn, shard_ids(db, arn).front());
  const Json deleted = db.ok("DeleteTable", music).at("TableDescription");
  CHECK(deleted.at("LatestStreamArn") == arn);
  CHECK(deleted.contains("StreamSpecification"));
  CHECK(describe_stream(db, arn).at("StreamStatus") == "DISABLING");
  db.clock().advance(delay);
  db.jobs().run_due();
  check_refused(db, "DescribeTable", music, "Requested resource not found: Table: Music not found",
                "ResourceNotFoundException");

  const Json description = describe_stream(db, arn);
  CHECK(description.at("StreamStatus") == "DISABLED");
  CHECK(description.at("TableName") == "Music");
  CHECK(description.at("Shards").at(0).at("SequenceNumberRange").contains("EndingSequenceNumber"));
  // Iterators from before stay good, and the page with the last record is the last one.
  const Json last = page(db, before);
  CHECK(last.at("Records").size() == 1);
  CHECK_FALSE(last.contains("NextShardIterator"));

  // Also when a new table has that name.
  db.ok("CreateTable", with_stream());
  CHECK(describe_stream(db, arn).at("StreamStatus") == "DISABLED");
  CHECK(db.ok("ListStreams", {{"TableName", "Music"}}).at("Streams").size() == 2);

  db.clock().advance(23h);
  db.jobs().run_due();
  CHECK(records(db, arn).size() == 1);
  db.clock().advance(1h);
  db.jobs().run_due();
  check_refused(db, "DescribeStream", {{"StreamArn", arn}},
                "Requested resource not found: Stream: " + arn + " not found", "ResourceNotFoundException");
  CHECK(db.ok("ListStreams", {{"TableName", "Music"}}).at("Streams").size() == 1);
}

TEST_CASE("a stream that is off gets no record, and the new one starts empty with higher numbers") {
  DynamoDb db;
  db.ok("CreateTable", with_stream());
  put(db, "a");
  const std::string old_arn = stream_arn(db);
  db.ok("UpdateTable", disable);
  put(db, "b");
  db.ok("UpdateTable", enable("KEYS_ONLY"));
  CHECK(changes(db).empty());
  put(db, "c");
  CHECK(changes(db) == std::vector<Json>{{{"INSERT", {{"Keys", {{"pk", {{"S", "c"}}}}}}}}});
  CHECK(records(db, old_arn).size() == 1);

  const auto number = [](const Json& shard, const char* member) {
    return shard.at("SequenceNumberRange").at(member).get<std::string>();
  };
  const std::string old_end = number(shards(db, old_arn).at(0), "EndingSequenceNumber");
  const std::string new_start = number(shards(db, stream_arn(db)).at(0), "StartingSequenceNumber");
  CHECK((new_start.size() > old_end.size() || new_start > old_end));
}

TEST_CASE("a stream that is disabled: closed at its last records, and readable for 24 hours") {
  DynamoDb db;
  db.ok("CreateTable", with(on_demand(), stream_setting(true, "NEW_IMAGE")));
  const std::string arn = stream_arn(db);
  for (const char* pk : {"a", "b"}) put(db, pk);
  const std::vector<std::string> ids = shard_ids(db, arn);
  std::vector<std::string> iterators;
  for (const std::string& id : ids) iterators.push_back(iterator(db, arn, id));
  db.ok("UpdateTable", disable);
  CHECK(describe_stream(db, arn).at("StreamStatus") == "DISABLED");
  const Json closed = shards(db, arn);
  REQUIRE(closed.size() == 4);
  std::size_t found = 0;
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const Json last = page(db, iterators[i]);
    CHECK_FALSE(last.contains("NextShardIterator"));
    const Json& range = closed[i].at("SequenceNumberRange");
    CHECK(range.at("EndingSequenceNumber") ==
          (last.at("Records").empty() ? range.at("StartingSequenceNumber")
                                      : last.at("Records").back().at("dynamodb").at("SequenceNumber")));
    found += last.at("Records").size();
  }
  CHECK(found == 2);

  db.clock().advance(24h - 5min);
  db.jobs().run_due();
  CHECK(records(db, arn).size() == 2);
  const Json late = {{"ShardIterator", iterator(db, arn, ids.front())}};
  db.clock().advance(5min);
  db.jobs().run_due();
  const std::string gone = "Requested resource not found: Stream: " + arn + " not found";
  check_refused(db, "DescribeStream", {{"StreamArn", arn}}, gone, "ResourceNotFoundException");
  check_refused(db, "GetShardIterator", iterator_request(arn, ids.front(), "LATEST"), gone,
                "ResourceNotFoundException");
  check_refused(db, "GetRecords", late, gone, "ResourceNotFoundException");
  CHECK(db.ok("ListStreams", music).at("Streams").empty());
  CHECK(describe(db).at("LatestStreamArn") == arn);
}

}  // namespace test::enabling_test
