#include "tablestore/streams/stream_record.h"

#include <cstddef>
#include <utility>

#include "dinette/base/record_bytes.h"

#include "tablestore/plainbuffer/byte_writer.h"
#include "tablestore/plainbuffer/tags.h"

namespace dinette::tablestore {
namespace {

// Kept on disk: never renumber.
constexpr std::uint8_t record_format = 1;

/// The checksum of a row and its tag, after which nothing follows.
constexpr std::size_t row_end_size = 2;

/// Returns the extension of a row (tablestore/plainbuffer.md section 1). There is one epoch.
std::string sequence_of(const KeptRecord& record) {
  using plainbuffer::append_number;
  using plainbuffer::Tag;
  const auto tag = [](Tag one) { return static_cast<std::uint8_t>(one); };
  std::string info;
  append_number(info, tag(Tag::epoch));
  append_number(info, std::uint32_t{0});
  append_number(info, tag(Tag::time));
  append_number(info, static_cast<std::int64_t>(record.time.time_since_epoch().count()));
  append_number(info, tag(Tag::row_index));
  append_number(info, record.index);
  std::string sequence;
  append_number(sequence, tag(Tag::sequence));
  plainbuffer::append_text(sequence, info);
  std::string extension;
  append_number(extension, tag(Tag::extension));
  plainbuffer::append_text(extension, sequence);
  return extension;
}

}  // namespace

kv::Value pack(const RowRecord& record, base::TimePoint time) {
  base::RecordWriter out;
  out.add(record_format);
  out.add(static_cast<std::uint8_t>(record.action));
  out.add(static_cast<std::int64_t>(time.time_since_epoch().count()));
  out.add(record.index);
  out.add(std::string_view(record.row));
  out.add(std::string_view(record.origin));
  return kv::Value(std::move(out).take());
}

std::optional<KeptRecord> KeptRecord::read(std::string_view bytes) {
  base::RecordReader in(bytes);
  KeptRecord record;
  if (in.number<std::uint8_t>() != record_format) return std::nullopt;
  if (!api::from_number(in.number<std::uint8_t>(), record.action)) return std::nullopt;
  record.time = base::TimePoint(base::TimePoint::duration(in.int64()));
  record.index = in.number<std::uint32_t>();
  record.row = in.text();
  record.origin = in.text();
  if (!in.complete() || record.row.size() < row_end_size) return std::nullopt;
  return record;
}

/// No checksum has the extension in it.
api::StreamRecord KeptRecord::described() const {
  api::StreamRecord described{.action_type = action, .record = std::string(row)};
  described.record.insert(described.record.size() - row_end_size, sequence_of(*this));
  if (!origin.empty()) described.origin_record = std::string(origin);
  return described;
}

}  // namespace dinette::tablestore
