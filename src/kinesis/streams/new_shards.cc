#include "kinesis/streams/new_shards.h"

#include <algorithm>
#include <string>

#include "dinette/base/waiting.h"

#include "kinesis/api/limits.h"
#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/shard_records.h"

namespace dinette::kinesis {
namespace {

/// More take too long for an event loop.
constexpr std::size_t shards_on_loop = 64;
constexpr std::size_t streams_per_look = 100;

api::ShardRecord& add_shard(api::StreamRecord& stream, const Successor& opened, StreamPlace start,
                            aws::Timestamp moment) {
  api::ShardRecord shard;
  shard.number = stream.next_shard++;
  shard.stream_id = static_cast<std::int64_t>(opened.id);
  shard.first_hash = opened.range.first.text();
  shard.last_hash = opened.range.last.text();
  shard.start = number_of(stream, shard, start).text();
  shard.opened = moment;
  return stream.shards.emplace_back(std::move(shard));
}

Answer<std::size_t> count_open_shards(const Context& context) {
  std::size_t open = 0;
  std::string after;
  for (;;) {
    DINETTE_KINESIS_STORED(const auto tables, context.store.catalog().list(after, streams_per_look));
    for (const store::TablePointer& table : tables) {
      const auto& stream = table->schema_as<StreamSchema>();
      if (!state_at(stream.record(), context.now).gone) open += stream.open_shards().size();
    }
    if (tables.size() < streams_per_look) return open;
    after = tables.back()->name;
  }
}

}  // namespace

Answer<std::vector<store::StreamId>> new_record_ids(const Context& context, std::size_t count) {
  if (count > shards_on_loop && !base::may_wait()) return must_wait();
  std::vector<store::StreamId> ids;
  while (ids.size() < count) {
    DINETTE_KINESIS_STORED(const store::StreamId id, context.store.new_stream());
    ids.push_back(id);
  }
  return ids;
}

void add_first_shards(api::StreamRecord& stream, const std::vector<store::StreamId>& ids) {
  const auto parts = static_cast<std::uint32_t>(ids.size());
  for (std::uint32_t part = 0; part < parts; ++part) {
    const HashKey last =
        part + 1 < parts ? HashKey::of_part(part + 1, parts).previous() : HashKey::greatest();
    add_shard(stream, {{HashKey::of_part(part, parts), last}, ids[part]}, StreamPlace(), stream.created);
  }
}

HashRange range_of(const api::ShardRecord& shard) {
  return {HashKey::parse(shard.first_hash).value_or(HashKey()),
          HashKey::parse(shard.last_hash).value_or(HashKey())};
}

Answer<void> replace_shards(const Context& context, api::StreamRecord& stream,
                            const std::vector<std::int64_t>& closed, const std::vector<Successor>& opened) {
  DINETTE_KINESIS_STORED(const store::View view, context.store.view());
  StreamPlace latest;
  for (const std::int64_t number : closed) {
    api::ShardRecord& shard = *std::ranges::find(stream.shards, number, &api::ShardRecord::number);
    DINETTE_KINESIS_STORED(const StreamPlace end, end_of(view, shard));
    shard.end = number_of(stream, shard, end).text();
    shard.closed = context.now;
    latest = std::max(latest, end);
  }
  for (const Successor& successor : opened) {
    api::ShardRecord& shard = add_shard(stream, successor, latest.next(), context.now);
    shard.parent = static_cast<std::int32_t>(closed.front());
    if (closed.size() > 1) shard.adjacent_parent = static_cast<std::int32_t>(closed.back());
  }
  begin_update(context, stream);
  return {};
}

Answer<void> check_account_shards(const Context& context, std::size_t more) {
  DINETTE_TRY(const std::size_t open, count_open_shards(context));
  if (open + more <= model::limits::account_shards) return {};
  return refusal(api::ErrorCode::limit_exceeded_exception,
                 "This request would exceed the shard limit for the account " + std::string(context.account) +
                     " in " + std::string(context.region) + ". Current shard count for the account: " +
                     std::to_string(open) + ". Limit: " + std::to_string(model::limits::account_shards) +
                     ". Number of additional shards that would have resulted from this request: " +
                     std::to_string(more) +
                     ". Refer to the AWS Service Limits page "
                     "(http://docs.aws.amazon.com/general/latest/gr/aws_service_limits.html) for current "
                     "limits and how to request higher limits.");
}

Answer<const api::ShardRecord*> open_shard(const Context& context, const api::StreamRecord& stream,
                                           std::int64_t number) {
  const api::ShardRecord* const shard = find_shard(stream, number);
  const std::string where = "shard " + shard_id(number) + " in stream " + stream.name + " under account " +
                            std::string(context.account);
  if (!shard) return refusal(api::ErrorCode::resource_not_found_exception, "Could not find " + where + ".");
  if (is_open(*shard)) return shard;
  return refusal(api::ErrorCode::invalid_argument_exception,
                 "S" + where.substr(1) +
                     " has already been merged or split, and thus is not eligible for merging or splitting.");
}

}  // namespace dinette::kinesis
