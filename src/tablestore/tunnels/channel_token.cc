#include "tablestore/tunnels/channel_token.h"

#include <chrono>
#include <utility>

#include "dinette/base/base64.h"

#include "tablestore/api/messages.h"

namespace dinette::tablestore {
namespace {

constexpr std::string_view finished_token = "finished";
constexpr std::int64_t token_version = 2;  // counts records

/// More records than there can be, and so few that counts of channels can be added.
constexpr std::int64_t records_end = std::int64_t{1} << 56;

}  // namespace

base::TimePoint ChannelToken::read_until() const {
  return iterator ? iterator->read_until : base::TimePoint();
}

std::string ChannelToken::encode() const {
  if (finished) return std::string(finished_token);
  api::TunnelTokenContent content;
  if (!next_row.empty()) content.primary_key = next_row;
  if (iterator) {
    content.iterator = iterator->encode();
    content.timestamp = to_nanoseconds(iterator->read_until);
  }
  content.total_count = count;
  return base::base64_encode(codec::encode_message(
      api::TunnelToken{.version = token_version, .content = codec::encode_message(content)}));
}

std::optional<ChannelToken> ChannelToken::decode(std::string_view text) {
  if (text == finished_token) return ChannelToken{.finished = true};
  if (text.size() > longest_token) return std::nullopt;
  const auto bytes = base::base64_decode(text);
  if (!bytes) return std::nullopt;
  const auto token = codec::decode_message<api::TunnelToken>(*bytes);
  if (!token || token->version != token_version) return std::nullopt;
  auto content = codec::decode_message<api::TunnelTokenContent>(token->content);
  if (!content) return std::nullopt;
  ChannelToken out{.count = content->total_count.value_or(0)};
  if (out.count < 0 || out.count >= records_end) return std::nullopt;
  out.next_row = std::move(content->primary_key).value_or("");
  if (!content->iterator || content->iterator->empty()) return out;
  out.iterator = ShardIterator::decode(*content->iterator);
  if (!out.iterator) return std::nullopt;
  return out;
}

std::int64_t to_nanoseconds(base::TimePoint time) {
  return std::chrono::nanoseconds(time.time_since_epoch()).count();
}

base::TimePoint from_nanoseconds(std::int64_t nanoseconds) {
  return base::TimePoint(
      std::chrono::floor<base::TimePoint::duration>(std::chrono::nanoseconds(nanoseconds)));
}

}  // namespace dinette::tablestore
