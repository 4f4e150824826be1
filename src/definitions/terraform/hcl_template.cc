#include "hcl_template.h"

#include <algorithm>

#include "hcl_tokens.h"

namespace dinette::definitions::hcl {
namespace {

constexpr unsigned bad_character = 0xFFFD;

unsigned hex_value(std::string_view digits) {
  unsigned value = 0;
  for (const char c : digits) {
    const unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a' + 10)
                           : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A' + 10)
                                                  : 0;
    value = (value << 4U) | digit;
  }
  return value > 0x10FFFF || (value >= 0xD800 && value < 0xE000) ? bad_character : value;
}

void append_utf8(unsigned character, std::string& to) {
  const auto add = [&to](unsigned byte) { to += static_cast<char>(byte); };
  if (character < 0x80) return add(character);
  if (character < 0x800) {
    add(0xC0U | (character >> 6U));
  } else {
    if (character < 0x10000) {
      add(0xE0U | (character >> 12U));
    } else {
      add(0xF0U | (character >> 18U));
      add(0x80U | ((character >> 12U) & 0x3FU));
    }
    add(0x80U | ((character >> 6U) & 0x3FU));
  }
  add(0x80U | (character & 0x3FU));
}

/// Appends what the escape at the beginning means; returns its length.
std::size_t append_escape(std::string_view source, std::string& to) {
  const char c = source.size() > 1 ? source[1] : '\\';
  const std::size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (digits != 0) {
    append_utf8(hex_value(source.substr(2, digits)), to);
    return std::min(source.size(), 2 + digits);
  }
  to += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
  return std::min<std::size_t>(source.size(), 2);
}

}  // namespace

base::Result<std::vector<TemplatePart>, std::string> template_parts(std::string_view source,
                                                                    bool has_escapes) {
  std::vector<TemplatePart> parts;
  std::string text;
  const auto end_text = [&] {
    if (!text.empty()) parts.push_back({std::move(text), false});
    text.clear();
  };
  for (std::size_t at = 0; at < source.size();) {
    const std::string_view rest = source.substr(at);
    if (rest.starts_with("$${") || rest.starts_with("%%{")) {
      text += rest.substr(1, 2);
      at += 3;
    } else if (rest.starts_with("%{")) {
      return base::Failure<std::string>("a directive of a template");
    } else if (rest.starts_with("${")) {
      const std::size_t end = end_of_interpolation(source, at + 2);
      if (end == std::string_view::npos) return base::Failure<std::string>("a template that does not end");
      end_text();
      parts.push_back({std::string(source.substr(at + 2, end - at - 3)), true});
      at = end;
    } else if (has_escapes && rest[0] == '\\') {
      at += append_escape(rest, text);
    } else {
      text += rest[0];
      ++at;
    }
  }
  end_text();
  if (parts.empty()) parts.emplace_back();
  return parts;
}

std::string without_indentation(std::string_view lines) {
  std::size_t indentation = std::string_view::npos;
  const auto for_each_line = [lines](auto use) {
    for (std::size_t at = 0; at < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
      use(lines.substr(at, end - at));
      at = end;
    }
  };
  for_each_line([&](std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin != std::string_view::npos && line[begin] != '\n') indentation = std::min(indentation, begin);
  });
  std::string text;
  for_each_line([&](std::string_view line) {
    const std::size_t blanks = std::min(line.find_first_not_of(" \t"), line.size());
    text += line.substr(std::min(indentation, blanks));
  });
  return text;
}

}  // namespace dinette::definitions::hcl
