#include "dynamodb/reads/vector_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

namespace dinette::dynamodb {
namespace {

/// Two numbers, as the vector instructions of every processor here take them at once. Compilers do not bring
/// sums of floating point into this form themselves, because the order of additions changes the result.
using Pair = double __attribute__((vector_size(2 * sizeof(double))));
using FloatPair = float __attribute__((vector_size(2 * sizeof(float))));

constexpr std::size_t pairs = 4;  ///< sums that do not wait for each other
constexpr std::size_t step = 2 * pairs;

/// A sum over the dimensions, in parts. All sums add in the same order, so that those of equal vectors are
/// equal to the last bit.
struct Sum {
  std::array<Pair, pairs> parts{};

  double total() const {
    const Pair sum = (parts[0] + parts[1]) + (parts[2] + parts[3]);
    return sum[0] + sum[1];
  }
};

Pair load_pair(const double* values) {
  Pair pair;
  std::memcpy(&pair, values, sizeof pair);
  return pair;
}

Pair load_pair(const char* floats) {
  FloatPair pair;
  std::memcpy(&pair, floats, sizeof pair);
  return __builtin_convertvector(pair, Pair);
}

/// Calls `add(part, wanted, kept)` with all dimensions of both vectors. `wanted` is filled up with zeros, and
/// so is what is kept.
template <class Add>
void for_each_pair(const std::vector<double>& wanted, std::size_t dimensions, const char* floats, Add add) {
  std::size_t at = 0;
  for (; at + step <= dimensions; at += step) {
    for (std::size_t part = 0; part < pairs; ++part) {
      const std::size_t place = at + 2 * part;
      add(part, load_pair(&wanted[place]), load_pair(floats + place * sizeof(float)));
    }
  }
  if (at == dimensions) return;
  std::array<float, step> rest{};
  std::memcpy(rest.data(), floats + at * sizeof(float), (dimensions - at) * sizeof(float));
  for (std::size_t part = 0; part < pairs; ++part)
    add(part, load_pair(&wanted[at + 2 * part]), load_pair(reinterpret_cast<const char*>(&rest[2 * part])));
}

double dot_product(const std::vector<double>& wanted, std::size_t dimensions, const char* floats) {
  Sum products;
  for_each_pair(wanted, dimensions, floats,
                [&](std::size_t part, Pair a, Pair b) { products.parts[part] += a * b; });
  return products.total();
}

double euclidean(const std::vector<double>& wanted, std::size_t dimensions, const char* floats) {
  Sum squares;
  for_each_pair(wanted, dimensions, floats,
                [&](std::size_t part, Pair a, Pair b) { squares.parts[part] += (a - b) * (a - b); });
  return std::sqrt(squares.total());
}

/// One minus the cosine; 1 for a vector without direction. Both lengths are under one root: of equal vectors
/// it is then exactly their product.
double cosine(const std::vector<double>& wanted, double wanted_square, std::size_t dimensions,
              const char* floats) {
  Sum products;
  Sum squares;
  for_each_pair(wanted, dimensions, floats, [&](std::size_t part, Pair a, Pair b) {
    products.parts[part] += a * b;
    squares.parts[part] += b * b;
  });
  const double lengths = std::sqrt(wanted_square * squares.total());
  return lengths == 0 ? 1 : 1 - std::clamp(products.total() / lengths, -1.0, 1.0);
}

float held_to_floats(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -largest, largest));
}

}  // namespace

VectorDistance::VectorDistance(api::VectorDistanceFunction function, std::span<const float> wanted)
    : function_(function), dimensions_(wanted.size()), wanted_(wanted.begin(), wanted.end()) {
  wanted_.resize((dimensions_ + step - 1) / step * step);
  wanted_square_ = dot_product(wanted_, dimensions_, reinterpret_cast<const char*>(wanted.data()));
}

float VectorDistance::score(std::string_view floats) const {
  switch (function_) {
    case api::VectorDistanceFunction::cosine:
      return held_to_floats(cosine(wanted_, wanted_square_, dimensions_, floats.data()));
    case api::VectorDistanceFunction::euclidean:
      return held_to_floats(euclidean(wanted_, dimensions_, floats.data()));
    case api::VectorDistanceFunction::dot_product:
      return held_to_floats(dot_product(wanted_, dimensions_, floats.data()));
  }
  return 0;
}

}  // namespace dinette::dynamodb
