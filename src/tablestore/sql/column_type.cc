#include "tablestore/sql/column_type.h"

#include <array>
#include <string>

#include "dinette/base/ascii.h"

#include "tablestore/api/refusals.h"

namespace dinette::tablestore::sql {
namespace {

struct KnownType {
  std::string_view word;
  std::string_view shown;
  ValueType values;
  std::string_view usual_length;  ///< empty: it has none
};

constexpr std::array known_types{
    KnownType{"bigint", "bigint", ValueType::integer, "20"},
    KnownType{"varchar", "varchar", ValueType::string, "1024"},
    KnownType{"varbinary", "varbinary", ValueType::binary, "1024"},
    KnownType{"mediumtext", "mediumtext", ValueType::string, ""},
    KnownType{"mediumblob", "mediumblob", ValueType::binary, ""},
    KnownType{"double", "double", ValueType::real, ""},
    KnownType{"bool", "tinyint(1)", ValueType::boolean, ""},
    KnownType{"boolean", "tinyint(1)", ValueType::boolean, ""},
};

}  // namespace

Answer<SqlType> column_type_of(std::string_view word, std::string_view length) {
  for (const KnownType& known : known_types) {
    if (!base::equal_ignoring_case(word, known.word)) continue;
    SqlType type{std::string(known.shown), known.values};
    if (!known.usual_length.empty())
      type.shown += '(' + std::string(length.empty() ? known.usual_length : length) + ')';
    return type;
  }
  return refuse::sql_unknown_type(word);
}

}  // namespace dinette::tablestore::sql
