#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dinette/base/iso_time.h"
#include "dinette/deliveries/delivery.h"

namespace dinette::lambda {

inline base::TimePoint at(std::string_view time) {
  return base::parse_time(time).value();
}

inline deliveries::Record record(std::string number, std::string payload = "{}",
                                 std::string_view time = "2026-09-17T13:07:30.250Z") {
  return {.number = std::move(number), .moment = at(time), .key = "", .payload = std::move(payload)};
}

/// Four records, as the examples of docs/service/triggers.md section 3 have them.
inline std::vector<deliveries::Record> four_records() {
  return {record("101", R"({"n":1})"), record("102", R"({"n":2})"), record("103", R"({"n":3})"),
          record("104", R"({"n":4})")};
}

inline deliveries::Batch batch_of(const std::vector<deliveries::Record>& records) {
  return {.id = "6b3b4a8c-0000-4000-8000-000000000001",
          .shard = "shardId-00000001789649399079-0d666f96",
          .records = records,
          .window = std::nullopt};
}

inline deliveries::TumblingWindow ten_seconds(std::string state = "") {
  return {.begin = at("2026-09-17T12:50:50Z"), .end = at("2026-09-17T12:51:00Z"), .state = std::move(state)};
}

}  // namespace dinette::lambda
