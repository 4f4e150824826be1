#include "app/serve/greeting.h"

#include <utility>

#include <catch2/catch.hpp>

#include "app/address.h"
#include "app/cli/help.h"
#include "app/parsed.h"

namespace dinette::app::greeting_test {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Listening at(std::uint16_t port, std::vector<std::string> addresses = {"127.0.0.1"}) {
  return {std::move(addresses), port, "192.0.2.2"};
}

TEST_CASE("the first line says that the server is ready, and where") {
  CHECK(greeting({}, at(8000), false).starts_with("dinette: ready on http://127.0.0.1:8000\n"));
  CHECK(greeting(parsed({"--tls-self-signed"}), at(1, {"::1"}), false)
            .starts_with("dinette: ready on https://[::1]:1\n"));
  CHECK(greeting(parsed({"--tls-cert", "c.pem", "--tls-key", "k.pem"}), at(1), false)
            .starts_with("dinette: ready on https://127.0.0.1:1\n"));
}

TEST_CASE("the second line has the version and the other addresses") {
  std::string version = version_text().substr(std::string("dinette ").size());
  version.pop_back();
  CHECK(holds(greeting({}, at(1), false), ":1\nVersion " + version + ".\n"));
  CHECK(holds(greeting({}, at(1, {"127.0.0.1", "::1", "192.0.2.2"}), false),
              ":1\nVersion " + version + ". Also on http://[::1]:1, http://192.0.2.2:1.\n"));
}

TEST_CASE("the greeting says whether tables outlive the server") {
  CHECK(holds(greeting({}, at(1), false),
              "\nTables are in memory and are lost when the server ends; --data FOLDER keeps them.\n"));
  const std::string kept = greeting(parsed({"--data", "here"}), at(1), false);
  CHECK(holds(kept, "\nData are kept in here.\n"));
  CHECK_FALSE(holds(kept, "in memory"));
}

// The lines are those that users of DynamoDB Local 2 print of its log.
TEST_CASE("started as DynamoDB Local, the server first prints its lines, with this server's values") {
  const std::string lines = greeting(parsed({"-jar", "DynamoDBLocal.jar", "-inMemory"}), at(8009), false);
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
                                      at(1), false);
  CHECK(holds(others,
              "\nDbPath:\tdata\nSharedDb:\tfalse\nshouldDelayTransientStatuses:\ttrue\nCorsParams:\t*\n"));
}

TEST_CASE("the examples have the port, scheme and region of the server") {
  const std::string text = greeting(parsed({"--region", "eu-west-1", "--tls-self-signed"}), at(1234), false);
  CHECK(holds(text, "--endpoint-url https://127.0.0.1:1234 --region eu-west-1\n"));
  CHECK(holds(text, R"(endpoint: "https://127.0.0.1:1234", region: "eu-west-1")"));
  CHECK(holds(text, R"(endpoint_url="https://127.0.0.1:1234", region_name="eu-west-1")"));
  CHECK_FALSE(holds(text, "http://"));
}

TEST_CASE(
    "a server on every network says how it is reached from here and from elsewhere, and what all may do") {
  const std::string everyone =
      "Other machines reach it at http://192.0.2.2:8000.\n"
      "Everyone in the network may read and write, without keys; --auth verify requires valid ones.\n";
  for (const char* every : {"0.0.0.0", "::"}) {
    const std::string text = greeting({}, at(8000, {every}), false);
    CHECK(text.starts_with("dinette: ready on http://127.0.0.1:8000\n"));
    CHECK(holds(text, "--endpoint-url http://127.0.0.1:8000"));
    CHECK(holds(text, "\n" + everyone));
  }
  CHECK_FALSE(holds(greeting({}, at(8000, {"127.0.0.1", "::1"}), false), "network"));

  const std::string alone = greeting({}, {{"::"}, 8000, ""}, false);  // no other machine can reach it
  CHECK_FALSE(holds(alone, "Other machines"));
  CHECK(holds(alone, "Everyone in the network"));

  const std::string one = greeting({}, at(8000, {"192.0.2.2"}), false);
  CHECK(one.starts_with("dinette: ready on http://192.0.2.2:8000\n"));
  CHECK_FALSE(holds(one, "Other machines"));
  CHECK(holds(one, "Everyone in the network"));
}

TEST_CASE("what everyone in the network may do depends on the keys") {
  CHECK(holds(greeting(parsed({"--auth", "present"}), at(1, {"::"}), false),
              " may read and write, with any keys;"));
  const Options verifying = parsed({"--auth", "verify", "--credentials", "keys.ini"});
  const std::string text = greeting(verifying, at(1, {"::"}), false);
  CHECK_FALSE(holds(text, "Everyone"));
  CHECK(holds(text, "Other machines reach it at http://192.0.2.2:1."));
}

TEST_CASE("other machines reach this one by an address that they can route to, of IPv4 if there is one") {
  using Addresses = std::vector<std::string>;
  CHECK(network_address(Addresses{"127.0.0.1", "169.254.1.2", "192.0.2.2", "198.51.100.1", "::1",
                                  "fe80::1"}) == "192.0.2.2");
  CHECK(network_address(Addresses{"127.0.0.1", "::1", "fe80::1", "2001:db8::2", "192.0.2.2"}) == "192.0.2.2");
  CHECK(network_address(Addresses{"127.0.0.1", "fe80::1", "2001:db8::2", "2001:db8::3"}) == "2001:db8::2");
  CHECK(network_address(Addresses{"127.0.0.1", "::1"}).empty());
}

TEST_CASE("the greeting says how clients trust a self-signed certificate") {
  CHECK(holds(greeting(parsed({"--tls-self-signed"}), at(8000), false),
              "Its certificate is self-signed. Let clients trust it:\n\n"
              "  curl --insecure --output dinette.pem https://127.0.0.1:8000/_dinette/certificate.pem\n"
              "  export AWS_CA_BUNDLE=dinette.pem NODE_EXTRA_CA_CERTS=dinette.pem"));
  const std::string kept = greeting(parsed({"--tls-self-signed", "my.pem"}), at(8000), false);
  CHECK(holds(kept, "  export AWS_CA_BUNDLE=my.pem NODE_EXTRA_CA_CERTS=my.pem"));
  CHECK_FALSE(holds(kept, "curl"));
  const std::string closed = greeting(parsed({"--tls-self-signed", "--no-admin"}), at(8000), false);
  CHECK(holds(closed, "Its certificate is self-signed; --tls-self-signed FILE keeps it in a file"));
  CHECK_FALSE(holds(closed, "curl"));
}

TEST_CASE("the greeting says which keys are accepted") {
  CHECK(holds(greeting({}, at(8000), false), "with any access key and any region:"));
  CHECK(holds(greeting({}, at(8000), false),
              "  AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any \\\n    aws dynamodb "));
  const Options verifying = parsed({"--auth", "verify", "--credentials", "keys.ini"});
  CHECK(holds(greeting(verifying, at(8000), false), "with any region and an access key of keys.ini:"));
  CHECK(
      holds(greeting(verifying, at(8000), false), "  AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... \\\n"));
  CHECK_FALSE(holds(greeting({}, at(8000), false), "certificate"));
}

TEST_CASE("the greeting says where the page is, if there is one") {
  const std::string page = ": http://127.0.0.1:8000/_dinette/\n";
  CHECK(holds(greeting({}, at(8000), true), page));
  CHECK_FALSE(holds(greeting({}, at(8000), false), page));
  CHECK_FALSE(holds(greeting(parsed({"--no-admin"}), at(8000), true), page));
}

TEST_CASE("the greeting says which token administration takes, and the link to the page has it") {
  const Options everywhere = parsed({"--host", "0.0.0.0"});
  const std::string text = greeting(everywhere, at(8000), true, "c0ffee");
  CHECK(holds(text, ": http://127.0.0.1:8000/_dinette/#token=c0ffee\n"));
  CHECK(holds(text, "takes the token\nc0ffee; --admin-token or DINETTE_ADMIN_TOKEN sets another.\n"));
  CHECK(holds(greeting(everywhere, at(8000), false, "c0ffee"), "takes the token\nc0ffee;"));
  CHECK_FALSE(holds(greeting({}, at(8000), true), "token"));
}

}  // namespace
}  // namespace dinette::app::greeting_test
