#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/dynamodb/verify.h"

#include "support/tables.h"

// docs/service/wire.md section 5, accounts and regions in ARNs. Signatures are not checked here (mode none).
namespace test::isolation_test {
namespace {

/// A client of this access key and region.
class Client {
 public:
  Client(DynamoDb& db, const std::string& key, const std::string& region)
      : db_(db),
        authorization_("AWS4-HMAC-SHA256 Credential=" + key + "/20261010/" + region +
                       "/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0") {}

  Reply call(std::string_view operation, const Json& body) {
    return db_.call(operation, body, {{"Authorization", authorization_}, {"X-Amz-Date", "20261010T120000Z"}});
  }
  Reply streams(std::string_view operation, const Json& body) {
    Headers headers = {{"X-Amz-Target", "DynamoDBStreams_20120810." + std::string(operation)},
                       {"Authorization", authorization_},
                       {"X-Amz-Date", "20261010T120000Z"}};
    return db_.send("POST", "/", std::move(headers), body.dump());
  }
  Reply in_fork(std::string_view operation, const Json& body) {
    return db_.call(
        operation, body,
        {{"Authorization", authorization_}, {"X-Amz-Date", "20261010T120000Z"}, {"X-Dinette-World", "fork"}});
  }
  void create(std::string_view table) { REQUIRE(call("CreateTable", on_demand(table)).status == 200); }
  Json tables() { return call("ListTables", Json::object()).json().at("TableNames"); }
  std::string arn(std::string_view table) {
    return call("DescribeTable", {{"TableName", table}}).json().at("Table").at("TableArn");
  }

 private:
  DynamoDb& db_;
  std::string authorization_;
};

dinette::dynamodb::ServiceOptions isolated(bool account, bool region) {
  dinette::dynamodb::ServiceOptions options;
  options.isolation = {.accounts = account, .regions = region};
  return options;
}

const Json none = Json::array();

Json only(std::string_view name) {
  return Json::array({name});
}

}  // namespace

TEST_CASE("account and region of the signature are in ARNs") {
  DynamoDb db;
  Client client(db, "111111111111", "eu-west-1");
  client.create("Music");
  CHECK(client.arn("Music") == "arn:aws:dynamodb:eu-west-1:111111111111:table/Music");
  CHECK(describe(db).at("TableArn") == "arn:aws:dynamodb:eu-west-1:111111111111:table/Music");
}

TEST_CASE("a request without a signature, or with a key that is not an account, has the default account") {
  DynamoDb db;
  db.create_table("Unsigned");
  CHECK(describe(db, "Unsigned").at("TableArn") == "arn:aws:dynamodb:us-east-1:000000000000:table/Unsigned");
  Client client(db, "AKIAEXAMPLE", "eu-west-1");
  client.create("Signed");
  CHECK(client.arn("Signed") == "arn:aws:dynamodb:eu-west-1:000000000000:table/Signed");
}

TEST_CASE("a region that cannot be one is not believed") {
  DynamoDb db;
  Client client(db, "111111111111", "x:y");
  client.create("Music");
  CHECK(client.arn("Music") == "arn:aws:dynamodb:us-east-1:111111111111:table/Music");
}

TEST_CASE("ARNs are of the partition that their region belongs to") {
  DynamoDb db(isolated(false, true));
  const std::pair<std::string, std::string> partitions[] = {
      {"cn-north-1", "aws-cn"}, {"us-gov-west-1", "aws-us-gov"}, {"eu-west-1", "aws"}};
  for (const auto& [region, partition] : partitions) {
    INFO(region);
    Client client(db, "111111111111", region);
    const std::string place = ":" + region + ":111111111111:";
    const std::string arn = "arn:" + partition + ":dynamodb" + place + "table/Music";
    Json table = on_demand();
    table["StreamSpecification"] = {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}};
    table["SSESpecification"] = {{"Enabled", true}};
    REQUIRE(client.call("CreateTable", table).status == 200);
    CHECK(client.arn("Music") == arn);
    CHECK(client.arn(arn) == arn);
    const Json described = client.call("DescribeTable", {{"TableName", arn}}).json().at("Table");
    CHECK(described.at("SSEDescription")
              .at("KMSMasterKeyArn")
              .get<std::string>()
              .starts_with("arn:" + partition + ":kms" + place));
    const std::string stream = described.at("LatestStreamArn");
    CHECK(stream.starts_with(arn + "/stream/"));
    CHECK(client.streams("DescribeStream", {{"StreamArn", stream}}).status == 200);

    const Json backup =
        client.call("CreateBackup", {{"TableName", "Music"}, {"BackupName", "backup"}}).json();
    const std::string backup_arn = backup.at("BackupDetails").at("BackupArn");
    CHECK(backup_arn.starts_with(arn + "/backup/"));
    CHECK(client.call("DescribeBackup", {{"BackupArn", backup_arn}}).status == 200);

    const std::string unknown = "arn:" + partition + ":dynamodb" + place + "table/None";
    CHECK(client.call("DescribeTable", {{"TableName", unknown}}).error() == "ResourceNotFoundException");
    const std::string foreign = "arn:aws-other:dynamodb" + place + "table/Music";
    CHECK(client.call("DescribeTable", {{"TableName", foreign}}).message() ==
          enveloped("Invalid AWS partition in '" + foreign + "'"));
  }
}

TEST_CASE("the query-string form of a signature counts, too") {
  DynamoDb db(isolated(true, true));
  const Reply reply =
      db.send("POST",
              "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=111111111111%2F20261010%2Feu-west-1%"
              "2Fdynamodb%2Faws4_request&X-Amz-Date=20261010T120000Z&X-Amz-SignedHeaders=host&"
              "X-Amz-Signature=0",
              {{"X-Amz-Target", "DynamoDB_20120810.CreateTable"}}, on_demand().dump());
  CHECK(reply.status == 200);
  Client client(db, "111111111111", "eu-west-1");
  CHECK(client.tables() == only("Music"));
}

TEST_CASE("by default all callers see the same tables") {
  DynamoDb db;
  Client one(db, "111111111111", "eu-west-1");
  Client other(db, "222222222222", "us-west-2");
  one.create("Music");
  CHECK(other.tables() == only("Music"));
  CHECK(db.ok("ListTables", Json::object()).at("TableNames") == only("Music"));
  CHECK(other.call("CreateTable", on_demand()).error() == "ResourceInUseException");
  const std::string arn = one.arn("Music");  // of another account and region than the other's
  CHECK(other.call("DescribeTable", {{"TableName", arn}}).status == 200);
  CHECK(other.call("ListTagsOfResource", {{"ResourceArn", arn}}).status == 200);
}

TEST_CASE("with accounts apart, a table is that of one account, in all regions") {
  DynamoDb db(isolated(true, false));
  Client one(db, "111111111111", "eu-west-1");
  Client same(db, "111111111111", "us-west-2");
  Client other(db, "222222222222", "eu-west-1");
  one.create("Music");
  CHECK(same.tables() == only("Music"));
  CHECK(other.tables() == none);
  CHECK(db.ok("ListTables", Json::object()).at("TableNames") == none);
}

TEST_CASE("with regions apart, a table is that of one region, for all accounts") {
  DynamoDb db(isolated(false, true));
  Client one(db, "111111111111", "eu-west-1");
  Client other_account(db, "222222222222", "eu-west-1");
  Client other_region(db, "111111111111", "us-west-2");
  one.create("Music");
  CHECK(other_account.tables() == only("Music"));
  CHECK(other_region.tables() == none);
}

TEST_CASE("accounts and regions apart: tables of one name have data, descriptions and lives of their own") {
  DynamoDb db(isolated(true, true));
  Client one(db, "111111111111", "eu-west-1");
  Client other(db, "111111111111", "us-west-2");
  const Json item = {{"TableName", "Music"}, {"Item", {{"pk", {{"S", "a"}}}}}};
  const Json its_key = {{"TableName", "Music"}, {"Key", {{"pk", {{"S", "a"}}}}}};
  one.create("Music");
  CHECK(other.call("PutItem", item).error() == "ResourceNotFoundException");
  other.create("Music");
  CHECK(one.arn("Music") != other.arn("Music"));
  CHECK(one.call("PutItem", item).status == 200);
  CHECK(one.call("GetItem", its_key).json().contains("Item"));
  CHECK(!other.call("GetItem", its_key).json().contains("Item"));
  CHECK(other.call("DescribeTable", {{"TableName", one.arn("Music")}}).message() ==
        "1 validation error detected: Invalid AWS region in '" + one.arn("Music") + "'");
  CHECK(other.call("DeleteTable", {{"TableName", "Music"}}).status == 200);
  CHECK(other.tables() == none);
  CHECK(one.tables() == only("Music"));
  CHECK(one.call("GetItem", its_key).json().contains("Item"));
}

TEST_CASE("regions apart: streams, backups, exports and tokens of one name are different ones") {
  DynamoDb db(isolated(false, true));
  Client one(db, "111111111111", "eu-west-1");
  Client other(db, "111111111111", "us-west-2");
  Json table = on_demand();
  table["StreamSpecification"] = {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}};
  REQUIRE(one.call("CreateTable", table).status == 200);
  REQUIRE(other.call("CreateTable", table).status == 200);
  const Json streams = one.streams("ListStreams", {{"TableName", "Music"}}).json().at("Streams");
  REQUIRE(streams.size() == 1);
  const std::string stream = streams[0].at("StreamArn");
  CHECK(stream.starts_with("arn:aws:dynamodb:eu-west-1:111111111111:table/Music/stream/"));
  CHECK(other.streams("DescribeStream", {{"StreamArn", stream}}).error() == "ResourceNotFoundException");
  CHECK(other.streams("ListStreams", Json::object()).json().at("Streams").size() == 1);

  REQUIRE(one.call("CreateBackup", {{"TableName", "Music"}, {"BackupName", "backup"}}).status == 200);
  CHECK(one.call("ListBackups", Json::object()).json().at("BackupSummaries").size() == 1);
  CHECK(other.call("ListBackups", Json::object()).json().at("BackupSummaries") == none);

  const Json write = {
      {"TransactItems", Json::array({{{"Put", {{"TableName", "Music"}, {"Item", {{"pk", {{"S", "a"}}}}}}}}})},
      {"ClientRequestToken", "token"}};
  CHECK(one.call("TransactWriteItems", write).status == 200);
  CHECK(other.call("TransactWriteItems", write).status == 200);
  for (Client* client : {&one, &other})
    CHECK(client->call("Scan", {{"TableName", "Music"}}).json().at("Count") == 1);
}

TEST_CASE("regions apart: a fork has the tables of all regions, and the clock moves for all") {
  DynamoDb db(isolated(true, true));
  Client one(db, "111111111111", "eu-west-1");
  Client other(db, "111111111111", "us-west-2");
  one.create("Music");
  other.create("Films");
  const auto world = db.worlds().find("111111111111");
  REQUIRE(world);
  REQUIRE(db.worlds().add_fork("fork", world->image().value()).value());
  CHECK(one.in_fork("ListTables", Json::object()).json().at("TableNames") == only("Music"));
  CHECK(other.in_fork("ListTables", Json::object()).json().at("TableNames") == only("Films"));
  REQUIRE(other.in_fork("DeleteTable", {{"TableName", "Films"}}).status == 200);
  CHECK(other.tables() == only("Films"));

  for (Client* client : {&one, &other}) {
    const std::string table = client->tables()[0];
    REQUIRE(client
                ->call("UpdateTimeToLive",
                       {{"TableName", table},
                        {"TimeToLiveSpecification", {{"AttributeName", "end"}, {"Enabled", true}}}})
                .status == 200);
    const std::int64_t end =
        std::chrono::floor<std::chrono::seconds>(world->clock().now()).time_since_epoch().count() + 60;
    REQUIRE(client
                ->call("PutItem", {{"TableName", table},
                                   {"Item", {{"pk", {{"S", "a"}}}, {"end", {{"N", std::to_string(end)}}}}}})
                .status == 200);
  }
  REQUIRE(world->change_clock({.advance = std::chrono::hours(1)}).value() ==
          dinette::tenancy::ClockOutcome::changed);
  CHECK(one.call("Scan", {{"TableName", "Music"}}).json().at("Count") == 0);
  CHECK(other.call("Scan", {{"TableName", "Films"}}).json().at("Count") == 0);
}

TEST_CASE("regions apart: the data of all of them are checked") {
  DynamoDb db(isolated(false, true));
  Client client(db, "111111111111", "eu-west-1");
  client.create("Music");
  std::vector<std::string> faults;
  const auto checked = dinette::dynamodb::verify_data(
      *db.worlds().find(""), [&](const std::string& fault) { faults.push_back(fault); },
      [](const dinette::dynamodb::VerifiedData&) {});
  CHECK(checked.value().tables == 1);
  CHECK(faults.empty());
}

}  // namespace test::isolation_test
