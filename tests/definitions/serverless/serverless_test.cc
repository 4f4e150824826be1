#include <string>

#include "definitions/defined.h"

// docs/definitions/serverless.md sections 1, 3 and 4.
namespace dinette::definitions::serverless_test {
namespace {

using namespace defined;

Definitions read(std::string_view content, const Surroundings& surroundings = {}) {
  return read_definitions(content, "app/serverless.yml", surroundings);
}

/// Returns a service with these lines of resources, indented by two.
std::string service(std::string_view lines) {
  return "service: shop\nprovider: {name: aws}\nresources:\n  Resources:\n" + std::string(lines);
}

/// Returns a table with that id and name, indented as `service` needs it.
std::string table(std::string_view id, std::string_view name, std::string_view rest = {}) {
  return "    " + std::string(id) +
         ":\n      Type: AWS::DynamoDB::Table\n      Properties:\n        TableName: " + std::string(name) +
         "\n        BillingMode: PAY_PER_REQUEST\n" +
         "        AttributeDefinitions: [{AttributeName: id, AttributeType: S}]\n"
         "        KeySchema: [{AttributeName: id, KeyType: HASH}]\n" +
         std::string(rest);
}

Texts seeds_of(const Definitions& read) {
  Texts seeds;
  for (const SeedFile& seed : read.seeds) {
    const auto folder = std::filesystem::path(DINETTE_DEFINITIONS_INPUTS);
    seeds.push_back(seed.table + ' ' + seed.file.lexically_relative(folder).generic_string() +
                    (seed.typed ? " typed" : ""));
  }
  return seeds;
}

}  // namespace

TEST_CASE("a service is read with its variables, streams and seeds", "[definitions]") {
  const Definitions found = read_input("04-serverless.yml");
  CHECK(found.errors.empty());
  CHECK(found.warnings.empty());
  CHECK(found.format == "a service of the Serverless Framework");
  CHECK(names_of(found.tables) == Texts{"nursery-seeds-dev", "trial-batches"});
  CHECK(create_in(found, "nursery-seeds-dev") ==
        R"({"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
        R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
        R"("ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":2},)"
        R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)"
        R"("TableName":"nursery-seeds-dev"})");
  CHECK(follow_up_in(found, "nursery-seeds-dev", "UpdateTimeToLive") ==
        R"({"TimeToLiveSpecification":{"AttributeName":"until","Enabled":true}})");
  CHECK(
      create_in(found, "trial-batches") ==
      R"({"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"lot","AttributeType":"N"}],)"
      R"("KeySchema":[{"AttributeName":"lot","KeyType":"HASH"}],)"
      R"("Tags":[{"Key":"region","Value":"us-east-1"}],"TableName":"trial-batches"})");
  CHECK(triggers_of(found) ==
        Texts{R"(onSeed: nursery-seeds-dev -> onSeed {"StartingPosition":"TRIM_HORIZON","BatchSize":5})"});
  CHECK(seeds_of(found) == Texts{"nursery-seeds-dev 11-seed.json"});
}

TEST_CASE("a service is read for the stage that the user gives", "[definitions]") {
  CHECK(names_of(read_input("04-serverless.yml", with(&Surroundings::stage, "prod")).tables) ==
        Texts{"nursery-seeds-prod", "live-batches"});
  CHECK(names_of(read_input("04-serverless.yml", with(&Surroundings::stage, "qa")).tables) ==
        Texts{"nursery-seeds-qa", "tmp-batches"});
  CHECK(read_input("04-serverless.yml", with(&Surroundings::stage, "prod"))
            .seeds.empty());  // the plugin is not for that stage
}

TEST_CASE("resources of several files are merged, and throughput depends on the stage", "[definitions]") {
  const Definitions dev = read_input("serverless-throughputs.yml");
  CHECK(dev.errors.empty());
  CHECK(dev.warnings.empty());
  CHECK(names_of(dev.tables) == Texts{"dev-notes", "orders-of-dev"});
  CHECK(to_json(*table_in(dev, "dev-notes").create.find("ProvisionedThroughput")) ==
        R"({"ReadCapacityUnits":1,"WriteCapacityUnits":1})");
  const Definitions prod = read_input("serverless-throughputs.yml", with(&Surroundings::stage, "prod"));
  CHECK(to_json(*table_in(prod, "prod-notes").create.find("ProvisionedThroughput")) ==
        R"({"ReadCapacityUnits":5,"WriteCapacityUnits":5})");
}

TEST_CASE("streams of functions are triggers with what Serverless sets", "[definitions]") {
  const Definitions found = read_input("serverless-streams.yml");
  CHECK(found.errors.empty());
  CHECK(
      triggers_of(found) ==
      Texts{R"(mailer: posts -> mailer {"StartingPosition":"TRIM_HORIZON","BatchSize":10})",
            R"(indexer: posts -> indexer {"StartingPosition":"TRIM_HORIZON","BatchSize":25,"Enabled":false,)"
            R"("MaximumBatchingWindowInSeconds":2,"MaximumRetryAttempts":3,"MaximumRecordAgeInSeconds":3600,)"
            R"("ParallelizationFactor":2,"BisectBatchOnFunctionError":true,"TumblingWindowInSeconds":30,)"
            R"("FunctionResponseTypes":["ReportBatchItemFailures"],"FilterCriteria":{"Filters":[)"
            R"({"Pattern":"{\"eventName\":[\"INSERT\"]}"},)"
            R"({"Pattern":"{\"dynamodb\":{\"NewImage\":{\"kind\":{\"S\":[\"post\"]}}}}"}]}})",
            R"(indexer2: posts -> indexer {"StartingPosition":"TRIM_HORIZON","BatchSize":10})"});
}

TEST_CASE("a stream that cannot be resolved is left out with a warning", "[definitions]") {
  const Definitions found =
      read(service(table("T", "things")) +
           "functions:\n  f:\n    events:\n      - stream: {type: dynamodb, arn: '${cf:other.StreamArn}'}\n");
  CHECK(names_of(found.tables) == Texts{"things"});
  REQUIRE(found.warnings.size() == 1);
  CHECK(found.warnings[0].text.starts_with(
      "the stream of function \"f\" is left out: ${cf:other.StreamArn} has no value here"));
}

TEST_CASE("a stream that is said to be of Kinesis is no trigger", "[definitions]") {
  const Definitions found =
      read(service(table("T", "things")) +
           "functions:\n  f:\n    events:\n      - stream: {type: kinesis, arn: !GetAtt T.StreamArn}\n");
  CHECK(found.errors.empty());
  CHECK(found.triggers.empty());
}

TEST_CASE("a trigger has an id that no resource has", "[definitions]") {
  const Definitions found =
      read(service(table("things", "things", "        StreamSpecification: {StreamViewType: KEYS_ONLY}\n")) +
           "functions:\n  things:\n    events:\n      - stream: {arn: !GetAtt things.StreamArn}\n");
  CHECK(triggers_of(found) ==
        Texts{R"(things2: things -> things {"StartingPosition":"TRIM_HORIZON","BatchSize":10})"});
}

TEST_CASE("a resource that several documents have is merged", "[definitions]") {
  const Definitions found = read(
      "service: shop\nprovider: {name: aws}\nresources:\n"
      "  - Resources: {T: {Type: AWS::DynamoDB::Table, Properties: {TableName: things, BillingMode: "
      "PAY_PER_REQUEST,"
      " AttributeDefinitions: [{AttributeName: id, AttributeType: S}]}}}\n"
      "  - Resources: {T: {Properties: {KeySchema: [{AttributeName: id, KeyType: HASH}]}}}\n");
  CHECK(found.errors.empty());
  CHECK(
      create_in(found, "things") ==
      R"({"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],"TableName":"things"})");
}

TEST_CASE("seeds are those of the categories that the plugin loads at its start", "[definitions]") {
  const Definitions found = read_input("serverless-seeds.yml");
  CHECK(seeds_of(found) == Texts{"todo-list-list-dev src/seeds/list.json",
                                 "todo-list-list-dev seeds/more.json", "users seeds/users.json typed"});
  CHECK(read_input("serverless-seeds.yml", with(&Surroundings::stage, "prod")).seeds.empty());
}

TEST_CASE("seeds outside of the service's folder are left out with a warning", "[definitions]") {
  const Definitions found = read(
      "service: a\nprovider: {name: aws}\ncustom:\n  dynamodb:\n    start: {seed: true}\n"
      "    seed: {c: {sources: [{table: t, sources: [a/../../b.json, a/../c.json]}]}}\n");
  REQUIRE(found.seeds.size() == 1);
  CHECK(found.seeds[0].file.filename() == "c.json");
  REQUIRE(found.warnings.size() == 1);
  CHECK(found.warnings[0].text == "the items of a/../../b.json are left out: it is outside of the folder");
}

TEST_CASE("seeds that the plugin does not load at its start are not read", "[definitions]") {
  const auto with_start = [](std::string_view start) {
    return read("service: a\nprovider: {name: aws}\ncustom:\n  dynamodb:\n    start: " + std::string(start) +
                "\n    seed: {c: {sources: [{table: t, sources: [s.json]}]}}\n")
        .seeds.size();
  };
  CHECK(with_start("{seed: true}") == 1);
  CHECK(with_start("{seed: 'true'}") == 1);
  CHECK(with_start("{seed: c}") == 1);
  CHECK(with_start("{seed: false}") == 0);
  CHECK(with_start("{seed: 'a,c,b'}") == 1);
  CHECK(with_start("{seed: other}") == 0);
  CHECK(with_start("{seed: cat}") == 0);
  CHECK(with_start("{port: 8000}") == 0);
}

TEST_CASE("extensions change resources", "[definitions]") {
  CHECK(to_json(*table_in(read_input("serverless-seeds.yml"), "todo-list-list-dev").create.find("Tags")) ==
        R"([{"Key":"by","Value":"extension"}])");
}

TEST_CASE("what serverless print writes is read as the service is", "[definitions]") {
  const Definitions found = read_input("serverless-print.json");
  CHECK(found.errors.empty());
  CHECK(names_of(found.tables) == Texts{"nursery-seeds-dev"});
  CHECK(to_json(*table_in(found, "nursery-seeds-dev").create.find("ProvisionedThroughput")) ==
        R"({"ReadCapacityUnits":3,"WriteCapacityUnits":2})");
  CHECK(to_json(*table_in(found, "nursery-seeds-dev").create.find("Tags")) ==
        R"([{"Key":"region","Value":"us-east-1"},{"Key":"stack","Value":"nursery-dev"}])");
  CHECK(triggers_of(found) ==
        Texts{R"(onSeed: nursery-seeds-dev -> onSeed {"StartingPosition":"TRIM_HORIZON","BatchSize":5})"});
  CHECK(seeds_of(found) == Texts{"nursery-seeds-dev 11-seed.json"});
}

TEST_CASE("the template that serverless package writes is read", "[definitions]") {
  const Definitions found = read_input("serverless-update-stack.json");
  CHECK(found.errors.empty());
  CHECK(names_of(found.tables) == Texts{"nursery-seeds-dev"});
  REQUIRE(found.triggers.size() == 1);
  CHECK(found.triggers[0].table == "nursery-seeds-dev");
  CHECK(found.triggers[0].function.find("nursery-dev-onSeed") != std::string::npos);
}

TEST_CASE("a table with a variable without a value is an error, and hides no other", "[definitions]") {
  const Definitions found = read(service(table("Good", "good") + table("Bad", "'${ssm:/name}'")));
  CHECK(names_of(found.tables) == Texts{"good"});
  REQUIRE(found.errors.size() == 1);
  CHECK(found.errors[0].text ==
        "table \"Bad\": ${ssm:/name} has no value here; read what this writes: serverless print --format "
        "json > "
        "serverless.json");
  CHECK(found.errors[0].place.line == 13);
}

TEST_CASE("so is a keyspace with such a variable, and what is in a keyspace", "[definitions]") {
  const auto error_of = [](const char* type) {
    const Definitions found = read(service("    R: {Type: 'AWS::Cassandra::" + std::string(type) +
                                           "', Properties: {KeyspaceName: '${ssm:/name}'}}\n"));
    return found.errors.size() == 1 ? found.errors[0].text.substr(0, found.errors[0].text.find(" has no"))
                                    : "none";
  };
  CHECK(error_of("Keyspace") == "keyspace \"R\": ${ssm:/name}");
  CHECK(error_of("Table") == "Keyspaces table \"R\": ${ssm:/name}");
  CHECK(error_of("Type") == "Keyspaces type \"R\": ${ssm:/name}");
}

TEST_CASE("an event source mapping with such a variable is left out, with a warning", "[definitions]") {
  const Definitions found = read(service(
      "    M: {Type: 'AWS::Lambda::EventSourceMapping', Properties: {FunctionName: '${ssm:/name}'}}\n"));
  CHECK(found.errors.empty());
  REQUIRE(found.warnings.size() == 1);
  CHECK(found.warnings[0].text.find("trigger \"M\" is left out: ${ssm:/name} has no value here") == 0);
}

TEST_CASE("what is not of a table may have variables without a value", "[definitions]") {
  const Definitions found = read(
      service(table("T", "things") + "    Topic: {Type: AWS::SNS::Topic, Properties: {Name: '${ssm:/a}'}}\n"
                                     "  Outputs: {A: {Value: '${cf:other.A}'}}\n"));
  CHECK(found.errors.empty());
  CHECK(names_of(found.tables) == Texts{"things"});
}

TEST_CASE("resources that cannot be found are an error", "[definitions]") {
  const std::string head = "service: shop\nprovider: {name: aws}\n";
  const auto error_of = [&](std::string_view resources) {
    const Definitions found = read(head + std::string(resources));
    return found.errors.size() == 1 ? found.errors[0].text.substr(0, found.errors[0].text.find(" has no"))
                                    : "none";
  };
  CHECK(error_of("resources: ${file(tables.js)}\n") == "resources: ${file(tables.js)}");
  CHECK(error_of("resources:\n  - ${file(none.yml)}\n") == "resources: ${file(none.yml)}");
  CHECK(error_of("resources:\n  Resources: ${file(none.yml):R}\n") == "Resources: ${file(none.yml):R}");
  CHECK(error_of("resources:\n  Resources:\n    T: ${file(none.yml)}\n") ==
        "resource \"T\": ${file(none.yml)}");
}

TEST_CASE("the short tag of a text with variables stays", "[definitions]") {
  const Definitions found = read(service(table("T", "!Sub '${self:service}-${AWS::Region}'")));
  CHECK(found.errors.empty());
  CHECK(names_of(found.tables) == Texts{"shop-us-east-1"});
}

TEST_CASE("a table without a name has its logical id", "[definitions]") {
  const Definitions found = read(
      "service: shop\nprovider: {name: aws}\nresources:\n  Resources:\n    Things:\n"
      "      Type: AWS::DynamoDB::Table\n      Properties:\n        BillingMode: PAY_PER_REQUEST\n"
      "        AttributeDefinitions: [{AttributeName: id, AttributeType: S}]\n"
      "        KeySchema: [{AttributeName: id, KeyType: HASH}]\n");
  CHECK(names_of(found.tables) == Texts{"Things"});
}

TEST_CASE("a variable syntax of its own is refused", "[definitions]") {
  CHECK(
      texts_of(read("service: a\nprovider: {name: aws, variableSyntax: '\\${(.*)}'}\n").errors) ==
      Texts{
          "a variableSyntax of its own is not known; read what this writes: serverless print --format json > "
          "serverless.json"});
}

TEST_CASE("a service without resources has no tables and no errors", "[definitions]") {
  const Definitions found = read("service: a\nprovider: aws\n");
  CHECK(found.tables.empty());
  CHECK(found.errors.empty());
}

TEST_CASE("too many resources of a service are an error", "[definitions]") {
  std::string many;
  for (int i = 0; i < 2002; ++i) many += "    R" + std::to_string(i) + ": {Type: x}\n";
  CHECK(texts_of(read(service(many)).errors) == Texts{"there are more than 2000 resources"});
}

}  // namespace dinette::definitions::serverless_test
