#include "kinesis/streams/token.h"

#include <cstdint>
#include <limits>
#include <string>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"

namespace test::kinesis::token_test {
namespace {

using dinette::aws::Timestamp;
using dinette::kinesis::TokenKind;
using dinette::kinesis::TokenReader;
using dinette::kinesis::TokenWriter;
using dinette::store::StreamPosition;

}  // namespace

TEST_CASE("a token is read as it was written") {
  const Timestamp latest(dinette::base::latest_time);
  TokenWriter written(TokenKind::shard_iterator);
  written.add(std::uint64_t{7});
  written.add(latest);
  written.add(StreamPosition{8, 9});
  written.add(std::string("\0x", 2));
  auto read = TokenReader::open(TokenKind::shard_iterator, written.text());
  REQUIRE(read);
  CHECK(read->number() == 7);
  CHECK(read->time() == latest);
  CHECK(read->position() == StreamPosition{8, 9});
  CHECK_FALSE(read->complete());
  CHECK(read->text() == std::string("\0x", 2));
  CHECK(read->complete());
  CHECK(read->number() == 0);
  CHECK_FALSE(read->complete());
}

TEST_CASE("a token of another kind is none") {
  const std::string text = TokenWriter(TokenKind::shards_page).text();
  CHECK(TokenReader::open(TokenKind::shards_page, text));
  CHECK_FALSE(TokenReader::open(TokenKind::streams_page, text));
}

TEST_CASE("a text that is longer than its token, and a time beyond all clocks, are not whole") {
  for (const std::uint64_t number : {std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 62}) {
    TokenWriter written(TokenKind::shards_page);
    written.add(number);
    auto as_text = TokenReader::open(TokenKind::shards_page, written.text());
    CHECK(as_text->text().empty());
    CHECK_FALSE(as_text->complete());
    auto as_time = TokenReader::open(TokenKind::shards_page, written.text());
    CHECK(as_time->time() == Timestamp());
    CHECK_FALSE(as_time->complete());
  }
}

}  // namespace test::kinesis::token_test
