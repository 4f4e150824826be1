#include "dinette/dinette.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "embed/albums.h"

namespace dinette::embed_tests::dinette_test {
namespace {

constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t new_year = 1'893'456'000 * second;  // 2030-01-01T00:00:00Z

using Service = std::unique_ptr<dinette_service, decltype(&dinette_close)>;

Service open_service() {
  return {dinette_open(), &dinette_close};
}

std::string called(const Service& service, const char* operation, const char* json) {
  char* reply = nullptr;
  std::string text = std::to_string(dinette_call(service.get(), operation, json, &reply)) + " ";
  text += reply;
  dinette_free(reply);
  return text;
}

TEST_CASE("C calls operations, and frees the replies") {
  const Service service = open_service();
  REQUIRE(service);
  CHECK(called(service, "CreateTable", make_albums).starts_with("200 {\"TableDescription\":"));
  CHECK(called(service, "PutItem", put_album) == "200 {}");
  CHECK(called(service, "PutItem", "{}").starts_with("400 {\"__type\":"));
  CHECK(dinette_call(service.get(), "ListTables", list_tables, nullptr) == 200);
  dinette_free(nullptr);
  dinette_close(nullptr);
}

TEST_CASE("C sets the clock") {
  const Service service = open_service();
  dinette_freeze(service.get(), 1);
  CHECK(dinette_set_time(service.get(), new_year) == 1);
  called(service, "CreateTable", make_albums);
  called(service, "UpdateTimeToLive", expire_albums);
  called(service, "PutItem", put_album);
  CHECK(dinette_advance(service.get(), 3600 * second) == 1);
  CHECK(dinette_now(service.get()) == new_year + 3600 * second);
  CHECK(called(service, "Scan", R"({"TableName": "Albums", "Select": "COUNT"})") ==
        R"(200 {"Count":0,"ScannedCount":0})");
  CHECK(dinette_set_time(service.get(), -1) == 0);
  CHECK(dinette_now(service.get()) == new_year + 3600 * second);
  dinette_freeze(service.get(), 0);
  dinette_reset(service.get());
  CHECK(called(service, "ListTables", list_tables) == R"(200 {"TableNames":[]})");
}

TEST_CASE("C serves, and learns why it cannot") {
  const Service service = open_service();
  const std::uint16_t port = dinette_serve(service.get(), 0, nullptr);
  CHECK(port != 0);
  const Service other = open_service();
  char* error = nullptr;
  CHECK(dinette_serve(other.get(), port, &error) == 0);
  CHECK(std::string_view(error).find("another program has this port") != std::string_view::npos);
  dinette_free(error);
  dinette_stop(service.get());
  CHECK(dinette_serve(other.get(), 0, &error) != 0);
  CHECK(error == nullptr);
}

}  // namespace
}  // namespace dinette::embed_tests::dinette_test
