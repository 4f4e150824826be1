#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dinette/tcp/protocol.h"
#include "dinette/tenancy/world.h"

#include "cql/schema/place.h"
#include "cql/statements/capacity.h"
#include "cql/statements/execute.h"
#include "cql/upkeep/store_upkeep.h"

namespace dinette::cql::wire {

/// A statement that clients name by an id.
struct Prepared {
  std::string id{};
  std::size_t bytes = 0;  ///< of its text
  /// Null of USE and DDL, which are prepared in lenient mode alone.
  statements::PlanPointer plan{};
  std::shared_ptr<const grammar::Statement> other{};  ///< then there is this one
  std::string keyspace{};                             ///< of the connection that prepared it
};

/// Returns the id of a statement: the same on all connections, and after a restart.
std::string id_of(std::string_view keyspace, std::string_view statement);

/// What connections to a world share, in memory only: prepared statements, and who wants to know of changes
/// of the schema. Each name space has its own. Thread-safe.
class WorldState final : public tenancy::FaceState {
 public:
  /// How many statements, and bytes of their texts, are kept; then those that were not used for longest go,
  /// and clients prepare them again.
  static constexpr std::size_t most_prepared = 10'000;
  static constexpr std::size_t most_prepared_bytes = 64 * 1024 * 1024;

  static WorldState& of(tenancy::World& world);

  /// Returns null if there is none.
  std::shared_ptr<const Prepared> find(std::string_view name_space, std::string_view id);
  void keep(std::string_view name_space, std::shared_ptr<const Prepared> prepared);
  /// Forgets a statement whose description is no longer right.
  void forget(std::string_view name_space, std::string_view id);

  /// Sends the body of an event.
  using Push = std::function<tcp::State(const std::string& body)>;
  using SubscriptionId = std::uint64_t;

  SubscriptionId subscribe(std::string_view name_space, tcp::Post post, Push push);
  void unsubscribe(SubscriptionId id);
  /// Has an event sent to all that have subscribed in the name space.
  void publish(std::string_view name_space, const std::string& body);

  /// Counts what was removed of a table.
  void add(std::string_view table, const upkeep::Removals& removals);
  /// The capacity that tables have left.
  statements::Throttle& throttle() { return throttle_; }

  using RemovalsByTable = std::map<std::string, upkeep::Removals, std::less<>>;
  RemovalsByTable removals() const;

 private:
  struct Kept {
    explicit Kept(std::shared_ptr<const Prepared> one) : prepared(std::move(one)) {}

    std::shared_ptr<const Prepared> prepared;
    std::atomic<std::uint64_t> used = 0;  ///< when, by uses_
  };
  struct Subscriber {
    std::string name_space;
    tcp::Post post;
    Push push;
  };

  void make_room();

  std::atomic<std::uint64_t> uses_ = 0;
  std::shared_mutex mutex_;  ///< held briefly; longer while a full cache is halved
  std::unordered_map<std::string, std::unique_ptr<Kept>> prepared_;  ///< by name space and id; guarded
  std::size_t prepared_bytes_ = 0;                                   ///< guarded by mutex_
  std::mutex subscribers_mutex_;                                     ///< held briefly
  std::map<SubscriptionId, Subscriber> subscribers_;                 ///< guarded by subscribers_mutex_
  SubscriptionId last_subscription_ = 0;                             ///< likewise
  statements::Throttle throttle_;
  mutable std::mutex removals_mutex_;  ///< held briefly
  RemovalsByTable removals_;           ///< guarded by removals_mutex_
};

}  // namespace dinette::cql::wire
