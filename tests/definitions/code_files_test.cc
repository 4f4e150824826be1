#include <string>

#include "definitions/defined.h"

// docs/definitions/table-requests.md section 4.
namespace dinette::definitions::code_files_test {
namespace {

using namespace defined;

std::string refusal(std::string_view content, const char* file) {
  const Definitions read = read_definitions(content, file, {});
  CHECK(read.tables.empty());
  return read.errors.size() == 1 ? read.errors[0].text : "none";
}

}  // namespace

TEST_CASE("a configuration of jest is refused with the command that writes its tables", "[definitions]") {
  CHECK(refusal("const x = 1;\nmodule.exports = {tables: []};\n", "some/jest-dynamodb-config.js") ==
        "it is code, which is not run; read what this writes: node -e \"Promise.resolve(require('./"
        "jest-dynamodb-config.js')).then(c=>typeof c=='function'?c():c).then(c=>console.log(JSON.stringify("
        "c.tables)))\" > tables.json");
  CHECK(
      refusal("export default {tables: []};\n", "config.mjs") ==
      "it is code, which is not run; read what this writes: node -e "
      "\"import('./config.mjs').then(m=>m.default)"
      ".then(c=>typeof c=='function'?c():c).then(c=>console.log(JSON.stringify(c.tables)))\" > tables.json");
}

TEST_CASE("a service in TypeScript is refused with the command that prints it", "[definitions]") {
  CHECK(refusal("const config = {service: 'a', provider: {name: 'aws'}};\nmodule.exports = config;\n",
                "serverless.ts") ==
        "it is code, which is not run; read what this writes: serverless print --format json > "
        "serverless.json");
}

TEST_CASE("code that begins with imports is no configuration of Terraform", "[definitions]") {
  for (const char* const first :
       {"import { a } from 'a';", "import {\n  a,\n} from 'a';", "import a from \"a\";",
        "import type { A } from 'a';", "import {} from 'a';"}) {
    INFO(first);
    CHECK(refusal(std::string(first) + "\nexport default {tables: []};\n", "tables.mjs")
              .starts_with("it is code"));
  }
}

TEST_CASE("a file's name that a shell would not take as it is, is not in the command", "[definitions]") {
  CHECK(refusal("module.exports = 1;\n", "a';rm b.js").find("require('./FILE')") != std::string::npos);
}

TEST_CASE("code within a template is no configuration in JavaScript", "[definitions]") {
  const Definitions read = read_definitions(
      "Resources:\n  F:\n    Type: x\n    Properties:\n      Code: |\n        module.exports = 1\n", "t.yaml",
      {});
  CHECK(read.format != "a configuration in JavaScript");
}

}  // namespace dinette::definitions::code_files_test
