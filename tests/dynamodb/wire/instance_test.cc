#include "dinette/dynamodb/instance.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/dynamodb/local_call.h"
#include "dinette/kv/data_folder.h"

#include "support/temporary_folder.h"

namespace dinette::dynamodb::instance_test {
namespace {

struct Surroundings {
  base::SystemClock clock;
  base::SystemIds ids;

  std::unique_ptr<Instance> open(InstanceOptions options) {
    auto instance = Instance::open(std::move(options), clock, ids);
    if (!instance) FAIL(instance.error().message);
    return std::move(instance).value();
  }
};

std::string call(Instance& instance, std::string_view operation, std::string_view request) {
  return call_locally(instance.service(), operation, request).body;
}

void create_table(Instance& instance) {
  CHECK_THAT(call(instance, "CreateTable",
                  R"({"TableName":"kept","BillingMode":"PAY_PER_REQUEST",
                      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
                      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})"),
             Catch::Contains("TableStatus"));
}

constexpr const char* one_table = R"({"TableNames":["kept"]})";

}  // namespace

TEST_CASE("an instance answers in worlds of its own") {
  Surroundings surroundings;
  const auto one = surroundings.open({});
  const auto other = surroundings.open({});
  create_table(*one);
  CHECK(call(*one, "ListTables", "{}") == one_table);
  CHECK(call(*other, "ListTables", "{}") == R"({"TableNames":[]})");
  CHECK(one->worlds().list().size() == 1);
}

TEST_CASE("an instance has what the engines kept of an earlier one") {
  const ::test::TemporaryFolder folder;
  Surroundings surroundings;
  const auto open = [&](bool run_jobs) {
    auto engines = kv::open_data_folder(folder.path(), {});
    if (!engines) FAIL(engines.error().message);
    return surroundings.open({.engines = std::move(engines).value(), .run_jobs = run_jobs});
  };
  create_table(*open(true));
  CHECK(call(*open(false), "ListTables", "{}") == one_table);
}

TEST_CASE("worlds keep as much history as reads of a service lag behind") {
  using std::chrono::milliseconds;
  CHECK(worlds_options({}, nullptr).store.history == milliseconds(0));
  ServiceOptions late;
  late.index_lag = milliseconds(40);
  late.stale_reads = milliseconds(500);
  CHECK(worlds_options(late, nullptr).store.history == milliseconds(540));
  CHECK(worlds_options(late, nullptr).faces.size() == 1);
}

}  // namespace dinette::dynamodb::instance_test
