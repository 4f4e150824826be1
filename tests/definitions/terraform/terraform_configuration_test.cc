#include <string>

#include "definitions/defined.h"

// docs/definitions/terraform.md section 4.
namespace dinette::definitions::terraform_configuration_test {
namespace {

using namespace defined;

constexpr std::string_view run_plan =
    "run terraform plan -out plan && terraform show -json plan > plan.json and read plan.json";

Definitions read(std::string_view content, const Surroundings& surroundings = {}) {
  return read_definitions(content, "main.tf", surroundings);
}

/// Returns a table "things" with these lines in its block.
std::string table(std::string_view lines, std::string_view name = "\"things\"") {
  return "resource \"aws_dynamodb_table\" \"t\" {\n  name = " + std::string(name) +
         "\n  billing_mode = \"PAY_PER_REQUEST\"\n  hash_key = \"id\"\n" +
         "  attribute {\n    name = \"id\"\n    type = \"S\"\n  }\n" + std::string(lines) + "\n}\n";
}

/// Returns the value of an expression, by the value of a tag.
std::string value_of(const std::string& expression, const std::string& rest = {},
                     const Surroundings& surroundings = {}) {
  const Definitions found = read(table("  tags = { v = " + expression + " }") + rest, surroundings);
  if (!found.errors.empty()) return found.errors.front().text;
  return table_in(found, "things").create.find("Tags")->elements()[0].find("Value")->scalar();
}

/// Returns why a table with that expression is refused.
std::string reason_of(const std::string& expression, const std::string& rest = {}) {
  const Definitions found = read(table("  range_key = " + expression) + rest);
  if (found.errors.empty()) return "none";
  const std::string& text = found.errors.front().text;
  const std::size_t begin = text.find('(');
  return text.substr(begin + 1, text.rfind("); run") - begin - 1);
}

}  // namespace

TEST_CASE("a configuration is read as far as it is literal", "[definitions]") {
  const Definitions found = read_input("06-terraform.tf");
  CHECK(found.format == "a configuration of Terraform");
  CHECK(names_of(found.tables) == Texts{"dev-garden-beds", "log-light", "log-water"});
  REQUIRE(found.errors.size() == 1);
  CHECK(found.errors[0].text ==
        "table \"zones\": aws_dynamodb_table.zones is not literal (block \"dynamic\"); " +
            std::string(run_plan));
  CHECK(found.errors[0].place.line == 68);
  CHECK(found.warnings.empty());
  CHECK(
      create_in(found, "dev-garden-beds") ==
      R"({"KeySchema":[{"AttributeName":"bed","KeyType":"HASH"},{"AttributeName":"planted","KeyType":"RANGE"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"bed","AttributeType":"S"},)"
      R"({"AttributeName":"planted","AttributeType":"N"},{"AttributeName":"kind","AttributeType":"S"}],)"
      R"("BillingMode":"PAY_PER_REQUEST","GlobalSecondaryIndexes":[{"IndexName":"by-kind",)"
      R"("KeySchema":[{"AttributeName":"kind","KeyType":"HASH"},{"AttributeName":"planted","KeyType":"RANGE"}],)"
      R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["label"]}}],)"
      R"("LocalSecondaryIndexes":[{"IndexName":"kind-in-bed",)"
      R"("KeySchema":[{"AttributeName":"bed","KeyType":"HASH"},{"AttributeName":"kind","KeyType":"RANGE"}],)"
      R"("Projection":{"ProjectionType":"KEYS_ONLY"}}],)"
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},)"
      R"("Tags":[{"Key":"Team","Value":"garden"}],"TableName":"dev-garden-beds"})");
  CHECK(follow_up_in(found, "dev-garden-beds", "UpdateTimeToLive") ==
        R"({"TimeToLiveSpecification":{"AttributeName":"gone","Enabled":true}})");
  CHECK(follow_up_in(found, "dev-garden-beds", "EnableKinesisStreamingDestination") ==
        R"({"StreamArn":"arn:aws:kinesis:us-east-1:000000000000:stream/garden"})");
  CHECK(items_in(found, "dev-garden-beds") ==
        R"([{"bed":{"S":"b1"},"planted":{"N":"1700000000"},"kind":{"S":"fern"}}])");
  CHECK(create_in(found, "log-light") ==
        R"({"KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],)"
        R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],)"
        R"("ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":3},"TableName":"log-light"})");
  CHECK(triggers_of(found) ==
        Texts{R"(aws_lambda_event_source_mapping.watch: dev-garden-beds -> bed-watcher )"
              R"({"StartingPosition":"LATEST","BatchSize":10})"});
}

TEST_CASE("a configuration of an old Terraform is read", "[definitions]") {
  const Definitions found = read_input("terraform-old-style.tf");
  CHECK(found.errors.empty());
  CHECK(
      create_in(found, "links") ==
      R"({"KeySchema":[{"AttributeName":"prefix","KeyType":"HASH"},{"AttributeName":"unique_part","KeyType":"RANGE"}],)"
      R"("AttributeDefinitions":[{"AttributeName":"prefix","AttributeType":"S"},)"
      R"({"AttributeName":"unique_part","AttributeType":"S"}],)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1},)"
      R"("Tags":[{"Key":"key","Value":"Site"}],"TableName":"links"})");
}

TEST_CASE("a key of KMS that is made with the table is left out, and only what is not literal refused",
          "[definitions]") {
  const Definitions found = read_input("terraform-keys.tf");
  CHECK(names_of(found.tables) == Texts{"quiz-sockets"});
  CHECK(to_json(*table_in(found, "quiz-sockets").create.find("SSESpecification")) == R"({"Enabled":true})");
  CHECK(to_json(*table_in(found, "quiz-sockets").create.find("Tags")) ==
        R"([{"Key":"Project","Value":"quiz"}])");
  CHECK(
      texts_of(found.errors) ==
      Texts{"table \"quiz-favourites\": aws_dynamodb_table.favourites is not literal (function \"merge\"); " +
            std::string(run_plan)});
  CHECK(texts_of(found.warnings) ==
        Texts{"aws_dynamodb_table.sockets: the key of its encryption is not known, so it is left out"});
}

TEST_CASE("an index as a resource of its own is read", "[definitions]") {
  const Definitions found = read_input("terraform-index-resource.tf");
  CHECK(found.errors.empty());
  CHECK(to_json(*table_in(found, "app-people").create.find("GlobalSecondaryIndexes")) ==
        R"([{"IndexName":"byGroup","KeySchema":[{"AttributeName":"groupId","KeyType":"HASH"},)"
        R"({"AttributeName":"personId","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}])");
  CHECK(table_in(found, "app-people").create.find("AttributeDefinitions")->elements().size() == 3);
}

TEST_CASE("texts of a configuration have the value that Terraform gives them", "[definitions]") {
  CHECK(value_of(R"("x\n\t\"q\\ $${no} %%{no} \u00e9\U0001F600")") == "x\n\t\"q\\ ${no} %{no} é😀");
  CHECK(value_of(R"("a$b $ {c} $")") == "a$b $ {c} $");
  CHECK(value_of(R"("n=${15} ${true} ${"nested ${"deep"}"}")") == "n=15 true nested deep");
  CHECK(value_of("<<EOT\nline ${\"a\"} \\n \"q\"\n  two\nEOT\n") == "line a \\n \"q\"\n  two\n");
  CHECK(value_of("<<-EOT\n    one\n\n      two\n  EOT\n") == "one\n\n  two\n");
  CHECK(value_of("jsonencode([tolist([\"b\", \"a\"]), tomap({ c = 1 }), toset([\"b\", \"a\"])])") ==
        R"([["b","a"],{"c":1},["a","b"]])");
  CHECK(value_of("jsonencode({ b = 1, \"q r\" : [true, null] })") == R"({"b":1,"q r":[true,null]})");
  CHECK(value_of("-5") == "-5");
  CHECK(value_of("(\n  \"in parentheses\"\n)") == "in parentheses");
}

TEST_CASE("names in a configuration stand for what it says elsewhere", "[definitions]") {
  CHECK(value_of("var.a", "variable \"a\" {\n  default = \"x\"\n}\n") == "x");
  CHECK(value_of("var.a", "variable \"a\" {\n  default = \"x\"\n}\n",
                 with(&Surroundings::parameters, {{"a", "given"}})) == "given");
  CHECK(value_of("var.a[1]", "variable \"a\" {\n  type = list(string)\n}\n",
                 with(&Surroundings::parameters, {{"a", "[\"x\", \"y\"]"}})) == "y");
  CHECK(value_of("local.a.b", "locals {\n  a = { b = \"${local.c}!\" }\n  c = \"deep\"\n}\n") == "deep!");
  CHECK(value_of("aws_dynamodb_table.t.hash_key") == "id");
  CHECK(value_of("aws_dynamodb_table.t.id") == "things");
}

TEST_CASE("what is not literal is refused with what it is", "[definitions]") {
  CHECK(reason_of("lower(\"A\")") == "function \"lower\"");
  CHECK(reason_of("true ? \"a\" : \"b\"") == "operator \"?\"");
  CHECK(reason_of("[for x in [1] : x]") == "a for expression");
  CHECK(reason_of("data.aws_region.here.name") == "data.aws_region");
  CHECK(reason_of("module.m.name") == "module.m");
  CHECK(reason_of("each.key") == "each.key");
  CHECK(reason_of("\"%{ if true }a%{ endif }\"") == "a directive of a template");
  CHECK(reason_of("var.none") ==
        "variable \"none\" is not declared here; read the folder of its module, or give it by --param "
        "none=VALUE");
  CHECK(reason_of("local.none") == "local \"none\" is not declared here; read the folder of its module");
  CHECK(reason_of("aws_kms_key.k.arn") == "aws_kms_key.k.arn, which is known only when it is made");
  CHECK(reason_of("local.a", "locals {\n  a = local.b\n  b = local.a\n}\n") ==
        "values that refer to each other in a circle, or nest too deep");
  CHECK(reason_of("aws_dynamodb_table.t.range_key") ==
        "values that refer to each other in a circle, or nest too deep");
}

TEST_CASE("for_each and count make several tables", "[definitions]") {
  CHECK(names_of(read(table("  for_each = toset([\"b\", \"a\", \"b\"])", "\"t-${each.key}${each.value}\""))
                     .tables) == Texts{"t-aa", "t-bb"});
  CHECK(names_of(read(table("  for_each = { x = { n = \"one\" }, y = { n = \"two\" } }",
                            "\"${each.key}-${each.value.n}\""))
                     .tables) == Texts{"x-one", "y-two"});
  CHECK(names_of(read(table("  count = 2", "\"tab-${count.index}\"")).tables) == Texts{"tab-0", "tab-1"});
  CHECK(read(table("  count = 0")).tables.empty());
  CHECK(read(table("  count = 2", "\"tab-${count.index}\"")).tables[1].id == "aws_dynamodb_table.t[1]");
}

TEST_CASE("a reference to an instance has its value", "[definitions]") {
  const Definitions found =
      read(table("  for_each = toset([\"a\", \"b\"])", "\"tab-${each.key}\"") +
           "resource \"aws_dynamodb_table_item\" \"i\" {\n  table_name = aws_dynamodb_table.t[\"b\"].name\n"
           "  item = jsonencode({ id = { S = \"1\" } })\n}\n"
           "resource \"aws_dynamodb_tag\" \"g\" {\n  resource_arn = aws_dynamodb_table.t[\"a\"].arn\n"
           "  key = \"k\"\n  value = \"v\"\n}\n");
  CHECK(found.errors.empty());
  CHECK(items_in(found, "tab-b") == R"([{"id":{"S":"1"}}])");
  CHECK(items_in(found, "tab-a") == "[]");
  CHECK(to_json(*table_in(found, "tab-a").create.find("Tags")) == R"([{"Key":"k","Value":"v"}])");
}

TEST_CASE("a function that is a resource gives a trigger its name", "[definitions]") {
  const Definitions found =
      read(table("  stream_enabled = true\n  stream_view_type = \"KEYS_ONLY\"") +
           "resource \"aws_lambda_function\" \"f\" {\n  function_name = \"watcher\"\n"
           "  role = aws_iam_role.r.arn\n  filename = data.archive_file.f.output_path\n}\n"
           "resource \"aws_lambda_event_source_mapping\" \"m\" {\n"
           "  event_source_arn = aws_dynamodb_table.t.stream_arn\n"
           "  function_name = aws_lambda_function.f.arn\n  starting_position = \"LATEST\"\n"
           "  filter_criteria {\n    filter {\n      pattern = jsonencode({ eventName = [\"INSERT\"] })\n    "
           "}\n  }\n}\n");
  CHECK(found.errors.empty());
  CHECK(triggers_of(found) ==
        Texts{R"(aws_lambda_event_source_mapping.m: things -> watcher {"StartingPosition":"LATEST",)"
              R"("FilterCriteria":{"Filters":[{"Pattern":"{\"eventName\":[\"INSERT\"]}"}]}})"});
}

TEST_CASE("what is not literal of other resources is left out with a warning", "[definitions]") {
  CHECK(texts_of(read(table("") + "resource \"aws_dynamodb_table_item\" \"i\" {\n"
                                  "  table_name = \"things\"\n  item = file(\"item.json\")\n}\n")
                     .warnings) ==
        Texts{"aws_dynamodb_table_item.i is left out, because it is not literal (function \"file\")"});
}

TEST_CASE("modules are not read, which is an error if they are of tables", "[definitions]") {
  const Definitions found = read(table("") +
                                 "module \"vpc\" {\n  source = \"./vpc\"\n}\nmodule \"orders\" {\n"
                                 "  source = \"terraform-aws-modules/dynamodb-table/aws\"\n}\n");
  CHECK(found.tables.size() == 1);
  CHECK(texts_of(found.errors) ==
        Texts{"the tables of module \"orders\" are not literal; " + std::string(run_plan)});
  CHECK(texts_of(found.warnings) ==
        Texts{"modules are not read: \"vpc\"; if they have tables, " + std::string(run_plan)});
}

TEST_CASE("the region of a table is that of its provider", "[definitions]") {
  const std::string providers =
      "provider \"aws\" {\n  region = \"us-east-1\"\n}\n"
      "provider \"aws\" {\n  alias = \"eu\"\n  region = \"eu-west-1\"\n}\n";
  CHECK(read(providers + table("")).warnings.empty());
  CHECK(texts_of(read(providers + table("  provider = aws.eu")).warnings) ==
        Texts{"tables of region eu-west-1 are made in us-east-1: \"things\""});
}

TEST_CASE("a configuration is recognised by its first block", "[definitions]") {
  CHECK(read("# a comment\n/* more */ // and more\nlocals {\n}\n").format == "a configuration of Terraform");
  CHECK(read("\xEF\xBB\xBFresource \"a\" \"b\" {\n}\n").errors.empty());
  CHECK(read("import {\n  # where it is\n  to = a.b\n  id = \"b\"\n}\n").format ==
        "a configuration of Terraform");
  CHECK(read("resource: {a: 1}\n").format.empty());
  CHECK(read("data of no block\n").format.empty());
  CHECK(read("data\n").format.empty());
}

TEST_CASE("labels of blocks need no quotes", "[definitions]") {
  const std::string quoted = table("");
  const std::string plain = "resource aws_dynamodb_table t" + quoted.substr(quoted.find(" {\n"));
  CHECK(table_in(read(plain), "things").id == "aws_dynamodb_table.t");
  CHECK(read("variable a {\n}\n").format == "a configuration of Terraform");
}

TEST_CASE("what is no configuration is an error with its line", "[definitions]") {
  const auto error_of = [](std::string_view content) {
    const Definitions found = read(content);
    return found.errors.size() == 1 ? found.errors[0].place.text() + ": " + found.errors[0].text : "none";
  };
  CHECK(error_of("locals {\n  a = \"b\n}\n") == "main.tf, line 2: a text does not end on its line");
  CHECK(error_of("locals {\n  a = 1\n") == "main.tf, line 2: a block does not end");
  CHECK(error_of("locals {\n}\n}\n") == "main.tf, line 3: a } is too many");
  CHECK(error_of("locals {\n  a 1\n}\n") == "main.tf, line 2: = or { is expected");
  CHECK(error_of("locals {\n  5 = 1\n}\n") ==
        "main.tf, line 2: a name of a block or an attribute is expected");
  CHECK(error_of("locals {\n  a = 1\n  a = 2\n}\n") == "main.tf, line 3: the attribute \"a\" is there twice");
  CHECK(error_of("locals {\n  a = <<E\nx\n") == "main.tf, line 2: a heredoc does not end");
  CHECK(error_of("locals {\n  a = \"${\"\n}\n") == "main.tf, line 2: a template does not end");
  CHECK(error_of("locals {\n}\n/* x") == "main.tf, line 3: a comment does not end");
}

TEST_CASE("no configuration exhausts the stack, memory or time", "[definitions]") {
  std::string blocks = "locals {\n";
  for (int i = 0; i < 50'000; ++i) blocks += "a {\n";
  CHECK(read(blocks).errors.front().text == "blocks nest deeper than 100 levels");
  const std::string circle = "values that refer to each other in a circle, or nest too deep";
  CHECK(reason_of(std::string(50'000, '[') + std::string(50'000, ']')) == circle);
  CHECK(reason_of(std::string(50'000, '(') + std::string(50'000, ')')) == circle);
  std::string templates;
  for (int i = 0; i < 20'000; ++i) templates += "\"${";
  CHECK(read("locals {\n  a = " + templates).errors.front().text == "a template does not end");
  std::string doubling = "locals {\n  a0 = \"xxxxxxxxxxxxxxxx\"\n";
  for (int i = 1; i < 25; ++i) {
    const std::string before = std::to_string(i - 1);
    doubling += "  a" + std::to_string(i) + " = \"${local.a" + before + "}${local.a" + before + "}\"\n";
  }
  CHECK(reason_of("local.a24", doubling + "}\n") == "values that are too large");
  CHECK(reason_of("var.a", "variable \"a\" {\n  default = \"" + std::string(3'000'000, 'x') + "\"\n}\n") ==
        "values that are too large");
  CHECK(read("locals {\n  a = \"" + std::string(5 << 20, 'x') + "\"\n}\n").errors.front().text ==
        "more than 4194304 bytes of configuration");
  std::string words = "locals {\n  a = [";
  for (int i = 0; i < 300'000; ++i) words += "1,";
  CHECK(read(words + "]\n}\n").errors.front().text == "it has more than 500000 words and signs");
  CHECK(reason_of("\"a\"\n  count = 1001") == "more than 1000 instances");
  std::string members;
  for (int i = 0; i < 2001; ++i) members += "  a" + std::to_string(i) + " = 1\n";
  CHECK(reason_of("\"a\"\n" + members) == "more than 2000 attributes and blocks");
  std::string resources;
  for (int i = 0; i < 20; ++i)
    resources += "resource \"aws_dynamodb_table\" \"t" + std::to_string(i) + "\" {\n  count = 1000\n}\n";
  CHECK(texts_of(read(resources).errors) ==
        Texts{"there are more than 10000 resources of DynamoDB, Lambda and Amazon "
              "Keyspaces"});
}

}  // namespace dinette::definitions::terraform_configuration_test
