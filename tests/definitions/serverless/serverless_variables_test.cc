#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/definitions/read_node.h"

#include "definitions/serverless/variables.h"

// docs/definitions/serverless.md section 2.
namespace dinette::definitions::serverless_variables_test {
namespace {

/// The files that tests refer to.
std::optional<std::string> read_file(const std::filesystem::path& file) {
  const std::string name = file.generic_string();
  if (name == "app/names.yml")
    return "dev: {table: from-file, deep: '${self:custom.word}'}\nlist: [one, two]\n";
  if (name == "app/config/names.json") return R"({"a": 1})";
  if (name == "app/note.txt") return "a note";
  if (name == "app/code.js") return "a: read as data";
  if (name == "app/broken.yml") return "a: [";
  if (name == "app/.env") return "# names\nexport NAME=\"in env file\"\nBOTH=general # a comment\n";
  if (name == "app/.env.dev") return "BOTH='of dev'\n";
  return {};
}

Surroundings surroundings() {
  Surroundings around;
  around.read_file = read_file;
  around.environment = [](const std::string& name) {
    return name == "USER_NAME" ? std::optional<std::string>("user") : std::nullopt;
  };
  return around;
}

/// Returns the member `value` of a service as JSON, resolved, or why it cannot be.
std::string resolved(const std::string& service, const Surroundings& around = surroundings()) {
  const auto root = read_yaml(service, "serverless.yml");
  if (!root) return root.error().text();
  const Input input{"app/serverless.yml", around};
  serverless::Variables variables(*root, input);
  const auto value = variables.resolve(*root->find("value"));
  return value ? to_json(*value) : value.error();
}

/// Returns the value of a text in YAML, in a service with some others.
std::string value_of(const std::string& text, const Surroundings& around = surroundings()) {
  return resolved(
      "service: shop\nprovider: {name: aws}\n"
      "custom: {word: hello, number: 5, flag: true, none: null, list: [a, b], "
      "map: {k: '${self:custom.word}'}, stages: {dev: small, prod: large}}\n"
      "params: {default: {p: of all, q: '${self:custom.word}'}, dev: {p: of dev}}\nvalue: " +
          text + "\n",
      around);
}

constexpr const char* missing =
    " has no value here; read what this writes: serverless print --format json > "
    "serverless.json";

}  // namespace

TEST_CASE("a variable that stands alone keeps its type", "[definitions]") {
  CHECK(value_of("${self:custom.number}") == "5");
  CHECK(value_of("${self:custom.flag}") == "true");
  CHECK(value_of("${self:custom.list}") == R"(["a","b"])");
  CHECK(value_of("${self:custom.map}") == R"({"k":"hello"})");
  CHECK(value_of("${self:custom.list.1}") == R"("b")");
  CHECK(value_of("['${self:custom.number}', 'x']") == R"([5,"x"])");
}

TEST_CASE("variables within a text are joined with it", "[definitions]") {
  CHECK(value_of("${self:service}-${self:custom.number}-${self:custom.flag}") == R"("shop-5-true")");
  CHECK(value_of("a ${self:custom.map} b") == "${self:custom.map} is a map within a text");
}

TEST_CASE("what CloudFormation replaces is no variable", "[definitions]") {
  CHECK(value_of("'${AWS::Region} ${Orders} ${Orders.Arn} ${!x} ${} $ { ${unfinished:'") ==
        R"("${AWS::Region} ${Orders} ${Orders.Arn} ${!x} ${} $ { ${unfinished:")");
  CHECK(value_of("'\\${self:service}'") == R"("${self:service}")");
}

TEST_CASE("of several sources the first that has a value counts", "[definitions]") {
  CHECK(value_of("${self:custom.none, 'dev'}") == R"("dev")");
  CHECK(value_of("\"${self:custom.none, self:custom.word}\"") == R"("hello")");
  CHECK(value_of("\"${opt:x, env:NOTHING, 'a, b}'}\"") == R"("a, b}")");
  CHECK(value_of("\"${opt:x, ${self:custom.none}, ${self:custom.number}}\"") == "5");
  CHECK(value_of("\"${opt:x, 'it\\\\'s'}\"") == R"("it's")");
  CHECK(value_of("\"${opt:x, 3}\"") == "3");
  CHECK(value_of("\"${opt:x, -1.5}\"") == "-1.5");
  CHECK(value_of("\"${opt:x, true}\"") == "true");
  CHECK(value_of("\"${opt:x, null}\"") == "null");
  CHECK(value_of("\"${opt:x, ''}\"") == R"("")");
  CHECK(value_of("\"${opt:x, word}\"") == "\"word\" is neither a variable nor a value in quotes");
}

TEST_CASE("variables are nested in addresses, names of files and defaults", "[definitions]") {
  CHECK(value_of("${self:custom.stages.${sls:stage}}") == R"("small")");
  CHECK(value_of("\"${self:custom.stages.${opt:stage, 'prod'}}\"") == R"("large")");
  CHECK(value_of("\"${file(./${self:custom.none, 'names'}.yml):${sls:stage}.table}\"") == R"("from-file")");
  CHECK(value_of("\"${self:custom.stages.${opt:nothing}, 'none'}\"") == R"("none")");
}

TEST_CASE("the stage is the user's, else the file's, else dev", "[definitions]") {
  Surroundings prod = surroundings();
  prod.stage = "prod";
  CHECK(value_of("\"${sls:stage} ${opt:stage} ${self:provider.stage}\"", prod) == R"("prod prod prod")");
  CHECK(value_of("\"${sls:stage} ${self:provider.stage}\"") == R"("dev dev")");
  CHECK(
      value_of("${opt:stage}") ==
      "${opt:stage} has no value here; give it by --stage; read what this writes: serverless print --format "
      "json > serverless.json");
  CHECK(resolved("provider: {stage: '${opt:stage, self:custom.stage}'}\ncustom: {stage: qa}\n"
                 "value: '${sls:stage} ${self:provider.stage}'\n") == R"("qa qa")");
  CHECK(resolved("provider: {stage: '${sls:stage}'}\nvalue: '${self:provider.stage}'\n") == R"("dev")");
}

TEST_CASE("region, account, parameters and booleans have values", "[definitions]") {
  Surroundings around = surroundings();
  around.parameters["given"] = "by user";
  CHECK(value_of("${aws:region} ${opt:region} ${self:provider.region} ${aws:accountId}") ==
        R"("us-east-1 us-east-1 us-east-1 000000000000")");
  CHECK(value_of("${param:p} ${param:q} ${param:given}", around) == R"("of dev hello by user")");
  around.stage = "prod";
  CHECK(value_of("${param:p}", around) == R"("of all")");
  CHECK(value_of("${strToBool(${self:custom.none, 'true'})}") == "true");
  CHECK(value_of("${strToBool(0)}") == "false");
  CHECK(value_of("${strToBool(perhaps)}") == "strToBool(perhaps): it is neither true nor false");
}

TEST_CASE("a service that is an object is named by its member", "[definitions]") {
  CHECK(resolved("service: {name: shop}\nvalue: '${self:service}'\n") == R"("shop")");
}

TEST_CASE("variables of the environment come from it, then from files", "[definitions]") {
  CHECK(value_of("${env:USER_NAME}") == R"("user")");
  CHECK(value_of("${env:NAME}/${env:BOTH}") == R"("in env file/of dev")");
  CHECK(value_of("${env:NOTHING}") == std::string("${env:NOTHING}") + missing);
}

TEST_CASE("files are read with the variables in them, and may be missing if there is a default",
          "[definitions]") {
  CHECK(value_of("${file(names.yml):dev.deep}") == R"("hello")");
  CHECK(value_of("${file(./names.yml):list.1}") == R"("two")");
  CHECK(value_of("${file(config/names.json)}") == R"({"a":1})");
  CHECK(value_of("${file(note.txt)}") == R"("a note")");
  CHECK(value_of("\"${file(none.yml):a, 7}\"") == "7");
  CHECK(value_of("${file(none.yml):a}") == std::string("${file(none.yml):a}") + missing);
  CHECK(value_of("\"${file(code.js):a, 8}\"") == "8");
  CHECK(value_of("${file(code.js)}") == std::string("${file(code.js)}") + missing);
  CHECK(value_of("${file(code.js):a}") == std::string("${file(code.js):a}") + missing);
  CHECK(value_of("\"${file(broken.yml):a, 9}\"").starts_with("app/broken.yml, line 1: "));
}

TEST_CASE("values of the cloud and of plugins are the default, else an error", "[definitions]") {
  CHECK(value_of("\"${ssm:/a/b, 'local'}\"") == R"("local")");
  CHECK(value_of("\"${cf:stack.Output}\"") == std::string("${cf:stack.Output}") + missing);
  CHECK(value_of("\"${cf(eu-west-1):stack.Output, 'x'}\"") == R"("x")");
}

TEST_CASE("variables that refer to themselves are an error", "[definitions]") {
  CHECK(resolved("a: '${self:b}'\nb: '${self:a}'\nvalue: '${self:a}'\n") == "${self:a} refers to itself");
  CHECK(resolved("a: 'x${self:a}'\nvalue: '${self:a}'\n") == "${self:a} refers to itself");
  CHECK(resolved("a: {b: '${self:a}'}\nvalue: '${self:a}'\n") == "${self:a} refers to itself");
  CHECK(resolved("a: '${self:a.b}'\nvalue: '${self:a.b}'\n") == "${self:a.b} refers to itself");
}

TEST_CASE("no variables exhaust the stack, memory or time", "[definitions][volume]") {
  const std::string too_large = "the values of its variables are too many or too long";
  const auto chain = [](const std::string& reference) {
    std::string service = "a0: xxxxxxxxxxxxxxxxxxxx\nvalue: '${self:a25}'\n";
    for (int i = 1; i <= 25; ++i) {
      std::string value = reference;
      for (std::size_t at = value.find('N'); at != std::string::npos; at = value.find('N'))
        value.replace(at, 1, std::to_string(i - 1));
      service += "a" + std::to_string(i) + ": " + value + "\n";
    }
    return service;
  };
  CHECK(resolved(chain("'${self:aN}${self:aN}'")) == too_large);
  CHECK(resolved(chain("['${self:aN}', '${self:aN}']")) == too_large);
  CHECK(resolved(chain("'${self:none, self:aN}'")) == R"("xxxxxxxxxxxxxxxxxxxx")");
  std::string missing_chain = chain("\"${self:aN.x, self:aN.x}\"");
  CHECK(resolved(missing_chain) == too_large);
  std::string nested;
  for (int i = 0; i < 20'000; ++i) nested += "${self:none, ";
  CHECK(value_of("\"" + nested + std::string(20'000, '}') + "\"") == too_large);
  CHECK(value_of("\"" + nested + "\"").size() > 20'000);  // it is no variable
  std::string deep = "value: '${self:b0}'\n";
  for (int i = 0; i < 200; ++i)
    deep += "b" + std::to_string(i) + ": '${self:b" + std::to_string(i + 1) + "}'\n";
  CHECK(resolved(deep + "b200: 1\n") == "variables and values nest deeper than 100 levels");
}

}  // namespace dinette::definitions::serverless_variables_test
