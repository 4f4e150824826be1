#include "app/credentials/aws_files.h"

#include <algorithm>
#include <cctype>

#include "dinette/base/ascii.h"
#include "dinette/http/tokens.h"

namespace dinette::app {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), base::to_lower);
  return result;
}

/// Cuts what follows a '#' or ';' that has white space in front.
std::string_view without_comment(std::string_view value) {
  for (const char* mark : {" #", " ;", "\t#", "\t;"}) value = value.substr(0, value.find(mark));
  return http::trimmed(value);
}

/// Returns "profile a" of "[ profile  a ]".
std::string section_name(std::string_view line) {
  std::string name;
  for (const char c : http::trimmed(line.substr(1, line.find(']') - 1))) {
    const char plain = c == '\t' ? ' ' : c;
    if (plain != ' ' || !name.ends_with(' ')) name += plain;
  }
  return name;
}

}  // namespace

AwsFile read_aws_file(std::string_view text) {
  AwsFile file;
  AwsSection* section = nullptr;
  std::string parent;  // of lines that are indented
  while (!text.empty()) {
    const std::string_view raw = http::take_until(text, '\n');
    const std::string_view line = http::trimmed(raw.substr(0, raw.find('\r')));
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      section = &file[section_name(line)];
      parent.clear();
      continue;
    }
    const auto equals = line.find('=');
    if (section == nullptr || equals == std::string_view::npos) continue;
    const bool indented = raw.front() == ' ' || raw.front() == '\t';
    const std::string name = lower(http::trimmed(line.substr(0, equals)));
    const std::string_view value = without_comment(line.substr(equals + 1));
    if (!indented) parent = value.empty() ? name : "";
    const std::string full = indented && !parent.empty() ? parent + "." + name : name;
    if (!value.empty()) (*section)[full] = value;
  }
  return file;
}

}  // namespace dinette::app
