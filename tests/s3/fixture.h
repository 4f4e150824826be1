#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/objects/memory_store.h"
#include "dinette/s3/service.h"

namespace dinette::s3 {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Response {
  int status = 0;
  std::string headers;
  std::string body;  ///< all of it

  /// Returns the text of the first element of that name; "(none)" if there is none.
  std::string element(std::string_view name) const;
  /// Returns the texts of all of them, each followed by a space.
  std::string elements(std::string_view name) const;
  std::string header(std::string_view name) const;
  std::string code() const { return element("Code"); }
};

/// The service over a store in memory. Time is stopped unless a test moves it.
class Fixture {
 public:
  explicit Fixture(ServiceOptions options = {});

  Response send(std::string_view method, std::string_view target, std::string_view body = "",
                Headers headers = {});
  /// The same with this Host alone.
  Response send_to(std::string_view host, std::string_view method, std::string_view target,
                   std::string_view body = "");
  /// The same with these headers alone.
  Response send_exactly(std::string_view method, std::string_view target, std::string_view body,
                        const Headers& headers);
  /// Makes the bucket "bucket" with objects of these keys, whose bytes are the key.
  void fill(const std::vector<std::string>& keys);

  base::ManualClock clock{std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) + std::chrono::hours(8)};
  base::SeededIds ids{1};
  const std::unique_ptr<objects::BucketStore> store = objects::make_memory_store(clock);
  Service service;
};

}  // namespace dinette::s3
