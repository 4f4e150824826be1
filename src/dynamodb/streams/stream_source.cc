#include "dinette/dynamodb/stream_source.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/aws/arn.h"
#include "dinette/dynamodb/service.h"

#include "dynamodb/api/stream_record.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/streams/change_record.h"
#include "dynamodb/streams/event_record.h"
#include "dynamodb/streams/record_reader.h"
#include "dynamodb/streams/sequence_number.h"
#include "dynamodb/streams/stream_entry.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

using deliveries::Record;
using deliveries::RecordPage;
using deliveries::Shard;

class TableStreamSource final : public deliveries::StreamSource {
 public:
  TableStreamSource(std::shared_ptr<store::Store> store, std::string arn, std::string key)
      : store_(std::move(store)), arn_(std::move(arn)), key_(std::move(key)) {
    if (const auto parts = aws::parse_arn(arn_)) region_ = parts->region;
  }

  kv::Result<std::optional<std::vector<Shard>>> shards() override {
    DINETTE_TRY(const store::View view, store_->view());
    DINETTE_TRY(const auto stream, open(view));
    if (!stream) return std::optional<std::vector<Shard>>();
    std::vector<Shard> shards;
    for (const api::ShardEntry& shard : stream->shards) {
      Shard& added = shards.emplace_back(Shard{shard.shard_id, {}});
      if (shard.parent_shard_id) added.parents.push_back(*shard.parent_shard_id);
    }
    return std::optional(std::move(shards));
  }

  /// By time there is no place in these streams (docs/service/triggers.md section 1.3).
  kv::Result<std::string> place_of(const std::string& shard, deliveries::StartingPosition position,
                                   base::TimePoint) override {
    if (position != deliveries::StartingPosition::latest) return std::string();
    DINETTE_TRY(const store::View view, store_->view());
    DINETTE_TRY(const auto stream, open(view));
    const api::ShardEntry* const entry = stream ? find(*stream, shard) : nullptr;
    if (!entry) return std::string();
    DINETTE_TRY(store::StreamCursor records,
                view.read_stream(records_of(*entry), {}, store::Direction::backward));
    DINETTE_TRY(const bool any, records.next());
    if (any) return SequenceNumber::of(records.position()).text();
    DINETTE_TRY(const store::StreamPosition trimmed, trimmed_up_to(view, records_of(*entry)));
    return trimmed.number == 0 ? std::string() : SequenceNumber::of(trimmed).text();
  }

  kv::Result<RecordPage> read(const std::string& shard, const std::string& after, std::size_t most,
                              std::size_t most_bytes) override {
    RecordPage page;
    DINETTE_TRY(const store::View view, store_->view());
    DINETTE_TRY(const auto stream, open(view));
    const api::ShardEntry* const entry = stream ? find(*stream, shard) : nullptr;
    if (!entry) {
      page.at_end = page.closed = true;
      return page;
    }
    const auto number = SequenceNumber::parse(after);
    const store::StreamPosition begin = number ? number->after() : store::StreamPosition();
    DINETTE_TRY(store::StreamCursor records, view.read_stream(records_of(*entry), begin));
    const RecordReader reader(*stream, region_);
    std::size_t bytes = 0;
    while (page.records.size() < most && (page.records.empty() || bytes < most_bytes)) {
      DINETTE_TRY(const bool more, records.next());
      page.at_end = !more;
      if (page.at_end) break;
      DINETTE_TRY(api::Record record, reader.read(records_of(*entry), records.position(), records.record()));
      page.records.push_back(delivered(std::move(record), records.record()));
      bytes += page.records.back().payload.size();
    }
    page.closed = page.at_end && !is_open(*entry);
    return page;
  }

  kv::Result<bool> is_removed(const std::string& shard, const Record& record) override {
    DINETTE_TRY(const store::View view, store_->view());
    DINETTE_TRY(const auto stream, open(view));
    const api::ShardEntry* const entry = stream ? find(*stream, shard) : nullptr;
    if (!entry) return true;
    DINETTE_TRY(const store::StreamPosition trimmed, trimmed_up_to(view, records_of(*entry)));
    const auto number = SequenceNumber::parse(record.number);
    return number && number->at() <= trimmed;
  }

 private:
  kv::Result<std::optional<api::StreamEntry>> open(const store::View& view) const {
    DINETTE_TRY(auto stream, read_entry<api::StreamEntry>(view, key_));
    if (stream && stream->stream_arn != arn_) stream.reset();
    return stream;
  }

  static const api::ShardEntry* find(const api::StreamEntry& stream, const std::string& id) {
    const auto found = std::ranges::find(stream.shards, id, &api::ShardEntry::shard_id);
    return found == stream.shards.end() ? nullptr : &*found;
  }

  Record delivered(api::Record record, std::string_view stored) const {
    Record result;
    result.payload = event_record(record, arn_);
    result.number = std::move(*record.dynamodb->sequence_number);
    result.key = std::move(*record.dynamodb->keys->json);
    const auto change = read_change(stored);
    if (change) result.moment = change->moment;
    return result;
  }

  const std::shared_ptr<store::Store> store_;
  const std::string arn_;
  const std::string key_;
  std::string_view region_;  ///< in arn_
};

}  // namespace

kv::Result<std::unique_ptr<deliveries::StreamSource>> open_stream_source(tenancy::World& world,
                                                                         std::string_view name_space,
                                                                         std::string_view stream_arn) {
  std::unique_ptr<deliveries::StreamSource> source;
  auto key = stream_key_in_arn(stream_arn);
  if (!key) return source;
  source = std::make_unique<TableStreamSource>(world.store(face().id, name_space), std::string(stream_arn),
                                               *std::move(key));
  DINETTE_TRY(const auto shards, source->shards());
  if (!shards) source.reset();
  return source;
}

kv::Result<std::string> stream_of_table(tenancy::World& world, std::string_view name_space,
                                        std::string_view table) {
  const auto store = world.store(face().id, name_space);
  DINETTE_TRY(const store::TablePointer opened, store->catalog().open(table));
  if (!opened) return std::string();
  const api::TableRecord& record = opened->schema_as<TableSchema>().record();
  const bool enabled = record.stream && !record.stream->shards.empty();
  if (!enabled) return std::string();
  DINETTE_TRY(const store::View view, store->view());
  DINETTE_TRY(const auto stream,
              read_entry<api::StreamEntry>(view, stream_key(record.table_name, record.stream->label)));
  return stream ? stream->stream_arn : std::string();
}

}  // namespace dinette::dynamodb
