#include "dynamodb/verify/verify_streams.h"

#include <string>

#include "dynamodb/api/shard_entry.h"
#include "dynamodb/codec/record_layout.h"
#include "dynamodb/streams/change_record.h"
#include "dynamodb/streams/stream_entry.h"

namespace dinette::dynamodb {
namespace {

bool reads(std::string_view record) {
  const auto change = read_change(record);
  if (!change) return false;
  for (const std::string_view image : {change->keys, change->new_image, change->old_image})
    if (!image.empty() && !codec::is_record(image)) return false;
  return true;
}

kv::Result<void> verify_shard(const store::View& view, const api::ShardEntry& shard, const std::string& name,
                              Findings& findings) {
  DINETTE_TRY(auto records, view.read_stream(records_of(shard)));
  for (;;) {
    DINETTE_TRY(const bool more, records.next());
    if (!more) return {};
    ++findings.verified.stream_records;
    findings.advance();
    if (!reads(records.record())) findings.fault("a record of " + name + " cannot be read");
  }
}

kv::Result<void> verify_all(const store::View& view, Findings& findings) {
  DINETTE_TRY(auto entries, view.scan(KeptEntry<api::StreamEntry>::space, {}, store::Direction::forward));
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return {};
    const std::string name = "the stream " + std::string(entries.key());
    const auto stream = decode_entry<api::StreamEntry>(entries.value());
    if (!stream) {
      findings.fault(name + " cannot be read: " + stream.error().message);
      continue;
    }
    if (stream_key(stream->table_name, stream->label) != entries.key())
      findings.fault(name + " has the entry of another one");
    for (const api::ShardEntry& shard : stream->shards) {
      const std::string part = "the shard " + shard.shard_id + " of " + name;
      findings.fault_unless(verify_shard(view, shard, part, findings), part);
    }
  }
}

}  // namespace

void verify_streams(const store::View& view, Findings& findings) {
  findings.fault_unless(verify_all(view, findings), "the list of streams");
}

}  // namespace dinette::dynamodb
