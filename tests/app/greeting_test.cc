#include "app/greeting.h"

#include <catch2/catch.hpp>

#include "app/help.h"
#include "app/parsed.h"

namespace dinette::app::greeting_test {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("the first line says that the server is ready, and where") {
  CHECK(greeting({}, 8000, false).starts_with("dinette: ready on http://127.0.0.1:8000\n"));
  CHECK(greeting(parsed({"--host", "::1", "--tls-self-signed"}), 1, false)
            .starts_with("dinette: ready on https://[::1]:1\n"));
  CHECK(greeting(parsed({"--tls-cert", "c.pem", "--tls-key", "k.pem"}), 1, false)
            .starts_with("dinette: ready on https://127.0.0.1:1\n"));
}

// The lines are those that users of DynamoDB Local 2 print of its log.
TEST_CASE("started as DynamoDB Local, the server first prints its lines, with this server's values") {
  const std::string lines = greeting(parsed({"-jar", "DynamoDBLocal.jar", "-inMemory"}), 8009, false);
  CHECK(
      lines.starts_with("Initializing DynamoDB Local with the following configuration:\n"
                        "Port:\t8009\n"
                        "InMemory:\ttrue\n"
                        "Version:\t" +
                        version_text().substr(std::string("dinette ").size()) +
                        "DbPath:\tnull\n"
                        "SharedDb:\ttrue\n"
                        "shouldDelayTransientStatuses:\tfalse\n"
                        "CorsParams:\tlocal\n"
                        "\n"
                        "dinette: ready on http://127.0.0.1:8009\n"));
  const std::string others = greeting(parsed({"-inMemory", "-dbPath", "data", "-delayTransientStatuses",
                                              "-cors", "*", "--isolate", "region"}),
                                      1, false);
  CHECK(holds(others,
              "\nDbPath:\tdata\nSharedDb:\tfalse\nshouldDelayTransientStatuses:\ttrue\nCorsParams:\t*\n"));
}

TEST_CASE("the examples have the port, scheme and region of the server") {
  const std::string text = greeting(parsed({"--region", "eu-west-1", "--tls-self-signed"}), 1234, false);
  CHECK(holds(text, "--endpoint-url https://127.0.0.1:1234 --region eu-west-1\n"));
  CHECK(holds(text, R"(endpoint: "https://127.0.0.1:1234", region: "eu-west-1")"));
  CHECK(holds(text, R"(endpoint_url="https://127.0.0.1:1234", region_name="eu-west-1")"));
  CHECK_FALSE(holds(text, "http://"));
}

TEST_CASE("a server on every network is reached by a local address") {
  CHECK(holds(greeting(parsed({"--host", "0.0.0.0"}), 8000, false), "--endpoint-url http://127.0.0.1:8000"));
  CHECK(holds(greeting(parsed({"--host", "::"}), 8000, false), "--endpoint-url http://[::1]:8000"));
}

TEST_CASE("the greeting says which keys are accepted, and what to do about a self-signed certificate") {
  CHECK(holds(greeting({}, 8000, false), "with any access key and any region:"));
  CHECK(holds(greeting({}, 8000, false),
              "  AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any \\\n    aws dynamodb "));
  const Options verifying = parsed({"--auth", "verify", "--credentials", "keys.ini"});
  CHECK(holds(greeting(verifying, 8000, false), "with any region and an access key of keys.ini:"));
  CHECK(holds(greeting(verifying, 8000, false), "  AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... \\\n"));
  CHECK(holds(greeting(parsed({"--tls-self-signed"}), 8000, false), "--no-verify-ssl"));
  CHECK_FALSE(holds(greeting({}, 8000, false), "--no-verify-ssl"));
}

TEST_CASE("the greeting says where the page is, if there is one") {
  const std::string at = ": http://127.0.0.1:8000/_dinette/\n";
  CHECK(holds(greeting({}, 8000, true), at));
  CHECK_FALSE(holds(greeting({}, 8000, false), at));
  CHECK_FALSE(holds(greeting(parsed({"--no-admin"}), 8000, true), at));
}

}  // namespace
}  // namespace dinette::app::greeting_test
