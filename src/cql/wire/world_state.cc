#include "cql/wire/world_state.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dinette/base/md5.h"

namespace dinette::cql::wire {
namespace {

std::string key_of(std::string_view name_space, std::string_view id) {
  return std::string(name_space).append(1, '\0').append(id);
}

}  // namespace

// As Cassandra does it: docs/service-keyspaces/protocol.md section 6.
std::string id_of(std::string_view keyspace, std::string_view statement) {
  base::Md5 digest;
  digest.add(keyspace);
  digest.add(statement);
  const base::Md5Digest bytes = digest.digest();
  return std::string(bytes.begin(), bytes.end());
}

WorldState& WorldState::of(tenancy::World& world) {
  const auto make = []() -> std::unique_ptr<tenancy::FaceState> { return std::make_unique<WorldState>(); };
  return static_cast<WorldState&>(world.state(face_id, make));
}

std::shared_ptr<const Prepared> WorldState::find(std::string_view name_space, std::string_view id) {
  const std::shared_lock lock(mutex_);
  const auto found = prepared_.find(key_of(name_space, id));
  if (found == prepared_.end()) return nullptr;
  found->second->used = ++uses_;
  return found->second->prepared;
}

void WorldState::keep(std::string_view name_space, std::shared_ptr<const Prepared> prepared) {
  const std::unique_lock lock(mutex_);
  const std::size_t bytes = prepared->bytes;
  auto& place = prepared_[key_of(name_space, prepared->id)];
  if (place != nullptr) prepared_bytes_ -= place->prepared->bytes;
  place = std::make_unique<Kept>(std::move(prepared));
  place->used = ++uses_;
  prepared_bytes_ += bytes;
  if (prepared_.size() > most_prepared || prepared_bytes_ > most_prepared_bytes) make_room();
}

void WorldState::forget(std::string_view name_space, std::string_view id) {
  const std::unique_lock lock(mutex_);
  const auto found = prepared_.find(key_of(name_space, id));
  if (found == prepared_.end()) return;
  prepared_bytes_ -= found->second->prepared->bytes;
  prepared_.erase(found);
}

/// Drops the half that was not used for longest, so that this is rarely needed.
void WorldState::make_room() {
  std::vector<std::uint64_t> uses;
  for (const auto& [key, kept] : prepared_) uses.push_back(kept->used);
  const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 2);
  std::nth_element(uses.begin(), middle, uses.end());
  const std::uint64_t oldest_kept = *middle;
  std::erase_if(prepared_, [&](const auto& one) {
    const bool goes = one.second->used < oldest_kept;
    if (goes) prepared_bytes_ -= one.second->prepared->bytes;
    return goes;
  });
}

WorldState::SubscriptionId WorldState::subscribe(std::string_view name_space, tcp::Post post, Push push) {
  const std::lock_guard lock(subscribers_mutex_);
  subscribers_.emplace(++last_subscription_,
                       Subscriber{std::string(name_space), std::move(post), std::move(push)});
  return last_subscription_;
}

void WorldState::unsubscribe(SubscriptionId id) {
  const std::lock_guard lock(subscribers_mutex_);
  subscribers_.erase(id);
}

void WorldState::publish(std::string_view name_space, const std::string& body) {
  const std::lock_guard lock(subscribers_mutex_);
  for (const auto& [id, subscriber] : subscribers_) {
    if (subscriber.name_space == name_space)
      subscriber.post([push = subscriber.push, body] { return push(body); });
  }
}

void WorldState::add(std::string_view table, const upkeep::Removals& removals) {
  const std::lock_guard lock(removals_mutex_);
  upkeep::Removals& sum = removals_[std::string(table)];
  sum.expired += removals.expired;
  sum.tombstones += removals.tombstones;
}

WorldState::RemovalsByTable WorldState::removals() const {
  const std::lock_guard lock(removals_mutex_);
  return removals_;
}

}  // namespace dinette::cql::wire
