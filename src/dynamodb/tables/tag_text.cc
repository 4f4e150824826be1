#include "dynamodb/tables/tag_text.h"

#include <algorithm>
#include <clocale>
#include <cwctype>

#include <boost/regex/pending/unicode_iterator.hpp>

namespace dinette::dynamodb {
namespace {

/// The C library knows the letters and digits of Unicode. On a system that lacks this locale, everything
/// beyond ASCII passes for a letter.
bool is_letter_or_digit(char32_t character) {
  static const locale_t unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (unicode == nullptr) return character >= 0x80 || std::iswalnum(static_cast<std::wint_t>(character)) != 0;
  return iswalnum_l(static_cast<std::wint_t>(character), unicode) != 0;
}

bool may_be_in_tag(char32_t character) {
  constexpr std::u32string_view signs = U"+-=._:/@";
  // The category Zs of Unicode, which has other spaces than the C library.
  constexpr std::u32string_view spaces =
      U" \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000";
  return is_letter_or_digit(character) || signs.find(character) != std::u32string_view::npos ||
         spaces.find(character) != std::u32string_view::npos;
}

}  // namespace

bool is_tag_text(std::string_view utf8) {
  using Characters = boost::u8_to_u32_iterator<std::string_view::const_iterator, char32_t>;
  return std::all_of(Characters(utf8.begin(), utf8.begin(), utf8.end()),
                     Characters(utf8.end(), utf8.begin(), utf8.end()), may_be_in_tag);
}

}  // namespace dinette::dynamodb
