#include <string>

#include "definitions/defined.h"

// docs/definitions/terraform.md sections 1 to 3.
namespace dinette::definitions::terraform_json_test {
namespace {

using namespace defined;

/// Returns a planned resource.
std::string resource(std::string_view address, std::string_view type, std::string_view values) {
  std::string escaped;
  for (const char c : address) escaped += c == '"' ? "\\\"" : std::string(1, c);
  return R"({"address":")" + escaped + R"(","mode":"managed","type":")" + std::string(type) +
         R"(","values":{)" + std::string(values) + "}}";
}

/// Returns an on-demand table of these values at `aws_dynamodb_table.t`.
std::string table(std::string_view values) {
  return resource("aws_dynamodb_table.t", "aws_dynamodb_table",
                  R"("name":"things","billing_mode":"PAY_PER_REQUEST","hash_key":"id",)"
                  R"("attribute":[{"name":"id","type":"S"}])" +
                      std::string(values));
}

std::string plan(const std::string& resources, std::string_view rest = {}) {
  return R"({"format_version":"1.2","planned_values":{"root_module":{"resources":[)" + resources + "]}}" +
         std::string(rest) + '}';
}

Definitions read_plan(const std::string& resources, std::string_view rest = {}) {
  return read_definitions(plan(resources, rest), "plan.json", {});
}

Definitions read_state(const std::string& resources) {
  return read_definitions(
      R"({"format_version":"1.0","values":{"root_module":{"resources":[)" + resources + "]}}}", "state.json",
      {});
}

/// Returns the input of CreateTable for "things" without keys, name and billing mode.
std::string rest_of(const Definitions& read) {
  Node create = table_in(read, "things").create;
  for (const char* const member : {"TableName", "AttributeDefinitions", "KeySchema", "BillingMode"})
    create.erase(member);
  return to_json(create);
}

}  // namespace

TEST_CASE("a plan is read with what belongs to its tables", "[definitions]") {
  const Definitions read = read_input("05-terraform-plan.json");
  CHECK(read.errors.empty());
  CHECK(read.format == "a plan or state of terraform show -json");
  CHECK(names_of(read.tables) == Texts{"dev-garden-beds", "log-light", "log-water", "zones", "audit"});
  CHECK(
      create_in(read, "dev-garden-beds") ==
      R"({"KeySchema":[{"AttributeName":"bed","KeyType":"HASH"},{"AttributeName":"planted","KeyType":"RANGE"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"bed","AttributeType":"S"},)"
      R"({"AttributeName":"kind","AttributeType":"S"},{"AttributeName":"planted","AttributeType":"N"}],)"
      R"("BillingMode":"PAY_PER_REQUEST","GlobalSecondaryIndexes":[{"IndexName":"by-kind",)"
      R"("KeySchema":[{"AttributeName":"kind","KeyType":"HASH"},{"AttributeName":"planted","KeyType":"RANGE"}],)"
      R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["label"]}}],)"
      R"("LocalSecondaryIndexes":[{"IndexName":"kind-in-bed",)"
      R"("KeySchema":[{"AttributeName":"bed","KeyType":"HASH"},{"AttributeName":"kind","KeyType":"RANGE"}],)"
      R"("Projection":{"ProjectionType":"KEYS_ONLY"}}],)"
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},)"
      R"("Tags":[{"Key":"Team","Value":"garden"}],"TableName":"dev-garden-beds"})");
  CHECK(follow_up_in(read, "dev-garden-beds", "UpdateTimeToLive") ==
        R"({"TimeToLiveSpecification":{"AttributeName":"gone","Enabled":true}})");
  CHECK(follow_up_in(read, "dev-garden-beds", "UpdateContinuousBackups") ==
        R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})");
  CHECK(follow_up_in(read, "dev-garden-beds", "EnableKinesisStreamingDestination") ==
        R"({"StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/garden"})");
  CHECK(items_in(read, "dev-garden-beds") ==
        R"([{"bed":{"S":"b1"},"planted":{"N":"1700000000"},"kind":{"S":"fern"}}])");
  CHECK(create_in(read, "log-water") ==
        R"({"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
        R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
        R"("ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3},"TableName":"log-water"})");
  CHECK(table_in(read, "audit").id == "module.audit.aws_dynamodb_table.this[0]");
  CHECK(triggers_of(read) == Texts{R"(aws_lambda_event_source_mapping.watch: dev-garden-beds -> bed-watcher )"
                                   R"({"StartingPosition":"LATEST","BatchSize":10,"Enabled":true})"});
  CHECK(texts_of(read.warnings) ==
        Texts{"aws_dynamodb_table_replica.eu of table \"dev-garden-beds\" is left out"});
}

TEST_CASE("references are followed through modules and to instances of the same key", "[definitions]") {
  const Definitions read =
      read_input("terraform-modules-plan.json", with(&Surroundings::region, "eu-west-1"));
  CHECK(read.errors.empty());
  CHECK(read.warnings.empty());
  CHECK(names_of(read.tables) == Texts{"racks-left", "racks-right", "crates"});
  REQUIRE(read.triggers.size() == 4);
  CHECK(read.triggers[0].id == R"(aws_lambda_event_source_mapping.each["left"])");
  CHECK(read.triggers[0].table == "racks-left");
  CHECK(read.triggers[1].table == "racks-right");
  CHECK(triggers_of(read)[2] ==
        R"(aws_lambda_event_source_mapping.frommod: crates -> g {"StartingPosition":"LATEST","Enabled":true,)"
        R"("FunctionResponseTypes":["ReportBatchItemFailures"],)"
        R"("FilterCriteria":{"Filters":[{"Pattern":"{\"eventName\":[\"INSERT\"]}"}]}})");
  CHECK(read.triggers[3].table == "racks-left");  // by a variable of the module
  CHECK(to_json(*table_in(read, "racks-right").create.find("Tags")) == R"([{"Key":"k","Value":"v"}])");
  CHECK(table_in(read, "racks-right").create.find("ResourcePolicy")->scalar() ==
        R"({"Statement":[],"Version":"2012-10-17"})");
  CHECK(follow_up_in(read, "racks-right", "UpdateContributorInsights") ==
        R"({"ContributorInsightsAction":"ENABLE"})");
  // What the provider plans for a block without `enabled`.
  CHECK(follow_up_in(read, "racks-left", "UpdateTimeToLive") == "none");
  CHECK(to_json(*table_in(read, "racks-left").create.find("SSESpecification")) == R"({"Enabled":true})");
}

TEST_CASE("a reference within a module is to the table of the same instance of the module", "[definitions]") {
  const auto module = [](const std::string& key) {
    const std::string address = R"(module.m[")" + key + R"("].)";
    return R"({"resources":[)" +
           resource(address + "aws_dynamodb_table.t", "aws_dynamodb_table",
                    R"("name":")" + key + R"(","hash_key":"id","attribute":[{"name":"id","type":"S"}])") +
           ',' +
           resource(address + "aws_dynamodb_table_item.i", "aws_dynamodb_table_item",
                    R"("item":"{\"id\":{\"S\":\"of )" + key + R"(\"}}")") +
           "]}";
  };
  const Definitions read = read_definitions(
      R"({"format_version":"1.2","planned_values":{"root_module":{"child_modules":[)" + module("left") + ',' +
          module("right") +
          R"(]}},"configuration":{"root_module":{"module_calls":{"m":{"module":{"resources":[{"address":)"
          R"("aws_dynamodb_table_item.i","expressions":{"table_name":{"references":)"
          R"(["aws_dynamodb_table.t.name","aws_dynamodb_table.t"]}}}]}}}}}})",
      "plan.json", {});
  CHECK(read.warnings.empty());
  CHECK(items_in(read, "left") == R"([{"id":{"S":"of left"}}])");
  CHECK(items_in(read, "right") == R"([{"id":{"S":"of right"}}])");
}

TEST_CASE("a reference that fits two instances equally is left out with a warning", "[definitions]") {
  const auto instance = [](const std::string& key) {
    return resource(R"(aws_dynamodb_table.t[")" + key + R"("])", "aws_dynamodb_table",
                    R"("name":")" + key + R"(","hash_key":"id","attribute":[{"name":"id","type":"S"}])");
  };
  const Definitions read =
      read_plan(instance("left") + ',' + instance("right") + ',' +
                    resource("aws_dynamodb_table_item.i", "aws_dynamodb_table_item", R"("item":"{}")"),
                R"(,"configuration":{"root_module":{"resources":[{"address":"aws_dynamodb_table_item.i",)"
                R"("expressions":{"table_name":{"references":["aws_dynamodb_table.t"]}}}]}})");
  CHECK(texts_of(read.warnings) ==
        Texts{"aws_dynamodb_table_item.i is left out, because it cannot be told of which table it is"});
}

TEST_CASE("a state that Terraform keeps is read", "[definitions]") {
  const Definitions read = read_input("terraform.tfstate", with(&Surroundings::region, "eu-west-1"));
  CHECK(read.errors.empty());
  CHECK(read.warnings.empty());
  CHECK(read.format == "a state of Terraform");
  CHECK(names_of(read.tables) == Texts{"parts", "racks-left", "racks-right"});
  CHECK(table_in(read, "racks-left").id == R"(aws_dynamodb_table.racks["left"])");
  CHECK(create_in(read, "racks-left") ==
        R"({"KeySchema":[{"AttributeName":"rack","KeyType":"HASH"}],)"
        R"("AttributeDefinitions":[{"AttributeName":"owner","AttributeType":"S"},)"
        R"({"AttributeName":"rack","AttributeType":"S"}],"BillingMode":"PAY_PER_REQUEST",)"
        R"("GlobalSecondaryIndexes":[{"IndexName":"by-owner",)"
        R"("KeySchema":[{"AttributeName":"owner","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],)"
        R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)"
        R"("TableClass":"STANDARD","DeletionProtectionEnabled":false,)"
        R"("Tags":[{"Key":"team","Value":"store"}],"TableName":"racks-left"})");
  CHECK(follow_up_in(read, "racks-left", "UpdateTimeToLive") ==
        R"({"TimeToLiveSpecification":{"AttributeName":"gone","Enabled":true}})");
  CHECK(follow_up_in(read, "parts", "UpdateTimeToLive") == "none");
  CHECK(
      follow_up_in(read, "parts", "UpdateContinuousBackups") ==
      R"({"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":35}})");
  CHECK(to_json(*table_in(read, "parts").create.find("ProvisionedThroughput")) ==
        R"({"ReadCapacityUnits":3,"WriteCapacityUnits":2})");
  CHECK(items_in(read, "parts") == R"([{"day":{"N":"3"},"id":{"S":"p1"}}])");
}

TEST_CASE("values of a state that are empty are not set", "[definitions]") {
  CHECK(
      rest_of(read_state(table(
          R"(,"read_capacity":0,"write_capacity":0,"stream_enabled":false,"stream_view_type":"",)"
          R"("ttl":[{"attribute_name":"","enabled":false}],"table_class":"","tags_all":{},"tags":null,)"
          R"("point_in_time_recovery":[{"enabled":false}],"server_side_encryption":[],)"
          R"("on_demand_throughput":[{"max_read_request_units":-1,"max_write_request_units":9}],)"
          R"("warm_throughput":[{"read_units_per_second":12000,"write_units_per_second":4000}],)"
          R"("global_secondary_index":[{"name":"g","hash_key":"id","projection_type":"ALL","read_capacity":0,)"
          R"("write_capacity":0,"warm_throughput":[{"read_units_per_second":12000}]}])"))) ==
      R"({"OnDemandThroughput":{"MaxWriteRequestUnits":9},"GlobalSecondaryIndexes":[{"IndexName":"g",)"
      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]})");
}

TEST_CASE("what provider 6 has anew is read: keys of indexes as blocks, warm throughput", "[definitions]") {
  CHECK(
      rest_of(read_plan(table(
          R"(,"warm_throughput":[{"read_units_per_second":13000,"write_units_per_second":5000}],)"
          R"("global_secondary_index":[{"name":"g","hash_key":null,"projection_type":"KEYS_ONLY","key_schema":[)"
          R"({"attribute_name":"a","key_type":"HASH"},{"attribute_name":"b","key_type":"HASH"},)"
          R"({"attribute_name":"c","key_type":"RANGE"}]}])"))) ==
      R"({"WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":5000},)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"g","KeySchema":[{"AttributeName":"a","KeyType":"HASH"},)"
      R"({"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"c","KeyType":"RANGE"}],)"
      R"("Projection":{"ProjectionType":"KEYS_ONLY"}}]})");
}

TEST_CASE("an index that is a resource of its own is added to its table, with its definitions",
          "[definitions]") {
  const Definitions read =
      read_plan(table("") + ',' +
                resource("aws_dynamodb_global_secondary_index.g", "aws_dynamodb_global_secondary_index",
                         R"("table_name":"things","index_name":"g","key_schema":[)"
                         R"({"attribute_name":"day","attribute_type":"N","key_type":"HASH"},)"
                         R"({"attribute_name":"id","attribute_type":"S","key_type":"RANGE"}],)"
                         R"("projection":[{"projection_type":"ALL","non_key_attributes":null}],)"
                         R"("on_demand_throughput":[{"max_read_request_units":7}])"));
  CHECK(
      rest_of(read) ==
      R"({"GlobalSecondaryIndexes":[{"IndexName":"g","KeySchema":[{"AttributeName":"day","KeyType":"HASH"},)"
      R"({"AttributeName":"id","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"},)"
      R"("OnDemandThroughput":{"MaxReadRequestUnits":7}}]})");
  CHECK(to_json(*table_in(read, "things").create.find("AttributeDefinitions")) ==
        R"([{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"day","AttributeType":"N"}])");
}

TEST_CASE("encryption, protection, class and tags of all are read", "[definitions]") {
  CHECK(rest_of(read_plan(
            table(R"(,"server_side_encryption":[{"enabled":true,"kms_key_arn":"k"}],)"
                  R"("deletion_protection_enabled":true,"table_class":"STANDARD_INFREQUENT_ACCESS",)"
                  R"("tags":{"a":"1"},"tags_all":{"a":"1","b":"2"})"))) ==
        R"({"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"k"},)"
        R"("TableClass":"STANDARD_INFREQUENT_ACCESS","DeletionProtectionEnabled":true,)"
        R"("Tags":[{"Key":"a","Value":"1"},{"Key":"b","Value":"2"}]})");
}

TEST_CASE("replicas, imports and restores are left out with a warning", "[definitions]") {
  CHECK(texts_of(read_plan(table(R"(,"replica":[{"region_name":"eu-west-1"}],"import_table":[{}],)"
                                 R"("restore_source_name":"other")"))
                     .warnings) ==
        Texts{"table \"things\": its replicas are left out",
              "table \"things\": its import is left out, so it is empty",
              "table \"things\": from what it is restored is left out, so it is empty"});
}

TEST_CASE("whatever a table is restored from is left out with a warning", "[definitions]") {
  for (const std::string from : {"restore_source_name", "restore_source_table_arn", "restore_backup_arn"}) {
    INFO(from);
    CHECK(texts_of(read_plan(table(",\"" + from + R"(":"other")")).warnings) ==
          Texts{"table \"things\": from what it is restored is left out, so it is empty"});
  }
}

TEST_CASE("time to live that is not enabled is not set", "[definitions]") {
  for (const std::string enabled : {"", R"(,"enabled":null)", R"(,"enabled":false)"}) {
    INFO(enabled);
    CHECK(follow_up_in(read_plan(table(R"(,"ttl":[{"attribute_name":"gone")" + enabled + "}]")), "things",
                       "UpdateTimeToLive") == "none");
  }
}

TEST_CASE("data and other resources are ignored", "[definitions]") {
  const Definitions read = read_plan(
      R"({"address":"data.aws_dynamodb_table.d","mode":"data","type":"aws_dynamodb_table","values":{"name":"other"}},)" +
      resource("aws_s3_bucket.b", "aws_s3_bucket", R"("bucket":"b")"));
  CHECK(read.tables.empty());
  CHECK(read.errors.empty());
  CHECK(read.warnings.empty());
}

TEST_CASE("a table whose name is not known is an error; the user can name it", "[definitions]") {
  const std::string nameless = resource("aws_dynamodb_table.t", "aws_dynamodb_table",
                                        R"("hash_key":"id","attribute":[{"name":"id","type":"S"}])");
  CHECK(
      texts_of(read_plan(nameless).errors) ==
      Texts{
          "aws_dynamodb_table.t: its name is known only when it is made; give it one by --name, or read the "
          "state: terraform show -json"});
  CHECK(names_of(read_definitions(plan(nameless), "plan.json",
                                  with(&Surroundings::names, {{"aws_dynamodb_table.t", "mine"}}))
                     .tables) == Texts{"mine"});
}

TEST_CASE("another version of the format is refused", "[definitions]") {
  CHECK(texts_of(read_definitions(R"({"format_version":"2.0","values":{}})", "x.json", {}).errors) ==
        Texts{"format_version 2.0 is not known, only 0 and 1"});
  CHECK(texts_of(read_definitions(R"({"version":3,"serial":1,"resources":[]})", "x.json", {}).errors) ==
        Texts{"version 3 of a state is not known, only 4; run terraform show -json"});
}

TEST_CASE("a plan with an error is read with a warning", "[definitions]") {
  const Definitions read = read_plan(table(""), R"(,"errored":true)");
  CHECK(read.tables.size() == 1);
  CHECK(texts_of(read.warnings) == Texts{"the plan has an error, so it may be incomplete"});
}

TEST_CASE("tables of another region are read with one warning; one of ours goes before one of its name",
          "[definitions]") {
  const auto in_region = [](std::string_view address, std::string_view name, std::string_view region) {
    return resource(address, "aws_dynamodb_table",
                    R"("name":")" + std::string(name) + R"(","region":")" + std::string(region) +
                        R"(","hash_key":"id","attribute":[{"name":"id","type":"S"}])");
  };
  const Definitions read = read_plan(in_region("aws_dynamodb_table.a", "same", "eu-west-1") + ',' +
                                     in_region("aws_dynamodb_table.b", "same", "us-east-1") + ',' +
                                     in_region("aws_dynamodb_table.c", "third", "eu-west-1"));
  CHECK(read.errors.empty());
  CHECK(names_of(read.tables) == Texts{"same", "third"});
  CHECK(table_in(read, "same").id == "aws_dynamodb_table.b");
  CHECK(texts_of(read.warnings) ==
        Texts{"table \"same\": aws_dynamodb_table.a of region eu-west-1 is left out",
              "tables of region eu-west-1 are made in us-east-1: \"third\""});
}

TEST_CASE("a table that a region has twice is named once in the warning about its region", "[definitions]") {
  const auto in_west = [](std::string_view address) {
    return R"({"address":")" + std::string(address) +
           R"(","mode":"managed","type":"aws_dynamodb_table","values":)"
           R"({"name":"same","region":"us-west-2","hash_key":"id","attribute":[{"name":"id","type":"S"}]}})";
  };
  const Definitions read = read_plan(in_west("aws_dynamodb_table.a") + ',' + in_west("aws_dynamodb_table.b"));
  CHECK(texts_of(read.warnings) == Texts{"tables of region us-west-2 are made in us-east-1: \"same\""});
  CHECK(read.errors.size() == 1);
}

TEST_CASE("plans of Terraform before 1.1 have format_version 0 and are read", "[definitions]") {
  for (const std::string version : {"0.1", "0.2"}) {
    const Definitions read = read_definitions(
        R"({"format_version":")" + version +
            R"(","planned_values":{"root_module":{"resources":[{"address":)"
            R"("aws_dynamodb_table.a","mode":"managed","type":"aws_dynamodb_table","values":{"name":"older",)"
            R"("hash_key":"id","attribute":[{"name":"id","type":"S"}]}}]}}})",
        "plan.json", {});
    CHECK(names_of(read.tables) == Texts{"older"});
  }
}

TEST_CASE("the region is that of the provider, of an ARN, or of a resource", "[definitions]") {
  const std::string by_arn = table(R"(,"arn":"arn:aws:dynamodb:eu-west-1:000000000000:table/things")");
  CHECK(read_state(by_arn).warnings.size() == 1);
  CHECK(
      read_plan(
          table(""),
          R"(,"configuration":{"provider_config":{"aws":{"expressions":{"region":{"constant_value":"eu-west-1"}}}},)"
          R"("root_module":{"resources":[{"address":"aws_dynamodb_table.t","provider_config_key":"aws"}]}})")
          .warnings.size() == 1);
}

TEST_CASE("a mapping is read by an ARN; what is not of a table is ignored", "[definitions]") {
  const std::string mapping = "aws_lambda_event_source_mapping";
  const Definitions read = read_state(
      table(R"(,"stream_enabled":true,"stream_view_type":"KEYS_ONLY")") + ',' +
      resource(
          mapping + ".m", mapping,
          R"("event_source_arn":"arn:aws:dynamodb:us-east-1:000000000000:table/things/stream/2026",)"
          R"("function_name":"f","starting_position":"LATEST","batch_size":0,"parallelization_factor":0,)"
          R"("maximum_record_age_in_seconds":0,"maximum_retry_attempts":0,"bisect_batch_on_function_error":false)") +
      ',' +
      resource(mapping + ".q", mapping, R"("event_source_arn":"arn:aws:sqs:us-east-1:000000000000:q")"));
  CHECK(read.errors.empty());
  CHECK(triggers_of(read) ==
        Texts{"aws_lambda_event_source_mapping.m: things -> f {\"StartingPosition\":\"LATEST\","
              "\"MaximumRetryAttempts\":0,\"BisectBatchOnFunctionError\":false}"});
}

TEST_CASE("a function that a mapping refers to is named as its resource is", "[definitions]") {
  const std::string mapping = "aws_lambda_event_source_mapping";
  const Definitions read = read_plan(
      table(R"(,"stream_enabled":true,"stream_view_type":"KEYS_ONLY")") + ',' +
          resource("aws_lambda_function.f", "aws_lambda_function", R"("function_name":"watcher")") + ',' +
          resource(mapping + ".m", mapping, ""),
      R"(,"configuration":{"root_module":{"resources":[{"address":"aws_lambda_event_source_mapping.m","expressions":{)"
      R"("event_source_arn":{"references":["aws_dynamodb_table.t.stream_arn","aws_dynamodb_table.t"]},)"
      R"("function_name":{"references":["aws_lambda_function.f.arn","aws_lambda_function.f"]}}}]}})");
  CHECK(triggers_of(read) == Texts{"aws_lambda_event_source_mapping.m: things -> watcher {}"});
}

TEST_CASE("a mapping to a table without a stream is an error", "[definitions]") {
  const std::string mapping = "aws_lambda_event_source_mapping";
  const Definitions read = read_state(
      table("") + ',' +
      resource(
          mapping + ".m", mapping,
          R"("event_source_arn":"arn:aws:dynamodb:us-east-1:0:table/things/stream/2026","function_name":"f")"));
  CHECK(texts_of(read.errors) ==
        Texts{"trigger \"aws_lambda_event_source_mapping.m\": table \"things\" has no StreamSpecification"});
}

TEST_CASE("an item that is not JSON is an error that does not show it", "[definitions]") {
  const Definitions read = read_plan(table("") + ',' +
                                     resource("aws_dynamodb_table_item.i", "aws_dynamodb_table_item",
                                              R"("table_name":"things","item":"{\"password\":secret")"));
  CHECK(texts_of(read.errors) ==
        Texts{"table \"things\": the item of aws_dynamodb_table_item.i is not JSON"});
}

TEST_CASE("what belongs to a table that is not in the file is left out with a warning", "[definitions]") {
  CHECK(texts_of(read_plan(resource("aws_dynamodb_table_item.i", "aws_dynamodb_table_item",
                                    R"("table_name":"other","item":"{}")"))
                     .warnings) ==
        Texts{"aws_dynamodb_table_item.i is left out, because table \"other\" is not in the file"});
  CHECK(texts_of(read_plan(resource("aws_dynamodb_tag.i", "aws_dynamodb_tag", R"("key":"k","value":"v")"))
                     .warnings) ==
        Texts{"aws_dynamodb_tag.i is left out, because it cannot be told of which table it is"});
}

TEST_CASE("modules that refer to each other in a circle end", "[definitions]") {
  const Definitions read = read_plan(
      resource("aws_dynamodb_tag.i", "aws_dynamodb_tag", ""),
      R"(,"configuration":{"root_module":{"resources":[{"address":"aws_dynamodb_tag.i","expressions":)"
      R"({"resource_arn":{"references":["module.m.o"]}}}],"module_calls":{"m":{"expressions":{"v":)"
      R"({"references":["module.m.o","module.m.o"]}},"module":{"outputs":{"o":{"expression":)"
      R"({"references":["var.v","var.v"]}}}}}}}})");
  CHECK(read.warnings.size() == 1);
}

TEST_CASE("too many resources are an error", "[definitions]") {
  std::string many = table("");
  for (int i = 0; i < 10'000; ++i) many += ',' + table("");
  CHECK(texts_of(read_plan(many).errors) ==
        Texts{"there are more than 10000 resources of DynamoDB, Lambda and Amazon "
              "Keyspaces"});
}

}  // namespace dinette::definitions::terraform_json_test
