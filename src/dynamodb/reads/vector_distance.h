#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "dynamodb/api/enums.h"

namespace dinette::dynamodb {

/// Scores vectors against one that is searched for, as the service does (docs/service/vector-search.md,
/// "SearchVectors"): sums are of 64-bit floats, the score is a 32-bit float, and never infinite or not a
/// number. Immutable.
class VectorDistance {
 public:
  VectorDistance(api::VectorDistanceFunction function, std::span<const float> wanted);

  /// Returns the score of a vector of as many dimensions, each four bytes, lowest byte first.
  float score(std::string_view floats) const;

  /// Returns a score as a rank: the lower one is the better one.
  float rank(float score) const {
    return function_ == api::VectorDistanceFunction::dot_product ? -score : score;
  }

 private:
  api::VectorDistanceFunction function_;
  std::size_t dimensions_;
  std::vector<double> wanted_;  ///< filled up with zeros
  double wanted_square_ = 0;    ///< of its length
};

}  // namespace dinette::dynamodb
