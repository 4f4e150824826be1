#include "tablestore/search/score_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "dinette/base/crc32.h"
#include "dinette/base/ids.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/search/dates.h"
#include "tablestore/search/places.h"
#include "tablestore/search/scores.h"

namespace dinette::tablestore::search {
namespace {

using Numbers = std::vector<double>;

bool is_number(const Field& field) {
  return field.type == api::FieldType::long_ || field.type == api::FieldType::double_;
}

Answer<const Field*> function_field(const IndexSchema& schema, const std::optional<std::string_view>& name,
                                    std::string_view function) {
  const Field* const field = schema.find(name.value_or(std::string_view()));
  if (field == nullptr) return refuse::no_such_function_field(function, name.value_or(std::string_view()));
  return field;
}

Numbers numbers_of(const Field& field, const Document& document) {
  Numbers numbers;
  for (const FieldValue& value : document.values_of(field.name))
    if (const auto number = number_of(value); number && !std::isnan(*number)) numbers.push_back(*number);
  return numbers;
}

double modified(api::FunctionModifier modifier, double value) {
  using api::FunctionModifier;
  switch (modifier) {
    case FunctionModifier::none:
      return value;
    case FunctionModifier::log:
      return std::log10(value);
    case FunctionModifier::log_plus_one:
      return std::log10(value + 1);
    case FunctionModifier::log_plus_two:
      return std::log10(value + 2);
    case FunctionModifier::ln:
      return std::log(value);
    case FunctionModifier::ln_plus_one:
      return std::log(value + 1);
    case FunctionModifier::ln_plus_two:
      return std::log(value + 2);
    case FunctionModifier::square:
      return value * value;
    case FunctionModifier::sqrt:
      return std::sqrt(value);
    case FunctionModifier::reciprocal:
      return 1 / value;
  }
  return value;
}

/// Of several values the least counts.
Answer<NumberOf> field_value(const api::FieldValueFunction& message, const IndexSchema& schema) {
  constexpr std::string_view function = "field_value_factor";
  DINETTE_TRY(const Field* const field, function_field(schema, message.field_name, function));
  if (!is_number(*field))
    return refuse::invalid_function_field(function, field->name, name_of(field->type), "long, double");
  const double factor = message.factor.value_or(1);
  const auto modifier = message.modifier.value_or(api::FunctionModifier::none);
  return NumberOf([=, missing = message.missing](const Document& document) -> std::optional<double> {
    const Numbers numbers = numbers_of(*field, document);
    if (numbers.empty() && !missing) return std::nullopt;
    const double value = numbers.empty() ? *missing : *std::ranges::min_element(numbers);
    return modified(modifier, factor * value);
  });
}

/// The same number for the same row, as long as the seed is the same.
NumberOf random_value(std::uint64_t seed) {
  return [seed](const Document& document) -> std::optional<double> {
    constexpr int unused_bits = 64 - std::numeric_limits<double>::digits;
    base::SeededIds numbers(seed + base::crc32(document.row_key));
    return std::ldexp(static_cast<double>(numbers.random() >> unused_bits),
                      -std::numeric_limits<double>::digits);
  };
}

double one_of_numbers(const Numbers& numbers, api::MultiValueMode mode) {
  double sum = 0;
  switch (mode) {
    case api::MultiValueMode::max:
      return *std::ranges::max_element(numbers);
    case api::MultiValueMode::min:
      return *std::ranges::min_element(numbers);
    case api::MultiValueMode::sum:
    case api::MultiValueMode::avg:
      for (const double number : numbers) sum += number;
      return mode == api::MultiValueMode::sum ? sum : sum / static_cast<double>(numbers.size());
  }
  return sum;
}

/// How far a document may be from where a decay begins.
struct Decline {
  double scale = 0;   ///< beyond the offset: where the value is `decay`
  double offset = 0;  ///< within it the value is 1
  double decay = 0.5;
  api::DecayMathFunction shape = api::DecayMathFunction::gauss;

  double value_at(double distance) const {
    const double beyond = std::max(distance - offset, 0.0) / scale;
    switch (shape) {
      case api::DecayMathFunction::gauss:
        return std::pow(decay, beyond * beyond);
      case api::DecayMathFunction::exp:
        return std::pow(decay, beyond);
      case api::DecayMathFunction::linear:
        return std::max(1 - beyond * (1 - decay), 0.0);
    }
    return 1;
  }
};

/// What of a decay depends on the type of its field.
struct Course {
  NumberOf distance = {};  ///< of a document, from where the decay begins
  double scale = 0;
  double offset = 0;
};

/// Values become one by the mode; without one the nearest counts.
NumberOf distance_from(double origin, const Field& field, std::optional<api::MultiValueMode> mode) {
  return [=, &field](const Document& document) -> std::optional<double> {
    Numbers numbers = numbers_of(field, document);
    if (numbers.empty()) return std::nullopt;
    if (mode) return std::abs(one_of_numbers(numbers, *mode) - origin);
    for (double& number : numbers) number = std::abs(number - origin);
    return *std::ranges::min_element(numbers);
  };
}

Answer<Course> numeric_course(const api::DecayFunction& message, const Field& field) {
  const auto param =
      codec::decode_message<api::DecayNumericParam>(message.param.value_or(std::string_view()));
  if (!param) return refuse::unreadable_message();
  if (!param->origin || !std::isfinite(*param->origin)) return refuse::invalid_decay("origin");
  return Course{distance_from(*param->origin, field, message.multi_value_mode), param->scale.value_or(0),
                param->offset.value_or(0)};
}

/// Returns the milliseconds of a span, which is of days at most; nothing for others.
std::optional<double> span_of(const std::optional<api::DateTimeValue>& span) {
  if (!span) return 0;
  const double value = span->value.value_or(0);
  if (!span->unit) return std::nullopt;
  using api::DateTimeUnit;
  switch (*span->unit) {
    case DateTimeUnit::day:
      return value * 86'400'000;
    case DateTimeUnit::hour:
      return value * 3'600'000;
    case DateTimeUnit::minute:
      return value * 60'000;
    case DateTimeUnit::second:
      return value * 1000;
    case DateTimeUnit::millisecond:
      return value;
    case DateTimeUnit::year:
    case DateTimeUnit::quarter_year:
    case DateTimeUnit::month:
    case DateTimeUnit::week:
      return std::nullopt;
  }
  return std::nullopt;
}

/// Returns the milliseconds at which a decay begins: a number is of nanoseconds.
std::optional<double> moment_of(const api::DecayDateParam& param, const Field& field) {
  constexpr double nanoseconds = 1'000'000;
  if (param.origin_long) return static_cast<double>(*param.origin_long) / nanoseconds;
  if (!param.origin_string) return std::nullopt;
  const auto date = read_date(*param.origin_string, field.date_formats);
  return date ? std::optional(static_cast<double>(*date)) : std::nullopt;
}

Answer<Course> date_course(const api::DecayFunction& message, const Field& field) {
  const auto param = codec::decode_message<api::DecayDateParam>(message.param.value_or(std::string_view()));
  if (!param) return refuse::unreadable_message();
  const auto origin = moment_of(*param, field);
  if (!origin) return refuse::invalid_decay("origin");
  const auto scale = span_of(param->scale);
  if (!scale) return refuse::invalid_decay("scale");
  const auto offset = span_of(param->offset);
  if (!offset) return refuse::invalid_decay("offset");
  return Course{distance_from(*origin, field, message.multi_value_mode), *scale, *offset};
}

/// Places have no order: the mode is about their distances.
Answer<Course> geo_course(const api::DecayFunction& message, const Field& field) {
  const auto param = codec::decode_message<api::DecayGeoParam>(message.param.value_or(std::string_view()));
  if (!param) return refuse::unreadable_message();
  const auto origin = read_place(param->origin.value_or(std::string_view()));
  if (!origin) return refuse::invalid_geo_point(param->origin.value_or(std::string_view()));
  const auto mode = message.multi_value_mode.value_or(api::MultiValueMode::min);
  const auto distance_of = [=, &field](const Document& document) -> std::optional<double> {
    Numbers distances;
    for (const FieldValue& value : document.values_of(field.name))
      if (const auto place = read_place(text_of(value))) distances.push_back(distance(*place, *origin));
    if (distances.empty()) return std::nullopt;
    return one_of_numbers(distances, mode);
  };
  return Course{distance_of, param->scale.value_or(0), param->offset.value_or(0)};
}

Answer<Course> course_of(const api::DecayFunction& message, const Field& field) {
  const auto type = message.param_type;
  if (!type) return refuse::invalid_decay("param_type");
  switch (field.type) {
    case api::FieldType::long_:
    case api::FieldType::double_:
      if (*type == api::DecayParamType::numeric) return numeric_course(message, field);
      break;
    case api::FieldType::date:
      if (*type == api::DecayParamType::date) return date_course(message, field);
      break;
    case api::FieldType::geo_point:
      if (*type == api::DecayParamType::geo) return geo_course(message, field);
      break;
    default:
      return refuse::invalid_function_field("decay", field.name, name_of(field.type),
                                            "long, double, date, geo_point");
  }
  return refuse::invalid_decay("param_type");
}

Answer<NumberOf> decay_value(const api::DecayFunction& message, const IndexSchema& schema) {
  DINETTE_TRY(const Field* const field, function_field(schema, message.field_name, "decay"));
  DINETTE_TRY(Course course, course_of(message, *field));
  Decline decline{.scale = course.scale, .offset = course.offset, .decay = message.decay.value_or(0.5)};
  if (!(decline.scale > 0) || !std::isfinite(decline.scale)) return refuse::invalid_decay("scale");
  if (!(decline.offset >= 0) || !std::isfinite(decline.offset)) return refuse::invalid_decay("offset");
  if (!(decline.decay > 0 && decline.decay < 1)) return refuse::invalid_decay("decay");
  if (!message.math_function) return refuse::invalid_decay("math_function");
  decline.shape = *message.math_function;
  return NumberOf([decline, distance_of = std::move(course.distance)](const Document& document) {
    const auto distance = distance_of(document);
    return std::optional(distance ? decline.value_at(*distance) : 1.0);
  });
}

double combined(api::FunctionCombineMode mode, double score, double factor) {
  using api::FunctionCombineMode;
  switch (mode) {
    case FunctionCombineMode::multiply:
      return score * factor;
    case FunctionCombineMode::avg:
      return (score + factor) / 2;
    case FunctionCombineMode::max:
      return std::max(score, factor);
    case FunctionCombineMode::sum:
      return score + factor;
    case FunctionCombineMode::min:
      return std::min(score, factor);
    case FunctionCombineMode::replace:
      return factor;
  }
  return score;
}

}  // namespace

Answer<ScoreFunctions> ScoreFunctions::read(const api::FunctionsScoreQuery& query, const IndexSchema& schema,
                                            std::uint64_t seed, ReadFilter read_filter) {
  if (query.functions.size() > limits::score_functions)
    return refuse::too_many_score_functions(limits::score_functions);
  ScoreFunctions functions;
  for (const api::ScoreFunction& message : query.functions) {
    DINETTE_TRY(Function function, read_function(message, schema, seed, read_filter));
    functions.functions_.push_back(std::move(function));
  }
  functions.mode_ = query.score_mode.value_or(functions.mode_);
  functions.combine_ = query.combine_mode.value_or(functions.combine_);
  functions.least_ = query.min_score;
  functions.most_ = query.max_score;
  return functions;
}

Answer<ScoreFunctions> ScoreFunctions::read(const api::FieldValueFactor& factor, const IndexSchema& schema) {
  ScoreFunctions functions;
  DINETTE_TRY(NumberOf value, field_value({.field_name = factor.field_name}, schema));
  functions.functions_.push_back({.value = std::move(value)});
  return functions;
}

Answer<ScoreFunctions::Function> ScoreFunctions::read_function(const api::ScoreFunction& message,
                                                               const IndexSchema& schema, std::uint64_t seed,
                                                               ReadFilter read_filter) {
  Function function;
  DINETTE_TRY(function.weight, weight_of(message.weight));
  if (message.filter) {
    DINETTE_TRY(function.filter, read_filter(*message.filter));
  }
  if (message.field_value_factor) {
    DINETTE_TRY(function.value, field_value(*message.field_value_factor, schema));
  } else if (message.decay) {
    DINETTE_TRY(function.value, decay_value(*message.decay, schema));
  } else if (message.random) {
    function.value = random_value(seed);
  }
  return function;
}

std::optional<double> ScoreFunctions::changed(double score, const Document& document) const {
  double factor = factor_of(document);
  if (most_) factor = std::min(factor, *most_);
  const double changed = bounded_score(combined(combine_, score, factor));
  if (least_ && changed < *least_) return std::nullopt;
  return changed;
}

double ScoreFunctions::factor_of(const Document& document) const {
  using api::FunctionScoreMode;
  Numbers values;
  double weights = 0;
  for (const Function& function : functions_) {
    if (function.filter && !function.filter(document)) continue;
    const auto value = function.value ? function.value(document) : std::optional<double>(1);
    if (!value) continue;
    values.push_back(function.weight * std::max(bounded_score(*value), 0.0));
    weights += function.weight;
    if (mode_ == FunctionScoreMode::first) break;
  }
  if (values.empty()) return 1;
  double all = mode_ == FunctionScoreMode::multiply ? 1 : 0;
  for (const double value : values) all = mode_ == FunctionScoreMode::multiply ? all * value : all + value;
  if (mode_ == FunctionScoreMode::max) all = *std::ranges::max_element(values);
  if (mode_ == FunctionScoreMode::min) all = *std::ranges::min_element(values);
  // An average is one by weights.
  if (mode_ == FunctionScoreMode::avg && weights > 0) all /= weights;
  return bounded_score(all);
}

Answer<double> weight_of(const std::optional<float>& weight) {
  const double number = weight.value_or(1);
  if (!(number >= 0) || !std::isfinite(number)) return refuse::negative_weight();
  return number;
}

}  // namespace dinette::tablestore::search
