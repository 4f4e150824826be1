#include "keyspaces/definitions/streams.h"

#include <charconv>
#include <chrono>

#include "dinette/base/bytes.h"

#include "keyspaces/request/arn.h"
#include "keyspaces/request/token.h"

namespace dinette::keyspaces {
namespace {

constexpr std::size_t digits_of_commit = 20;
constexpr std::size_t digits_of_index = 10;

std::string padded(std::uint64_t number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

template <class Number>
bool read_digits(std::string_view text, Number& out) {
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, out);
  return problem == std::errc() && stop == end;
}

}  // namespace

Answer<cql::ChangeStreamDescription> open_stream(const Context& context, std::string_view arn) {
  const auto named = resource_in(arn);
  if (!named || named->stream_label.empty())
    return not_valid("Invalid stream ARN: " + std::string(arn), "InvalidFormat");
  DINETTE_KEYSPACES_DEFINED(auto found, cql::describe_change_stream(context.scope, named->keyspace,
                                                                    named->table, named->stream_label));
  if (found) return *std::move(found);
  return not_found("Stream " + std::string(arn) + " does not exist", std::string(arn));
}

std::string shard_id(const cql::ChangeStreamDescription& stream) {
  const auto began = std::chrono::floor<std::chrono::milliseconds>(stream.since.time_since_epoch()).count();
  return "shardId-" + padded(static_cast<std::uint64_t>(began), digits_of_commit) + "-00000000";
}

std::string sequence_number(kv::CommitPosition position) {
  return padded(position.number, digits_of_commit) + padded(position.index, digits_of_index);
}

std::optional<kv::CommitPosition> position_of(std::string_view sequence_number) {
  if (sequence_number.size() != digits_of_commit + digits_of_index) return std::nullopt;
  kv::CommitPosition position;
  const bool read = read_digits(sequence_number.substr(0, digits_of_commit), position.number) &&
                    read_digits(sequence_number.substr(digits_of_commit), position.index);
  if (!read) return std::nullopt;
  return position;
}

std::string ShardIterator::text() const {
  std::string content;
  base::append_big_endian(content, static_cast<std::uint64_t>(issued));
  position.append_to(content);
  return sealed(TokenKind::iterator, content + stream_arn);
}

std::optional<ShardIterator> ShardIterator::parse(std::string_view text) {
  const auto content = unsealed(TokenKind::iterator, text);
  constexpr std::size_t head = sizeof(std::uint64_t);
  constexpr std::size_t arn_begins = head + kv::CommitPosition::encoded_size;
  if (!content || content->size() < arn_begins) return std::nullopt;
  const std::string_view bytes = *content;
  return ShardIterator{
      .stream_arn = std::string(bytes.substr(arn_begins)),
      .position = kv::CommitPosition::at_end_of(bytes.substr(0, arn_begins)),
      .issued = static_cast<std::int64_t>(base::load_big_endian<std::uint64_t>(bytes.data()))};
}

}  // namespace dinette::keyspaces
