#include "dinette/base/gunzip.h"

#include <cstdint>

#include <isa-l/igzip_lib.h>

namespace dinette::base {

// libdeflate, which decompresses whole buffers (compression.cc), cannot continue with a next part.
struct Gunzip::State {
  inflate_state inflate;
  bool in_member = false;

  void begin() {
    isal_inflate_reset(&inflate);
    inflate.crc_flag = ISAL_GZIP;
  }
};

Gunzip::Gunzip() : state_(std::make_unique<State>()) {
  isal_inflate_init(&state_->inflate);
  state_->begin();
}

Gunzip::~Gunzip() = default;

void Gunzip::give(std::string_view part) {
  inflate_state& inflate = state_->inflate;
  // ISA-L does not write to its input.
  inflate.next_in = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(part.data()));
  inflate.avail_in = static_cast<std::uint32_t>(part.size());
}

Result<std::size_t, DecompressionError> Gunzip::take(std::span<char> room) {
  inflate_state& inflate = state_->inflate;
  inflate.next_out = reinterpret_cast<std::uint8_t*>(room.data());
  inflate.avail_out = static_cast<std::uint32_t>(room.size());
  while (inflate.avail_out == room.size() && (inflate.avail_in > 0 || state_->in_member)) {
    const std::uint32_t before = inflate.avail_in;
    state_->in_member = true;
    if (isal_inflate(&inflate) != ISAL_DECOMP_OK) return Failure{DecompressionError::corrupt};
    const bool made = inflate.avail_out < room.size();
    if (inflate.block_state == ISAL_BLOCK_FINISH) {
      state_->in_member = false;
      state_->begin();
    } else if (inflate.avail_in == before && !made) {
      break;
    }
  }
  return room.size() - inflate.avail_out;
}

bool Gunzip::complete() const {
  return !state_->in_member && state_->inflate.avail_in == 0;
}

}  // namespace dinette::base
