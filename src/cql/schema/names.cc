#include "cql/schema/names.h"

#include <algorithm>
#include <string>

#include "dinette/base/ascii.h"

namespace dinette::cql::schema {
namespace {

constexpr std::size_t longest_name = 48;
constexpr std::size_t longest_field_name = 128;

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, base::is_word_character);
}

std::string quoted(std::string_view name) {
  return "\"" + std::string(name) + "\"";
}

Answer<void> check_length(std::string_view what, std::string_view name, std::size_t most) {
  if (name.size() <= most) return {};
  return invalid(std::string(what) + " names shouldn't be more than " + std::to_string(most) +
                 " characters long (got " + quoted(name) + ")");
}

}  // namespace

Answer<void> check_keyspace_name(std::string_view name) {
  if (!is_plain_name(name)) return invalid(quoted(name) + " is not a valid keyspace name");
  return check_length("Keyspace", name, longest_name);
}

Answer<void> check_table_name(std::string_view name) {
  if (is_plain_name(name)) return check_length("Table", name, longest_name);
  return invalid(quoted(name) +
                 " is not a valid table name (must be alphanumeric character or underscore only: "
                 "[a-zA-Z_0-9]+)");
}

Answer<void> check_user_type_name(std::string_view name) {
  return check_length("User type", name, longest_name);
}

Answer<void> check_field_name(std::string_view name) {
  return check_length("Field", name, longest_field_name);
}

bool is_region(std::string_view name) {
  // Words of letters and one digit at the end, between hyphens.
  const std::size_t last = name.rfind('-');
  if (last == std::string_view::npos || name.size() != last + 2 || !base::is_digit(name.back())) return false;
  const std::string_view words = name.substr(0, last);
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
  return words.find('-') != std::string_view::npos && std::ranges::all_of(words, fits) &&
         words.front() != '-';
}

}  // namespace dinette::cql::schema
