#include "cql/statements/selection.h"

#include <algorithm>
#include <utility>

#include "cql/types/key_order.h"
#include "cql/types/parts.h"
#include "cql/values/numbers.h"
#include "cql/values/to_text.h"

namespace dinette::cql::statements {
namespace {

using Value = std::optional<std::string>;

bool is_floating(Kind kind) {
  return kind == Kind::float_ || kind == Kind::double_;
}

std::size_t width_of(Kind kind) {
  switch (kind) {
    case Kind::tinyint:
      return 1;
    case Kind::smallint:
      return 2;
    case Kind::int_:
      return 4;
    default:
      return 8;
  }
}

/// Brings a decimal to a scale. Returns nullopt if it has too many digits then.
std::optional<Int128> scaled(DecimalNumber number, std::int32_t scale) {
  for (; number.scale < scale && number.unscaled != 0; ++number.scale) {
    if (__builtin_mul_overflow(number.unscaled, Int128{10}, &number.unscaled)) return std::nullopt;
  }
  return number.unscaled;
}

Answer<Value> call_function(const Selected& selected, const SelectionInput& input) {
  std::vector<Value> values;
  for (const Selected& argument : selected.arguments) {
    DINETTE_TRY(values.emplace_back(), evaluate(argument, input));
  }
  std::vector<Argument> arguments;
  for (const Value& value : values) {
    arguments.push_back(value ? Argument(*value) : Argument());
  }
  return call(*selected.function, input.bindings->call, arguments);
}

Value field_of(std::string_view value, std::size_t field) {
  PartReader in(value);
  for (std::size_t i = 0; !in.at_end(); ++i) {
    const std::int32_t size = in.read_int().value_or(-1);
    const auto part = size < 0 ? std::nullopt : in.read(static_cast<std::size_t>(size));
    if (i == field) return part ? Value(*part) : std::nullopt;
  }
  return std::nullopt;
}

Value time_of_cell(const Selected& selected, const SelectionInput& input) {
  const data::Cell* const cell = input.row->cell(selected.column);
  if (cell == nullptr) return std::nullopt;
  if (selected.kind == Selected::Kind::write_time) return fixed_bytes(cell->stamp.timestamp, 8);
  if (cell->stamp.time_to_live == 0) return std::nullopt;
  return fixed_bytes(cell->stamp.expires - input.now, 4);
}

Answer<Value> evaluate_on_argument(const Selected& selected, const SelectionInput& input) {
  DINETTE_TRY(const Value argument, evaluate(selected.arguments.front(), input));
  const Type& type = selected.arguments.front().type;
  if (selected.kind == Selected::Kind::to_json) {
    return Value(argument ? json_text(type, *argument) : "null");
  }
  if (!argument) return Value();
  if (selected.kind == Selected::Kind::field) return field_of(*argument, selected.index);
  // An empty text is a value of its own, unlike no bytes of other types.
  if (argument->empty() && type.kind != Kind::ascii) return Value();
  DINETTE_TRY(std::string cast, cast_value(type, selected.type, *argument));
  return Value(std::move(cast));
}

}  // namespace

Answer<void> AggregateState::add(const Selected& aggregate, std::optional<std::string_view> value) {
  if (aggregate.aggregate == Aggregate::count_rows) {
    ++count_;
    return {};
  }
  if (!value || (value->empty() && aggregate.aggregate != Aggregate::count)) return {};
  ++count_;
  const Type& type = aggregate.arguments.front().type;
  switch (aggregate.aggregate) {
    case Aggregate::min:
    case Aggregate::max: {
      const bool wants_less = aggregate.aggregate == Aggregate::min;
      if (!extreme_ || std::is_lt(compare_values(type, *value, *extreme_)) == wants_less) extreme_ = *value;
      return {};
    }
    case Aggregate::sum:
    case Aggregate::avg:
      break;
    default:
      return {};
  }
  if (is_floating(type.kind)) {
    floating_ += type.kind == Kind::float_ ? static_cast<double>(read_float(*value)) : read_double(*value);
    return {};
  }
  if (type.kind != Kind::decimal) {
    const Int128 number = type.kind == Kind::varint ? read_varint(*value).value_or(0) : read_fixed(*value);
    if (__builtin_add_overflow(whole_, number, &whole_)) return invalid("Varint value is out of range.");
    return {};
  }
  const DecimalNumber number = read_decimal(*value).value_or(DecimalNumber{});
  const std::int32_t scale = std::max(scale_, number.scale);
  const auto before = scaled({scale_, whole_}, scale);
  const auto added = scaled(number, scale);
  if (!before || !added || __builtin_add_overflow(*before, *added, &whole_)) {
    return invalid("Decimal value is out of range.");
  }
  scale_ = scale;
  return {};
}

Answer<std::optional<std::string>> AggregateState::result(const Selected& aggregate) const {
  if (aggregate.aggregate == Aggregate::count_rows || aggregate.aggregate == Aggregate::count) {
    return Value(fixed_bytes(count_, 8));
  }
  if (aggregate.aggregate == Aggregate::min || aggregate.aggregate == Aggregate::max) return extreme_;
  const bool average = aggregate.aggregate == Aggregate::avg;
  const std::int64_t by = average ? std::max<std::int64_t>(count_, 1) : 1;
  switch (aggregate.type.kind) {
    case Kind::float_:
      return Value(float_bytes(static_cast<float>(floating_ / static_cast<double>(by))));
    case Kind::double_:
      return Value(double_bytes(floating_ / static_cast<double>(by)));
    case Kind::varint:
      return Value(varint_bytes(whole_ / by));
    case Kind::decimal:
      return Value(decimal_bytes({scale_, whole_ / by}));
    default:
      return Value(fixed_bytes(static_cast<std::int64_t>(whole_ / by), width_of(aggregate.type.kind)));
  }
}

Answer<std::optional<std::string>> evaluate(const Selected& selected, const SelectionInput& input) {
  switch (selected.kind) {
    case Selected::Kind::column: {
      if (input.row == nullptr) return Value();
      const auto value = input.row->value(selected.column);
      return value ? Value(*value) : Value();
    }
    case Selected::Kind::write_time:
    case Selected::Kind::time_to_live:
      return input.row == nullptr ? Value() : time_of_cell(selected, input);
    case Selected::Kind::function:
      return call_function(selected, input);
    case Selected::Kind::aggregate:
      return (*input.aggregates)[selected.index].result(selected);
    case Selected::Kind::cast:
    case Selected::Kind::to_json:
    case Selected::Kind::field:
      return evaluate_on_argument(selected, input);
    case Selected::Kind::term: {
      DINETTE_TRY(TermValue value, selected.term->evaluate(*input.bindings));
      return value.has_bytes() ? Value(std::move(value.bytes)) : Value();
    }
  }
  return Value();
}

Answer<void> aggregate_row(const Selected& selected, const SelectionInput& input,
                           std::vector<AggregateState>& states) {
  if (selected.kind != Selected::Kind::aggregate) {
    for (const Selected& argument : selected.arguments) DINETTE_CHECK(aggregate_row(argument, input, states));
    return {};
  }
  Value value;
  if (!selected.arguments.empty()) {
    DINETTE_TRY(value, evaluate(selected.arguments.front(), input));
  }
  return states[selected.index].add(selected, value ? std::optional<std::string_view>(*value) : std::nullopt);
}

}  // namespace dinette::cql::statements
