#include "tablestore/streams/shard_iterator.h"

#include <cstdint>
#include <utility>

#include "dinette/base/record_bytes.h"

#include "tablestore/request/sealed_text.h"

namespace dinette::tablestore {

std::string ShardIterator::encode() const {
  base::RecordWriter out;
  out.add(std::string_view(stream_id));
  out.add(from.number);
  out.add(from.index);
  out.add(static_cast<std::int64_t>(read_until.time_since_epoch().count()));
  return sealed(std::move(out).take());
}

std::optional<ShardIterator> ShardIterator::decode(std::string_view text) {
  const auto content = unsealed(text);
  if (!content) return std::nullopt;
  base::RecordReader in(*content);
  ShardIterator iterator;
  iterator.stream_id = in.text();
  iterator.from.number = in.number<std::uint64_t>();
  iterator.from.index = in.number<std::uint32_t>();
  iterator.read_until = base::TimePoint(base::TimePoint::duration(in.int64()));
  if (!in.complete()) return std::nullopt;
  return iterator;
}

}  // namespace dinette::tablestore
