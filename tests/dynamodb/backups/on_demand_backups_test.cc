#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/backups/backups.h"

// docs/service/backups-pitr.md section 1, of backups that a client makes.
namespace test::on_demand_backups_test {

using namespace std::chrono_literals;

namespace {

const Json music = {{"TableName", "Music"}};
constexpr int item_bytes = 6;

/// A table with one item.
struct Backed : DynamoDb {
  explicit Backed(const Json& table = on_demand(), dinette::dynamodb::ServiceOptions options = {})
      : DynamoDb(std::move(options)) {
    ok("CreateTable", table);
    clock().advance(2s);
    put_number(*this, "a", 1);
  }
};

std::vector<std::string> names(const Json& summaries) {
  std::vector<std::string> names;
  for (const Json& backup : summaries) names.push_back(backup.at("BackupName"));
  return names;
}

using Names = std::vector<std::string>;

const std::string well_formed =
    "arn:aws:dynamodb:us-east-1:000000000000:table/Music/backup/01791633600000-0a1b2c3d";

std::string with_part(const std::string& part, const std::string& other) {
  std::string arn = well_formed;
  return arn.replace(arn.find(part), part.size(), other);
}

}  // namespace

TEST_CASE("backups: created, described") {
  Backed db;
  const std::string table_arn = describe(db).at("TableArn");
  const Json details = back_up(db);
  const std::string arn = details.at("BackupArn");
  REQUIRE(arn.starts_with(table_arn + "/backup/01791633602000-"));
  const std::string suffix = arn.substr(arn.size() - 8);
  CHECK(suffix.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(details == Json{{"BackupArn", arn},
                        {"BackupName", "before"},
                        {"BackupSizeBytes", item_bytes},
                        {"BackupStatus", "CREATING"},
                        {"BackupType", "USER"},
                        {"BackupCreationDateTime", start_of_test + 2}});
  db.jobs().run_due();
  db.clock().advance(1h);
  const Json described = describe_backup(db, arn);
  CHECK(described.at("BackupDetails") == with(details, {{"BackupStatus", "AVAILABLE"}}));
  CHECK(described.at("SourceTableDetails") == Json{{"TableName", "Music"},
                                                   {"TableId", describe(db).at("TableId")},
                                                   {"TableArn", table_arn},
                                                   {"TableSizeBytes", item_bytes},
                                                   {"KeySchema", Json::array({key("pk", "HASH")})},
                                                   {"TableCreationDateTime", start_of_test},
                                                   {"ProvisionedThroughput", units(0, 0)},
                                                   {"ItemCount", 1},
                                                   {"BillingMode", "PAY_PER_REQUEST"}});
  CHECK(described.at("SourceTableFeatureDetails") == Json::object());
}

TEST_CASE("backups: when one was made is known to the millisecond, also by its ARN") {
  Backed db;
  const double moment = start_of_test + 5.678;
  set_clock(db, moment);
  const Json details = back_up(db);
  const std::string arn = details.at("BackupArn");
  CHECK(arn.starts_with(describe(db).at("TableArn").get<std::string>() + "/backup/01791633605678-"));
  db.jobs().run_due();
  db.clock().advance(1h);
  CHECK(details.at("BackupCreationDateTime") == moment);
  CHECK(describe_backup(db, arn).at("BackupDetails").at("BackupCreationDateTime") == moment);
  CHECK(backups(db).at(0).at("BackupCreationDateTime") == moment);
  CHECK(db.ok("RestoreTableFromBackup", restore_from(arn))
            .at("TableDescription")
            .at("RestoreSummary")
            .at("RestoreDateTime") == moment);
}

TEST_CASE("backups: one is CREATING until its items are there") {
  Backed db;
  for (int i = 0; i < 300; ++i) put_number(db, std::to_string(i), 1);
  const std::string arn = back_up(db).at("BackupArn");
  const auto status = [&] { return describe_backup(db, arn).at("BackupDetails").at("BackupStatus"); };
  CHECK(status() == "CREATING");
  REQUIRE(db.jobs().run_step());
  CHECK(status() == "CREATING");
  CHECK(backups(db).at(0).at("BackupStatus") == "CREATING");
  db.jobs().run_due();
  CHECK(status() == "AVAILABLE");
  CHECK(backups(db).at(0).at("BackupStatus") == "AVAILABLE");
}

TEST_CASE("backups: one stays CREATING for as long as states last") {
  Backed db(on_demand(), two_second_states());
  const std::string arn = backup_arn(db);
  db.clock().advance(1999ms);
  CHECK(describe_backup(db, arn).at("BackupDetails").at("BackupStatus") == "CREATING");
  db.clock().advance(1ms);
  CHECK(describe_backup(db, arn).at("BackupDetails").at("BackupStatus") == "AVAILABLE");
}

TEST_CASE("backups: what is recorded of the table") {
  Json table = provisioned();
  table["KeySchema"].push_back(key("sk", "RANGE"));
  for (const char* name : {"sk", "a", "b"}) table["AttributeDefinitions"].push_back(attribute(name, "S"));
  Json global = index_on("byA", Json::array({key("a", "HASH")}));
  global["ProvisionedThroughput"] = units(3, 4);
  const Json local = index_on("byB", Json::array({key("pk", "HASH"), key("b", "RANGE")}));
  table["GlobalSecondaryIndexes"] = Json::array({global});
  table["LocalSecondaryIndexes"] = Json::array({local});
  table["StreamSpecification"] = {{"StreamEnabled", true}, {"StreamViewType", "NEW_IMAGE"}};
  table["SSESpecification"] = {{"Enabled", true}, {"SSEType", "KMS"}};
  DynamoDb db;
  db.ok("CreateTable", table);
  db.ok("UpdateTimeToLive",
        with(music, {{"TimeToLiveSpecification", {{"Enabled", true}, {"AttributeName", "ends"}}}}));
  const Json encryption = describe(db).at("SSEDescription");
  const std::string arn = backup_arn(db);
  db.ok("UpdateTable", with(music, {{"ProvisionedThroughput", units(9, 9)}}));
  const Json described = describe_backup(db, arn);
  CHECK(described.at("SourceTableDetails").at("ProvisionedThroughput") == units(5, 5));
  CHECK(described.at("SourceTableDetails").at("BillingMode") == "PROVISIONED");
  CHECK(described.at("SourceTableFeatureDetails") ==
        Json{{"GlobalSecondaryIndexes", Json::array({global})},
             {"LocalSecondaryIndexes", Json::array({local})},
             {"StreamDescription", table.at("StreamSpecification")},
             {"TimeToLiveDescription", {{"AttributeName", "ends"}, {"TimeToLiveStatus", "ENABLED"}}},
             {"SSEDescription", encryption}});
}

TEST_CASE("backups: what is recorded of an on-demand table") {
  Json table = on_demand();
  table["AttributeDefinitions"].push_back(attribute("a", "S"));
  Json index = index_on("byA", Json::array({key("a", "HASH")}));
  const Json ceilings = {{"MaxReadRequestUnits", 5}, {"MaxWriteRequestUnits", 6}};
  index["OnDemandThroughput"] = ceilings;
  table["OnDemandThroughput"] = ceilings;
  table["GlobalSecondaryIndexes"] = Json::array({index});
  DynamoDb db;
  db.ok("CreateTable", table);
  const Json described = describe_backup(db, backup_arn(db));
  CHECK(described.at("SourceTableDetails").at("OnDemandThroughput") == ceilings);
  CHECK(described.at("SourceTableFeatureDetails").at("GlobalSecondaryIndexes") ==
        Json::array({with(index, {{"ProvisionedThroughput", units(0, 0)}})}));
}

TEST_CASE("backups: what is not recorded of a table") {
  Json table = on_demand();
  table["Tags"] = Json::array({{{"Key", "team"}, {"Value", "blue"}}});
  table["TableClass"] = "STANDARD_INFREQUENT_ACCESS";
  table["DeletionProtectionEnabled"] = true;
  table["WarmThroughput"] = {{"ReadUnitsPerSecond", 13000}, {"WriteUnitsPerSecond", 5000}};
  Backed db(table);
  db.ok("UpdateContinuousBackups", recovery(true));
  const Json described = describe_backup(db, backup_arn(db));
  std::vector<std::string> members;
  for (const auto& [name, value] : described.at("SourceTableDetails").items()) members.push_back(name);
  CHECK(members == std::vector<std::string>{"BillingMode", "ItemCount", "KeySchema", "ProvisionedThroughput",
                                            "TableArn", "TableCreationDateTime", "TableId", "TableName",
                                            "TableSizeBytes"});
  CHECK(described.at("SourceTableFeatureDetails") == Json::object());
}

TEST_CASE("backups: several of one name, and dozens at once") {
  Backed db;
  for (int i = 0; i < 30; ++i) back_up(db);
  db.jobs().run_due();
  CHECK(backups(db).size() == 30);
}

TEST_CASE("backups: a table that cannot be backed up") {
  DynamoDb db(two_second_states());
  const Json request = with(music, {{"BackupName", "before"}});
  const std::string not_found = "Table not found: Music";
  check_refused(db, "CreateBackup", request, not_found, "TableNotFoundException");
  db.ok("CreateTable", on_demand());
  check_refused(db, "CreateBackup", request, not_found, "TableNotFoundException");
  CHECK(backups(db).empty());
  for (const char* name : {"ab", "bad name"})
    check_refused(db, "CreateBackup", with(music, {{"BackupName", name}}));
  check_refused(db, "CreateBackup", music);
}

TEST_CASE("backups: a table that is UPDATING or DELETING is backed up") {
  Backed db(provisioned(), two_second_states());
  db.ok("UpdateTable", with(music, {{"ProvisionedThroughput", units(6, 6)}}));
  backup_arn(db);
  db.clock().advance(2s);
  db.ok("DeleteTable", music);
  back_up(db);
  db.clock().advance(2s);
  db.jobs().run_due();
  CHECK(backups(db).size() == 2);
}

TEST_CASE("backups: one outlives its table, and is listed with a later table of that name") {
  Backed db;
  const std::string arn = backup_arn(db);
  const std::string id = describe(db).at("TableId");
  db.ok("DeleteTable", music);
  CHECK(describe_backup(db, arn).at("SourceTableDetails").at("TableId") == id);
  CHECK(backups(db, music).size() == 1);
  db.ok("CreateTable", on_demand());
  db.clock().advance(1s);
  backup_arn(db);
  const Json both = backups(db, music);
  REQUIRE(both.size() == 2);
  CHECK(both[0].at("TableId") == id);
  CHECK(both[1].at("TableId") == describe(db).at("TableId"));
  CHECK(both[0].at("TableArn") == both[1].at("TableArn"));
  db.ok("DeleteTable", music);
  db.ok("DeleteBackup", {{"BackupArn", arn}});
  CHECK(backups(db, music).size() == 1);
}

TEST_CASE("backups: a table that is deleted while it is backed up") {
  Backed db;
  for (int i = 0; i < 300; ++i) put_number(db, std::to_string(i), 1);
  const std::string arn = back_up(db).at("BackupArn");
  REQUIRE(db.jobs().run_step());
  db.ok("DeleteTable", music);
  db.jobs().run_due();
  db.ok("RestoreTableFromBackup", restore_from(arn));
  restored(db);
  CHECK(numbers(db).size() == 301);
}

TEST_CASE("backups: listed in the order of their creation, with everything that there is to say") {
  Backed db;
  const Json details = back_up(db, "Music", "first");
  db.jobs().run_due();
  db.clock().advance(1s);
  db.ok("CreateTable", on_demand("Films"));
  backup_arn(db, "Films", "second");
  db.clock().advance(1s);
  backup_arn(db, "Music", "third");
  CHECK(names(backups(db)) == Names{"first", "second", "third"});
  CHECK(names(backups(db, music)) == Names{"first", "third"});
  CHECK(names(backups(db, {{"TableName", describe(db).at("TableArn")}})) == Names{"first", "third"});
  CHECK(backups(db, {{"TableName", "Unknown"}}).empty());
  CHECK(backups(db)[0] == Json{{"TableName", "Music"},
                               {"TableId", describe(db).at("TableId")},
                               {"TableArn", describe(db).at("TableArn")},
                               {"BackupArn", details.at("BackupArn")},
                               {"BackupName", "first"},
                               {"BackupCreationDateTime", start_of_test + 2},
                               {"BackupStatus", "AVAILABLE"},
                               {"BackupType", "USER"},
                               {"BackupSizeBytes", item_bytes}});
}

TEST_CASE("backups: listed in pages") {
  Backed db;
  for (int i = 0; i < 5; ++i) {
    backup_arn(db, "Music", "backup" + std::to_string(i));
    db.clock().advance(1s);
  }
  CHECK(names(backups(db, {{"Limit", 2}})) == names(backups(db)));
  CHECK_FALSE(db.ok("ListBackups", {{"Limit", 5}}).contains("LastEvaluatedBackupArn"));
  const Json page = db.ok("ListBackups", {{"Limit", 2}});
  CHECK(page.at("BackupSummaries").size() == 2);
  const std::string last = page.at("LastEvaluatedBackupArn");
  CHECK(page.at("BackupSummaries").at(1).at("BackupArn") == last);
  // A mere position: there need be no such backup.
  db.ok("DeleteBackup", {{"BackupArn", last}});
  CHECK(names(backups(db, {{"ExclusiveStartBackupArn", last}})) == Names{"backup2", "backup3", "backup4"});
  for (const int limit : {0, 101}) check_refused(db, "ListBackups", {{"Limit", limit}});
  check_refused(db, "ListBackups", {{"ExclusiveStartBackupArn", with_part("us-east-1", "eu-west-1")}},
                "Invalid Request: The supplied ExclusiveStartBackupArn does not match the region");
}

TEST_CASE("backups: a hundred on a page") {
  Backed db;
  for (int i = 0; i < 101; ++i) back_up(db);
  const Json page = db.ok("ListBackups", Json::object());
  CHECK(page.at("BackupSummaries").size() == 100);
  CHECK(page.contains("LastEvaluatedBackupArn"));
  db.jobs().run_due();
}

TEST_CASE("backups: listed by time, both bounds included") {
  Backed db;
  for (int i = 0; i < 4; ++i) {
    backup_arn(db, "Music", "backup" + std::to_string(i));
    db.clock().advance(1s);
  }
  const double first = start_of_test + 2;
  const auto between = [&](double lower, double upper) {
    return names(backups(db, {{"TimeRangeLowerBound", lower}, {"TimeRangeUpperBound", upper}}));
  };
  CHECK(between(first + 1, first + 2) == Names{"backup1", "backup2"});
  CHECK(between(first + 1, first + 1) == Names{"backup1"});
  CHECK(between(first + 0.0006, first + 0.9994).empty());
  CHECK(between(first + 0.0004, first + 0.9996) == Names{"backup0", "backup1"});  // rounded
  CHECK(names(backups(db, {{"TimeRangeLowerBound", first + 3}})) == Names{"backup3"});
  const std::string order = invalid("Time range lower bound must be less than or equal to upper bound");
  check_refused(db, "ListBackups", {{"TimeRangeLowerBound", first + 9}, {"TimeRangeUpperBound", first + 8}},
                order);
  // They are compared when they are rounded.
  CHECK(between(first + 0.0004, first + 0.0001) == Names{"backup0"});
}

TEST_CASE("backups: listed by type") {
  Backed db;
  backup_arn(db);
  for (const char* type : {"USER", "ALL"}) CHECK(backups(db, {{"BackupType", type}}).size() == 1);
  for (const char* type : {"SYSTEM", "AWS_BACKUP"}) CHECK(backups(db, {{"BackupType", type}}).empty());
  check_refused(db, "ListBackups", {{"BackupType", "OTHER"}});
}

TEST_CASE("backups: deleted") {
  Backed db;
  const std::string arn = backup_arn(db);
  const Json request = {{"BackupArn", arn}};
  Json description = describe_backup(db, arn);
  description["BackupDetails"]["BackupStatus"] = "DELETED";
  CHECK(db.ok("DeleteBackup", request).at("BackupDescription") == description);
  for (const char* operation : {"DescribeBackup", "DeleteBackup"})
    check_refused(db, operation, request, "Backup not found: " + arn, "BackupNotFoundException");
  CHECK(backups(db).empty());
}

TEST_CASE("backups: one that is being made can be deleted") {
  Backed db;
  for (int i = 0; i < 300; ++i) put_number(db, std::to_string(i), 1);
  const std::string arn = back_up(db).at("BackupArn");
  REQUIRE(db.jobs().run_step());
  db.ok("DeleteBackup", {{"BackupArn", arn}});
  db.jobs().run_due();
  CHECK(backups(db).empty());
}

TEST_CASE("backups: ARNs that are not of a backup") {
  DynamoDb db;
  const auto refused = [&](const std::string& arn, const std::string& message) {
    for (const char* operation : {"DescribeBackup", "DeleteBackup"})
      check_refused(db, operation, {{"BackupArn", arn}}, message);
    check_refused(db, "RestoreTableFromBackup", restore_from(arn), message);
  };
  const std::string no_backup = "Invalid Backup ARN";
  refused("this is not an ARN, though it is long enough", no_backup);
  refused("arn:aws:dynamodb:us-east-1:000000000000:table/Music", no_backup);
  refused(with_part("table/", "TABLE/"), no_backup);
  refused(with_part("Music", ""), no_backup);
  refused(with_part("Music", "ab"), no_backup);
  refused(with_part("Music", std::string(256, 'x')), no_backup);
  refused(with_part("Music", "M!sic"), no_backup);
  const std::string not_valid = "Invalid Request: BackupArn is not valid";
  refused(with_part("us-east-1", "us-nowhere-1"), not_valid);
  refused(with_part("arn:aws:", "arn:aws-other:"), not_valid);
  refused(with_part("arn:aws:", "arn:AWS:"), not_valid);
  refused(with_part("dynamodb", "DYNAMODB"), not_valid);
  refused(with_part("-0a1b2c3d", "-0a1b2c3"), not_valid);
  refused(with_part("-0a1b2c3d", "-0a1b2c3g"), not_valid);
  refused(with_part("01791633600000", "1791633600000"), not_valid);
  check_refused(db, "DescribeBackup", {{"BackupArn", "short"}});
}

TEST_CASE("backups: ARNs of other accounts") {
  DynamoDb db;
  for (const char* account : {"123456789012", "", "1", "myaccount"}) {
    for (const std::string& arn :
         {with_part("000000000000", account),
          with_part("000000000000:table/Music", std::string(account) + ":TABLE/x/yyyyyy")}) {
      const Reply reply = db.call("DescribeBackup", {{"BackupArn", arn}});
      CHECK(reply.json() == Json{{"__type", "com.amazon.coral.service#AccessDeniedException"},
                                 {"Message", "Access is denied"}});
    }
  }
}

TEST_CASE("backups: another region in the ARN does not matter") {
  Backed db;
  std::string arn = backup_arn(db);
  const std::string own = arn;
  for (const char* region : {"eu-west-1", "US-WEST-2", "US-EAST-1"}) {
    arn = own;
    arn.replace(arn.find("us-east-1"), 9, region);
    CHECK(describe_backup(db, arn).at("BackupDetails").at("BackupArn") == arn);
    check_refused(db, "RestoreTableFromBackup", restore_from(arn),
                  "Invalid Request: sseSpecificationOverride must be provided for cross-region restores");
  }
  CHECK(db.ok("DeleteBackup", {{"BackupArn", arn}})
            .at("BackupDescription")
            .at("BackupDetails")
            .at("BackupArn") == arn);
}

TEST_CASE("backups: upper case in the id is another backup") {
  DynamoDb db;
  for (const std::string& arn : {well_formed, with_part("0a1b2c3d", "0A1B2C3D")}) {
    for (const char* operation : {"DescribeBackup", "DeleteBackup"})
      check_refused(db, operation, {{"BackupArn", arn}}, "Backup not found: " + arn,
                    "BackupNotFoundException");
  }
}

}  // namespace test::on_demand_backups_test
