#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "dinette/admin/api.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/http/message.h"
#include "dinette/kv/engines.h"
#include "dinette/kv/memory.h"
#include "dinette/tenancy/worlds.h"

namespace dinette::admin {

using TestJson = nlohmann::json;
using Headers = std::vector<std::pair<std::string, std::string>>;

struct Response {
  int status = 0;
  std::string headers;
  std::string body;

  TestJson json() const { return TestJson::parse(body); }
  std::string code() const { return json().at("error").at("code"); }
  std::string message() const { return json().at("error").at("message"); }
};

/// The API over worlds of a made-up front end, whose tables are rows of text. Real time is stopped unless a
/// test moves it, and jobs run when a test says so, or because a clock is set.
class Fixture {
 public:
  explicit Fixture(ApiOptions options = {}, std::shared_ptr<kv::Engines> engines = kv::make_memory_engines());

  /// Sends a request from this machine.
  Response send(std::string_view method, std::string_view target, std::string_view body = "",
                Headers headers = {{"Host", "localhost:8000"}}, std::string_view remote = "127.0.0.1:40000");
  /// The same where the test needs success.
  TestJson ok(std::string_view method, std::string_view target, std::string_view body = "");

  /// Writes the row `key` of the table "table", which is created if necessary.
  void put(std::string_view world, std::string_view text, std::string_view key = "row");
  /// Returns the text of the row "row"; "" for no row, no table or no world.
  std::string read(std::string_view world);

  static constexpr std::uint8_t face_id = 7;
  static constexpr auto start =
      std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) + std::chrono::hours(8);

  base::ManualClock real_clock{start};
  base::SeededIds ids{1};
  tenancy::Worlds worlds;
  Api api;
};

}  // namespace dinette::admin
