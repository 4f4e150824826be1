#include "app/database_url.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <boost/algorithm/string/replace.hpp>

namespace dinette::app {
namespace {

constexpr std::string_view end_of_scheme = "://";

/// A URL, and what was left out of it.
struct ShownUrl {
  std::string text;
  std::vector<std::string> passwords;
};

/// Returns where the @ after user and password is; npos if there is none. libpq takes the first @ for it,
/// unless a slash comes before. What users forget to escape may be part of a password as well.
std::size_t end_of_login(std::string_view url, std::size_t begin) {
  const std::size_t first = url.find('@', begin);
  if (first == std::string_view::npos) return first;
  const std::size_t slash = url.find('/', begin);
  const bool in_parameters = slash < first && url.find('?', slash) < first;
  return in_parameters ? std::string_view::npos : url.rfind('@', url.find_first_of("/?", first));
}

/// Appends the parameters, which begin with a question mark, without passwords: also of keys and proxies.
void append_parameters(ShownUrl& shown, std::string_view parameters) {
  char before = '?';
  while (!parameters.empty()) {
    parameters.remove_prefix(1);
    const std::string_view one = parameters.substr(0, parameters.find('&'));
    parameters.remove_prefix(one.size());
    const std::size_t equals = std::min(one.find('='), one.size());
    if (one.substr(0, equals).find("password") != std::string_view::npos) {
      shown.passwords.emplace_back(one.substr(std::min(equals + 1, one.size())));
      continue;
    }
    (shown.text += before) += one;
    before = '&';
  }
}

ShownUrl shown_url(std::string_view url) {
  const std::size_t begin = url.find(end_of_scheme) + end_of_scheme.size();
  const std::size_t login_end = end_of_login(url, begin);
  const bool has_login = login_end != std::string_view::npos;
  const std::size_t colon = has_login ? url.substr(0, login_end).find(':', begin) : std::string_view::npos;
  const std::size_t question = std::min(url.find('?', has_login ? login_end : begin), url.size());
  ShownUrl shown;
  if (colon == std::string_view::npos) {
    shown.text = url.substr(0, question);
  } else {
    shown.text = url.substr(0, colon);
    shown.text += url.substr(login_end, question - login_end);
    shown.passwords.emplace_back(url.substr(colon + 1, login_end - colon - 1));
  }
  append_parameters(shown, url.substr(question));
  return shown;
}

}  // namespace

bool is_database(std::string_view place) {
  return place.starts_with("postgres://") || place.starts_with("postgresql://");
}

std::string shown_place(std::string_view place) {
  return is_database(place) ? shown_url(place).text : std::string(place);
}

std::string shown_message(std::string message, std::string_view place) {
  if (!is_database(place)) return message;
  const ShownUrl shown = shown_url(place);
  boost::algorithm::replace_all(message, place, shown.text);
  // Of a wrongly encoded password, libpq shows the text. Others could be a word that the message needs.
  for (const std::string& password : shown.passwords) {
    if (password.find_first_of("% ") == std::string::npos) continue;
    boost::algorithm::replace_all(message, "\"" + password + "\"", "\"...\"");
  }
  return message;
}

}  // namespace dinette::app
