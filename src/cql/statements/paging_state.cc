#include "cql/statements/paging_state.h"

#include "dinette/base/bytes.h"

#include "cql/types/token.h"

namespace dinette::cql::statements {
namespace {

constexpr char version = 1;
constexpr std::size_t checksum_size = 8;
constexpr std::size_t fixed_size = 1 + 8 + 4 + 1 + 1 + 8 + 8;

/// Of everything before it: a state that a client has changed is refused.
std::uint64_t checksum_of(std::string_view bytes) {
  return static_cast<std::uint64_t>(murmur3_token("paging state\0" + std::string(bytes)));
}

}  // namespace

std::string encode(const PagingState& state) {
  std::string out(1, version);
  base::append_big_endian(out, state.fingerprint);
  base::append_big_endian(out, state.subquery);
  out.push_back(state.begun ? '\1' : '\0');
  out.push_back(state.position.found_rows ? '\1' : '\0');
  base::append_big_endian(out, state.returned);
  base::append_big_endian(out, state.of_partition);
  out += state.position.key;
  base::append_big_endian(out, checksum_of(out));
  return out;
}

Answer<PagingState> decode_paging_state(std::string_view bytes, std::uint64_t fingerprint) {
  const auto refused = [] { return protocol_error("Invalid value for the paging state"); };
  if (bytes.size() < fixed_size + checksum_size || bytes.front() != version) return refused();
  const std::string_view body = bytes.substr(0, bytes.size() - checksum_size);
  if (base::load_big_endian<std::uint64_t>(bytes.data() + body.size()) != checksum_of(body)) return refused();
  PagingState state;
  const char* at = body.data() + 1;
  state.fingerprint = base::load_big_endian<std::uint64_t>(at);
  state.subquery = base::load_big_endian<std::uint32_t>(at + 8);
  state.begun = at[12] != 0;
  state.position.found_rows = at[13] != 0;
  state.returned = base::load_big_endian<std::uint64_t>(at + 14);
  state.of_partition = base::load_big_endian<std::uint64_t>(at + 22);
  state.position.key = body.substr(fixed_size);
  if (state.fingerprint != fingerprint) return refused();
  return state;
}

}  // namespace dinette::cql::statements
