#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Places on the Earth, as fields of type GEO_POINT have them.
namespace dinette::tablestore::search {

struct Place {
  double latitude = 0;   ///< degrees
  double longitude = 0;  ///< degrees
};

/// Reads `latitude,longitude`. Returns nothing for other texts, and for what is not on the Earth.
std::optional<Place> read_place(std::string_view text);

/// Returns the metres between two places, on a sphere.
double distance(const Place& a, const Place& b);

/// Returns true if a place is inside of a box, or on its border. It may cross the antimeridian.
bool in_box(const Place& place, const Place& top_left, const Place& bottom_right);

/// Most characters of the name of a cell.
inline constexpr std::size_t finest_cell = 12;

/// Returns the name of the cell of the grid of geohashes that a place is in: as many characters as
/// `precision`.
std::string cell_of(const Place& place, std::size_t precision);

/// Parallels and meridians around a cell.
struct Box {
  Place top_left;
  Place bottom_right;
};
Box box_of(std::string_view cell);

/// Returns true if a place is inside of a polygon of at least three corners.
bool in_polygon(const Place& place, const std::vector<Place>& corners);

}  // namespace dinette::tablestore::search
