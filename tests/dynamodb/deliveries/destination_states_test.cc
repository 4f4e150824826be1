#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/deliveries/destinations.h"

// docs/service/kinesis.md sections 1 and 2.
namespace test::destination_states_test {

using namespace std::chrono_literals;

namespace {

constexpr auto delay = 2s;
const Json music = {{"TableName", "Music"}};
const std::string changes = kinesis_arn("changes");
const std::string other = kinesis_arn("other");

const std::string invalid_state = "Table is not in a valid state to enable Kinesis Streaming Destination: ";
const std::string not_to_enable =
    invalid_state +
    "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.";
const std::string not_to_disable =
    invalid_state + "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.";

dinette::dynamodb::ServiceOptions slow() {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = delay;
  return options;
}

Json state(const std::string& arn, std::string_view status) {
  return {{"StreamArn", arn}, {"DestinationStatus", status}};
}

Json failed(const std::string& arn, std::string_view description) {
  return with(state(arn, "ENABLE_FAILED"), {{"DestinationStatusDescription", description}});
}

std::string not_to_update(const std::string& arn) {
  return invalid_state +
         "Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: "
         "Music, kdsArn: " +
         arn;
}

Json update(const std::string& arn, std::string_view precision = "MICROSECOND") {
  return with_precision(arn, precision, "UpdateKinesisStreamingConfiguration");
}

/// Moves the clock, and runs what is due then.
void pass_time(DynamoDb& db, std::chrono::microseconds time) {
  db.clock().advance(time);
  db.jobs().run_due();
}

/// A table `Music`, ACTIVE.
struct WithTable : Destinations {
  explicit WithTable(dinette::dynamodb::ServiceOptions options = {}) : Destinations(std::move(options)) {
    db.ok("CreateTable", on_demand());
    pass_time(db, delay);
  }
};

}  // namespace

TEST_CASE("a table without destinations has none") {
  WithTable t;
  CHECK(t.db.ok("DescribeKinesisStreamingDestination", music) ==
        with(music, {{"KinesisDataStreamDestinations", Json::array()}}));
}

TEST_CASE("a destination is ENABLING until its time is over, then ACTIVE") {
  WithTable t(slow());
  t.streams.add(changes);
  CHECK(t.db.ok("EnableKinesisStreamingDestination", destination(changes)) ==
        with(destination(changes),
             {{"DestinationStatus", "ENABLING"}, {"EnableKinesisStreamingConfiguration", Json::object()}}));
  CHECK(t.described() == Json::array({state(changes, "ENABLING")}));
  pass_time(t.db, delay - 1ms);
  CHECK(t.described() == Json::array({state(changes, "ENABLING")}));
  pass_time(t.db, 1ms);
  t.wait_for("ACTIVE");
  CHECK(t.described() == Json::array({state(changes, "ACTIVE")}));
}

TEST_CASE("a precision is answered and described if it was given") {
  WithTable t;
  t.streams.add(changes);
  const Json answer = t.db.ok("EnableKinesisStreamingDestination", with_precision(changes, "MILLISECOND"));
  CHECK(answer.at("EnableKinesisStreamingConfiguration") ==
        Json{{"ApproximateCreationDateTimePrecision", "MILLISECOND"}});
  t.wait_for("ACTIVE");
  CHECK(t.described() == Json::array({with(state(changes, "ACTIVE"),
                                           {{"ApproximateCreationDateTimePrecision", "MILLISECOND"}})}));
}

TEST_CASE("an ARN names the table, and answers have its name") {
  WithTable t;
  t.streams.add(changes);
  const std::string arn = describe(t.db).at("TableArn");
  CHECK(t.db.ok("EnableKinesisStreamingDestination", destination(changes, arn)).at("TableName") == "Music");
  t.wait_for("ACTIVE");
  CHECK(t.described(arn) == Json::array({state(changes, "ACTIVE")}));
}

TEST_CASE("DescribeTable shows nothing of a destination") {
  WithTable t;
  const Json before = describe(t.db);
  t.enable(changes);
  CHECK(describe(t.db) == before);
}

TEST_CASE("a destination is DISABLING until its time is over, then stays as DISABLED") {
  WithTable t(slow());
  t.streams.add(changes);
  t.db.ok("EnableKinesisStreamingDestination", destination(changes));
  pass_time(t.db, delay);
  t.wait_for("ACTIVE");
  CHECK(t.db.ok("DisableKinesisStreamingDestination", destination(changes)) ==
        with(destination(changes), {{"DestinationStatus", "DISABLING"}}));
  pass_time(t.db, delay / 2);
  CHECK(t.described() == Json::array({state(changes, "DISABLING")}));
  SECTION("a second Disable succeeds, and does not begin again") {
    CHECK(t.db.ok("DisableKinesisStreamingDestination", destination(changes)).at("DestinationStatus") ==
          "DISABLING");
  }
  pass_time(t.db, delay / 2);
  t.wait_for("DISABLED");
  CHECK(t.described() == Json::array({state(changes, "DISABLED")}));
  check_refused(t.db, "DisableKinesisStreamingDestination", destination(changes), not_to_disable);
}

TEST_CASE("an update lasts until its time is over, also if the stream is gone") {
  WithTable t(slow());
  t.streams.add(changes);
  t.db.ok("EnableKinesisStreamingDestination", destination(changes));
  pass_time(t.db, delay);
  t.wait_for("ACTIVE");
  t.streams.remove(changes);
  const Json precision = {{"ApproximateCreationDateTimePrecision", "MICROSECOND"}};
  CHECK(t.db.ok("UpdateKinesisStreamingDestination", update(changes)) ==
        with(update(changes), {{"DestinationStatus", "UPDATING"}}));
  CHECK(t.described() == Json::array({with(state(changes, "UPDATING"), precision)}));
  check_refused(t.db, "UpdateKinesisStreamingDestination", update(changes, "MILLISECOND"),
                not_to_update(changes));
  check_refused(t.db, "DisableKinesisStreamingDestination", destination(changes), not_to_disable);
  check_refused(t.db, "EnableKinesisStreamingDestination", destination(other), not_to_enable);
  pass_time(t.db, delay);
  CHECK(t.described() == Json::array({with(state(changes, "ACTIVE"), precision)}));
}

TEST_CASE("a table has one live destination, and any number of others, the newest first") {
  WithTable t;
  t.enable(changes);
  for (const std::string& arn : {changes, other})
    check_refused(t.db, "EnableKinesisStreamingDestination", destination(arn), not_to_enable);
  t.disable(changes);
  t.enable(other);
  CHECK(t.described() == Json::array({state(other, "ACTIVE"), state(changes, "DISABLED")}));
  check_refused(t.db, "EnableKinesisStreamingDestination", destination(changes), not_to_enable);
  t.disable(other);
  const std::string none = kinesis_arn("none");
  t.db.ok("EnableKinesisStreamingDestination", destination(none));
  t.wait_for("ENABLE_FAILED");
  CHECK(t.described().size() == 3);
}

TEST_CASE("a destination that has failed, or was disabled, is enabled again in its place") {
  WithTable t;
  t.db.ok("EnableKinesisStreamingDestination", with_precision(changes, "MICROSECOND"));
  t.wait_for("ENABLE_FAILED");
  t.enable(other);
  t.disable(other);
  t.streams.add(changes);
  t.db.ok("EnableKinesisStreamingDestination", destination(changes));
  wait_until([&] { return t.described().at(1).at("DestinationStatus") == "ACTIVE"; });
  CHECK(t.described() == Json::array({state(other, "DISABLED"), state(changes, "ACTIVE")}));
}

TEST_CASE("a table remembers fifty destinations") {
  WithTable t;
  for (int i = 0; i < 51; ++i) {
    t.db.ok("EnableKinesisStreamingDestination", destination(kinesis_arn("none" + std::to_string(i))));
    t.wait_for("ENABLE_FAILED");
  }
  const Json described = t.described();
  CHECK(described.size() == 50);
  CHECK(described.front().at("StreamArn") == kinesis_arn("none50"));
  CHECK(described.back().at("StreamArn") == kinesis_arn("none1"));
}

TEST_CASE("an ARN that is no stream of the table's account and region fails later") {
  const std::string no_permission = "User does not have a permission to use kinesis stream";
  const std::string belongs =
      "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {kinesis_arn("none"), no_permission},
      {kinesis_arn("CHANGES"), no_permission},
      {"arn:aws:sqs:us-east-1:000000000000:changes-of-a-table", no_permission},
      {"arn:aws:kinesis:eu-west-1:000000000000:stream/changes", belongs + "the current region"},
      {"arn:aws:kinesis:us-east-1:111111111111:stream/changes", belongs + "Active state"},
      {"arn:aws:firehose:us-east-1:000000000000:deliverystream/changes", belongs + "Active state"},
      {"arn:aws:kinesis:us-east-1:000000000000:stream/changes/consumer/reader", belongs + "Active state"},
      {"arn:aws:kinesis:us-east-1:000000000000:consumer/reader", belongs + "Active state"},
      {"something that is not an ARN, but is long", no_permission},
  };
  for (const auto& [arn, description] : cases) {
    WithTable t;
    t.streams.add(changes);
    t.db.ok("EnableKinesisStreamingDestination", destination(arn));
    t.wait_for("ENABLE_FAILED");
    CHECK(t.described() == Json::array({failed(arn, description)}));
  }
}

TEST_CASE("without Kinesis every destination fails") {
  DynamoDb db;
  db.ok("CreateTable", on_demand());
  db.ok("EnableKinesisStreamingDestination", destination(changes));
  Json described;
  wait_until([&] {
    described = db.ok("DescribeKinesisStreamingDestination", music).at("KinesisDataStreamDestinations");
    return described.at(0).at("DestinationStatus") != "ENABLING";
  });
  CHECK(described == Json::array({failed(changes, "User does not have a permission to use kinesis stream")}));
}

TEST_CASE("a table that is not there, or CREATING, has no destinations") {
  Destinations t(slow());
  const auto check_no_table = [&] {
    const std::string message = "Requested resource not found: Table: Music not found";
    const auto check = [&](std::string_view operation, const Json& request) {
      check_refused(t.db, operation, request, message, "ResourceNotFoundException");
    };
    check("DescribeKinesisStreamingDestination", music);
    check("EnableKinesisStreamingDestination", destination(changes));
    check("DisableKinesisStreamingDestination", destination(changes));
    check("UpdateKinesisStreamingDestination", update(changes));
  };
  check_no_table();
  t.db.ok("CreateTable", on_demand());
  check_no_table();
}

TEST_CASE("a table that is UPDATING takes a destination") {
  WithTable t(slow());
  t.db.ok("UpdateTable", with(music, {{"TableClass", "STANDARD_INFREQUENT_ACCESS"}}));
  t.streams.add(changes);
  t.db.ok("EnableKinesisStreamingDestination", destination(changes));
  pass_time(t.db, delay);
  t.wait_for("ACTIVE");
}

TEST_CASE("an ACTIVE destination of a table that is DELETING shows UPDATING, and cannot be changed") {
  WithTable t(slow());
  t.streams.add(changes);
  t.db.ok("EnableKinesisStreamingDestination", destination(changes));
  pass_time(t.db, delay);
  t.wait_for("ACTIVE");
  t.db.ok("DeleteTable", music);
  CHECK(t.described() == Json::array({state(changes, "UPDATING")}));
  check_refused(t.db, "EnableKinesisStreamingDestination", destination(other), not_to_enable);
  check_refused(t.db, "DisableKinesisStreamingDestination", destination(changes), not_to_disable);
  check_refused(t.db, "UpdateKinesisStreamingDestination", update(changes), not_to_update(changes));
  pass_time(t.db, delay);
  check_refused(t.db, "DescribeKinesisStreamingDestination", music,
                "Requested resource not found: Table: Music not found", "ResourceNotFoundException");
}

TEST_CASE("a destination that is not there cannot be changed") {
  WithTable t;
  for (const std::string& arn : {changes, std::string("something that is not an ARN, but is long")})
    check_refused(t.db, "DisableKinesisStreamingDestination", destination(arn), not_to_disable);
  check_refused(t.db, "UpdateKinesisStreamingDestination", update(changes),
                invalid_state + "No streaming destination with streamArn: " + changes +
                    " found for table with tableName: Music");
  t.enable(changes);
  t.disable(changes);
  check_refused(t.db, "UpdateKinesisStreamingDestination", update(changes), not_to_update(changes));
}

TEST_CASE("an update has to change something") {
  WithTable t;
  t.enable(changes);
  const std::string nothing =
      "Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration "
      "cannot be null or contain only null values";
  check_refused(t.db, "UpdateKinesisStreamingDestination", destination(changes), nothing);
  for (const Json& configuration :
       {Json::object(), Json{{"ApproximateCreationDateTimePrecision", nullptr}}}) {
    Json request = destination(changes);
    request["UpdateKinesisStreamingConfiguration"] = configuration;
    check_refused(t.db, "UpdateKinesisStreamingDestination", request, nothing);
  }
  t.db.ok("UpdateKinesisStreamingDestination", update(changes));
  const std::string table_id = describe(t.db).at("TableId");
  check_refused(
      t.db, "UpdateKinesisStreamingDestination", update(changes),
      "Invalid Request: Precision is already set to the desired value of MICROSECOND for tableId: " +
          table_id + ", kdsArn: " + changes);
  check_refused(t.db, "UpdateKinesisStreamingDestination", update(changes, "SECOND"),
                enveloped("Value 'SECOND' at "
                          "'updateKinesisStreamingConfiguration.approximateCreationDateTimePrecision' failed "
                          "to satisfy constraint: Member must satisfy enum value set: [MILLISECOND, "
                          "MICROSECOND]"));
}

TEST_CASE("Disable takes no configuration") {
  WithTable t;
  t.enable(changes);
  check_refused(t.db, "DisableKinesisStreamingDestination", with_precision(changes, "MILLISECOND"),
                "Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters");
}

TEST_CASE("a destination is independent of the table's stream") {
  WithTable t;
  t.enable(changes);
  CHECK_FALSE(describe(t.db).contains("LatestStreamArn"));
  t.db.ok("UpdateTable",
          with(music, {{"StreamSpecification", {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}}}}));
  t.disable(changes);
  CHECK(describe(t.db).at("StreamSpecification").at("StreamEnabled") == true);
}

}  // namespace test::destination_states_test
