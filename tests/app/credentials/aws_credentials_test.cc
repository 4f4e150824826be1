#include <map>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/iso_time.h"

#include "app/credentials/credential_cache.h"
#include "app/credentials/credentials.h"
#include "app/credentials/endpoints.h"
#include "app/credentials/run_program.h"

namespace dinette::app::aws_credentials_test {
namespace {

using namespace std::chrono_literals;

const base::TimePoint start = base::parse_time("2026-01-01T00:00:00Z").value();

/// A machine whose servers, files and programs answer by a script.
struct Machine {
  base::ManualClock clock{start};
  std::map<std::string, std::string> variables{{"HOME", "/home/u"}};
  std::string config;
  std::string credentials;
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> programs;                 ///< what they print
  std::map<std::string, std::pair<int, std::string>> answers;  ///< by "METHOD host:port/target"
  std::vector<std::string> asked;
  std::vector<http::ClientRequest> requests;
  bool profile_chosen = false;

  CredentialSurroundings surroundings() {
    CredentialSurroundings here{
        .settings = {},
        .profile_chosen = profile_chosen,
        .clock = clock,
        .fetch = [this](const tcp::Remote& server, const http::ClientRequest& request,
                        const http::ClientLimits&) { return answer(server, request); },
        .run = [this](const std::string& command) { return run(command); },
        .read = [this](const std::string& path) { return read(path); }};
    here.settings.variables = variables;
    here.settings.config = read_aws_file(config);
    here.settings.credentials = read_aws_file(credentials);
    return here;
  }

  /// Returns "key/secret/token from source", or the error.
  std::string found() {
    const auto result = find_credentials(surroundings());
    if (!result) return result.error();
    return result->access_key + "/" + result->secret + "/" + result->session_token + " from " +
           result->source;
  }

 private:
  base::Result<http::ClientResponse, http::ClientError> answer(const tcp::Remote& server,
                                                               const http::ClientRequest& request) {
    const std::string place =
        request.method + " " + (server.tls ? "https://" : "http://") + http::host_of(server) + request.target;
    asked.push_back(place);
    requests.push_back(request);
    const auto scripted = answers.find(place);
    if (scripted == answers.end()) return base::Failure{http::ClientError::unreachable};
    return http::ClientResponse{"", scripted->second.first, {}, scripted->second.second};
  }
  base::Result<std::string, std::string> run(const std::string& command) {
    const auto program = programs.find(command);
    if (program == programs.end()) return base::Failure{std::string("cannot be started")};
    return program->second;
  }
  base::Result<std::string, std::string> read(const std::string& path) {
    const auto file = files.find(path);
    if (file == files.end()) return base::Failure{path + " cannot be read"};
    return file->second;
  }
};

std::string sts_answer(const std::string& key) {
  return "<AssumeRoleResponse "
         "xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><AssumeRoleResult><Credentials>"
         "<AccessKeyId>" +
         key +
         "</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>"
         "<Expiration>2026-01-01T01:00:00Z</Expiration></Credentials></AssumeRoleResult></"
         "AssumeRoleResponse>";
}

constexpr const char* metadata_answer =
    R"({"Code":"Success","AccessKeyId":"MK","SecretAccessKey":"MS","Token":"MT","Expiration":"2026-01-01T06:00:00Z"})";

TEST_CASE("keys of the environment come first, unless a profile is chosen") {
  Machine m;
  m.variables["AWS_ACCESS_KEY_ID"] = "EK";
  m.variables["AWS_SECRET_ACCESS_KEY"] = "ES";
  m.variables["AWS_SESSION_TOKEN"] = "ET";
  m.credentials = "[default]\naws_access_key_id = DK\naws_secret_access_key = DS\n";
  CHECK(m.found() == "EK/ES/ET from the environment");
  m.profile_chosen = true;
  m.variables["AWS_PROFILE"] = "default";
  CHECK(m.found() == "DK/DS/ from profile default");
}

TEST_CASE("half a pair of keys is an error, not the next source") {
  Machine m;
  m.variables["AWS_ACCESS_KEY_ID"] = "EK";
  m.credentials = "[default]\naws_access_key_id = DK\naws_secret_access_key = DS\n";
  CHECK(m.found() == "of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY only one is set");
}

TEST_CASE("a profile is found in both files, and named if it is missing") {
  Machine m;
  m.variables["AWS_PROFILE"] = "prod";
  m.config = "[profile prod]\naws_access_key_id = K\naws_secret_access_key = S\n[profile dev]\nregion = x\n";
  CHECK(m.found() == "K/S/ from profile prod");
  m.variables["AWS_PROFILE"] = "prd";
  CHECK(m.found() == "there is no profile prd; profiles are dev, prod");
  m.variables["AWS_PROFILE"] = "dev";
  CHECK(m.found() == "profile dev has no credentials, and does not say where they are");
}

TEST_CASE("a role is assumed with the keys of its source") {
  Machine m;
  m.variables["AWS_PROFILE"] = "prod";
  m.config =
      "[profile prod]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = base\nexternal_id = e+x\n"
      "role_session_name = me\nduration_seconds = 900\nregion = eu-west-1\n";
  m.credentials = "[base]\naws_access_key_id = BK\naws_secret_access_key = BS\n";
  m.answers["POST https://sts.eu-west-1.amazonaws.com/"] = {200, sts_answer("RK")};
  CHECK(m.found() == "RK/s/t from the role arn:aws:iam::1:role/r of profile prod");
  CHECK(m.requests.front().body ==
        "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&RoleSessionName=me&"
        "DurationSeconds=900&ExternalId=e%2Bx");
  CHECK(m.requests.front().headers.find("Credential=BK/20260101/eu-west-1/sts/aws4_request") !=
        std::string::npos);
}

TEST_CASE("a source of a role may be a role, but not the one that needs it") {
  Machine m;
  m.variables["AWS_PROFILE"] = "a";
  m.config =
      "[profile a]\nrole_arn = arn:a\nsource_profile = b\n[profile b]\nrole_arn = arn:b\nsource_profile = c\n"
      "[profile c]\naws_access_key_id = CK\naws_secret_access_key = CS\n";
  m.answers["POST https://sts.us-east-1.amazonaws.com/"] = {200, sts_answer("RK")};
  CHECK(m.found() == "RK/s/t from the role arn:a of profile a");
  CHECK(m.asked.size() == 2);
  m.config =
      "[profile a]\nrole_arn = arn:a\nsource_profile = b\n[profile b]\nrole_arn = arn:b\nsource_profile = "
      "a\n";
  CHECK(m.found() == "the profiles a and a need each other's credentials");
  // A profile may be its own source if it has keys.
  m.config =
      "[profile a]\nrole_arn = arn:a\nsource_profile = a\naws_access_key_id = AK\naws_secret_access_key = "
      "AS\n";
  CHECK(m.found() == "RK/s/t from the role arn:a of profile a");
}

TEST_CASE("a role may take the keys of the environment, of the container or of the instance") {
  Machine m;
  m.variables["AWS_PROFILE"] = "p";
  m.profile_chosen = true;
  m.answers["POST https://sts.us-east-1.amazonaws.com/"] = {200, sts_answer("RK")};
  m.config = "[profile p]\nrole_arn = arn:a\ncredential_source = Environment\n";
  CHECK(m.found() == "credential_source Environment has no credentials");
  m.variables["AWS_ACCESS_KEY_ID"] = "EK";
  m.variables["AWS_SECRET_ACCESS_KEY"] = "ES";
  CHECK(m.found() == "RK/s/t from the role arn:a of profile p");
  m.config = "[profile p]\nrole_arn = arn:a\ncredential_source = EcsContainer\n";
  m.variables["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] = "/get?x=1";
  m.answers["GET http://169.254.170.2/get?x=1"] = {200, metadata_answer};
  CHECK(m.found() == "RK/s/t from the role arn:a of profile p");
  CHECK(m.requests.back().headers.find("Credential=MK/") != std::string::npos);
  CHECK(m.requests.back().headers.find("x-amz-security-token: MT") != std::string::npos);
  m.config = "[profile p]\nrole_arn = arn:a\ncredential_source = Else\n";
  CHECK(m.found().starts_with("credential_source of profile p is none of"));
  m.config = "[profile p]\nrole_arn = arn:a\n";
  CHECK(m.found() == "profile p has a role_arn, and so needs one of source_profile and credential_source");
}

TEST_CASE("a refusal of STS has its code and no secrets") {
  Machine m;
  m.config =
      "[default]\nrole_arn = arn:a\nsource_profile = b\n[profile b]\naws_access_key_id = "
      "K\naws_secret_access_key = SECRET\n";
  m.answers["POST https://sts.us-east-1.amazonaws.com/"] = {
      403,
      "<ErrorResponse><Error><Code>AccessDenied</Code><Message>not you\n</Message></Error></ErrorResponse>"};
  CHECK(m.found() == "profile default: assuming the role arn:a failed: AccessDenied: not you ");
  m.answers["POST https://sts.us-east-1.amazonaws.com/"] = {200, "<a/>"};
  CHECK(m.found() ==
        "profile default: assuming the role arn:a failed: STS did not return credentials of a role");
  m.answers.clear();
  CHECK(m.found() ==
        "profile default: assuming the role arn:a failed: sts.us-east-1.amazonaws.com does not answer");
}

TEST_CASE("a role with a code is left to the AWS CLI") {
  Machine m;
  m.config = "[default]\nrole_arn = arn:a\nsource_profile = b\nmfa_serial = x\n";
  CHECK(m.found().find("aws configure export-credentials --profile default") != std::string::npos);
  CHECK(m.asked.empty());
}

TEST_CASE("a web identity of the environment, or of a profile, needs no keys") {
  Machine m;
  m.variables["AWS_ROLE_ARN"] = "arn:w";
  m.variables["AWS_WEB_IDENTITY_TOKEN_FILE"] = "/token";
  m.variables["AWS_REGION"] = "cn-north-1";
  m.files["/token"] = "a.b.c\n";
  m.answers["POST https://sts.cn-north-1.amazonaws.com.cn/"] = {200, sts_answer("WK")};
  CHECK(m.found() == "WK/s/t from the role arn:w of the environment");
  CHECK(m.requests.back().body.ends_with("&WebIdentityToken=a.b.c"));
  CHECK(m.requests.back().headers.find("Authorization") == std::string::npos);
  m.variables.erase("AWS_ROLE_ARN");
  m.config = "[default]\nrole_arn = arn:w\nweb_identity_token_file = /token\n";
  CHECK(m.found() == "WK/s/t from the role arn:w of profile default");
}

constexpr const char* role_answer =
    R"({"roleCredentials":{"accessKeyId":"SK","secretAccessKey":"SS","sessionToken":"ST","expiration":1767229200000}})";

TEST_CASE("a sign-in brings the keys of its role, by its session or in the older form") {
  Machine m;
  m.config =
      "[default]\nsso_session = my\nsso_account_id = 123456789012\nsso_role_name = Read Only\n"
      "[sso-session my]\nsso_start_url = https://x.example/start\nsso_region = eu-west-1\n";
  CHECK(m.found() == "profile default: sso_region, sso_account_id and sso_role_name have no spaces");
  m.config.replace(m.config.find("Read Only"), 9, "ReadOnly");
  CHECK(m.found() == "profile default has not signed in; sign in again: aws sso login --profile default");
  const std::string place =
      "GET "
      "https://portal.sso.eu-west-1.amazonaws.com/federation/"
      "credentials?role_name=ReadOnly&account_id=123456789012";
  m.answers[place] = {200, role_answer};
  const std::string token = R"({"accessToken":"TOKEN","expiresAt":"2026-01-01T08:00:00UTC"})";
  // The files are named after the SHA-1 of the session, or of the URL.
  m.files["/home/u/.aws/sso/cache/3ece1471f44f63177cbc35ba0b904e0c096b6783.json"] = token;
  CHECK(m.found() == "SK/SS/ST from the sign-in of profile default");
  CHECK(m.requests.back().headers == "x-amz-sso_bearer_token: TOKEN\r\n");
  m.config =
      "[default]\nsso_start_url = https://x.example/start\nsso_region = eu-west-1\nsso_account_id = "
      "123456789012\n"
      "sso_role_name = ReadOnly\n";
  m.files.clear();
  m.files["/home/u/.aws/sso/cache/80c7f57c51e0449101de09ef74138a588ea0d4a6.json"] = token;
  CHECK(m.found() == "SK/SS/ST from the sign-in of profile default");
  m.answers[place] = {401, "{}"};
  CHECK(
      m.found() ==
      "the sign-in of profile default is not valid any more; sign in again: aws sso login --profile default");
  m.clock.advance(9h);
  CHECK(m.found() ==
        "the sign-in of profile default has expired; sign in again: aws sso login --profile default");
}

TEST_CASE("the instance is asked last, with a token") {
  Machine m;
  const std::string host = "http://169.254.169.254";
  const std::string roles = "/latest/meta-data/iam/security-credentials/";
  m.answers["PUT " + host + "/latest/api/token"] = {200, "TOKEN"};
  m.answers["GET " + host + roles] = {200, "my-role\n"};
  m.answers["GET " + host + roles + "my-role"] = {200, metadata_answer};
  CHECK(m.found() == "MK/MS/MT from the role of the instance");
  CHECK(m.requests.back().headers == "X-aws-ec2-metadata-token: TOKEN\r\n");
  m.variables["AWS_EC2_METADATA_DISABLED"] = "true";
  m.asked.clear();
  CHECK(m.found() ==
        "there are no credentials for AWS. Tried: the environment (AWS_ACCESS_KEY_ID is not set), profile "
        "default "
        "(does not exist; ~/.aws/config and ~/.aws/credentials have no profiles), the container "
        "(AWS_CONTAINER_CREDENTIALS_FULL_URI is not set), the instance (AWS_EC2_METADATA_DISABLED is true). "
        "Name a "
        "profile with --profile, or set one up: aws configure");
  CHECK(m.asked.empty());
}

TEST_CASE("hostile metadata reach no header and no path") {
  Machine m;
  const std::string host = "http://169.254.169.254";
  const std::string roles = "/latest/meta-data/iam/security-credentials/";
  m.answers["PUT " + host + "/latest/api/token"] = {200, "A\r\nX-Evil: 1"};
  CHECK(m.found().find("returned no token") != std::string::npos);
  m.answers["PUT " + host + "/latest/api/token"] = {200, "T"};
  m.answers["GET " + host + roles] = {200, "../../x"};
  CHECK(m.found().find("the instance has no role") != std::string::npos);
  m.answers["GET " + host + roles] = {200, "r"};
  m.answers["GET " + host + roles + "r"] = {200, R"({"AccessKeyId":"a\r\nb","SecretAccessKey":"s"})"};
  CHECK(m.found().find("keys with characters that keys do not have") != std::string::npos);
  CHECK(m.asked.size() == 6);
}

TEST_CASE("a container's endpoint gets its token, and is this machine, an agent, or speaks TLS") {
  Machine m;
  m.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://localhost:9/creds";
  m.variables["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "from the variable";
  m.variables["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = "/token";
  m.files["/token"] = "from the file\n";
  m.answers["GET http://localhost:9/creds"] = {200, metadata_answer};
  CHECK(m.found() == "MK/MS/MT from the container");
  CHECK(m.requests.back().headers.find("Authorization: from the file\r\n") != std::string::npos);
  for (const char* const host : {"169.254.170.2", "169.254.170.23", "[fd00:ec2::23]", "[::1]", "127.9.9.9"}) {
    m.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = std::string("http://") + host + "/c";
    m.answers[std::string("GET http://") + host + "/c"] = {200, metadata_answer};
    CHECK(m.found() == "MK/MS/MT from the container");
  }
  m.asked.clear();
  m.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://evil.example/c";
  CHECK(m.found().find("neither this machine nor a container's agent") != std::string::npos);
  CHECK(m.asked.empty());
  m.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "https://other.example/c";
  m.answers["GET https://other.example/c"] = {200, metadata_answer};
  CHECK(m.found() == "MK/MS/MT from the container");
  m.files["/token"] = "a\r\nb";
  CHECK(m.found() ==
        "the container has no credentials: the container's authorization token has a line break");
}

TEST_CASE("a program brings keys in version 1 of its format") {
  Machine m;
  m.config = "[default]\ncredential_process = /bin/p --x\n";
  CHECK(m.found() == "credential_process of profile default cannot be started");
  m.programs["/bin/p --x"] = R"({"Version":1,"AccessKeyId":"PK","SecretAccessKey":"PS"})";
  CHECK(m.found() == "PK/PS/ from credential_process of profile default");
  m.programs["/bin/p --x"] = R"({"Version":2,"AccessKeyId":"PK","SecretAccessKey":"SECRET"})";
  CHECK(m.found() == R"(credential_process of profile default did not print "Version": 1)");
  m.programs["/bin/p --x"] = "SECRET";
  CHECK(m.found() == "credential_process of profile default did not print a JSON object");
}

TEST_CASE("programs are run with limits for time and size") {
  CHECK(run_program("printf hello").value() == "hello");
  CHECK(run_program("exit 3").error() == "failed with exit code 3");
  CHECK(run_program("exec sleep 1000", 100ms).error() == "did not end in time, or printed too much");
  CHECK(run_program("exec yes").error() == "did not end in time, or printed too much");
}

TEST_CASE("credentials are kept until shortly before they expire") {
  Machine m;
  const std::string host = "http://169.254.169.254";
  const std::string roles = "/latest/meta-data/iam/security-credentials/";
  m.answers["PUT " + host + "/latest/api/token"] = {200, "T"};
  m.answers["GET " + host + roles] = {200, "r"};
  m.answers["GET " + host + roles + "r"] = {200, metadata_answer};
  CredentialCache cache(m.surroundings(), "eu-west-1");
  CHECK(cache.identity().value().region == "eu-west-1");
  CHECK(cache.identity().value().access_key == "MK");
  CHECK(m.asked.size() == 3);
  m.clock.advance(5h + 56min);
  CHECK(cache.identity().ok());
  CHECK(m.asked.size() == 6);
  // Still the old ones, which are good for some minutes: a failure to renew them does no harm yet.
  m.answers.clear();
  CHECK(cache.identity().ok());
  m.clock.advance(5min);
  CHECK_FALSE(cache.identity().ok());
}

TEST_CASE("endpoints are those of the partition, or configured ones") {
  CHECK(aws_url("dynamodb", "eu-west-1") == "https://dynamodb.eu-west-1.amazonaws.com");
  CHECK(aws_url("dynamodb", "us-isob-east-1") == "https://dynamodb.us-isob-east-1.sc2s.sgov.gov");
  CHECK(is_aws_host("dynamodb.eu-west-1.amazonaws.com"));
  CHECK(is_aws_host("dynamodb.eu-west-1.api.aws"));
  CHECK_FALSE(is_aws_host("evilamazonaws.com"));
  CHECK_FALSE(is_aws_host("amazonaws.com.evil.example"));
  ClientSurroundings here;
  here.config = read_aws_file(
      "[default]\nservices = s\nendpoint_url = http://all\n[services s]\ndynamodb =\n  endpoint_url = "
      "http://d:1\n");
  CHECK(find_endpoint(here, "dynamodb", "eu-west-1")->server.host == "d");
  CHECK(find_endpoint(here, "sts", "eu-west-1")->server.host == "all");
  here.variables["AWS_ENDPOINT_URL_STS"] = "http://s:2/path";
  CHECK(find_endpoint(here, "sts", "eu-west-1")->target == "/path");
  here.variables["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "true";
  const auto place = find_endpoint(here, "sts", "eu-west-1");
  CHECK(place->server.host == "sts.eu-west-1.amazonaws.com");
  CHECK(place->server.verify);
}

}  // namespace
}  // namespace dinette::app::aws_credentials_test
