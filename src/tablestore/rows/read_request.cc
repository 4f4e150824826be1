#include "tablestore/rows/read_request.h"

#include <utility>

#include "tablestore/api/refusals.h"
#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/rows/row_key.h"

namespace dinette::tablestore {

Answer<PrimaryKey> read_key(std::string_view bytes, KeyUse use) {
  DINETTE_TRY(RowMessage row, plainbuffer::decode_row(bytes));
  DINETTE_CHECK(check_key(row.key, use, most_index_key_columns));
  if (!row.cells.empty()) return refuse::attribute_in_read();
  if (row.deletes) return refuse::delete_marker_in_read();
  return std::move(row.key);
}

}  // namespace dinette::tablestore
