#include "tablestore/sql/result.h"

#include <array>
#include <bit>

#include "tablestore/sql/flat_buffer.h"

namespace dinette::tablestore::sql {
namespace {

using Slot = FlatBuffer::Slot;

constexpr std::uint8_t complex_type = 7;

bool is_complex(ResultType type) {
  return type > ResultType::bytes;
}

/// Returns the number of a type of dates or times in the API; 0 of the others.
std::uint8_t logic_type_of(ResultType type) {
  return is_complex(type)
             ? static_cast<std::uint8_t>(static_cast<int>(type) - static_cast<int>(ResultType::bytes))
             : 0;
}

/// Returns the type by which values are sent.
ResultType encoded_type(ResultType type) {
  return is_complex(type) ? ResultType::whole : type;
}

std::uint64_t bits_of(const SqlValue& value) {
  if (const auto* const moment = std::get_if<Moment>(&value))
    return static_cast<std::uint64_t>(moment->encoded());
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return static_cast<std::uint64_t>(*whole);
  if (const auto* const real = std::get_if<double>(&value)) return std::bit_cast<std::uint64_t>(*real);
  return 0;
}

/// Writes one column after the other. Names of slots are those of sql.fbs.
class ResultWriter {
 public:
  std::string write(const Result& result) && {
    constexpr std::array root_slots{Slot::reference, Slot::number};  // columns, row_count
    const auto root = buffer_.add_table(root_slots);
    buffer_.refer(buffer_.root(), root.at);
    buffer_.set_number(root.slots[1], result.empty() ? 0 : result.front().values.size());
    const std::size_t columns = buffer_.add_references(result.size());
    buffer_.refer(root.slots[0], columns);
    for (std::size_t i = 0; i < result.size(); ++i)
      buffer_.refer(FlatBuffer::reference(columns, i), add_column(result[i]));
    return std::move(buffer_).take();
  }

 private:
  std::size_t add_column(const ResultColumn& column) {
    constexpr std::array slots{Slot::reference, Slot::byte, Slot::reference,
                               Slot::reference};  // name, type, value, complex_type_info
    const auto table = buffer_.add_table(slots);
    buffer_.refer(table.slots[0], buffer_.add_text(column.name));
    buffer_.set_byte(table.slots[1],
                     is_complex(column.type) ? complex_type : static_cast<std::uint8_t>(column.type));
    buffer_.refer(table.slots[2], add_values(column));
    buffer_.refer(table.slots[3], add_complex_type(column.type));
    return table.at;
  }

  /// Clients for Go expect it of all columns.
  std::size_t add_complex_type(ResultType type) {
    constexpr std::array slots{Slot::byte, Slot::byte};  // column_logic_type, column_encode_type
    const auto table = buffer_.add_table(slots);
    buffer_.set_byte(table.slots[0], logic_type_of(type));
    buffer_.set_byte(table.slots[1], is_complex(type) ? static_cast<std::uint8_t>(encoded_type(type)) : 0);
    return table.at;
  }

  /// The values are in the vector of their type; those that are NULL are there as well, as zero.
  std::size_t add_values(const ResultColumn& column) {
    std::array<Slot, 6> slots{Slot::reference};  // is_nullvalues, then one per type
    const auto own = static_cast<std::size_t>(encoded_type(column.type));
    slots[own] = Slot::reference;
    const auto table = buffer_.add_table(slots);
    std::string nulls;
    for (const SqlValue& value : column.values) nulls += static_cast<char>(is_null(value) ? 1 : 0);
    buffer_.refer(table.slots[0], buffer_.add_bytes(nulls));
    if (column.type != ResultType::none) buffer_.refer(table.slots[own], add_vector(column));
    return table.at;
  }

  std::size_t add_vector(const ResultColumn& column) {
    if (column.type == ResultType::boolean) return add_truths(column);
    if (column.type == ResultType::text || column.type == ResultType::bytes) return add_texts(column);
    std::vector<std::uint64_t> numbers;
    for (const SqlValue& value : column.values) numbers.push_back(bits_of(value));
    return buffer_.add_numbers(numbers);
  }

  std::size_t add_truths(const ResultColumn& column) {
    std::string truths;
    for (const SqlValue& value : column.values) truths += static_cast<char>(is_true(value) ? 1 : 0);
    return buffer_.add_bytes(truths);
  }

  std::size_t add_texts(const ResultColumn& column) {
    const std::size_t vector = buffer_.add_references(column.values.size());
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      const auto* const text = std::get_if<std::string>(&column.values[i]);
      const auto* const bytes = std::get_if<Bytes>(&column.values[i]);
      const std::size_t at = column.type == ResultType::bytes
                                 ? add_binary(bytes != nullptr ? bytes->content : "")
                                 : buffer_.add_text(text != nullptr ? *text : "");
      buffer_.refer(FlatBuffer::reference(vector, i), at);
    }
    return vector;
  }

  std::size_t add_binary(const std::string& content) {
    constexpr std::array slots{Slot::reference};
    const auto table = buffer_.add_table(slots);
    buffer_.refer(table.slots[0], buffer_.add_bytes(content));
    return table.at;
  }

  FlatBuffer buffer_;
};

}  // namespace

std::string encode(const Result& result) {
  return ResultWriter().write(result);
}

ResultType type_of(const SqlValue& value) {
  if (const auto* const moment = std::get_if<Moment>(&value)) {
    constexpr std::array moments{ResultType::datetime, ResultType::date, ResultType::time};
    return moments[static_cast<std::size_t>(moment->kind)];
  }
  constexpr std::array types{ResultType::none,    ResultType::whole, ResultType::real,
                             ResultType::boolean, ResultType::text,  ResultType::bytes};
  return types[value.index()];
}

SqlValue converted(const SqlValue& value, ResultType type) {
  if (is_null(value) || type_of(value) == type) return value;
  if (type == ResultType::real) return *number_of(value);
  if (type == ResultType::whole && std::holds_alternative<bool>(value))
    return std::int64_t{std::get<bool>(value)};
  if (type == ResultType::text) return text_of(value);
  return {};
}

}  // namespace dinette::tablestore::sql
