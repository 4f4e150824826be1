#include "kv/postgres/locks.h"

#include <algorithm>
#include <string>
#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/base/sha256.h"

namespace dinette::kv::postgres {
namespace {

std::int64_t lock_number(char kind, std::int64_t world, std::string_view name) {
  std::string bytes(1, kind);
  base::append_big_endian(bytes, static_cast<std::uint64_t>(world));
  bytes.append(name);
  const base::Sha256Digest digest = base::sha256(bytes);
  return static_cast<std::int64_t>(
      base::load_big_endian<std::uint64_t>(reinterpret_cast<const char*>(digest.data())));
}

}  // namespace

LockSet::LockSet(std::int64_t world, std::span<const Lock> locks) {
  std::vector<std::pair<std::int64_t, bool>> claims;
  claims.reserve(locks.size());
  for (const Lock& lock : locks)
    claims.emplace_back(lock_number('n', world, lock.name), lock.mode == Lock::Mode::shared);
  std::ranges::sort(claims);
  for (const auto& [name, shared] : claims) {
    if (!names_.empty() && names_.back() == name) continue;  // an exclusive one came first
    names_.push_back(name);
    shared_.push_back(shared);
  }
}

LockSet LockSet::with_commit(std::int64_t world) const {
  const LockSet commit = of_commit(world, true);
  LockSet both = *this;
  both.names_.push_back(commit.names_.front());
  both.shared_.push_back(true);
  return both;
}

LockSet LockSet::of_commit(std::int64_t world, bool shared) {
  LockSet set;
  set.names_.push_back(lock_number('c', world, {}));
  set.shared_.push_back(shared);
  return set;
}

}  // namespace dinette::kv::postgres
