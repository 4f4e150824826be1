#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/function_ref.h"

/// How keys of any size become keys of an index of PostgreSQL, which may have 2,704 bytes. A key is cut after
/// each `part_size` bytes. Its last part, which is shorter and may be empty, is in a row under a parent: the
/// empty string for the first part, then the SHA-256 of the parent's parent and the part that was cut off. At
/// each cut there is a row without a value, a branch, so that a scan of a parent's rows meets, in their
/// order, all keys that go on below. A branch is known by the size of its part.
namespace dinette::kv::postgres {

constexpr std::size_t part_size = 2400;

/// Where a key, or what follows a cut of it, is.
struct Place {
  std::string parent;     ///< empty, or 32 bytes
  std::string_view part;  ///< of a key that is still there
};

struct Branch {
  std::string parent;
  std::string_view part;  ///< `part_size` bytes
};

/// Returns the parent of what follows `part`, which has `part_size` bytes.
std::string parent_below(std::string_view parent, std::string_view part);

/// Returns the place of the last part of `key`. Views `key`.
Place place_of(std::string_view key);
/// Returns the branches above it, the first one first; none for most keys.
std::vector<Branch> branches_of(std::string_view key);

inline bool is_branch(std::string_view part) {
  return part.size() == part_size;
}

/// Returns true if a key of `prefix` and `more` bytes is cut within these bytes or right before them.
inline bool is_cut_within(std::string_view prefix, std::size_t more) {
  return prefix.size() / part_size != (prefix.size() + more) / part_size;
}

/// The rows of one parent within a range of keys, and everything below their branches.
struct Piece {
  std::string parent;
  std::string from;               ///< the first part
  std::optional<std::string> to;  ///< the part after the last; nothing: to the end
};

/// Returns what the keys from `begin` to `end` (none: all that follow) consist of.
std::vector<Piece> pieces_of(std::string_view begin, std::optional<std::string_view> end);

}  // namespace dinette::kv::postgres
