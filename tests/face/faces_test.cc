#include "dinette/face/faces.h"

#include <string>
#include <utility>

#include <catch2/catch.hpp>

namespace dinette::face::faces_test {
namespace {

/// Answers with its name, and refuses with it.
class Named final : public Face {
 public:
  explicit Named(std::string_view name) : name_(name), counters_(name, {"Ask"}, {{"Bad", 400}}) {}

  void handle(const http::Request&, http::Response& response) override {
    response.body = name_;
    counters_.count(0, std::nullopt, std::chrono::nanoseconds(1));
  }
  void refuse(const http::Request&, http::Response& response) override {
    response.body = "refused by " + std::string(name_);
  }
  const observe::RequestCounters& requests() const override { return counters_; }

 private:
  const std::string_view name_;
  observe::RequestCounters counters_;
};

http::Request request(std::string_view method, std::string_view target) {
  return {.method = method, .target = target, .headers = {}, .body = "", .remote = "test"};
}

struct Fixture {
  Named birds{"birds"};
  Named fish{"fish"};
  Faces faces{{{[](const http::Request& request) { return request.path() == "/birds"; }, &birds},
               {[](const http::Request& request) { return request.method == "DELETE"; }, &fish},
               {[](const http::Request& request) { return request.path() == "/ducks"; }, &fish},
               {&owns_all, &birds}}};

  std::string ask(std::string_view method, std::string_view target) const {
    http::Response response;
    faces.handle(request(method, target), response);
    return response.body;
  }
};

}  // namespace

TEST_CASE("the first route that owns a request chooses the face, and the last one owns the rest") {
  const Fixture f;
  CHECK(f.ask("GET", "/birds") == "birds");
  CHECK(f.ask("DELETE", "/birds") == "birds");
  CHECK(f.ask("DELETE", "/ducks") == "fish");
  CHECK(f.ask("GET", "/ducks?a") == "fish");
  CHECK(f.ask("GET", "/") == "birds");
}

TEST_CASE("refusals of the HTTP server are in the form of the face") {
  const Fixture f;
  http::Response response;
  f.faces.refuse(request("GET", "/ducks"), response);
  CHECK(response.body == "refused by fish");
  f.faces.refuse(request("", ""), response);
  CHECK(response.body == "refused by birds");
}

TEST_CASE("each face is a service in the metrics, once") {
  const Fixture f;
  f.ask("GET", "/birds");
  f.ask("GET", "/ducks");
  f.ask("GET", "/ducks");
  observe::MetricsWriter metrics(observe::MetricsFormat::prometheus);
  f.faces.write_metrics(metrics);
  const std::string text = std::move(metrics).finish();
  CHECK_THAT(text, Catch::Contains(
                       R"(dinette_requests_total{service="birds",operation="Ask",status="200",error=""} 1)"));
  CHECK_THAT(text, Catch::Contains(
                       R"(dinette_requests_total{service="fish",operation="Ask",status="200",error=""} 2)"));
  for (const std::string line :
       {"# TYPE dinette_requests_total counter", "# TYPE dinette_request_duration_seconds",
        R"(_count{service="birds",operation="Ask"})"}) {
    CHECK(text.find(line) != std::string::npos);
    CHECK(text.find(line) == text.rfind(line));
  }
}

}  // namespace dinette::face::faces_test
