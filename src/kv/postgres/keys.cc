#include "kv/postgres/keys.h"

#include <utility>

#include "dinette/base/sha256.h"

namespace dinette::kv::postgres {
namespace {

using Limit = std::optional<std::string_view>;

/// Cuts the first part off `rest` if it is long enough.
std::optional<std::string_view> cut(std::string_view& rest) {
  if (rest.size() < part_size) return std::nullopt;
  const std::string_view part = rest.substr(0, part_size);
  rest.remove_prefix(part_size);
  return part;
}

/// Returns the least part after a branch: no part is longer than that of a branch.
std::string after_branch(std::string_view part) {
  return std::string(part) + '\0';
}

void add_pieces(std::string_view parent, std::string_view begin, Limit end, std::vector<Piece>& pieces) {
  const auto begin_branch = cut(begin);
  std::optional<std::string_view> end_branch;
  if (end) end_branch = cut(*end);
  if (begin_branch && begin_branch == end_branch)
    return add_pieces(parent_below(parent, *begin_branch), begin, end, pieces);

  Piece piece{std::string(parent), begin_branch ? after_branch(*begin_branch) : std::string(begin), {}};
  if (end_branch) {
    piece.to = *end_branch;
  } else if (end) {
    piece.to = *end;
  }
  if (begin_branch) add_pieces(parent_below(parent, *begin_branch), begin, std::nullopt, pieces);
  pieces.push_back(std::move(piece));
  if (end_branch) add_pieces(parent_below(parent, *end_branch), {}, end, pieces);
}

}  // namespace

std::string parent_below(std::string_view parent, std::string_view part) {
  std::string bytes;
  bytes.reserve(parent.size() + part.size());
  bytes.append(parent).append(part);
  const base::Sha256Digest digest = base::sha256(bytes);
  return {digest.begin(), digest.end()};
}

Place place_of(std::string_view key) {
  Place place{{}, key};
  while (const auto branch = cut(place.part)) place.parent = parent_below(place.parent, *branch);
  return place;
}

std::vector<Branch> branches_of(std::string_view key) {
  std::vector<Branch> branches;
  std::string parent;
  while (const auto part = cut(key)) {
    std::string below = parent_below(parent, *part);
    branches.push_back({std::exchange(parent, std::move(below)), *part});
  }
  return branches;
}

std::vector<Piece> pieces_of(std::string_view begin, std::optional<std::string_view> end) {
  std::vector<Piece> pieces;
  if (!end || begin < *end) add_pieces({}, begin, end, pieces);
  return pieces;
}

}  // namespace dinette::kv::postgres
