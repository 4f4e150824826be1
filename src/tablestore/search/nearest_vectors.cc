#include "tablestore/search/nearest_vectors.h"

#include <cmath>
#include <iterator>

namespace dinette::tablestore::search {
namespace {

double product(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

double squared_distance(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

double score_of(api::VectorMetric metric, const Vector& a, const Vector& b) {
  switch (metric) {
    case api::VectorMetric::euclidean:
      return 1 / (1 + squared_distance(a, b));
    case api::VectorMetric::cosine: {
      const double lengths = std::sqrt(product(a, a) * product(b, b));
      return lengths > 0 ? (1 + product(a, b) / lengths) / 2 : 0;
    }
    case api::VectorMetric::dot_product:
      return (1 + product(a, b)) / 2;
  }
  return 0;
}

void NearestVectors::look_at(const Document& document) {
  const auto vector = document.vectors.find(wanted_.field->name);
  if (vector == document.vectors.end() || vector->second.size() != wanted_.vector.size()) return;
  if (wanted_.filter && !wanted_.filter(document)) return;
  const double score = search::score_of(wanted_.field->metric, vector->second, wanted_.vector);
  if (!(score > wanted_.above)) return;
  ordered_.emplace(-score, document.row_key);
  scores_.insert_or_assign(document.row_key, score);
  if (ordered_.size() <= wanted_.most) return;
  const auto last = std::prev(ordered_.end());
  scores_.erase(last->second);
  ordered_.erase(last);
}

std::optional<double> NearestVectors::score_of(std::string_view row_key) const {
  const auto found = scores_.find(row_key);
  return found == scores_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace dinette::tablestore::search
