#include "lambda/pollers/shard_progress.h"

#include <algorithm>
#include <utility>

#include "lambda/api/window_progress.h"

namespace dinette::lambda {
namespace {

/// Divides a shard into another number of parts, none of which misses a record.
void divide(api::MappingProgress& progress, unsigned parts) {
  if (progress.parts.size() == parts) return;
  std::string lowest;
  if (!progress.parts.empty()) lowest = *std::ranges::min_element(progress.parts, deliveries::is_before);
  progress.former_parts = std::exchange(progress.parts, std::vector<std::string>(parts, lowest));
}

}  // namespace

ShardProgress::ShardProgress(store::Store& store, api::MappingProgress kept, unsigned parts)
    : mappings_(store), progress_(std::move(kept)), open_parts_(parts) {
  divide(progress_, parts);
}

deliveries::Progress ShardProgress::of(unsigned part) const {
  const std::lock_guard guard(mutex_);
  deliveries::Progress progress{progress_.parts[part]};
  if (const auto& window = progress_.window) {
    progress.window = deliveries::TumblingWindow{.begin = window->begin.time(),
                                                 .end = window->end.time(),
                                                 .state = window->state,
                                                 .is_early = window->is_early};
  }
  return progress;
}

bool ShardProgress::is_done(const deliveries::Record& record) const {
  const std::lock_guard guard(mutex_);
  if (!progress_.former_parts || progress_.former_parts->empty()) return false;
  const auto& former = *progress_.former_parts;
  const unsigned part = deliveries::part_of(record.key, static_cast<unsigned>(former.size()));
  return !deliveries::is_before(former[part], record.number);
}

kv::Result<void> ShardProgress::keep(unsigned part, const deliveries::Progress& progress) {
  const std::lock_guard guard(mutex_);
  progress_.parts[part] = progress.after;
  progress_.window.reset();
  if (const auto& window = progress.window)
    progress_.window = api::WindowProgress{window->begin, window->end, window->state, window->is_early};
  DINETTE_CHECK(mappings_.keep_progress(progress_));
  return {};
}

kv::Result<void> ShardProgress::close() {
  const std::lock_guard guard(mutex_);
  if (--open_parts_ != 0) return {};
  progress_.closed = true;
  DINETTE_CHECK(mappings_.keep_progress(progress_));
  return {};
}

}  // namespace dinette::lambda
