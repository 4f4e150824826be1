#include "kinesis/api/get_records.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/waiting.h"

#include "kinesis/api/child_shard.h"
#include "kinesis/api/limits.h"
#include "kinesis/streams/descriptions.h"
#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/shard_iterator.h"
#include "kinesis/streams/stored_record.h"

// docs/service/kinesis-data-streams.md section 5.
namespace dinette::kinesis::ops {
namespace {

/// Records that a page may leave out because they are too old for it, in addition to those it returns.
constexpr std::size_t most_left_out = 10'000;
/// Larger pages are put together by a worker: of more bytes, or from more records that are looked at.
constexpr std::size_t most_bytes_on_loop = 128 * 1024;
constexpr std::size_t most_records_on_loop = 1000;

base::Failure<ApiError> no_such_shard_of(const Context& context, const ShardIterator& iterator) {
  return refusal(api::ErrorCode::resource_not_found_exception,
                 "Shard " + shard_id(iterator.shard) + " in stream " + iterator.stream + " under account " +
                     std::string(context.account) + " does not exist");
}

/// Returns a time as Java prints it: "Sat Oct 10 12:00:00 UTC 2026".
std::string java_time(base::TimePoint moment) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(moment).time_since_epoch().count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%a %b %d %H:%M:%S UTC %Y", &parts)};
}

Answer<ShardIterator> check_iterator(const Context& context, std::string_view text) {
  const auto iterator = ShardIterator::parse(text);
  if (!iterator) return invalid_argument("Invalid ShardIterator.");
  constexpr std::chrono::milliseconds longest = std::chrono::minutes(model::limits::iterator_minutes);
  if (context.now - iterator->issued.time() <= longest) return *iterator;
  return refusal(api::ErrorCode::expired_iterator_exception,
                 "Iterator expired. The iterator was created at time " + java_time(iterator->issued.time()) +
                     " while right now it is " + java_time(context.now) +
                     " which is further in the future than the tolerated delay of " +
                     std::to_string(longest.count()) + " milliseconds.");
}

/// Reads the records of one shard from where an iterator says, which moves on.
class PageOfRecords {
 public:
  PageOfRecords(const Context& context, const api::StreamRecord& stream, const api::ShardRecord& shard,
                ShardIterator& iterator)
      : context_(context),
        stream_(stream),
        shard_(shard),
        iterator_(iterator),
        horizon_(aws::Timestamp(context.now) - std::chrono::hours(stream.retention_hours)),
        oldest_(std::max(iterator.not_before, horizon_)) {}

  Answer<void> read(const store::View& view, std::size_t limit) {
    DINETTE_KINESIS_STORED(store::StreamCursor cursor,
                           view.read_stream(records_of(shard_), iterator_.position));
    iterator_.issued = context_.now;
    for (std::size_t left_out = 0; records_.size() < limit && left_out < most_left_out;) {
      DINETTE_KINESIS_STORED(const bool more, cursor.next());
      at_end_ = !more;
      if (at_end_) return {};
      DINETTE_KINESIS_STORED(const StoredRecord record, decode_record(cursor.record()));
      const bool wanted = record.arrived >= oldest_;
      if (wanted && !has_room_for(record)) return {};
      if (is_for_worker(left_out)) return must_wait();
      if (wanted)
        add(record, cursor.position());
      else
        ++left_out;
      iterator_.position = cursor.position().next();
      arrived_ = record.arrived;
    }
    return look_on(cursor);
  }

  std::vector<api::Record> take_records() { return std::move(records_); }
  bool at_end() const { return at_end_; }
  /// Returns how long ago the last record arrived, if there are more.
  std::chrono::milliseconds behind() const {
    if (at_end_) return {};
    return std::max(aws::Timestamp(context_.now) - arrived_, std::chrono::milliseconds(0));
  }

 private:
  bool is_for_worker(std::size_t left_out) const {
    const bool large = bytes_ > most_bytes_on_loop || records_.size() + left_out >= most_records_on_loop;
    return large && !base::may_wait();
  }

  bool has_room_for(const StoredRecord& record) {
    bytes_ += record.size();
    return records_.empty() || bytes_ <= model::limits::page_bytes;
  }

  void add(const StoredRecord& record, store::StreamPosition position) {
    api::Record& added = records_.emplace_back();
    added.sequence_number = number_of(stream_, shard_, {position}).text();
    added.approximate_arrival_timestamp = record.arrived;
    added.data.bytes = record.data;
    added.partition_key = record.partition_key;
    iterator_.not_before = aws::Timestamp();  // only the beginning is looked for
    oldest_ = horizon_;
  }

  /// Finds out whether a full page ends where the records do.
  Answer<void> look_on(store::StreamCursor& cursor) {
    DINETTE_KINESIS_STORED(const bool more, cursor.next());
    at_end_ = !more;
    return {};
  }

  const Context& context_;
  const api::StreamRecord& stream_;
  const api::ShardRecord& shard_;
  ShardIterator& iterator_;
  const aws::Timestamp horizon_;
  aws::Timestamp oldest_;  ///< records that arrived earlier are left out
  std::vector<api::Record> records_;
  std::size_t bytes_ = 0;
  aws::Timestamp arrived_;  ///< the last record that was read
  bool at_end_ = false;
};

std::vector<api::ChildShard> children_of(const api::StreamRecord& stream, std::int64_t number) {
  std::vector<api::ChildShard> children;
  for (const api::ShardRecord& shard : stream.shards) {
    if (shard.parent != number && shard.adjacent_parent != number) continue;
    api::ChildShard& child = children.emplace_back();
    child.shard_id = shard_id(shard.number);
    child.parent_shards.push_back(shard_id(*shard.parent));
    if (shard.adjacent_parent) child.parent_shards.push_back(shard_id(*shard.adjacent_parent));
    child.hash_key_range = hash_range_of(shard);
  }
  return children;
}

}  // namespace

Answer<api::GetRecordsOutput> get_records(const Context& context, api::GetRecordsInput&& input) {
  DINETTE_TRY(ShardIterator iterator, check_iterator(context, input.shard_iterator));
  DINETTE_TRY(const OpenStream stream, find_stream(context, iterator.stream));
  const bool same = stream.table && stream.table->id == iterator.table;
  const api::ShardRecord* const shard = same ? find_shard(stream.record(), iterator.shard) : nullptr;
  if (!shard) return no_such_shard_of(context, iterator);
  if (input.stream_arn) {
    const std::optional<std::string> name = iterator.stream;
    DINETTE_CHECK(open_stream(context, {name, input.stream_arn}));
  }
  DINETTE_KINESIS_STORED(const store::View view, context.store.view());
  PageOfRecords page(context, stream.record(), *shard, iterator);
  DINETTE_CHECK(page.read(view, static_cast<std::size_t>(input.limit)));
  api::GetRecordsOutput output;
  output.records = page.take_records();
  output.millis_behind_latest = page.behind().count();
  if (page.at_end() && !is_open(*shard))
    output.child_shards = children_of(stream.record(), shard->number);
  else
    output.next_shard_iterator = iterator.text();
  return output;
}

}  // namespace dinette::kinesis::ops
