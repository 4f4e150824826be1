#include "dotenv.h"

#include <algorithm>

namespace dinette::definitions::serverless {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Returns a value without its quotes, or without the comment after it.
std::string value_of(std::string_view text) {
  text = without_blanks(text);
  if (!text.empty() && (text.front() == '"' || text.front() == '\'' || text.front() == '`')) {
    const std::size_t end = text.find(text.front(), 1);
    if (end != std::string_view::npos) return std::string(text.substr(1, end - 1));
  }
  return std::string(without_blanks(text.substr(0, text.find('#'))));
}

}  // namespace

std::map<std::string, std::string, std::less<>> read_dotenv(std::string_view content) {
  constexpr std::string_view exported = "export ";
  std::map<std::string, std::string, std::less<>> variables;
  while (!content.empty()) {
    std::string_view line = content.substr(0, content.find('\n'));
    content.remove_prefix(std::min(line.size() + 1, content.size()));
    line = without_blanks(line);
    if (line.starts_with(exported)) line.remove_prefix(exported.size());
    const std::size_t equals = line.find('=');
    if (line.starts_with('#') || equals == std::string_view::npos) continue;
    variables.insert_or_assign(std::string(without_blanks(line.substr(0, equals))),
                               value_of(line.substr(equals + 1)));
  }
  return variables;
}

}  // namespace dinette::definitions::serverless
