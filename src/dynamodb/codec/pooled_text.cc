#include "dynamodb/codec/pooled_text.h"

#include <cstddef>

#include <boost/container/static_vector.hpp>

#include "dinette/base/per_thread.h"

namespace dinette::dynamodb::codec {
namespace {

constexpr std::size_t most_kept_bytes = 64 * 1024;
constexpr std::size_t least_kept_bytes = 256;  ///< less is not worth a place

/// A response has an item or a page of them, and perhaps a key; a write also makes a record.
using Spares = boost::container::static_vector<std::string, 4>;

Spares& spares() {
  return base::per_thread<Spares>();
}

}  // namespace

std::string PooledText::take() {
  std::string text;
  if (spares().empty()) return text;
  text.swap(spares().back());
  spares().pop_back();
  text.clear();
  return text;
}

void PooledText::give_back(std::string text) noexcept {
  if (text.capacity() < least_kept_bytes || text.capacity() > most_kept_bytes) return;
  if (spares().size() < Spares::static_capacity) spares().push_back(std::move(text));
}

}  // namespace dinette::dynamodb::codec
