#pragma once

#include <string_view>
#include <utility>

#include "dinette/lambda/function_target.h"

#include "lambda/filters/filter_pattern.h"

namespace dinette::lambda {

/// Which records of a stream a function gets (docs/service/triggers.md section 4). Immutable.
class RecordFilter {
 public:
  RecordFilter(FilterCriteria criteria, StreamKind kind) : criteria_(std::move(criteria)), kind_(kind) {}

  /// `record`: as events have it. Patterns see the data of a Kinesis record decoded, at the top level.
  bool admits(std::string_view record) const;

 private:
  FilterCriteria criteria_;
  StreamKind kind_;
};

}  // namespace dinette::lambda
