#include "kinesis/streams/shard_iterator.h"

#include "kinesis/streams/token.h"

namespace dinette::kinesis {

std::string ShardIterator::text() const {
  TokenWriter token(TokenKind::shard_iterator);
  token.add(issued);
  token.add(table);
  token.add(static_cast<std::uint64_t>(shard));
  token.add(position);
  token.add(not_before);
  token.add(stream);
  return token.text();
}

std::optional<ShardIterator> ShardIterator::parse(std::string_view text) {
  auto token = TokenReader::open(TokenKind::shard_iterator, text);
  if (!token) return std::nullopt;
  ShardIterator iterator;
  iterator.issued = token->time();
  iterator.table = token->number();
  iterator.shard = static_cast<std::int64_t>(token->number());
  iterator.position = token->position();
  iterator.not_before = token->time();
  iterator.stream = token->text();
  if (!token->complete()) return std::nullopt;
  return iterator;
}

}  // namespace dinette::kinesis
