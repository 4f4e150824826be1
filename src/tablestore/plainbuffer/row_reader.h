#pragma once

#include <cstdint>
#include <string_view>

#include "tablestore/model/row.h"
#include "tablestore/plainbuffer/byte_reader.h"
#include "tablestore/request/api_error.h"

namespace dinette::tablestore::plainbuffer {

/// Reads rows, one after the other. All are views of the bytes.
///
/// Checked is the form: tags, checksums, that texts are UTF-8, that columns of keys have a name and a value
/// and nothing else. What an operation allows is checked by its own code.
class RowReader {
 public:
  explicit RowReader(std::string_view bytes) : in_(bytes), is_empty_(bytes.empty()) {}

  /// Reads the next row. Before the first the header is read.
  Answer<RowMessage> read();
  bool at_end() const { return in_.at_end(); }

 private:
  ByteReader in_;
  bool is_empty_;
  bool has_begun_ = false;
};

/// Reads the first row. What follows it is ignored, since a client allocates too much
/// (tablestore/plainbuffer.md section 5).
Answer<RowMessage> decode_row(std::string_view bytes);

}  // namespace dinette::tablestore::plainbuffer
