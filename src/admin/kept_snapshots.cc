#include "admin/kept_snapshots.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

namespace dinette::admin {
namespace {

std::optional<std::uint64_t> number_of(std::string_view id) {
  if (!id.starts_with(snapshot_prefix)) return std::nullopt;
  id.remove_prefix(snapshot_prefix.size());
  std::uint64_t number = 0;
  const auto read = std::from_chars(id.data(), id.data() + id.size(), number);
  const bool all = read.ec == std::errc() && read.ptr == id.data() + id.size() && !id.starts_with('0');
  return all ? std::optional(number) : std::nullopt;
}

std::string id_of(std::uint64_t number) {
  return std::string(snapshot_prefix) + std::to_string(number);
}

/// Returns what servers that share the worlds know of a snapshot: microseconds since 1970, and the world.
std::string snapshot_note(std::string_view world, base::TimePoint created) {
  return std::to_string(created.time_since_epoch().count()).append(" ").append(world);
}

KeptSnapshot read_snapshot(const tenancy::KeptImage& kept, tenancy::WorldImage image) {
  const std::string_view note = kept.note;
  const std::size_t time_size = std::min(note.find(' '), note.size());
  std::int64_t microseconds = 0;
  std::from_chars(note.data(), note.data() + time_size, microseconds);
  const std::string_view world = note.substr(std::min(time_size + 1, note.size()));
  return {id_of(kept.number), std::string(world), base::TimePoint(std::chrono::microseconds(microseconds)),
          std::move(image)};
}

}  // namespace

kv::Result<SnapshotPointer> KeptSnapshots::add(std::string_view world, base::TimePoint created,
                                               tenancy::WorldImage image) {
  if (worlds_.keeps_images()) return add_shared(world, created, std::move(image));
  const std::lock_guard guard(mutex_);
  if (kept_.size() >= most) return SnapshotPointer();
  const Number number = ++last_;
  KeptSnapshot snapshot{id_of(number), std::string(world), created, std::move(image)};
  return kept_[number] = std::make_shared<const KeptSnapshot>(std::move(snapshot));
}

kv::Result<SnapshotPointer> KeptSnapshots::add_shared(std::string_view world, base::TimePoint created,
                                                      tenancy::WorldImage image) {
  DINETTE_TRY(const auto kept, worlds_.kept_images());
  if (kept.size() >= most) return SnapshotPointer();
  DINETTE_TRY(const Number number, worlds_.keep_image(snapshot_note(world, created), image));
  KeptSnapshot snapshot{id_of(number), std::string(world), created, std::move(image)};
  return SnapshotPointer(std::make_shared<const KeptSnapshot>(std::move(snapshot)));
}

kv::Result<SnapshotPointer> KeptSnapshots::find(std::string_view id) const {
  const auto number = number_of(id);
  if (!number) return SnapshotPointer();
  if (worlds_.keeps_images()) return find_shared(*number);
  const std::lock_guard guard(mutex_);
  const auto found = kept_.find(*number);
  return found == kept_.end() ? SnapshotPointer() : found->second;
}

kv::Result<SnapshotPointer> KeptSnapshots::find_shared(Number number) const {
  DINETTE_TRY(const auto kept, worlds_.kept_images());
  const auto found = std::ranges::find(kept, number, &tenancy::KeptImage::number);
  if (found == kept.end()) return SnapshotPointer();
  DINETTE_TRY(auto image, worlds_.kept_image(number));
  if (!image) return SnapshotPointer();
  return SnapshotPointer(std::make_shared<const KeptSnapshot>(read_snapshot(*found, *std::move(image))));
}

kv::Result<bool> KeptSnapshots::remove(std::string_view id) {
  const auto number = number_of(id);
  if (!number) return false;
  if (worlds_.keeps_images()) return worlds_.forget_image(*number);
  SnapshotPointer removed;  // destroyed after the lock
  const std::lock_guard guard(mutex_);
  auto node = kept_.extract(*number);
  if (node.empty()) return false;
  removed = std::move(node.mapped());
  return true;
}

kv::Result<std::vector<SnapshotPointer>> KeptSnapshots::list() const {
  if (worlds_.keeps_images()) return list_shared();
  std::vector<SnapshotPointer> all;
  const std::lock_guard guard(mutex_);
  for (const auto& [number, snapshot] : kept_) all.push_back(snapshot);
  return all;
}

kv::Result<std::vector<SnapshotPointer>> KeptSnapshots::list_shared() const {
  DINETTE_TRY(const auto kept, worlds_.kept_images());
  std::vector<SnapshotPointer> all;
  for (const tenancy::KeptImage& one : kept)
    all.push_back(std::make_shared<const KeptSnapshot>(read_snapshot(one, {})));
  return all;
}

}  // namespace dinette::admin
