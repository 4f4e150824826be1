#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"
#include "dinette/observe/metrics_writer.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/observe/report.h"
#include "dinette/tenancy/faults.h"

#include "dynamodb/one_item.h"
#include "support/tables.h"

// What the service tells of its requests: to whom reads them as they come, to reports, and to metrics.
namespace test::observed_requests_test {
namespace {

namespace observe = dinette::observe;
using observe::RecentRequest;
using observe::ReportLine;

struct Observers {
  dinette::base::ManualClock clock;
  observe::RecentRequests recent;
  observe::Reports reports{clock};
};

struct Observed : private Observers {
  DynamoDb db{options()};

  Observed() {
    db.create_table(the_table);
    recent.read({});
    reports.set_recording(true);
  }

  dinette::dynamodb::ServiceOptions options() {
    dinette::dynamodb::ServiceOptions options;
    options.recent = &recent;
    options.reports = &reports;
    return options;
  }

  /// The last request.
  RecentRequest last() {
    const auto page = recent.read({});
    REQUIRE_FALSE(page.requests.empty());
    return *page.requests.back();
  }
  RecentRequest after(std::string_view operation, std::string_view members) {
    call_item(db, operation, members);
    return last();
  }
  observe::Report report(const std::string& world = "default") { return reports.of(world); }
  std::size_t count() { return recent.read({}).requests.size(); }
  void begin_again() { reports.clear("default"); }
};

/// "table operation requests read/write scanned>returned", of each line.
std::vector<std::string> lines_of(const observe::Report& report) {
  std::vector<std::string> lines;
  for (const ReportLine& line : report.lines) {
    lines.push_back(line.table + " " + line.operation + " " + std::to_string(line.requests) + " " +
                    Json(line.read_units).dump() + "/" + Json(line.write_units).dump() + " " +
                    std::to_string(line.scanned) + ">" + std::to_string(line.returned) +
                    (line.scans > 0 ? " scans" : ""));
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a request is recorded with its response, its table and what it consumed") {
  Observed o;
  const RecentRequest put = o.after("PutItem", R"("Item": {"pk": {"S": "a"}, "x": {"N": "1"}})");
  CHECK(put.operation == "PutItem");
  CHECK(put.status == 200);
  CHECK(put.error.empty());
  CHECK(put.id.size() == 52);
  CHECK(put.details.world == "default");
  REQUIRE(put.details.tables.size() == 1);
  CHECK(put.details.tables[0].name == the_table);
  CHECK(put.details.write_units() == 1);
  CHECK(put.details.read_units() == 0);
  CHECK_FALSE(put.details.counts);
  CHECK(put.request.text.find(R"("x")") != std::string::npos);
  CHECK(put.response.text == "{}");
  const RecentRequest get = o.after("GetItem", "");
  CHECK(get.details.read_units() == 0.5);
  CHECK(get.details.write_units() == 0);
  CHECK(Json::parse(get.response.text)["Item"]["x"]["N"] == "1");
}

TEST_CASE("an error is recorded by its type, with the table of the request") {
  Observed o;
  const RecentRequest failed =
      o.after("PutItem", R"x("Item": {"pk": {"S": "a"}}, "ConditionExpression": "attribute_exists(pk)")x");
  CHECK(failed.status == 400);
  CHECK(failed.error == "ConditionalCheckFailedException");
  CHECK(failed.details.write_units() == 1);
  const RecentRequest missing = o.after("GetItem", R"("TableName": "Nothing")");
  CHECK(missing.error == "ResourceNotFoundException");
  CHECK(missing.details.tables.at(0).name == "Nothing");
  o.db.call("BatchGetItem", R"({"RequestItems": {"Odd": {"Keys": 5}}})");
  CHECK(o.last().error == "SerializationException");
  CHECK(o.last().details.tables.at(0).name == "Odd");
  o.db.send("POST", "/", {{"Host", "localhost"}, {"X-Amz-Target", "DynamoDB_20120810.Nothing"}}, "{}");
  CHECK(o.last().error == "UnknownOperationException");
  CHECK(o.last().details.world.empty());
}

TEST_CASE("an ARN is recorded as the name in it") {
  Observed o;
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/" + std::string(the_table);
  const RecentRequest get = o.after("GetItem", R"("TableName": ")" + arn + "\"");
  REQUIRE(get.details.tables.size() == 1);
  CHECK(get.details.tables[0].name == the_table);
  CHECK(get.details.tables[0].read_units == 0.5);
}

TEST_CASE("reads of lists report how much they read") {
  Observed o;
  for (const char* pk : {"a", "b", "c"}) o.db.put(the_table, {{"pk", {{"S", pk}}}, {"x", {{"S", pk}}}});
  const std::string filter = expression("Filter", "x = :x", R"(":x": {"S": "b"})");
  const RecentRequest scan = o.after("Scan", filter);
  CHECK(scan.details.scans);
  CHECK(scan.details.counts->scanned == 3);
  CHECK(scan.details.counts->returned == 1);
  const RecentRequest query =
      o.after("Query", expression("KeyCondition", "pk = :pk", R"(":pk": {"S": "b"})"));
  CHECK_FALSE(query.details.scans);
  CHECK(query.details.counts->scanned == 1);
  o.db.ok("ExecuteStatement", {{"Statement", "SELECT * FROM \"Tab\" WHERE x = 'b'"}});
  CHECK(o.last().details.scans);
  CHECK(o.last().details.counts->scanned == 3);
  CHECK(o.last().details.counts->returned == 1);
  CHECK(o.last().details.tables.at(0).name == the_table);
  CHECK(o.last().details.read_units() == 0.5);
}

TEST_CASE("a request is recorded in the world that it used") {
  Observed o;
  const auto image = o.db.worlds().pick("").value()->image();
  REQUIRE(o.db.worlds().add_fork("copy", image.value()).ok());
  o.db.call("GetItem", about_one_item("GetItem", ""), {{"X-Dinette-World", "copy"}});
  CHECK(o.last().details.world == "copy");
  CHECK(lines_of(o.report("copy")) == Lines{"Tab GetItem 1 0.5/0.0 0>0"});
  CHECK(o.report().lines.empty());
}

TEST_CASE("the trace is the one of the header") {
  Observed o;
  const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  o.db.call("ListTables", "{}", {{"traceparent", "00-" + trace + "-00f067aa0ba902b7-01"}});
  CHECK(o.last().trace == trace);
  o.db.call("ListTables", "{}", {{"traceparent", "00-" + trace}});
  CHECK(o.last().trace.empty());
}

TEST_CASE("requests from before the first reader are there, with world, tables, units and error") {
  observe::RecentRequests recent;
  dinette::dynamodb::ServiceOptions options;
  options.recent = &recent;
  DynamoDb db(options);
  db.create_table(the_table);
  db.call("PutItem", about_one_item("PutItem", R"("Item": {"pk": {"S": "a"}})"),
          {{"User-Agent", "Boto3/1.43"}});
  call_item(db, "GetItem", R"("TableName": "Nothing")");
  call_item(db, "Scan", "");
  CHECK_FALSE(recent.recording());
  const auto page = recent.read({});
  REQUIRE(page.requests.size() == 4);
  CHECK(page.requests[0]->operation == "CreateTable");
  CHECK(page.requests[0]->details.tables.at(0).name == the_table);
  const RecentRequest& put = *page.requests[1];
  CHECK(put.details.world == "default");
  CHECK(put.details.tables.at(0).name == the_table);
  CHECK(put.details.write_units() == 1);
  CHECK(put.agent == "Boto3/1.43");
  CHECK(put.request.text.find(R"("pk")") != std::string::npos);
  CHECK(put.response.text == "{}");
  CHECK(put.id.size() == 52);
  const RecentRequest& missing = *page.requests[2];
  CHECK(missing.error == "ResourceNotFoundException");
  CHECK(missing.details.tables.at(0).name == "Nothing");
  CHECK(page.requests[3]->details.counts->scanned == 1);
}

TEST_CASE("details of one request are not those of the next") {
  observe::RecentRequests recent;
  dinette::dynamodb::ServiceOptions options;
  options.recent = &recent;
  DynamoDb db(options);
  db.create_table(the_table);
  call_item(db, "Scan", "");
  db.call("ListTables", "{}");
  const auto page = recent.read({});
  CHECK(page.requests.back()->operation == "ListTables");
  CHECK(page.requests.back()->details.tables.empty());
  CHECK_FALSE(page.requests.back()->details.counts);
}

TEST_CASE("the client is the one of User-Agent, except in a browser") {
  Observed o;
  const auto agent_of = [&](const Headers& headers) {
    o.db.call("ListTables", "{}", headers);
    return o.last().agent;
  };
  CHECK(agent_of({{"User-Agent", "Boto3/1.43"}, {"X-Amz-User-Agent", "other"}}) == "Boto3/1.43");
  CHECK(agent_of({{"User-Agent", "Mozilla/5.0"}, {"X-Amz-User-Agent", "aws-sdk-js"}}) == "aws-sdk-js");
  CHECK(agent_of({{"User-Agent", "Mozilla/5.0"}}) == "Mozilla/5.0");
  CHECK(agent_of({}).empty());
  CHECK_FALSE(o.last().remote.empty());
}

TEST_CASE("writes of single items are recorded with the item before and after") {
  Observed o;
  const RecentRequest put = o.after("PutItem", R"("Item": {"pk": {"S": "a"}, "x": {"N": "1"}})");
  REQUIRE(put.details.changes.size() == 1);
  CHECK(put.details.changes[0].before.text.empty());
  CHECK(Json::parse(put.details.changes[0].after.text)["x"]["N"] == "1");
  const RecentRequest changed = o.after("UpdateItem", update("SET x = :x", R"(":x": {"N": "2"})"));
  REQUIRE(changed.details.changes.size() == 1);
  CHECK(Json::parse(changed.details.changes[0].before.text)["x"]["N"] == "1");
  CHECK(Json::parse(changed.details.changes[0].after.text)["x"]["N"] == "2");
  const RecentRequest removed = o.after("DeleteItem", "");
  REQUIRE(removed.details.changes.size() == 1);
  CHECK(Json::parse(removed.details.changes[0].before.text)["x"]["N"] == "2");
  CHECK(removed.details.changes[0].after.text.empty());
  CHECK(o.after("GetItem", "").details.changes.empty());
}

TEST_CASE("what a fault rule hits is recorded as injected, and what it spares is not") {
  Observed o;
  dinette::tenancy::FaultRule rule;
  rule.operation = "GetItem";
  rule.effect.error = "ThrottlingException";
  o.db.worlds().find("")->faults().replace({rule});
  const RecentRequest hit = o.after("GetItem", "");
  CHECK(hit.error == "ThrottlingException");
  CHECK(hit.details.injected);
  CHECK_FALSE(o.after("Scan", "").details.injected);
  o.db.call("GetItem", about_one_item("GetItem", ""), {{"X-Dinette-Faults", "off"}});
  CHECK(o.last().status == 200);
  CHECK_FALSE(o.last().details.injected);
  o.db.call("GetItem", about_one_item("GetItem", ""), {{"X-Dinette-Faults", "on"}});
  CHECK(o.last().details.injected);
  CHECK(o.db.worlds().find("")->faults().list().at(0).fired == 2);
}

TEST_CASE("a request that is not to be recorded is in no list and in no report") {
  Observed o;
  o.begin_again();
  o.after("GetItem", "");
  const std::size_t before = o.count();
  o.db.call("Scan", about_one_item("Scan", ""), {{"X-Dinette-Record", "off"}});
  CHECK(o.count() == before);
  CHECK(lines_of(o.report()) == Lines{"Tab GetItem 1 0.5/0.0 0>0"});
}

TEST_CASE("a requested explanation is recorded") {
  Observed o;
  o.db.call("GetItem", about_one_item("GetItem", ""), {{"X-Dinette-Explain", "true"}});
  CHECK(Json::parse(o.last().explanation)["Operation"] == "GetItem");
  o.after("GetItem", "");
  CHECK(o.last().explanation.empty());
}

TEST_CASE("health checks and preflights are not told") {
  Observed o;
  o.after("GetItem", "");
  const std::size_t before = o.count();
  o.db.send("GET", "/", {{"Host", "localhost"}}, "");
  o.db.send("OPTIONS", "/", {{"Host", "localhost"}}, "");
  CHECK(o.count() == before);
}

TEST_CASE("a report has each operation of each table") {
  Observed o;
  o.db.create_table("Other");
  o.begin_again();
  store_item(o.db, R"("x": {"N": "1"})");
  ok_item(o.db, "GetItem");
  ok_item(o.db, "GetItem", R"("ConsistentRead": true)");
  ok_item(o.db, "Scan");
  o.db.ok(
      "TransactWriteItems",
      {{"TransactItems",
        {{{"Put", {{"TableName", "Other"}, {"Item", key_a}}}},
         {{"ConditionCheck",
           {{"TableName", the_table}, {"Key", key_a}, {"ConditionExpression", "attribute_exists(pk)"}}}}}}});
  o.db.ok("BatchGetItem", {{"RequestItems", {{"Other", {{"Keys", {key_a}}}}}}});
  CHECK(lines_of(o.report()) == Lines{"Other BatchGetItem 1 0.5/0.0 0>0",
                                      "Other TransactWriteItems 1 0.0/2.0 0>0", "Tab GetItem 2 1.5/0.0 0>0",
                                      "Tab PutItem 1 0.0/1.0 0>0", "Tab Scan 1 0.5/0.0 1>1 scans",
                                      "Tab TransactWriteItems 1 0.0/2.0 0>0"});
}

TEST_CASE("a report has what is asked about exports and imports of a table with it") {
  Observed o;
  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/" + std::string(the_table);
  o.begin_again();
  o.db.ok("ListExports", {{"TableArn", arn}});
  o.db.ok("ImportTable", {{"ClientToken", "t"},
                          {"InputFormat", "CSV"},
                          {"S3BucketSource", {{"S3Bucket", "source"}}},
                          {"TableCreationParameters", with(on_demand(), {{"TableName", "New"}})}});
  CHECK(lines_of(o.report()) == Lines{"New ImportTable 1 0.0/0.0 0>0", "Tab ListExports 1 0.0/0.0 0>0"});
}

TEST_CASE("a report names the keys of reads and writes") {
  Observed o;
  o.db.create_table("Pair", "S", "N");
  o.begin_again();
  const Json key = {{"pk", {{"S", "a"}}}, {"sk", {{"N", "1"}}}};
  o.db.put("Pair", {{"pk", {{"S", "a"}}}, {"sk", {{"N", "1"}}}, {"x", {{"S", "xxxx"}}}});
  o.db.get("Pair", key);
  o.db.ok("Query", {{"TableName", "Pair"},
                    {"KeyConditionExpression", "pk = :pk"},
                    {"ExpressionAttributeValues", {{":pk", {{"S", "a"}}}}}});
  o.db.ok("ExecuteStatement", {{"Statement", "SELECT * FROM \"Pair\" WHERE pk = 'a'"}});
  o.db.ok("TransactGetItems", {{"TransactItems", {{{"Get", {{"TableName", "Pair"}, {"Key", key}}}}}}});
  o.db.ok("BatchWriteItem", {{"RequestItems", {{"Pair", {{{"DeleteRequest", {{"Key", key}}}}}}}}});
  const observe::Report report = o.report();
  REQUIRE(report.hot_partitions.size() == 1);
  CHECK(report.hot_partitions[0].key.table == "Pair");
  CHECK(report.hot_partitions[0].key.key == "pk = 'a'");
  CHECK(report.hot_partitions[0].requests == 6);
  REQUIRE(report.biggest_items.size() == 1);
  CHECK(report.biggest_items[0].key.key == "pk = 'a' AND sk = 1");
  CHECK(report.biggest_items[0].bytes == 12);
}

TEST_CASE("nothing is added to a report that is off") {
  Observed o;
  o.begin_again();
  dinette::dynamodb::ServiceOptions off;
  dinette::base::ManualClock clock;
  observe::Reports reports(clock);
  off.reports = &reports;
  DynamoDb db(off);
  db.create_table(the_table);
  CHECK(reports.worlds().empty());
}

TEST_CASE("metrics count requests and units of every operation") {
  dinette::base::ManualClock clock;
  dinette::base::SeededIds ids{1};
  dinette::tenancy::WorldsOptions worlds_options;
  worlds_options.faces = {dinette::dynamodb::world_face()};
  worlds_options.run_jobs = false;
  dinette::tenancy::Worlds worlds(std::move(worlds_options), clock, ids);
  dinette::dynamodb::Service service({}, worlds, clock, ids);
  const auto call = [&](std::string_view operation, const std::string& body) {
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::vector<dinette::http::Header> headers = {{"Host", "localhost"}, {"X-Amz-Target", target}};
    dinette::http::Response response;
    service.handle({.method = "POST", .target = "/", .headers = headers, .body = body, .remote = "test"},
                   response);
    return response.status;
  };
  CHECK(call("CreateTable", R"({"TableName": "Tab", "BillingMode": "PAY_PER_REQUEST",
      "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
      "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]})") == 200);
  for (int i = 0; i < 3; ++i) CHECK(call("PutItem", about_one_item("PutItem", "")) == 200);
  CHECK(call("GetItem", about_one_item("GetItem", "")) == 200);
  CHECK(call("GetItem", about_one_item("GetItem", R"("TableName": "Nothing")")) == 400);
  CHECK(call("GetItem", "[") == 400);
  CHECK(call("Nonsense", "{}") == 400);
  observe::MetricsWriter metrics(observe::MetricsFormat::prometheus);
  const observe::RequestCounters* const services[] = {&service.requests()};
  observe::RequestCounters::write(metrics, services);
  service.write_consumption(metrics);
  const std::string text = std::move(metrics).finish();
  for (
      const char* line : {
          R"(dinette_requests_total{service="dynamodb",operation="PutItem",status="200",error=""} 3)",
          R"(dinette_requests_total{service="dynamodb",operation="GetItem",status="200",error=""} 1)",
          R"(dinette_requests_total{service="dynamodb",operation="GetItem",status="400",error="ResourceNotFoundException"} 1)",
          R"(dinette_requests_total{service="dynamodb",operation="GetItem",status="400",error="SerializationException"} 1)",
          R"(dinette_requests_total{service="dynamodb",operation="",status="400",error="UnknownOperationException"} 1)",
          R"(dinette_request_duration_seconds_count{service="dynamodb",operation="GetItem"} 3)",
          R"(dinette_consumed_read_capacity_units_total{table="Tab"} 0.5)",
          R"(dinette_consumed_write_capacity_units_total{table="Tab"} 3)",
      }) {
    INFO(line << "\n" << text);
    CHECK(text.find(std::string(line) + "\n") != std::string::npos);
  }
}

}  // namespace test::observed_requests_test
