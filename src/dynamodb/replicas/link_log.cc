#include "dynamodb/replicas/link_log.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/base/crc32.h"

#include "dynamodb/streams/row_mark.h"
#include "dynamodb/streams/sequence_number.h"

namespace dinette::dynamodb {
namespace {

store::StreamPosition place_of_number(std::string_view number) {
  const auto parsed = SequenceNumber::parse(number);
  return parsed ? parsed->after() : store::StreamPosition();
}

/// Returns a number from 0 to less than 1 that looks random (the finalizer of SplitMix64).
double scattered(std::uint64_t bits) {
  bits += 0x9E3779B97F4A7C15;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  bits ^= bits >> 31;
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

std::chrono::milliseconds delay_of(const tenancy::FaultDelay& delay, double share) {
  using std::chrono::milliseconds;
  if (delay.mean > delay.mean.zero()) {
    const double time = -static_cast<double>(delay.mean.count()) * std::log1p(-share);
    return std::min(milliseconds(std::llround(time)), delay.most);
  }
  const auto choices = static_cast<double>((delay.most - delay.least).count() + 1);
  return delay.least + milliseconds(static_cast<std::int64_t>(share * choices));
}

}  // namespace

std::string KeptEntry<api::LinkProgress>::key(const api::LinkProgress& progress) {
  std::string key;
  base::append_big_endian(key, static_cast<std::uint64_t>(progress.log_id));
  return key.append(progress.region);
}

kv::Result<api::LinkProgress> read_progress(const store::Store& store, const LinkEnds& ends) {
  api::LinkProgress progress;
  progress.log_id = static_cast<std::int64_t>(ends.log);
  progress.region = ends.to;
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(auto kept, read_entry<api::LinkProgress>(view, key_of(progress)));
  return kept ? *std::move(kept) : progress;
}

kv::Result<std::optional<std::vector<deliveries::Shard>>> LinkLog::shards() {
  return std::optional(std::vector<deliveries::Shard>{{std::string(shard), {}}});
}

kv::Result<std::string> LinkLog::place_of(const std::string&, deliveries::StartingPosition, base::TimePoint) {
  return std::string();
}

kv::Result<deliveries::RecordPage> LinkLog::read(const std::string&, const std::string& after,
                                                 std::size_t most, std::size_t most_bytes) {
  deliveries::RecordPage page;
  next_arrival_.reset();
  const base::TimePoint now = world_.clock().now();
  DINETTE_TRY(const store::View view, store_.view());
  // After the view: what is written once a link has been cut does not pass it.
  if (world_.links().is_cut(ends_.from, ends_.to)) {
    page.at_end = true;
    return page;
  }
  DINETTE_TRY(store::StreamCursor records, view.read_stream(ends_.log, place_of_number(after)));
  std::size_t bytes = 0;
  while (page.records.size() < most && (page.records.empty() || bytes < most_bytes)) {
    DINETTE_TRY(const bool more, records.next());
    page.at_end = !more;
    if (!more) break;
    DINETTE_TRY(const ReplicatedChange change, read_replicated(records.record()));
    const base::TimePoint arrival = arrival_of(records.position(), change.written);
    // A clock that was set back shows no change that is still to be made.
    if (arrival > now && change.written <= now) {
      next_arrival_ = arrival;
      page.at_end = true;
      break;
    }
    bytes += records.record().size();
    page.records.push_back({SequenceNumber::of(records.position()).text(), change.written,
                            std::string(change.row_key), std::string(records.record())});
  }
  return page;
}

/// Changes arrive in their order: one that takes long delays those after it.
base::TimePoint LinkLog::arrival_of(store::StreamPosition position, base::TimePoint written) const {
  if (lag_.delay.most == lag_.delay.least) return written + lag_.delay.most;
  std::string place = ends_.to;
  position.append_to(place);
  const std::uint64_t bits =
      lag_.seed ^ (std::uint64_t{base::crc32c(place)} << 20) ^ static_cast<std::uint64_t>(ends_.log);
  return written + delay_of(lag_.delay, scattered(bits));
}

kv::Result<PendingChanges> changes_after(const store::View& view, store::StreamId log,
                                         std::string_view after) {
  PendingChanges pending;
  DINETTE_TRY(store::StreamCursor records, view.read_stream(log, place_of_number(after)));
  for (;;) {
    DINETTE_TRY(const bool more, records.next());
    if (!more) return pending;
    if (pending.count++ != 0) continue;
    DINETTE_TRY(const ReplicatedChange change, read_replicated(records.record()));
    pending.oldest = change.written;
  }
}

kv::Result<void> trim_log(store::Store& store, store::StreamId log, std::string_view up_to) {
  const store::StreamPosition end = place_of_number(up_to);
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(store::StreamCursor records, view.read_stream(log));
  store::Count removed;
  for (;;) {
    DINETTE_TRY(const bool more, records.next());
    if (!more || records.position() >= end) break;
    ++removed.rows;
    removed.bytes += static_cast<std::int64_t>(records.record().size());
  }
  if (removed.rows == 0) return {};
  return store.trim_stream(log, end, removed);
}

}  // namespace dinette::dynamodb
