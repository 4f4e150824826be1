#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "dynamodb/batch.h"
#include "support/tables.h"

/// What the tests of throttling say over and over: a server that throttles, tables with little throughput,
/// items of so many units, and refusals.
namespace test {

class Throttled : public DynamoDb {
 public:
  Throttled() : DynamoDb(options()) {}

  void pass(std::chrono::microseconds time) { clock().set(clock().now() + time); }

 private:
  static dinette::dynamodb::ServiceOptions options();
};

/// A provisioned table with the hash key `pk` (S).
Json with_units(int read, int write, std::string_view name = "Music");
/// The same with a global index by `a` (S) that has units of its own and projects everything, or keys alone.
Json with_index(int table, int index, std::string_view projection = "ALL");
/// An on-demand table with such an index, with these maxima; 0 is none.
Json with_maxima(int table, int index);

/// An item of exactly so many write units; `more` are attributes next to the key, counted in.
Json item_of(std::string_view pk, int units, const Json& more = Json::object());
Reply put(DynamoDb& db, const Json& item, std::string_view table = "Music");
/// A read of an item that need not be there.
Reply get(DynamoDb& db, std::string_view pk, bool consistent, std::string_view table = "Music");

/// Takes all write units of a table with 1 unit, by a write of another item than the tests name.
void drain(DynamoDb& db, std::string_view table = "Music");

/// The whole body of an answer that throttles a request.
struct Refused {
  std::string error;
  std::string text;
  std::string reason;
  std::string resource = "table/Music";
};
void check_throttled(const Reply& reply, const Refused& refused);
/// Checks only why.
void check_reason(const Reply& reply, std::string_view reason);

inline const std::string exceeded = "ProvisionedThroughputExceededException";
inline const std::string throttling = "ThrottlingException";

// The service's sentences (docs/service/throttling.md section 4).
extern const std::string sentence_pt;
extern const std::string sentence_pi;
extern const std::string sentence_ok;
extern const std::string sentence_om;
extern const std::string sentence_oi;

}  // namespace test
