#include "dynamodb/tasks/page_token.h"

#include <cstddef>
#include <iterator>
#include <span>

#include <boost/algorithm/hex.hpp>

#include "dinette/base/ascii.h"

namespace dinette::dynamodb {
namespace {

// The model's pattern is sixteen digits or a multiple of that, its shortest token has 112.
constexpr std::size_t block = 8;
constexpr std::size_t shortest = 56;
constexpr char end = '\n';

/// Returns the position; nothing if the token is not one of that list.
std::optional<std::string> position_in(std::string_view list, std::string_view token) {
  std::string text;
  try {
    boost::algorithm::unhex(token.begin(), token.end(), std::back_inserter(text));
  } catch (const boost::algorithm::hex_decode_error&) {
    return std::nullopt;
  }
  if (!text.starts_with(std::string(list) + end)) return std::nullopt;
  text.erase(0, list.size() + 1);
  const std::size_t size = text.find(end);
  if (size == std::string::npos) return std::nullopt;
  return text.substr(0, size);
}

}  // namespace

std::string page_token(std::string_view list, std::string_view position) {
  std::string text = std::string(list).append(1, end).append(position).append(1, end);
  while (text.size() < shortest || text.size() % block != 0) text += end;
  return base::hex({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
}

Answer<std::string> position_after(std::string_view list, const std::optional<std::string>& token) {
  if (!token) return std::string();
  auto position = position_in(list, *token);
  if (position) return *std::move(position);
  return validation("Invalid Request: Provided nextToken is invalid: " + *token + " for " +
                    std::string(list));
}

Answer<store::KeyRange> range_after(std::string_view list, const std::optional<std::string>& token) {
  store::KeyRange range;
  DINETTE_TRY(const std::string position, position_after(list, token));
  if (token) range.start_after(position, store::Direction::forward);
  return range;
}

}  // namespace dinette::dynamodb
