// DynamoDB beside a second service of AWS at the same port, and beside another protocol at another port of
// the same server.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/dynamodb/service.h"
#include "dinette/face/faces.h"
#include "dinette/http/client.h"
#include "dinette/http/server.h"
#include "dinette/tenancy/worlds.h"

#include "aws/pigeon_post.h"
#include "tcp/fixture.h"

namespace dinette::app::several_faces_test {
namespace {

tenancy::WorldsOptions options() {
  tenancy::WorldsOptions worlds;
  worlds.faces = {dynamodb::world_face()};
  worlds.run_jobs = false;
  return worlds;
}

struct Fixture {
  Fixture() {
    server.listen({}, frames);
    const auto started = server.start();
    if (!started) FAIL(started.error());
  }
  ~Fixture() { stage.open_all(); }

  std::string call(const std::string& target, const std::string& body) {
    const std::string headers =
        "X-Amz-Target: " + target + "\r\nContent-Type: application/x-amz-json-1.0\r\n";
    const auto response =
        http::fetch({.port = server.ports()[0]}, {.method = "POST", .headers = headers, .body = body});
    return response ? response->body : "none";
  }

  base::ManualClock clock{base::TimePoint(std::chrono::days(20'000))};
  base::SeededIds ids{1};
  tenancy::Worlds worlds{options(), clock, ids};
  dynamodb::Service dynamodb{{}, worlds, clock, ids};
  test::PigeonPost pigeons{{}, clock};
  const face::Faces faces{{{&test::PigeonPost::owns, &pigeons.face()}, {&face::owns_all, &dynamodb}}};
  tcp::Stage stage;
  tcp::FramesFactory frames{stage};
  http::Server server{{}, [this](const auto& request, auto& response) { faces.handle(request, response); }};
};

}  // namespace

TEST_CASE("services of AWS share a port, and are told apart by X-Amz-Target") {
  Fixture f;
  CHECK(f.call("PigeonPost_20300101.ReleasePigeon", R"({"Name":"walter"})") == R"({"Minutes":60})");
  CHECK(f.call("DynamoDB_20120810.ListTables", "{}") == R"({"TableNames":[]})");
  CHECK_THAT(f.call("Other_20200101.Operation", "{}"), Catch::Contains("UnknownOperationException"));
  observe::MetricsWriter metrics(observe::MetricsFormat::prometheus);
  f.faces.write_metrics(metrics);
  const std::string text = std::move(metrics).finish();
  CHECK_THAT(text, Catch::Contains(
                       R"(_total{service="pigeons",operation="ReleasePigeon",status="200",error=""} 1)"));
  CHECK_THAT(text,
             Catch::Contains(R"(_total{service="dynamodb",operation="ListTables",status="200",error=""} 1)"));
}

TEST_CASE("a protocol with several requests in flight has a port of the same server") {
  Fixture f;
  REQUIRE(f.server.ports().size() == 2);
  tcp::Socket client(f.server.ports()[1]);
  REQUIRE(client.send(tcp::frame('a', "wait") + tcp::frame('b', "quick")));
  CHECK(tcp::receive(client) == tcp::Received{'b', "quick"});
  CHECK(f.call("DynamoDB_20120810.ListTables", "{}") == R"({"TableNames":[]})");
  f.stage.open("wait");
  CHECK(tcp::receive(client) == tcp::Received{'a', "wait"});
  CHECK(f.server.connections().open >= 1);
}

}  // namespace dinette::app::several_faces_test
