#include "app/transfer/transfer.h"

#include <algorithm>

#include "dinette/aws/json_writer.h"
#include "dinette/base/ascii.h"

namespace dinette::app {
namespace {

// docs/service/names-limits.md
constexpr std::size_t shortest_name = 3;
constexpr std::size_t longest_name = 255;

bool may_be_in_name(char c) {
  return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '-' || c == '.';
}

}  // namespace

std::string naming(std::string_view table) {
  std::string request = R"({"TableName":)";
  aws::append_json_string(request, table);
  return request + "}";
}

bool is_table_name(std::string_view name) {
  return name.size() >= shortest_name && name.size() <= longest_name &&
         std::ranges::all_of(name, may_be_in_name);
}

std::string bad_table_name(std::string_view name) {
  return "'" + std::string(name) + "' is not a valid table name, which has " + std::to_string(shortest_name) +
         " to " + std::to_string(longest_name) +
         " letters (a to z, A to Z), digits, underscores, hyphens and dots";
}

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

std::string count_text(std::uint64_t number, std::string_view one, std::string_view several) {
  return with_commas(number) + " " + std::string(number == 1 ? one : several);
}

std::string items_text(std::uint64_t items) {
  return count_text(items, "item", "items");
}

}  // namespace dinette::app
