#include "kv/latches.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace dinette::kv {
namespace {

/// std::hash is a good 64-bit hash with libstdc++. It need not be stable, because no latch outlives the
/// process.
std::uint64_t name_of(std::string_view bytes) {
  return std::hash<std::string_view>{}(bytes);
}

}  // namespace

Latches::Hold::~Hold() {
  for (const Claim& claim : held_) latches_->release(claim);
}

bool Latches::acquire(std::span<const Lock> locks, Deadline deadline, Hold& hold) {
  Claims claims;
  for (const Lock& lock : locks) claims.push_back({name_of(lock.name), lock.mode == Lock::Mode::exclusive});
  // Of two claims to the same name the exclusive one is kept, because it sorts first.
  std::sort(claims.begin(), claims.end(), [](const Claim& a, const Claim& b) {
    return a.name != b.name ? a.name < b.name : a.exclusive > b.exclusive;
  });
  claims.erase(std::unique(claims.begin(), claims.end(),
                           [](const Claim& a, const Claim& b) { return a.name == b.name; }),
               claims.end());

  hold.latches_ = this;
  hold.held_.reserve(claims.size());
  for (const Claim& claim : claims) {
    if (!acquire(claim, deadline)) {
      for (const Claim& held : hold.held_) release(held);
      hold.held_.clear();
      return false;
    }
    hold.held_.push_back(claim);
  }
  return true;
}

bool Latches::acquire(const Claim& claim, Deadline deadline) {
  Stripe& stripe = stripe_of(claim.name);
  std::unique_lock guard(stripe.mutex);
  if (Latch& latch = stripe.find_or_add(claim.name); !latch.admits(claim.exclusive)) {
    ++(claim.exclusive ? latch.waiting_exclusive : latch.waiting_shared);
    // The vector of latches may move during the wait, so the latch is looked up each time.
    const bool admitted = stripe.changed.wait_until(
        guard, deadline, [&] { return stripe.find_or_add(claim.name).admits(claim.exclusive); });
    Latch& waited_for = stripe.find_or_add(claim.name);
    --(claim.exclusive ? waited_for.waiting_exclusive : waited_for.waiting_shared);
    if (!admitted) {
      stripe.drop_if_unused(claim.name);
      stripe.changed.notify_all();  // shared ones may have waited for this one
      return false;
    }
  }
  Latch& latch = stripe.find_or_add(claim.name);
  if (claim.exclusive) {
    latch.exclusive = true;
  } else {
    ++latch.shared;
  }
  return true;
}

void Latches::release(const Claim& claim) {
  Stripe& stripe = stripe_of(claim.name);
  const std::lock_guard guard(stripe.mutex);
  Latch& latch = stripe.find_or_add(claim.name);
  if (claim.exclusive) {
    latch.exclusive = false;
  } else {
    --latch.shared;
  }
  if (latch.waiting_exclusive + latch.waiting_shared > 0) stripe.changed.notify_all();
  stripe.drop_if_unused(claim.name);
}

Latches::Latch& Latches::Stripe::find_or_add(std::uint64_t name) {
  const auto found =
      std::find_if(latches.begin(), latches.end(), [name](const Latch& latch) { return latch.name == name; });
  if (found != latches.end()) return *found;
  latches.push_back({.name = name});
  return latches.back();
}

void Latches::Stripe::drop_if_unused(std::uint64_t name) {
  std::erase_if(latches, [name](const Latch& latch) { return latch.name == name && latch.unused(); });
}

}  // namespace dinette::kv
