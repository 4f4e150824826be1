#include "tablestore/streams/stream_id.h"

#include <cstddef>
#include <utility>

#include "tablestore/api/refusals.h"

namespace dinette::tablestore {

Answer<OpenTable> open_stream(const Context& context, std::string_view stream_id) {
  const std::size_t end = stream_id.rfind('_');
  if (end == std::string_view::npos) return refuse::no_such_stream();
  const std::string_view name = stream_id.substr(0, end);
  if (context.details != nullptr) context.details->table(name);
  DINETTE_TABLESTORE_STORED(store::TablePointer found, context.store.catalog().open(name));
  if (!found) return refuse::no_such_stream();
  OpenTable table{std::move(found)};
  if (!table.meta().stream || table.meta().stream_id() != stream_id) return refuse::no_such_stream();
  return table;
}

}  // namespace dinette::tablestore
