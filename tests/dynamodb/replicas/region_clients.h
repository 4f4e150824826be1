#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/dynamodb/replication.h"

#include "support/tables.h"

/// Clients in several regions of one world.
namespace test {

inline constexpr std::string_view east = "us-east-1";
inline constexpr std::string_view west = "us-west-2";
inline constexpr std::string_view ohio = "us-east-2";
inline constexpr std::string_view ireland = "eu-west-1";

/// A server whose regions have tables of their own. What goes on between them does so on threads of its own;
/// the functions that wait do so until it has come to what they wait for.
class Regions {
 public:
  explicit Regions(dinette::dynamodb::ServiceOptions options = {});

  DynamoDb db;

  Reply call(std::string_view region, std::string_view operation, const Json& body);
  Reply call_streams(std::string_view region, std::string_view operation, const Json& body);
  /// The same where the test needs success.
  Json ok(std::string_view region, std::string_view operation, const Json& body);
  /// The request is refused with this sentence.
  void check_refused(std::string_view region, std::string_view operation, const Json& request,
                     const std::string& message, std::string_view error = "ValidationException");

  /// Creates the table `Music` in a region, and replicas in others, ACTIVE.
  void create(std::string_view region, const std::vector<std::string_view>& replicas = {},
              const Json& table = on_demand());
  void add_replica(std::string_view region, std::string_view replica);

  /// The description of the table in a region; null if there is none.
  Json describe(std::string_view region, std::string_view table = "Music");
  /// The regions and states of its replicas, such as {{"us-west-2", "ACTIVE"}}.
  Json replicas(std::string_view region);

  void put(std::string_view region, const Json& item);
  void erase(std::string_view region, std::string_view pk);
  /// The item; null if there is none.
  Json get(std::string_view region, std::string_view pk);
  /// All items, by their keys.
  Json items(std::string_view region);
  /// The records of the table's stream, shard by shard.
  std::vector<Json> records(std::string_view region);

  dinette::tenancy::World& world();
  std::vector<dinette::dynamodb::ReplicationState> states();
  /// Cuts the links between two regions in both directions, or heals all.
  void cut(std::string_view one, std::string_view other);
  void heal();
  void skew(std::string_view region, std::chrono::microseconds time);

  /// Moves the clock, and runs what is due then.
  void pass_time(std::chrono::microseconds time);
  /// Waits until something holds.
  void until(const std::function<bool()>& holds);
  /// Waits until all changes are everywhere.
  void settle();
};

/// An UpdateTable of `Music` with one action on a replica.
Json replica_update(std::string_view action, std::string_view region, const Json& settings = Json::object());
/// One with several.
Json replica_updates(const Json& actions);

/// An item with the key `pk` and an attribute `v`.
Json song(std::string_view pk, std::string_view v);

}  // namespace test
