#include "dynamodb/codec/inputs.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::codec {

const ValueProblem* problem_of_name(std::string_view name) {
  static const ValueProblem empty = {std::string(model::empty_attribute_name), true};
  static const ValueProblem too_long = {std::string(model::attribute_name_too_large), true};
  if (name.empty()) return &empty;
  return name.size() > model::limits::attribute_name_bytes ? &too_long : nullptr;
}

}  // namespace dinette::dynamodb::codec
