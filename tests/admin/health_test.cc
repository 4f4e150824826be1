#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "admin/fixture.h"

namespace dinette::admin::health_test {
namespace {

constexpr const char* elsewhere = "192.0.2.7:40000";

/// Engines in memory that say of a disk what a test wants.
class ReportingEngines final : public kv::Engines {
 public:
  kv::Capabilities capabilities() const override { return memory_->capabilities(); }
  kv::Result<std::shared_ptr<kv::Engine>> make() override { return memory_->make(); }
  std::vector<Kept> kept() const override { return {}; }
  kv::Result<std::shared_ptr<kv::Engine>> open(std::string_view name) override { return memory_->open(name); }
  kv::Result<void> keep(std::string_view, std::string_view, const kv::Engine&) override { return {}; }
  kv::Result<void> forget(std::string_view) override { return {}; }
  std::optional<std::string> trouble() const override { return reported; }

  std::optional<std::string> reported;

 private:
  std::shared_ptr<kv::Engines> memory_ = kv::make_memory_engines();
};

}  // namespace

TEST_CASE("health is a word, for every program, whatever it calls the server and without a token") {
  Fixture f({.token = "secret"});
  for (const char* path : {"/_dinette/health", "/health", "/healthz"}) {
    for (const char* method : {"GET", "HEAD"}) {
      INFO(method << " " << path);
      const Response response = f.send(method, path, "", {{"Host", "dinette:8000"}}, elsewhere);
      CHECK(response.status == 200);
      CHECK(response.body == "healthy\n");
    }
    CHECK(f.send("GET", path, "", {{"Origin", "https://evil.example"}}, elsewhere).status == 403);
    CHECK(f.send("POST", path).status == 405);
  }
}

TEST_CASE("a server that has lost its disk is unhealthy at every path, until it is found again") {
  const auto engines = std::make_shared<ReportingEngines>();
  Fixture f({}, engines);
  engines->reported = "the disk is gone";
  for (const char* path : {"/_dinette/health", "/health", "/healthz"}) {
    INFO(path);
    const Response response = f.send("GET", path, "", {{"Host", "dinette:8000"}}, elsewhere);
    CHECK(response.status == 503);
    CHECK(response.body == "the disk is gone\n");
    CHECK(f.send("HEAD", path).status == 503);
  }
  const Response as_localstack = f.send("GET", "/_localstack/health");
  CHECK(as_localstack.status == 503);
  CHECK(as_localstack.json().at("services").at("dynamodb") == "error");
  CHECK(as_localstack.json().at("message") == "the disk is gone");
  engines->reported.reset();
  CHECK(f.send("GET", "/_dinette/health").status == 200);
  CHECK(f.send("GET", "/_localstack/health").status == 200);
}

}  // namespace dinette::admin::health_test
