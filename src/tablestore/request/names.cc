#include "tablestore/request/names.h"

#include <algorithm>

#include "dinette/base/ascii.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"

namespace dinette::tablestore {
namespace {

/// The documented rule of all names but that of an instance.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= limits::name_bytes && !base::is_digit(name.front()) &&
         std::ranges::all_of(name, base::is_word_character);
}

bool is_loose_name(std::string_view name) {
  return !name.empty() && !name.starts_with('#') && characters_in(name) <= limits::name_bytes;
}

}  // namespace

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

bool is_instance_name(std::string_view name) {
  return name.size() >= limits::least_instance_name_bytes && name.size() <= limits::instance_name_bytes &&
         base::is_letter(name.front()) && !name.ends_with('-') && std::ranges::all_of(name, [](char c) {
           return base::is_letter(c) || base::is_digit(c) || c == '-';
         });
}

Answer<void> check_table_name(std::string_view name) {
  if (!is_plain_name(name)) return refuse::invalid_table_name(name);
  return {};
}

Answer<void> check_column_name(std::string_view name) {
  if (!is_plain_name(name)) return refuse::invalid_column_name(name);
  return {};
}

Answer<void> check_attribute_name(std::string_view name, const Switches& switches) {
  const bool allowed = switches.loose_names ? is_loose_name(name) : is_plain_name(name);
  if (!allowed) return refuse::invalid_column_name(name);
  return {};
}

}  // namespace dinette::tablestore
