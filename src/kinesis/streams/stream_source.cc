#include "dinette/kinesis/stream_source.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/aws/arn.h"

#include "kinesis/request/context.h"
#include "kinesis/streams/event_record.h"
#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/shard_records.h"
#include "kinesis/streams/stored_record.h"

namespace dinette::kinesis {
namespace {

using deliveries::RecordPage;
using deliveries::Shard;
using deliveries::StartingPosition;

class DataStreamSource final : public deliveries::StreamSource {
 public:
  DataStreamSource(std::shared_ptr<store::Store> store, std::string arn, std::string name)
      : store_(std::move(store)), arn_(std::move(arn)), name_(std::move(name)) {}

  kv::Result<std::optional<std::vector<Shard>>> shards() override {
    DINETTE_TRY(const OpenStream stream, open());
    if (!stream.table) return std::optional<std::vector<Shard>>();
    std::vector<Shard> shards;
    for (const api::ShardRecord& shard : stream.record().shards) {
      Shard& added = shards.emplace_back(Shard{shard_id(shard.number), {}});
      if (shard.parent) added.parents.push_back(shard_id(*shard.parent));
      if (shard.adjacent_parent) added.parents.push_back(shard_id(*shard.adjacent_parent));
    }
    return std::optional(std::move(shards));
  }

  kv::Result<std::string> place_of(const std::string& shard, StartingPosition position,
                                   base::TimePoint moment) override {
    if (position == StartingPosition::trim_horizon) return std::string();
    DINETTE_TRY(const OpenStream stream, open());
    const api::ShardRecord* const record = find(stream, shard);
    if (!record) return std::string();
    DINETTE_TRY(const store::View view, store_->view());
    if (position == StartingPosition::at_timestamp) return last_before(view, stream, *record, moment);
    DINETTE_TRY(const store::StreamPosition last, last_position(view, *record));
    return last == store::StreamPosition() ? std::string() : number_at(stream, *record, last);
  }

  kv::Result<RecordPage> read(const std::string& shard, const std::string& after, std::size_t most,
                              std::size_t most_bytes) override {
    RecordPage page;
    DINETTE_TRY(const OpenStream stream, open());
    const api::ShardRecord* const record = find(stream, shard);
    if (!record) {
      page.at_end = page.closed = true;
      return page;
    }
    const auto number = SequenceNumber::parse(after);
    const store::StreamPosition begin = number ? number->place.position.next() : store::StreamPosition();
    const base::TimePoint horizon = horizon_of(stream);
    DINETTE_TRY(const store::View view, store_->view());
    DINETTE_TRY(store::StreamCursor records, view.read_stream(records_of(*record), begin));
    std::size_t bytes = 0;
    while (page.records.size() < most && (page.records.empty() || bytes < most_bytes)) {
      DINETTE_TRY(const bool more, records.next());
      page.at_end = !more;
      if (page.at_end) break;
      DINETTE_TRY(const StoredRecord stored, decode_record(records.record()));
      if (stored.arrived.time() < horizon) continue;
      page.records.push_back(delivered(stream, *record, records.position(), stored));
      bytes += page.records.back().payload.size();
    }
    page.closed = page.at_end && !is_open(*record);
    return page;
  }

  kv::Result<bool> is_removed(const std::string& shard, const deliveries::Record& record) override {
    DINETTE_TRY(const OpenStream stream, open());
    return find(stream, shard) == nullptr || record.moment < horizon_of(stream);
  }

 private:
  /// Returns no table if the stream is gone.
  kv::Result<OpenStream> open() const {
    DINETTE_TRY(store::TablePointer table, store_->catalog().open(name_));
    OpenStream stream{std::move(table)};
    if (!stream.table) return stream;
    const bool gone = state_at(stream.record(), store_->clock().now()).gone;
    if (gone || arn_of(stream.record()) != arn_) stream.table = nullptr;
    return stream;
  }

  /// Records from before are not read any more.
  base::TimePoint horizon_of(const OpenStream& stream) const {
    return store_->clock().now() - std::chrono::hours(stream.record().retention_hours);
  }

  static const api::ShardRecord* find(const OpenStream& stream, const std::string& id) {
    if (!stream.table) return nullptr;
    const auto& shards = stream.record().shards;
    const auto found = std::ranges::find(shards, id, [](const auto& one) { return shard_id(one.number); });
    return found == shards.end() ? nullptr : &*found;
  }

  static std::string number_at(const OpenStream& stream, const api::ShardRecord& shard,
                               store::StreamPosition position) {
    return number_of(stream.record(), shard, {position}).text();
  }

  /// Returns the number of the last record that arrived before a moment.
  static kv::Result<std::string> last_before(const store::View& view, const OpenStream& stream,
                                             const api::ShardRecord& shard, base::TimePoint moment) {
    DINETTE_TRY(store::StreamCursor records, view.read_stream(records_of(shard)));
    std::string number;
    for (;;) {
      DINETTE_TRY(const bool more, records.next());
      if (!more) return number;
      DINETTE_TRY(const StoredRecord record, decode_record(records.record()));
      if (record.arrived.time() >= moment) return number;
      number = number_at(stream, shard, records.position());
    }
  }

  static deliveries::Record delivered(const OpenStream& stream, const api::ShardRecord& shard,
                                      store::StreamPosition position, const StoredRecord& stored) {
    deliveries::Record record;
    record.number = number_at(stream, shard, position);
    record.moment = stored.arrived.time();
    record.key = stored.partition_key;
    record.payload = event_record(stream.record(), shard_id(shard.number), record.number, stored);
    return record;
  }

  const std::shared_ptr<store::Store> store_;
  const std::string arn_;
  const std::string name_;
};

}  // namespace

kv::Result<std::unique_ptr<deliveries::StreamSource>> open_stream_source(tenancy::World& world,
                                                                         std::string_view name_space,
                                                                         std::string_view stream_arn) {
  constexpr std::string_view resource_prefix = "stream/";
  std::unique_ptr<deliveries::StreamSource> source;
  const auto arn = aws::parse_arn(stream_arn);
  if (!arn || arn->service != "kinesis" || !arn->resource.starts_with(resource_prefix)) return source;
  source = std::make_unique<DataStreamSource>(world.store(face_id, name_space), std::string(stream_arn),
                                              std::string(arn->resource.substr(resource_prefix.size())));
  DINETTE_TRY(const auto shards, source->shards());
  if (!shards) source.reset();
  return source;
}

}  // namespace dinette::kinesis
