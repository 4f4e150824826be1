// Rows of PlainBuffer, messages and filters of protocol buffers. What is read is written again, and reads the
// same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tablestore/api/batch_write_row.h"
#include "tablestore/api/create_table.h"
#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/plainbuffer/row_writer.h"

using namespace dinette::tablestore;

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

bool same(const RowMessage& a, const RowMessage& b) {
  // NaN differs from itself.
  std::string one, other;
  plainbuffer::RowWriter(one).add(a);
  plainbuffer::RowWriter(other).add(b);
  return one == other;
}

void try_row(std::string_view bytes) {
  const auto row = plainbuffer::decode_row(bytes);
  if (!row) return expect(!row.error().message.empty());
  std::string written;
  plainbuffer::RowWriter(written).add(*row);
  const auto again = plainbuffer::decode_row(written);
  expect(again.ok() && same(*row, *again));
}

void try_messages(std::string_view bytes) {
  codec::decode_message<api::CreateTableRequest>(bytes);
  if (const auto filter = codec::decode_message<api::Filter>(bytes))
    codec::decode_message<api::CompositeColumnValueFilter>(filter->filter);
  const auto batch = codec::decode_message<api::BatchWriteRowRequest>(bytes);
  if (!batch) return;
  for (const auto& table : batch->tables) {
    for (const auto& row : table.rows) try_row(row.row_change);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try_row(bytes);
  try_messages(bytes);
  return 0;
}
