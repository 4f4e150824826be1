#include "dynamodb/streams/table_stream.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include <boost/algorithm/hex.hpp>

#include "dinette/base/bytes.h"
#include "dinette/base/md5.h"
#include "dinette/store/placement.h"

#include "dynamodb/model/resource_arn.h"
#include "dynamodb/streams/sequence_number.h"

namespace dinette::dynamodb {
namespace {

using api::ShardEntry;
using api::StreamEntry;

constexpr std::size_t shards_on_demand = 4;

/// Returns `2026-10-10T12:00:00.123`.
std::string label_at(codec::Timestamp moment) {
  using namespace std::chrono;
  const sys_time<milliseconds> time_point{milliseconds(moment.milliseconds)};
  const auto day = floor<days>(time_point);
  const year_month_day date{day};
  const hh_mm_ss time{time_point - day};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
  return text;
}

/// The label of a stream that begins at `moment`, or a little later while a table of that name had one then.
kv::Result<std::string> free_label(const store::View& view, const std::string& table_name,
                                   codec::Timestamp moment) {
  for (;; ++moment.milliseconds) {
    std::string label = label_at(moment);
    DINETTE_TRY(const auto taken,
                view.read(KeptEntry<api::StreamEntry>::space, stream_key(table_name, label)));
    if (!taken) return label;
  }
}

/// Returns `shardId-00000001571767321804-697ce3d2`: the time, by which shards are sorted, and a part that
/// distinguishes those of one time.
std::string shard_id(std::int64_t milliseconds, store::StreamId records) {
  constexpr std::size_t distinct_digits = 8;
  std::string id;
  base::append_big_endian(id, static_cast<std::uint64_t>(records));
  const base::Md5Digest digest = base::md5(id);
  std::string text(32, '\0');
  text.resize(static_cast<std::size_t>(
      std::snprintf(text.data(), text.size(), "shardId-%020lld-", static_cast<long long>(milliseconds))));
  boost::algorithm::hex_lower(digest.begin(), digest.begin() + distinct_digits / 2, std::back_inserter(text));
  return text;
}

ShardEntry open_shard(store::StreamId records, store::PartitionHash first_hash, codec::Timestamp opened,
                      SequenceNumber start) {
  ShardEntry shard;
  shard.shard_id = shard_id(opened.milliseconds, records);
  shard.stream_id = static_cast<std::int64_t>(records);
  shard.first_hash = static_cast<std::int64_t>(first_hash);
  shard.opened = opened;
  shard.starting_sequence_number = start.text();
  return shard;
}

/// Has writes append to the shards that are open.
void follow(api::TableStream& table, const StreamEntry& stream) {
  table.shards.clear();
  for (const ShardEntry& shard : stream.shards) {
    if (is_open(shard)) table.shards.push_back({shard.stream_id, shard.first_hash});
  }
}

/// The number of the shard's last record; that of its beginning if it has none.
kv::Result<SequenceNumber> last_number(const store::View& view, const ShardEntry& shard) {
  DINETTE_TRY(store::StreamCursor records,
              view.read_stream(records_of(shard), {}, store::Direction::backward));
  DINETTE_TRY(const bool any, records.next());
  if (any) return SequenceNumber::of(records.position());
  return SequenceNumber::parse(shard.starting_sequence_number).value_or(SequenceNumber());
}

kv::Result<SequenceNumber> close(const store::View& view, ShardEntry& shard, codec::Timestamp moment) {
  DINETTE_TRY(SequenceNumber end, last_number(view, shard));
  shard.closed = moment;
  shard.ending_sequence_number = end.text();
  return end;
}

kv::Result<StreamEntry> read_latest(const store::View& view, const api::TableRecord& record) {
  DINETTE_TRY(auto stream,
              read_entry<api::StreamEntry>(view, stream_key(record.table_name, record.stream->label)));
  if (!stream) return base::Failure{kv::Error{kv::ErrorKind::corrupt, "a table's stream has no entry"}};
  return *std::move(stream);
}

/// The last hash of the partitions of an open shard: the next one begins behind it.
store::PartitionHash last_hash(const StreamEntry& stream, const ShardEntry& shard) {
  auto last = std::numeric_limits<store::PartitionHash>::max();
  const auto first = static_cast<store::PartitionHash>(shard.first_hash);
  for (const ShardEntry& other : stream.shards) {
    const auto hash = static_cast<store::PartitionHash>(other.first_hash);
    if (is_open(other) && hash > first) last = std::min(last, hash - 1);
  }
  return last;
}

}  // namespace

std::size_t first_shards(const api::TableRecord& record) {
  return record.settings.billing_mode == api::BillingMode::pay_per_request ? shards_on_demand : 1;
}

kv::Result<std::vector<store::StreamId>> new_shards(store::Store& store, std::size_t count) {
  std::vector<store::StreamId> shards;
  while (shards.size() < count) {
    DINETTE_TRY(const store::StreamId shard, store.new_stream());
    shards.push_back(shard);
  }
  return shards;
}

kv::Result<StreamEntry> enable_stream(const store::View& view, api::TableRecord& record,
                                      api::StreamViewType view_type, StreamChange change,
                                      std::span<const store::StreamId> shards) {
  StreamEntry stream;
  DINETTE_TRY(stream.label, free_label(view, record.table_name, change.moment));
  stream.stream_arn =
      model::table_arn(record.region, record.account, stream_key(record.table_name, stream.label));
  stream.table_name = record.table_name;
  stream.view_type = view_type;
  stream.key_schema = record.key_schema;
  stream.created = change.moment;
  stream.enabled = change.complete;
  // The counting continues where the table's last stream ended.
  const auto last = record.stream ? SequenceNumber::parse(record.stream->last_sequence_number) : std::nullopt;
  const SequenceNumber start = last ? last->next() : SequenceNumber();
  const store::PartitionHash width = std::numeric_limits<store::PartitionHash>::max() / shards.size();
  for (std::size_t i = 0; i < shards.size(); ++i)
    stream.shards.push_back(open_shard(shards[i], i * width, change.moment, start));
  std::ranges::sort(stream.shards, {}, &ShardEntry::shard_id);
  record.stream = api::TableStream{stream.label, view_type, {}, start.text()};
  follow(*record.stream, stream);
  return stream;
}

kv::Result<StreamEntry> end_stream(const store::View& view, api::TableRecord& record, StreamChange change) {
  DINETTE_TRY(StreamEntry stream, read_latest(view, record));
  SequenceNumber last = SequenceNumber::parse(record.stream->last_sequence_number).value_or(SequenceNumber());
  for (ShardEntry& shard : stream.shards) {
    if (!is_open(shard)) continue;
    DINETTE_TRY(const SequenceNumber end, close(view, shard, change.moment));
    last = std::max(last, end);
  }
  stream.disabled = change.complete;
  record.stream->last_sequence_number = last.text();
  follow(*record.stream, stream);
  return stream;
}

kv::Result<StreamEntry> disable_stream(const store::View& view, api::TableRecord& record,
                                       StreamChange change) {
  DINETTE_TRY(StreamEntry stream, end_stream(view, record, change));
  record.stream->view_type.reset();
  record.stream_tags.clear();
  record.stream_policy.reset();
  record.stream_policy_revision.reset();
  return stream;
}

kv::Result<void> replace_shards(const store::View& view, api::TableRecord& record, StreamEntry& stream,
                                codec::Timestamp moment, std::span<const ShardSuccession> successions) {
  for (const ShardSuccession& succession : successions) {
    const auto parent = std::ranges::find(stream.shards, succession.closed, &records_of);
    if (parent == stream.shards.end() || !is_open(*parent)) continue;
    const auto first = static_cast<store::PartitionHash>(parent->first_hash);
    const store::PartitionHash width = (last_hash(stream, *parent) - first) / succession.children.size() + 1;
    DINETTE_TRY(const SequenceNumber end, close(view, *parent, moment));
    // Children sort behind their parent, even on a stopped clock.
    const codec::Timestamp opened = std::max(moment, parent->opened + std::chrono::milliseconds(1));
    const std::string parent_id = parent->shard_id;
    for (std::size_t i = 0; i < succession.children.size(); ++i) {
      stream.shards.push_back(open_shard(succession.children[i], first + i * width, opened, end.next()));
      stream.shards.back().parent_shard_id = parent_id;
    }
  }
  std::ranges::sort(stream.shards, {}, &ShardEntry::shard_id);
  follow(*record.stream, stream);
  return {};
}

}  // namespace dinette::dynamodb
