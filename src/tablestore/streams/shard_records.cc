#include "tablestore/streams/shard_records.h"

#include <chrono>
#include <optional>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/streams/stream_record.h"

namespace dinette::tablestore {
namespace {

kv::Error corrupt_record() {
  return {kv::ErrorKind::corrupt, "a record of a stream of Tablestore cannot be read"};
}

/// Walks the records of a stream that have not expired.
class Records {
 public:
  static kv::Result<Records> open(const Context& context, const StreamMeta& stream,
                                  store::StreamPosition from) {
    DINETTE_TRY(store::View view, context.store.view());
    DINETTE_TRY(auto cursor, view.read_stream(store::StreamId{stream.stream}, from));
    return Records(std::move(view), std::move(cursor), oldest_record_time(context, stream));
  }

  /// Moves to the first record, then from one to the next. Returns false at the end.
  kv::Result<bool> next() {
    for (;;) {
      DINETTE_TRY(const bool more, cursor_.next());
      if (!more) return false;
      const auto record = KeptRecord::read(cursor_.record());
      if (!record) return base::Failure{corrupt_record()};
      if (record->time < oldest_) continue;
      record_ = *record;
      return true;
    }
  }
  const KeptRecord& record() const { return record_; }
  store::StreamPosition position() const { return cursor_.position(); }
  std::size_t size() const { return cursor_.record().size(); }

 private:
  Records(store::View view, store::StreamCursor cursor, base::TimePoint oldest)
      : view_(std::move(view)), cursor_(std::move(cursor)), oldest_(oldest) {}

  store::View view_;
  store::StreamCursor cursor_;
  base::TimePoint oldest_;
  KeptRecord record_;
};

}  // namespace

base::TimePoint oldest_record_time(const Context& context, const StreamMeta& stream) {
  return context.now - std::chrono::hours(stream.expiration_hours);
}

ShardIterator first_iterator(const Context& context, const OpenTable& table) {
  return {.stream_id = table.meta().stream_id(), .from = {}, .read_until = context.now};
}

Answer<ShardIterator> end_iterator(const Context& context, const OpenTable& table) {
  ShardIterator iterator = first_iterator(context, table);
  DINETTE_TABLESTORE_STORED(const store::View view, context.store.view());
  const store::StreamId stream{table.meta().stream->stream};
  DINETTE_TABLESTORE_STORED(auto newest, view.read_stream(stream, {}, store::Direction::backward));
  DINETTE_TABLESTORE_STORED(const bool found, newest.next());
  if (found) iterator.from = newest.position().next();
  return iterator;
}

Answer<ShardIterator> iterator_at(const Context& context, const OpenTable& table, base::TimePoint time) {
  ShardIterator iterator = first_iterator(context, table);
  DINETTE_TABLESTORE_STORED(Records records, Records::open(context, *table.meta().stream, {}));
  for (;;) {
    DINETTE_TABLESTORE_STORED(const bool more, records.next());
    if (!more) return iterator;
    if (records.record().time >= time) {
      iterator.from = records.position();
      iterator.read_until = records.record().time;
      return iterator;
    }
    iterator.from = records.position().next();
  }
}

/// Stops before a record that it has no room for, so that it is known to be there.
Answer<RecordPage> read_records(const Context& context, const OpenTable& table, const ShardIterator& iterator,
                                std::size_t limit, std::optional<base::TimePoint> end) {
  const StreamMeta& stream = *table.meta().stream;
  const bool from_beginning = iterator.from == store::StreamPosition();
  if (!from_beginning && iterator.read_until < oldest_record_time(context, stream))
    return refuse::trimmed_data();
  RecordPage page{.next = iterator};
  DINETTE_TABLESTORE_STORED(Records records, Records::open(context, stream, iterator.from));
  for (;;) {
    DINETTE_TABLESTORE_STORED(const bool more, records.next());
    if (!more) break;
    if (end && records.record().time >= *end) {
      page.ended = true;
      break;
    }
    const bool full = page.records.size() >= limit ||
                      (!page.records.empty() && page.bytes + records.size() > limits::stream_page_bytes);
    if (full) {
      page.more = true;
      page.next.read_until = records.record().time;
      return page;
    }
    page.records.push_back(records.record().described());
    page.bytes += records.size();
    page.next.from = records.position().next();
  }
  page.next.read_until = context.now;
  if (end && context.now >= *end) page.ended = true;
  return page;
}

}  // namespace dinette::tablestore
