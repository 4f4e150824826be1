#pragma once

#include <string_view>

#include "tablestore/model/row.h"
#include "tablestore/rows/key_checks.h"
#include "tablestore/rows/row_page.h"
#include "tablestore/rows/row_selection.h"

namespace dinette::tablestore {

/// Reads a key that was sent for a read, or a bound of a range: of a table or of an index.
Answer<PrimaryKey> read_key(std::string_view bytes, KeyUse use);

}  // namespace dinette::tablestore
