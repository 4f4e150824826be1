#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "app/doctor/findings.h"
#include "app/doctor/listening_dinettes.h"
#include "app/shell_word.h"

namespace dinette::app::doctor_test {
namespace {

using Variables = std::map<std::string, std::string>;

const std::string local = "http://127.0.0.1:8000";

/// A client to which nothing is lacking.
ClientSurroundings healthy() {
  ClientSurroundings here;
  here.variables = {{"AWS_ENDPOINT_URL_DYNAMODB", local},
                    {"AWS_REGION", "us-east-1"},
                    {"AWS_ACCESS_KEY_ID", "any"},
                    {"AWS_SECRET_ACCESS_KEY", "any"}};
  return here;
}

ClientSurroundings with(const Variables& variables) {
  ClientSurroundings here = healthy();
  for (const auto& [name, value] : variables) here.variables[name] = value;
  return here;
}

std::string local_named(const std::string& host) {
  return "http://" + host + ":8000";
}

tcp::Remote local_server() {
  return {.host = "127.0.0.1", .port = 8000};
}

/// Returns "what -> todo" for each finding about settings.
std::vector<std::string> texts(const Findings& findings) {
  std::vector<std::string> all;
  for (const Finding& finding : findings) {
    CHECK_FALSE(finding.why.empty());
    all.push_back(finding.what + " -> " + text_of(finding.remedy));
  }
  return all;
}

std::vector<std::string> wrong(const ClientSurroundings& here, const std::string& url = "") {
  const ClientSettings settings = settings_of(here);
  const std::string called = url.empty() ? repaired_url(settings.endpoint.value) : url;
  return texts(settings_findings(here, settings, {url, called.empty() ? local : called, local_server()}));
}

using Texts = std::vector<std::string>;

TEST_CASE("files of settings are read as SDKs read them") {
  const AwsFile file = read_aws_file(
      "junk = 1\n[default]\nregion=eu-west-1 # near\n# no\n; no\nsecret = a#b\r\n\n[ profile\tdev "
      "]\nServices = local\n"
      "s3 =\n  endpoint_url = http://s3\n\tuse = x\nnothing\n[services local]\ndynamodb = \n  endpoint_url = "
      "http://d\n");
  CHECK(file.at("default") == AwsSection{{"region", "eu-west-1"}, {"secret", "a#b"}});
  CHECK(file.at("profile dev") ==
        AwsSection{{"services", "local"}, {"s3.endpoint_url", "http://s3"}, {"s3.use", "x"}});
  CHECK(file.at("services local") == AwsSection{{"dynamodb.endpoint_url", "http://d"}});
  CHECK(read_aws_file("[x").size() == 1);
  CHECK(read_aws_file("[").size() == 1);
}

TEST_CASE("the endpoint is the first that is set") {
  ClientSurroundings here;
  const auto endpoint = [&] {
    const Setting set = settings_of(here).endpoint;
    return set.value + " " + set.source;
  };
  here.config["default"]["endpoint_url"] = "http://4";
  CHECK(endpoint() == "http://4 endpoint_url of profile default");
  here.config["default"]["services"] = "mine";
  here.config["services mine"]["dynamodb.endpoint_url"] = "http://3";
  CHECK(endpoint() == "http://3 endpoint_url of services mine");
  here.variables["AWS_ENDPOINT_URL"] = "http://2";
  CHECK(endpoint() == "http://2 AWS_ENDPOINT_URL");
  here.variables["AWS_ENDPOINT_URL_DYNAMODB"] = "http://1";
  CHECK(endpoint() == "http://1 AWS_ENDPOINT_URL_DYNAMODB");
  here.variables["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "True";
  CHECK(endpoint() == " ");
  CHECK(settings_of(here).ignored_endpoint.value == "http://1");
}

TEST_CASE("keys come as a pair, from the environment or a profile") {
  ClientSurroundings here;
  here.variables["AWS_PROFILE"] = "dev";
  here.credentials["dev"] = {
      {"aws_access_key_id", "k"}, {"aws_secret_access_key", "s"}, {"aws_session_token", "t"}};
  here.config["profile dev"] = {{"region", "eu-west-1"}};
  ClientSettings settings = settings_of(here);
  CHECK(settings.has_profile);
  CHECK(settings.access_key.value == "k");
  CHECK(settings.access_key.source == "aws_access_key_id of profile dev");
  CHECK(settings.session_token == "t");
  CHECK(settings.region.value == "eu-west-1");
  here.variables["AWS_ACCESS_KEY_ID"] = "other";
  settings = settings_of(here);
  CHECK(settings.access_key.value == "other");
  CHECK_FALSE(settings.secret);
}

TEST_CASE("where nothing is lacking nothing is found") {
  CHECK(wrong(healthy()).empty());
  CHECK(wrong(healthy(), local).empty());
  CHECK(wrong(healthy(), "http://localhost:8000").empty());
  ClientSurroundings sso = healthy();
  sso.variables.erase("AWS_ACCESS_KEY_ID");
  sso.variables.erase("AWS_SECRET_ACCESS_KEY");
  sso.config["default"]["sso_session"] = "work";
  CHECK(wrong(sso).empty());
}

TEST_CASE("settings that lead elsewhere are found") {
  const std::string set = "export AWS_ENDPOINT_URL_DYNAMODB=" + local;
  CHECK(wrong(with({{"AWS_ENDPOINT_URL_DYNAMODB", ""}})) == Texts{"No endpoint is configured. -> " + set});
  CHECK(wrong(with({{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true"}})) ==
        Texts{"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS makes clients ignore the endpoint " + local +
              " (AWS_ENDPOINT_URL_DYNAMODB). -> unset AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"});
  CHECK(wrong(with({{"AWS_ENDPOINT_URL_DYNAMODB", "127.0.0.1:8000"}})) ==
        Texts{"The endpoint '127.0.0.1:8000' (AWS_ENDPOINT_URL_DYNAMODB) is not the URL of a server. -> " +
              set});
  CHECK(wrong(with({{"AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:9400/dynamodb"}})) ==
        Texts{"The endpoint 'http://127.0.0.1:9400/dynamodb' (AWS_ENDPOINT_URL_DYNAMODB) is not the URL of a "
              "server. -> "
              "export AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:9400"});
  ClientSurroundings ignoring = healthy();
  ignoring.config["default"]["ignore_configured_endpoint_urls"] = "true";
  CHECK(
      wrong(ignoring).front().ends_with(" -> export AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=false   # or remove "
                                        "ignore_configured_endpoint_urls from the profile"));
  CHECK(wrong(with({{"AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:8001"}}), local) ==
        Texts{"Clients are configured to call http://127.0.0.1:8001 (AWS_ENDPOINT_URL_DYNAMODB), not " +
              local + ". -> " + set});
  CHECK(wrong(with({{"AWS_PROFILE", "gone"}})) ==
        Texts{"AWS_PROFILE names the profile 'gone', which neither file has. -> unset AWS_PROFILE   # or: "
              "aws configure "
              "--profile gone"});
}

TEST_CASE("regions and keys that are lacking are found") {
  CHECK(wrong(with({{"AWS_REGION", ""}})) ==
        Texts{"No region is configured. -> export AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1"});
  CHECK(wrong(with({{"AWS_DEFAULT_REGION", "eu-west-1"}})) ==
        Texts{"AWS_REGION is us-east-1 and AWS_DEFAULT_REGION is eu-west-1. -> export "
              "AWS_DEFAULT_REGION=us-east-1"});
  CHECK(wrong(with({{"AWS_SECRET_ACCESS_KEY", ""}})) ==
        Texts{"AWS_ACCESS_KEY_ID is set, but its other half is not. -> export AWS_ACCESS_KEY_ID=any "
              "AWS_SECRET_ACCESS_KEY=any"});
  CHECK(wrong(with({{"AWS_ACCESS_KEY_ID", ""}, {"AWS_SECRET_ACCESS_KEY", ""}})) ==
        Texts{"There are no access keys. -> export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any"});
}

TEST_CASE("a file of certificates must be readable") {
  ClientSurroundings here = with({{"AWS_CA_BUNDLE", "/gone.pem"}});
  CHECK(wrong(here).empty());
  here.is_readable = [](const std::string&) { return false; };
  CHECK(wrong(here) == Texts{"The file of certificates /gone.pem (AWS_CA_BUNDLE) cannot be read. -> unset "
                             "AWS_CA_BUNDLE   # or name a file "
                             "that can be read"});
}

TEST_CASE("a proxy swallows this machine's requests unless it is excepted") {
  const std::string found =
      "HTTP_PROXY sends requests for 127.0.0.1 to http://proxy:3128. -> export NO_PROXY=";
  const std::string here_all = "localhost,127.0.0.1,::1,[::1]'";
  CHECK(wrong(with({{"HTTP_PROXY", "http://proxy:3128"}})) ==
        Texts{found + "'" + here_all + " no_proxy='" + here_all});
  CHECK(wrong(with({{"HTTP_PROXY", "http://proxy:3128"}, {"NO_PROXY", "a.example"}})) ==
        Texts{found + "'a.example," + here_all + " no_proxy='a.example," + here_all});
  for (const char* excepted : {"*", "127.0.0.1", "a.example, 127.0.0.1:8000"})
    CHECK(wrong(with({{"HTTP_PROXY", "http://proxy:3128"}, {"NO_PROXY", excepted}})).empty());
  CHECK(wrong(with({{"HTTPS_PROXY", "http://proxy:3128"}})).empty());
  const ClientSurroundings here = with({{"HTTPS_PROXY", "http://p"}, {"NO_PROXY", "x.example,.corp"}});
  CHECK(proxy_for(here, "a.corp", true).value.empty());
  CHECK(proxy_for(here, "acorp", true).value == "http://p");
}

TEST_CASE("an endpoint is repaired if that is possible") {
  CHECK(repaired_url("localhost:8000") == local_named("localhost"));
  CHECK(repaired_url(" HTTP://localhost:8000/a?b#c ") == local_named("localhost"));
  CHECK(repaired_url("https://user:word@db.example/") == "https://db.example");
  CHECK(repaired_url("//[::1]:8000") == "");
  CHECK(repaired_url("[::1]:8000") == local_named("[::1]"));
  for (const char* wrong : {"", "http://", "localhost:port", "a b"}) CHECK(repaired_url(wrong) == "");
}

TEST_CASE("what others have set does not run in the user's shell") {
  CHECK(shell_word("http://127.0.0.1:8000") == "http://127.0.0.1:8000");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("$(rm x)") == "'$(rm x)'");
  CHECK(shell_word("it's") == R"('it'\''s')");
  CHECK(text_of(std::vector<Assignment>{{"A", "1 2"}, {"B", std::nullopt}, {"C", "3"}}) ==
        "unset B\nexport A='1 2' C=3");
  CHECK(text_of(Remedy{"first", {{"A", "1"}}, "why"}) == "first\nexport A=1   # why");
}

/// An answer that leaves nothing to be found.
Examination well() {
  Examination examination{.url = local,
                          .server = local_server(),
                          .observed = {},
                          .now = base::TimePoint(std::chrono::hours(500'000))};
  examination.folder = "/here";
  examination.observed.contact = Contact::answered;
  examination.observed.kind = ServerKind::dinette;
  examination.observed.date = examination.now;
  return examination;
}

Texts wrong_at(const Examination& examination) {
  const ClientSurroundings here = healthy();
  return texts(server_findings(settings_of(here), examination));
}

Texts wrong_contact(Contact contact) {
  Examination examination = well();
  examination.observed.contact = contact;
  return wrong_at(examination);
}

TEST_CASE("a server that cannot be reached is explained") {
  CHECK(wrong_at(well()).empty());
  CHECK(wrong_contact(Contact::no_connection) ==
        Texts{"No server listens on 127.0.0.1:8000. -> dinette --port 8000   # or publish the port of its "
              "container, where it needs --host ::, as the image has: docker run "
              "-p 8000:8000"});
  CHECK(wrong_contact(Contact::wants_tls) == Texts{"The server at " + local +
                                                   " serves TLS, and is called without it. -> export "
                                                   "AWS_ENDPOINT_URL_DYNAMODB=https://127.0.0.1:8000"});
  CHECK(
      wrong_contact(Contact::wants_plain) ==
      Texts{"The server at " + local + " does not serve TLS. -> export AWS_ENDPOINT_URL_DYNAMODB=" + local});
  CHECK(
      wrong_contact(Contact::silent).front().starts_with("The server at " + local + " accepts connections"));
  CHECK(wrong_contact(Contact::no_http).front().starts_with("What listens at " + local));
  Examination elsewhere = well();
  elsewhere.observed.contact = Contact::no_connection;
  elsewhere.elsewhere = {{"http://127.0.0.1:4566", ServerKind::localstack}};
  CHECK(wrong_at(elsewhere) ==
        Texts{"No server listens on 127.0.0.1:8000, but LocalStack answers at http://127.0.0.1:4566. "
              "-> export AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:4566"});
}

Examination unreachable(const std::string& host, std::uint16_t port = 8000) {
  Examination examination = well();
  examination.observed.contact = Contact::no_connection;
  examination.server.host = host;
  examination.server.port = port;
  return examination;
}

TEST_CASE("a server is started so that it is found where clients look for it") {
  const auto start = [](const Examination& examination) {
    const std::string text = wrong_at(examination).front();
    return text.substr(text.find(" -> ") + 4, text.find("   # ") - text.find(" -> ") - 4);
  };
  for (const char* usual : {"127.0.0.1", "localhost", "::1", "db.localhost"})
    CHECK(start(unreachable(usual)) == "dinette --port 8000");
  for (const char* other : {"127.0.0.2", "db.example", "192.0.2.1", "0.0.0.0"})
    CHECK(start(unreachable(other)) == "dinette --port 8000 --host ::");
  Examination secure = unreachable("localhost");
  secure.server.tls = true;
  CHECK(start(secure) == "dinette --port 8000 --tls-self-signed dinette.pem");
  Examination low = unreachable("localhost", 80);
  low.free_port = 8001;
  CHECK(start(low) == "dinette --port 8001\nexport AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8001");
  Examination container = unreachable("localhost");
  container.in_container = true;
  CHECK(wrong_at(container).front().ends_with(
      "   # this is a container: a server in another one needs --host ::, and its name takes the place of "
      "localhost"));
  CHECK(wrong_at(unreachable("192.0.2.1")).front().ends_with("   # on that machine"));
}

TEST_CASE("a server at another address of the port is found") {
  Examination examination = unreachable("::1", 9531);
  examination.elsewhere = {{"http://127.0.0.1:9531", ServerKind::dinette}};
  CHECK(wrong_at(examination) ==
        Texts{"No server listens on [::1]:9531, but Dinette answers at http://127.0.0.1:9531. -> export "
              "AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:9531   # or start it with --host ::, which is "
              "every address"});
}

TEST_CASE("a name that cannot be resolved is probably that of a container") {
  Examination examination = unreachable("dynamodb-local", 8001);
  examination.observed.contact = Contact::unknown_host;
  const std::string found =
      "The host name dynamodb-local cannot be resolved on this machine. -> export "
      "AWS_ENDPOINT_URL_DYNAMODB=http://";
  const std::string note = "   # the port that its container publishes (ports: in the compose file)";
  CHECK(wrong_at(examination) == Texts{found + "localhost:8001" + note});
  examination.elsewhere = {{"http://127.0.0.1:9000", ServerKind::dinette}};
  CHECK(wrong_at(examination) == Texts{found + "127.0.0.1:9000" + note});
}

TEST_CASE("each address of a name must have the server, because clients differ in the one that they call") {
  Examination examination = well();
  examination.server.host = "localhost";
  examination.observed.addresses = {{"::1", true}, {"127.0.0.1", true}};
  CHECK(wrong_at(examination).empty());
  examination.observed.addresses = {{"::1", false}, {"127.0.0.1", true}};
  CHECK(
      wrong_at(examination) ==
      Texts{"The name localhost is ::1 as well as 127.0.0.1, and no server listens on [::1]:8000. -> export "
            "AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000   # or start the server with --host localhost, "
            "or --host ::"});
  const ClientSurroundings here = healthy();
  CHECK(server_findings(settings_of(here), examination).front().why ==
        "Clients differ in the address that they call: Node.js 17 to 19 call only ::1, and fail.");
  examination.observed.addresses = {{"::1", true}, {"127.0.0.1", false}};
  CHECK(server_findings(settings_of(here), examination).front().why ==
        "Clients differ in the address that they call: older Node.js and Java's own HTTP client call only "
        "127.0.0.1, and fail.");
}

TEST_CASE("what to do about a certificate depends on the certificate") {
  Examination examination = well();
  examination.observed.contact = Contact::untrusted;
  examination.server.tls = true;
  examination.url = "https://127.0.0.1:8000";
  PresentedCertificate& certificate = examination.observed.certificate;
  certificate = {.self_signed = true, .for_host = true, .for_localhost = true};
  const std::string trust = "\nexport AWS_CA_BUNDLE=/here/dinette.pem NODE_EXTRA_CA_CERTS=/here/dinette.pem";
  const std::string untrusted = "The certificate of https://127.0.0.1:8000 is not trusted. -> ";
  CHECK(wrong_at(examination) ==
        Texts{untrusted +
              "openssl s_client -connect 127.0.0.1:8000 </dev/null | openssl x509 -out "
              "/here/dinette.pem" +
              trust});
  examination.observed.offers_certificate = true;
  CHECK(wrong_at(examination) == Texts{untrusted +
                                       "curl --silent --insecure --output /here/dinette.pem "
                                       "https://127.0.0.1:8000/_dinette/certificate.pem" +
                                       trust});
  certificate.self_signed = false;
  CHECK(
      wrong_at(examination) ==
      Texts{untrusted +
            "export AWS_CA_BUNDLE=authority.pem NODE_EXTRA_CA_CERTS=authority.pem   # the certificate of the "
            "authority that signed the server's"});
  certificate.expired = true;
  CHECK(wrong_at(examination)
            .front()
            .starts_with("The certificate of https://127.0.0.1:8000 is no longer valid. -> "));
  certificate = {.self_signed = true, .for_host = false, .for_localhost = true};
  examination.server.host = "192.0.2.2";
  examination.own_addresses = {"192.0.2.2"};
  CHECK(wrong_at(examination) ==
        Texts{"The certificate of https://127.0.0.1:8000 is for another host. -> export "
              "AWS_ENDPOINT_URL_DYNAMODB=https://localhost:8000"});
  examination.own_addresses.clear();
  CHECK(wrong_at(examination)
            .front()
            .ends_with(" -> dinette --tls-cert FILE --tls-key FILE   # a certificate for 192.0.2.2"));
}

TEST_CASE("a server that is stopped is continued") {
  CHECK(wrong_contact(Contact::silent)
            .front()
            .ends_with(" -> restart the server: it is stopped, in a debugger, or hangs"));
  Examination stopped = well();
  stopped.observed.contact = Contact::silent;
  stopped.process = 42;
  CHECK(wrong_at(stopped).front().ends_with(" -> kill -CONT 42   # if it is stopped, else restart it"));
}

TEST_CASE("another server than Dinette is named") {
  Examination examination = well();
  examination.free_port = 8001;
  const std::string start = " -> dinette --port 8001\nexport AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8001";
  examination.observed.kind = ServerKind::dynamodb_local;
  CHECK(wrong_at(examination) == Texts{"At " + local + " there is DynamoDB Local." + start});
  examination.observed.kind = ServerKind::no_dynamodb;
  examination.observed.error_type = "HTTP/1.1 404 Not Found";
  examination.observed.date = examination.now - std::chrono::hours(5000);  // of whatever it is
  CHECK(wrong_at(examination) ==
        Texts{"At " + local + " there is a server that does not answer as DynamoDB." + start});
  examination.elsewhere = {{"http://127.0.0.1:4566", ServerKind::localstack},
                           {"http://127.0.0.1:9000", ServerKind::dinette}};
  CHECK(
      wrong_at(examination).front().ends_with(" -> export AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:9000"));
  examination.server.host = "dynamodb.us-east-1.amazonaws.com";
  CHECK(wrong_at(examination).front().starts_with(local + " is the real DynamoDB."));
}

TEST_CASE("clocks may differ by less than 15 minutes") {
  Examination examination = well();
  examination.observed.date = examination.now + std::chrono::minutes(14);
  CHECK(wrong_at(examination).empty());
  examination.observed.date = examination.now - std::chrono::minutes(15);
  CHECK(wrong_at(examination)
            .front()
            .starts_with("The clocks of this machine and of the server differ by 15 minutes."));
  examination.observed.date.reset();
  CHECK(wrong_at(examination).empty());
}

TEST_CASE("a refusal of the keys says which keys") {
  Examination examination = well();
  examination.observed.error_type = "UnrecognizedClientException";
  CHECK(wrong_at(examination)
            .front()
            .starts_with("The server verifies signatures, and does not know the access key 'any'"));
  examination.observed.error_type = "InvalidSignatureException";
  CHECK(wrong_at(examination)
            .front()
            .starts_with("The server verifies signatures, and the secret of the access key 'any'"));
  examination.observed.error_type = "ThrottlingException";
  examination.observed.error_message = "slow down";
  CHECK(wrong_at(examination).front().starts_with("ListTables is refused: ThrottlingException: slow down"));
  examination.observed.faults = 1;
  CHECK(wrong_at(examination) ==
        Texts{"ListTables is refused: ThrottlingException: slow down -> curl --silent --request DELETE " +
              local + "/_dinette/faults"});
}

TEST_CASE("tables of another world are found") {
  Examination examination = well();
  examination.observed.worlds = {{"default", 0, false}, {"000000000000/eu-west-1", 2, false}};
  CHECK(wrong_at(examination) ==
        Texts{"With this access key and region (us-east-1) there are no tables, but 2 tables in the world "
              "000000000000/eu-west-1. -> export AWS_REGION=eu-west-1 AWS_DEFAULT_REGION=eu-west-1   # or "
              "start Dinette without --isolate"});
  examination.observed.worlds = {{"111111111111", 1, false}};
  CHECK(wrong_at(examination)
            .front()
            .ends_with(" -> export AWS_ACCESS_KEY_ID=111111111111 AWS_SECRET_ACCESS_KEY=any   # or start "
                       "Dinette without --isolate"));
  examination.observed.tables = 1;
  CHECK(wrong_at(examination).empty());
  examination.observed.worlds.push_back({"any", 1, true});
  CHECK(wrong_at(examination)
            .front()
            .starts_with("The access key 'any' (AWS_ACCESS_KEY_ID) is the name of a fork, and selects it."));
}

}  // namespace
}  // namespace dinette::app::doctor_test
