#include "dinette/kinesis/verify.h"

#include <optional>
#include <string>
#include <utility>

#include "kinesis/request/context.h"
#include "kinesis/streams/new_shards.h"
#include "kinesis/streams/stored_record.h"
#include "kinesis/streams/stream_schema.h"

namespace dinette::kinesis {
namespace {

constexpr std::size_t streams_per_page = 100;

/// Checks one stream.
class StreamCheck {
 public:
  StreamCheck(const store::View& view, const StreamSchema& stream, store::ReportFault report,
              VerifiedStreams& verified)
      : view_(view), stream_(stream), report_(report), verified_(verified) {}

  void run() {
    ++verified_.streams;
    check_open_shards();
    for (const api::ShardRecord& shard : stream_.record().shards) {
      if (const auto read = check_records(shard); !read) fault(shard, read.error().message);
    }
  }

 private:
  /// Open shards cover all hash keys, each once.
  void check_open_shards() {
    const auto& open = stream_.open_shards();
    for (std::size_t i = 0; i < open.size(); ++i) {
      const HashKey end = i + 1 < open.size() ? open[i + 1].first.previous() : HashKey::greatest();
      if (open[i].last != end) fault(*open[i].record, "does not end where the next one begins");
    }
  }

  kv::Result<void> check_records(const api::ShardRecord& shard) {
    const HashRange range = range_of(shard);
    const auto start = SequenceNumber::parse(shard.start);
    const auto end = shard.end ? SequenceNumber::parse(*shard.end) : std::nullopt;
    if (!start || (shard.end && !end)) fault(shard, "has a sequence number that cannot be read");
    DINETTE_TRY(store::StreamCursor records, view_.read_stream(records_of(shard)));
    for (;;) {
      DINETTE_TRY(const bool more, records.next());
      if (!more) return {};
      ++verified_.records;
      DINETTE_TRY(const StoredRecord record, decode_record(records.record()));
      const StreamPlace place{records.position()};
      if (record.hash < range.first || record.hash > range.last)
        fault(shard, "has a record of another shard");
      if ((start && place < start->place) || (end && place > end->place))
        fault(shard, "has a record beyond its sequence numbers");
    }
  }

  void fault(const api::ShardRecord& shard, const std::string& what) {
    report_("stream " + stream_.record().name + ": " + shard_id(shard.number) + " " + what);
  }

  const store::View& view_;
  const StreamSchema& stream_;
  store::ReportFault report_;
  VerifiedStreams& verified_;
};

kv::Result<void> verify_store(store::Store& store, store::ReportFault report, VerifiedStreams& verified) {
  DINETTE_TRY(const store::View view, store.view());
  std::string last;
  for (;;) {
    DINETTE_TRY(const auto tables, store.catalog().list(last, streams_per_page));
    for (const store::TablePointer& table : tables)
      StreamCheck(view, table->schema_as<StreamSchema>(), report, verified).run();
    if (tables.size() < streams_per_page) return {};
    last = tables.back()->name;
  }
}

}  // namespace

kv::Result<VerifiedStreams> verify_streams(tenancy::World& world, store::ReportFault report) {
  VerifiedStreams verified;
  DINETTE_CHECK(store::verify_tables(world.engine(), face_id, report));
  for (store::Store* const store : world.stores(face_id)) {
    if (const auto checked = verify_store(*store, report, verified); !checked)
      report("the list of streams: " + checked.error().message);
  }
  return verified;
}

}  // namespace dinette::kinesis
