#include "dinette/kv/value.h"

#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>

#include "kv/live_memory.h"
#include "kv/spare_blocks.h"

namespace dinette::kv {
namespace {

Value::Buffer* allocate(std::size_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("kv::Value beyond 4 GiB");
  void* memory = allocate_block(sizeof(Value::Buffer) + size);
  live_memory.buffers.fetch_add(1, std::memory_order_relaxed);
  live_memory.bytes.fetch_add(static_cast<std::int64_t>(size), std::memory_order_relaxed);
  return ::new (memory) Value::Buffer{{1}, static_cast<std::uint32_t>(size)};
}

}  // namespace

LiveMemory live_memory;

Value::Value(std::string_view bytes) : buffer_(allocate(bytes.size())) {
  if (!bytes.empty()) std::memcpy(bytes_of(buffer_), bytes.data(), bytes.size());
}

Value Value::join(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  return make(size, [&](char* bytes) {
    for (const std::string_view part : parts) {
      if (!part.empty()) std::memcpy(bytes, part.data(), part.size());
      bytes += part.size();
    }
  });
}

Value Value::make(std::size_t size, base::FunctionRef<void(char*)> fill) {
  Value value = adopt(allocate(size));
  fill(bytes_of(value.buffer_));
  return value;
}

std::int64_t Value::live_buffers() noexcept {
  return live_memory.buffers.load(std::memory_order_relaxed);
}

void Value::destroy(Buffer* buffer) noexcept {
  live_memory.buffers.fetch_sub(1, std::memory_order_relaxed);
  live_memory.bytes.fetch_sub(buffer->size, std::memory_order_relaxed);
  const std::size_t size = sizeof(Buffer) + buffer->size;
  buffer->~Buffer();
  free_block(buffer, size);
}

}  // namespace dinette::kv
