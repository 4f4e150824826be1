#include "s3/range.h"

#include <algorithm>
#include <charconv>

namespace dinette::s3 {
namespace {

constexpr std::string_view unit = "bytes=";

bool read_number(std::string_view text, std::optional<std::uint64_t>& number) {
  if (text.empty()) return true;
  std::uint64_t read = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), read);
  number = read;
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

}  // namespace

Outcome<std::optional<Range>> read_range(std::string_view header, std::uint64_t size) {
  constexpr std::optional<Range> ignored;
  if (!header.starts_with(unit)) return ignored;
  header.remove_prefix(unit.size());
  const std::size_t dash = header.find('-');
  std::optional<std::uint64_t> first;
  std::optional<std::uint64_t> last;
  if (dash == std::string_view::npos || !read_number(header.substr(0, dash), first) ||
      !read_number(header.substr(dash + 1), last))
    return ignored;
  if (!first && !last) return ignored;
  if (first && last && *last < *first) return ignored;
  if (!first) {
    const std::uint64_t wanted = std::min(*last, size);
    if (wanted == 0) return fail(Code::invalid_range);
    return std::optional(Range{size - wanted, wanted});
  }
  if (*first >= size) return fail(Code::invalid_range);
  const std::uint64_t end = last ? std::min(*last, size - 1) : size - 1;
  return std::optional(Range{*first, end - *first + 1});
}

}  // namespace dinette::s3
