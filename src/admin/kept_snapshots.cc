#include "admin/kept_snapshots.h"

#include <charconv>
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

}  // namespace

SnapshotPointer KeptSnapshots::add(std::string_view world, base::TimePoint created,
                                   tenancy::WorldImage image) {
  const std::lock_guard guard(mutex_);
  if (kept_.size() >= most) return nullptr;
  const Number number = ++last_;
  KeptSnapshot snapshot{std::string(snapshot_prefix) + std::to_string(number), std::string(world), created,
                        std::move(image)};
  return kept_[number] = std::make_shared<const KeptSnapshot>(std::move(snapshot));
}

SnapshotPointer KeptSnapshots::find(std::string_view id) const {
  const auto number = number_of(id);
  if (!number) return nullptr;
  const std::lock_guard guard(mutex_);
  const auto found = kept_.find(*number);
  return found == kept_.end() ? nullptr : found->second;
}

SnapshotPointer KeptSnapshots::take(std::string_view id) {
  const auto number = number_of(id);
  if (!number) return nullptr;
  const std::lock_guard guard(mutex_);
  const auto node = kept_.extract(*number);
  return node.empty() ? nullptr : node.mapped();
}

std::vector<SnapshotPointer> KeptSnapshots::list() const {
  const std::lock_guard guard(mutex_);
  std::vector<SnapshotPointer> all;
  for (const auto& [number, snapshot] : kept_) all.push_back(snapshot);
  return all;
}

}  // namespace dinette::admin
