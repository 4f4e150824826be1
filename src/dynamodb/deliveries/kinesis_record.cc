#include "dynamodb/deliveries/kinesis_record.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

#include <boost/algorithm/hex.hpp>

#include "dinette/base/ascii.h"
#include "dinette/base/base64.h"
#include "dinette/base/bytes.h"
#include "dinette/base/md5.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/codec/record_layout.h"
#include "dynamodb/streams/change_record.h"
#include "dynamodb/streams/sequence_number.h"

// docs/service/kinesis.md section 3.
namespace dinette::dynamodb {
namespace {

/// More than what a record has in addition to names and images.
constexpr std::size_t frame_size = 512;

/// Returns a UUID, different for each record.
std::string event_uuid(const api::DestinationLog& log, store::StreamPosition position) {
  std::string place = log.table_id;
  std::erase(place, '-');  // what is short has its digest in half the time
  base::append_big_endian(place, static_cast<std::uint64_t>(log.log_id));
  position.append_to(place);
  base::Md5Digest digest = base::md5(place);
  digest[6] = static_cast<unsigned char>((digest[6] & 0x0F) | 0x40);  // version: random
  digest[8] = static_cast<unsigned char>((digest[8] & 0x3F) | 0x80);  // variant: RFC 4122
  std::string id = base::hex(digest);
  for (const std::size_t dash : {8, 13, 18, 23}) id.insert(dash, 1, '-');
  return id;
}

std::string partition_key(std::string_view keys) {
  std::string key;
  boost::algorithm::hex(base::md5(keys), std::back_inserter(key));
  return key;
}

/// Returns the key attributes as an item's text. They have been read from the record.
std::string text_of_keys(const api::DestinationLog& log, std::string_view record) {
  const codec::AttributeTextViews names(log.key_names.begin(), log.key_names.end());
  const codec::AttributeTextViews texts = codec::attribute_texts(record, names);
  std::string keys;
  for (const std::string_view text : texts) keys.append(keys.empty() ? "{" : ",").append(text);
  return keys + "}";
}

void append_image(std::string& out, std::string_view name, std::string_view record) {
  if (record.empty()) return;
  out.append(",\"").append(name).append("\":");
  append_encoded_twice(out, codec::record_text(record));
}

void append_moment(std::string& out, const ChangeRecord& change) {
  const std::int64_t microseconds = change.moment.time_since_epoch().count();
  out += std::to_string(change.microseconds ? microseconds : codec::Timestamp(change.moment).milliseconds);
}

void append_change(std::string& out, const ChangeRecord& change, std::string_view keys,
                   std::size_t size_in_bytes) {
  out += R"({"ApproximateCreationDateTime":)";
  append_moment(out, change);
  out += R"(,"Keys":)";
  append_encoded_twice(out, keys);
  append_image(out, "NewImage", change.new_image);
  append_image(out, "OldImage", change.old_image);
  out.append(R"(,"SizeBytes":)").append(std::to_string(size_in_bytes));
  if (change.microseconds) out += R"(,"ApproximateCreationDateTimePrecision":"MICROSECOND")";
  out += '}';
}

}  // namespace

kv::Result<deliveries::Record> kinesis_record(const api::DestinationLog& log, store::StreamPosition position,
                                              std::string_view stored) {
  DINETTE_TRY(const ChangeRecord change, read_change(stored));
  DINETTE_TRY(const model::Item key, codec::read_attributes(change.any(), log.key_names));
  const std::string keys = text_of_keys(log, change.any());
  const std::size_t size =
      model::size_in_bytes(key) + codec::record_size(change.new_image) + codec::record_size(change.old_image);
  deliveries::Record record{SequenceNumber::of(position).text(), change.moment, partition_key(keys), {}};
  std::string& json = record.payload;
  json.reserve(stored.size() + keys.size() + frame_size);
  json.append(R"({"awsRegion":")").append(log.region);
  json.append(R"(","eventID":")").append(event_uuid(log, position));
  json.append(R"(","eventName":")").append(to_string(change.event));
  json.append(R"(","userIdentity":)");
  json += change.expiry ? R"({"type":"Service","principalId":"dynamodb.amazonaws.com"})" : "null";
  json.append(R"(,"recordFormat":"application/json","tableName":")").append(log.table_name);
  json.append(R"(","dynamodb":)");
  append_change(json, change, keys, size);
  json += R"(,"eventSource":"aws:dynamodb"})";
  return record;
}

/// In an item's text `"B":` and a string are a binary value: the value of an attribute of that name would be
/// an object, and quotes inside of strings come after a backslash. The same is true of "BS" and an array.
void append_encoded_twice(std::string& out, std::string_view item) {
  constexpr std::string_view binary = R"("B":")";
  constexpr std::string_view binaries = R"("BS":[")";
  std::size_t copied = 0;
  // There are far more quotes than B's. The first character is a brace.
  for (std::size_t at = item.find('B'); at != std::string_view::npos; at = item.find('B', at + 1)) {
    const std::string_view rest = item.substr(at - 1);
    const bool one = rest.starts_with(binary);
    if (!one && !rest.starts_with(binaries)) continue;
    std::size_t begin = at - 1 + (one ? binary.size() : binaries.size());
    for (;;) {
      const std::size_t end = item.find('"', begin);
      if (end == std::string_view::npos) break;
      out.append(item, copied, begin - copied);
      base::append_base64(out, item.substr(begin, end - begin));
      copied = at = end;
      constexpr std::string_view next = R"(",")";
      if (one || !item.substr(end).starts_with(next)) break;
      begin = end + next.size();
    }
  }
  out.append(item, copied, item.size() - copied);
}

}  // namespace dinette::dynamodb
