#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "dinette/aws/json_decoder.h"
#include "dinette/aws/json_service.h"
#include "dinette/aws/json_writer.h"
#include "dinette/base/ids.h"
#include "dinette/observe/recent_requests.h"

// A made-up service of REST-JSON: what AWS JSON has, it has as well.
namespace test::rest_service_test {
namespace {

namespace aws = dinette::aws;
namespace base = dinette::base;
namespace http = dinette::http;
namespace tenancy = dinette::tenancy;
using Json = nlohmann::json;

constexpr std::array<std::string_view, 3> served{"Lofts.AddLoft", "Lofts.DropLoft", "Lofts.ListLofts"};
constexpr std::array<aws::QueryMember, 1> list_members{
    {{"MaxItems", "MaxItems", aws::QueryMember::Kind::number}}};
constexpr std::array<aws::RestRoute, 3> routes{{
    {.method = "POST", .path = "/2030-01-01/lofts", .status = 202},
    {.method = "DELETE", .path = "/2030-01-01/lofts/{Loft}", .status = 202},
    {.method = "GET", .path = "/2030-01-01/lofts", .query = list_members},
}};

constexpr aws::ErrorForm common{"CommonException", "CommonException", 400, "message"};
constexpr aws::ErrorForm denied{"AccessDeniedException", "AccessDeniedException", 403, "Message", "User"};
constexpr aws::ErrorForm internal{"ServiceException", "ServiceException", 500, "Message", "Service"};
constexpr aws::ErrorForm malformed{"IllegibleException", "IllegibleException", 400, "message"};
constexpr aws::ErrorForm missing{"MissingTokenException", "MissingTokenException", 403, "message"};
constexpr aws::ErrorForm unknown{"UnknownOperationException", "UnknownOperationException", 404, "message"};
constexpr aws::ErrorForm no_loft{"NoLoftException", "NoLoftException", 404, "Message", "User"};
constexpr std::array<aws::ErrorForm, 0> none{};

constexpr aws::JsonProtocol protocol{
    .signing_name = "lofts",
    .content_type = "application/json",
    .served = served,
    .errors = {&denied, &common, &internal, &common, &missing, &malformed, &unknown, &common, &common},
    .error_forms = none,
    .limits = {.head = 1000, .body = 2000, .body_on_loop = 500, .uncompressed = 1000},
    .routes = routes,
    .no_route = "Only lofts are served"};

tenancy::WorldsOptions without_jobs() {
  tenancy::WorldsOptions options;
  options.run_jobs = false;
  return options;
}

struct Reply {
  int status;
  std::string content_type;
  std::string headers;
  std::string body;
  bool must_wait;

  bool has_header(const std::string& line) const { return headers.find(line + "\r\n") != std::string::npos; }
};

/// AddLoft answers with its input, ListLofts too; DropLoft knows only the loft `a`, and throws for `b`.
class Lofts final : public aws::JsonOperations {
 public:
  explicit Lofts(aws::JsonServiceOptions options = {})
      : worlds_(without_jobs(), clock_, ids_),
        service_(protocol, std::move(options), *this, tenancy::Tenants(worlds_), clock_, ids_) {}

  aws::Outcome run(const aws::JsonRequest& request, http::Response& response) override {
    const std::string input = simdjson::minify(request.body.json);
    if (served[request.operation] == "Lofts.DropLoft") {
      const Json loft = Json::parse(input).at("Loft");
      if (loft == "b") throw std::runtime_error("it burns");
      if (loft != "a") {
        aws::append_rest_error(response.body, no_loft, "There is no such loft");
        return {.error = &no_loft};
      }
    }
    response.body = input;
    return {};
  }
  void answer_health(http::Response& response) const override { response.body = "not called"; }

  Reply send(std::string_view method, std::string_view target, std::string_view body = {},
             std::vector<http::Header> headers = {}, bool may_wait = true) {
    const auto is_host = [](const http::Header& header) { return header.name == "Host"; };
    if (std::ranges::none_of(headers, is_host)) headers.push_back({"Host", "localhost:8000"});
    http::Response response;
    service_.handle({.method = method,
                     .target = target,
                     .headers = headers,
                     .body = body,
                     .remote = "test",
                     .may_wait = may_wait},
                    response);
    return {response.status, std::string(response.content_type), response.headers, response.body,
            response.must_wait};
  }
  aws::JsonService& service() { return service_; }

 private:
  base::ManualClock clock_{base::TimePoint(std::chrono::days(20'000))};
  base::SeededIds ids_{1};
  tenancy::Worlds worlds_;
  aws::JsonService service_;
};

}  // namespace

TEST_CASE("a path finds its operation, whose answer has the status of the route") {
  Lofts lofts;
  const Reply added = lofts.send("POST", "/2030-01-01/lofts/", R"({"Loft":"a"})");
  CHECK(added.status == 202);
  CHECK(added.content_type == "application/json");
  CHECK(added.body == R"({"Loft":"a"})");
  CHECK(lofts.send("DELETE", "/2030-01-01/lofts/a").status == 202);
  const Reply listed = lofts.send("GET", "/2030-01-01/lofts?MaxItems=5");
  CHECK(listed.status == 200);
  CHECK(listed.body == R"({"MaxItems":5})");
  CHECK(lofts.send("GET", "/2030-01-01/lofts").body == "{}");
  CHECK(listed.headers.find("x-amzn-RequestId: ") != std::string::npos);
  CHECK(listed.headers.find("x-amzn-ErrorType") == std::string::npos);
}

TEST_CASE("a header names an error, the body has whose it is and the message") {
  Lofts lofts;
  const Reply reply = lofts.send("DELETE", "/2030-01-01/lofts/x");
  CHECK(reply.status == 404);
  CHECK(reply.content_type == "application/json");
  CHECK(reply.has_header("x-amzn-ErrorType: NoLoftException"));
  CHECK(reply.body == R"({"Type":"User","Message":"There is no such loft"})");
  const Reply illegible = lofts.send("POST", "/2030-01-01/lofts", "[]");
  CHECK(illegible.status == 400);
  CHECK(illegible.has_header("x-amzn-ErrorType: IllegibleException"));
  CHECK(illegible.body == "{}");
}

TEST_CASE("an exception of a route is the service's internal error") {
  Lofts lofts;
  const Reply reply = lofts.send("DELETE", "/2030-01-01/lofts/b");
  CHECK(reply.status == 500);
  CHECK(reply.has_header("x-amzn-ErrorType: ServiceException"));
  CHECK(reply.body == R"({"Type":"Service","Message":"Internal server error"})");
}

TEST_CASE("requests that no route leads to have the error of unknown operations, and a sentence") {
  Lofts lofts;
  for (const auto& [method, target] : std::vector<std::pair<const char*, const char*>>{
           {"GET", "/"}, {"POST", "/"}, {"PATCH", "/2030-01-01/lofts"}, {"GET", "/2030-01-01/lofts/a"}}) {
    const Reply reply = lofts.send(method, target, "{}", {{"X-Amz-Target", "Lofts.ListLofts"}});
    INFO(method << " " << target);
    CHECK(reply.status == 404);
    CHECK(reply.has_header("x-amzn-ErrorType: UnknownOperationException"));
    CHECK(reply.body == R"({"message":"Only lofts are served"})");
  }
}

TEST_CASE("callers of routes are authenticated, and pages refused") {
  Lofts lofts({.auth = {.mode = aws::AuthMode::present}});
  const Reply reply = lofts.send("GET", "/2030-01-01/lofts");
  CHECK(reply.status == 403);
  CHECK(reply.has_header("x-amzn-ErrorType: MissingTokenException"));
  const Reply page = lofts.send("GET", "/2030-01-01/lofts", {}, {{"Origin", "https://cat.example"}});
  CHECK(page.status == 403);
  CHECK(page.body.starts_with(R"({"Type":"User","Message":"Web pages of origin https://cat.example)"));
  CHECK(lofts.send("OPTIONS", "/2030-01-01/lofts").status == 200);
}

TEST_CASE("a read of a page that was rebound is refused") {
  Lofts lofts;
  const auto status = [&](std::vector<http::Header> headers) {
    headers.push_back({"Host", "cat.example:8000"});
    return lofts.send("GET", "/2030-01-01/lofts", {}, std::move(headers)).status;
  };
  const http::Header credential{"Authorization",
                                "AWS4-HMAC-SHA256 Credential=a/20300101/eu-west-2/lofts/aws4_request"};
  CHECK(status({}) == 403);
  CHECK(status({credential}) == 200);
  CHECK(status({credential, {"User-Agent", "Mozilla/5.0"}}) == 403);
}

TEST_CASE("long bodies of routes wait, and are packed or not") {
  Lofts lofts;
  const std::string longer = R"({"Loft":")" + std::string(600, 'a') + R"("})";
  CHECK(lofts.send("POST", "/2030-01-01/lofts", longer, {}, false).must_wait);
  CHECK(lofts.send("POST", "/2030-01-01/lofts", longer).body == longer);
  CHECK_FALSE(lofts.send("GET", "/2030-01-01/lofts", {}, {}, false).must_wait);
}

TEST_CASE("calls of routes are counted and kept, each with its input as JSON") {
  dinette::observe::RecentRequests recent;
  Lofts lofts({.recent = &recent});
  recent.read({});  // from now on all details
  lofts.send("DELETE", "/2030-01-01/lofts/a");
  lofts.send("GET", "/2030-01-01/lofts?MaxItems=5");
  lofts.send("OPTIONS", "/2030-01-01/lofts");
  const auto page = recent.read({});
  REQUIRE(page.requests.size() == 2);
  CHECK(page.requests[0]->operation == "DropLoft");
  CHECK(page.requests[0]->request.text == R"({"Loft":"a"})");
  CHECK(page.requests[1]->operation == "ListLofts");
  CHECK(page.requests[1]->request.text == R"({"MaxItems":5})");
}

}  // namespace test::rest_service_test
