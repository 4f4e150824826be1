#include "kinesis/streams/token.h"

#include <chrono>

#include "dinette/base/base64.h"
#include "dinette/base/bytes.h"
#include "dinette/base/clock.h"
#include "dinette/base/crc32.h"

#include "kinesis/api/limits.h"

namespace dinette::kinesis {
namespace {

// Tokens begin with eight bytes of a version, as those of the service do; here the last one is the kind.
constexpr std::size_t head_size = 8;
constexpr std::size_t check_size = sizeof(std::uint32_t);

}  // namespace

Answer<void> check_token_age(const Context& context, aws::Timestamp issued) {
  if (context.now - issued.time() <= std::chrono::minutes(model::limits::token_minutes)) return {};
  return refusal(api::ErrorCode::expired_next_token_exception, "NextToken has expired.");
}

TokenWriter::TokenWriter(TokenKind kind) {
  base::append_big_endian(bytes_, static_cast<std::uint64_t>(kind));
}

void TokenWriter::add(std::uint64_t number) {
  base::append_big_endian(bytes_, number);
}

void TokenWriter::add(store::StreamPosition position) {
  position.append_to(bytes_);
}

void TokenWriter::add(std::string_view text) {
  base::append_big_endian(bytes_, static_cast<std::uint64_t>(text.size()));
  bytes_.append(text);
}

std::string TokenWriter::text() const {
  std::string checked = bytes_;
  base::append_big_endian(checked, base::crc32(bytes_));
  return base::base64_encode(checked);
}

std::optional<TokenReader> TokenReader::open(TokenKind kind, std::string_view text) {
  auto bytes = base::base64_decode(text);
  if (!bytes || bytes->size() < head_size + check_size) return std::nullopt;
  const std::size_t end = bytes->size() - check_size;
  const auto check = base::load_big_endian<std::uint32_t>(bytes->data() + end);
  bytes->resize(end);
  if (check != base::crc32(*bytes)) return std::nullopt;
  TokenReader reader(*std::move(bytes));
  if (reader.number() != static_cast<std::uint64_t>(kind)) return std::nullopt;
  return reader;
}

std::string_view TokenReader::take(std::size_t size) {
  failed_ = failed_ || size > bytes_.size() - at_;
  if (failed_) return {};
  const std::string_view taken = std::string_view(bytes_).substr(at_, size);
  at_ += size;
  return taken;
}

std::uint64_t TokenReader::number() {
  const std::string_view bytes = take(sizeof(std::uint64_t));
  return bytes.empty() ? 0 : base::load_big_endian<std::uint64_t>(bytes.data());
}

aws::Timestamp TokenReader::time() {
  const std::uint64_t milliseconds = number();
  failed_ =
      failed_ || milliseconds > static_cast<std::uint64_t>(aws::Timestamp(base::latest_time).milliseconds);
  return failed_ ? aws::Timestamp() : aws::Timestamp(static_cast<std::int64_t>(milliseconds));
}

store::StreamPosition TokenReader::position() {
  const std::string_view bytes = take(store::StreamPosition::encoded_size);
  return bytes.empty() ? store::StreamPosition() : store::StreamPosition::at_end_of(bytes);
}

std::string TokenReader::text() {
  return std::string(take(number()));
}

}  // namespace dinette::kinesis
