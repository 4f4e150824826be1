#include "dinette/base/unzstd.h"

#include <new>

#include <zstd.h>

namespace dinette::base {
namespace {

struct FreeUnzstd {
  void operator()(ZSTD_DCtx* decompressor) const { ZSTD_freeDCtx(decompressor); }
};

}  // namespace

struct Unzstd::State {
  std::unique_ptr<ZSTD_DCtx, FreeUnzstd> decompressor{ZSTD_createDCtx()};
  ZSTD_inBuffer part{};
  bool in_frame = false;
  bool more_inside = false;  ///< the last room was too small for what had been decompressed
};

Unzstd::Unzstd() : state_(std::make_unique<State>()) {
  if (!state_->decompressor) throw std::bad_alloc();
}

Unzstd::~Unzstd() = default;

void Unzstd::give(std::string_view part) {
  state_->part = {part.data(), part.size(), 0};
}

Result<std::size_t, DecompressionError> Unzstd::take(std::span<char> room) {
  ZSTD_inBuffer& part = state_->part;
  ZSTD_outBuffer out{room.data(), room.size(), 0};
  while (out.pos == 0 && (part.pos < part.size || state_->more_inside)) {
    const std::size_t left = ZSTD_decompressStream(state_->decompressor.get(), &out, &part);
    if (ZSTD_isError(left) != 0) return Failure{DecompressionError::corrupt};
    state_->in_frame = left != 0;
    state_->more_inside = state_->in_frame && out.pos == out.size;
  }
  return out.pos;
}

bool Unzstd::complete() const {
  return !state_->in_frame && state_->part.pos == state_->part.size;
}

}  // namespace dinette::base
