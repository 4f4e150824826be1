#pragma once

#include <cstddef>

namespace dinette::dynamodb::model {

/// Counts what a request makes the server do beyond reading the request and copying what is stored: records
/// taken apart, operands looked at, values compared. A unit is worth about ten nanoseconds. Work is counted
/// and never measured, so that the same request for the same data always ends at the same place.
class Work {
 public:
  void add(std::size_t units) { units_ += units; }
  std::size_t units() const { return units_; }

 private:
  std::size_t units_ = 0;
};

}  // namespace dinette::dynamodb::model
