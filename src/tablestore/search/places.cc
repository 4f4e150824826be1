#include "tablestore/search/places.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace dinette::tablestore::search {
namespace {

constexpr double earth_radius = 6'371'008.8;  // metres, on average

std::optional<double> read_degrees(std::string_view text, double most) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  double degrees = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), degrees);
  if (error != std::errc() || end != text.data() + text.size() || !(std::abs(degrees) <= most))
    return std::nullopt;
  return degrees;
}

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

constexpr std::string_view cell_digits = "0123456789bcdefghjkmnpqrstuvwxyz";
constexpr int bits_per_character = 5;

/// A cell of the grid of geohashes. It is halved by a meridian, then by a parallel, and so on.
struct GridCell {
  double south = -90;
  double north = 90;
  double west = -180;
  double east = 180;
  bool by_meridian = true;

  /// Keeps one half: the eastern or northern one, or the other.
  void halve(bool upper) {
    double& low = by_meridian ? west : south;
    double& high = by_meridian ? east : north;
    (upper ? low : high) = (low + high) / 2;
    by_meridian = !by_meridian;
  }
  /// Keeps the half that a place is in. Returns true if that is the eastern or northern one.
  bool halve(const Place& place) {
    const bool upper =
        by_meridian ? place.longitude >= (west + east) / 2 : place.latitude >= (south + north) / 2;
    halve(upper);
    return upper;
  }
};

}  // namespace

std::optional<Place> read_place(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto latitude = read_degrees(text.substr(0, comma), 90);
  const auto longitude = read_degrees(text.substr(comma + 1), 180);
  if (!latitude || !longitude) return std::nullopt;
  return Place{*latitude, *longitude};
}

/// The formula of haversines.
double distance(const Place& a, const Place& b) {
  const double north = std::sin(radians(b.latitude - a.latitude) / 2);
  const double east = std::sin(radians(b.longitude - a.longitude) / 2);
  const double chord =
      north * north + std::cos(radians(a.latitude)) * std::cos(radians(b.latitude)) * east * east;
  return 2 * earth_radius * std::asin(std::sqrt(std::fmin(1, chord)));
}

bool in_box(const Place& place, const Place& top_left, const Place& bottom_right) {
  if (place.latitude > top_left.latitude || place.latitude < bottom_right.latitude) return false;
  const bool after_left = place.longitude >= top_left.longitude;
  const bool before_right = place.longitude <= bottom_right.longitude;
  const bool crosses = top_left.longitude > bottom_right.longitude;
  return crosses ? after_left || before_right : after_left && before_right;
}

/// Counts the sides that a line to the east crosses.
bool in_polygon(const Place& place, const std::vector<Place>& corners) {
  bool inside = false;
  for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const Place& a = corners[i];
    const Place& b = corners[j];
    if ((a.latitude > place.latitude) == (b.latitude > place.latitude)) continue;
    const double part = (place.latitude - a.latitude) / (b.latitude - a.latitude);
    if (place.longitude < a.longitude + part * (b.longitude - a.longitude)) inside = !inside;
  }
  return inside;
}

std::string cell_of(const Place& place, std::size_t precision) {
  GridCell cell;
  std::string name;
  while (name.size() < precision) {
    std::size_t digit = 0;
    for (int bit = 0; bit < bits_per_character; ++bit) digit = digit << 1 | (cell.halve(place) ? 1 : 0);
    name += cell_digits[digit];
  }
  return name;
}

Box box_of(std::string_view name) {
  GridCell cell;
  for (const char character : name) {
    const std::size_t digit = cell_digits.find(character);
    for (int bit = bits_per_character - 1; bit >= 0; --bit) cell.halve((digit >> bit & 1) != 0);
  }
  return {.top_left = {cell.north, cell.west}, .bottom_right = {cell.south, cell.east}};
}

}  // namespace dinette::tablestore::search
