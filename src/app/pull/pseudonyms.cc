#include "app/pull/pseudonyms.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/sha256.h"

namespace dinette::app {
namespace {

constexpr std::string_view alphabet =
    "abcdefghijkmnpqrstuvwxyz23456789";    // 32, without those that look alike
constexpr std::size_t text_letters = 26;   // 130 bits
constexpr std::size_t email_letters = 16;  // 80 bits
constexpr std::string_view consonants = "bdfghklmnprstvwz";
constexpr std::string_view vowels = "aeio";
constexpr std::size_t syllables = 10;  // of six bits each: ten million names without two alike
constexpr std::size_t most_words = 4;
constexpr unsigned rounds = 10;  // as in FF1 of NIST SP 800-38G

/// Returns how many words a text has.
std::size_t words_in(std::string_view text) {
  std::size_t words = 0;
  bool within = false;
  for (const char c : text) {
    if (c != ' ' && !within) ++words;
    within = c != ' ';
  }
  return std::clamp<std::size_t>(words, 1, most_words);
}

std::string letters(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += alphabet[static_cast<unsigned char>(c) % alphabet.size()];
  return text;
}

/// The parts of a number in DynamoDB's form.
struct NumberParts {
  std::string_view sign;
  std::string_view whole;
  std::string_view fraction;
  std::string_view exponent;  ///< with its E
};

std::string_view take_digits(std::string_view& rest) {
  const auto end = std::ranges::find_if_not(rest, base::is_digit);
  const std::string_view digits = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(digits.size());
  return digits;
}

NumberParts parts_of(std::string_view number) {
  NumberParts parts;
  if (number.starts_with('-')) parts.sign = number.substr(0, 1);
  number.remove_prefix(parts.sign.size());
  parts.whole = take_digits(number);
  if (number.starts_with('.')) {
    number.remove_prefix(1);
    parts.fraction = take_digits(number);
  }
  if (number.starts_with('E') || number.starts_with('e')) parts.exponent = number;
  return parts;
}

}  // namespace

std::string Pseudonyms::stream(std::string_view kind, std::string_view value, std::size_t size) const {
  std::string out;
  for (std::size_t block = 0; out.size() < size; ++block) {
    std::string input = std::to_string(block);
    input.append(":").append(kind).append(":").append(value);
    const auto digest = base::hmac_sha256(key_, input);
    out.append(digest.begin(), digest.end());
  }
  out.resize(size);
  return out;
}

std::string Pseudonyms::text(std::string_view value) const {
  return letters(stream("text", value, text_letters));
}

std::string Pseudonyms::email(std::string_view value) const {
  return letters(stream("email", value, email_letters)) + "@example.com";
}

std::string Pseudonyms::name(std::string_view value) const {
  const std::string bytes = stream("name", value, syllables);
  const std::size_t words = words_in(value);
  std::string out;
  for (std::size_t i = 0, word = 0; i < syllables; ++i) {
    const bool begins = i == 0 || i * words / syllables != word;
    if (begins && i > 0) out += ' ';
    word = i * words / syllables;
    const auto bits = static_cast<unsigned char>(bytes[i]);
    const char consonant = consonants[bits % consonants.size()];
    out += begins ? base::to_upper(consonant) : consonant;
    out += vowels[bits / consonants.size() % vowels.size()];
  }
  return out;
}

/// Maps one symbol by a permutation that depends on the key alone.
void Pseudonyms::shuffle(unsigned char& symbol, unsigned radix) const {
  std::vector<unsigned char> order(radix);
  std::iota(order.begin(), order.end(), static_cast<unsigned char>(0));
  const std::string random = stream("shuffle", std::to_string(radix), radix * std::size_t{2});
  for (unsigned i = radix - 1; i > 0; --i) {
    const unsigned pick =
        static_cast<unsigned char>(random[2 * i]) * 256U + static_cast<unsigned char>(random[2 * i + 1]);
    std::swap(order[i], order[pick % (i + 1)]);
  }
  symbol = order[symbol];
}

/// Maps a sequence to another one of the same length, each to a different one (a Feistel network).
Pseudonyms::Symbols Pseudonyms::permuted(Symbols symbols, unsigned radix) const {
  if (symbols.empty()) return symbols;
  if (symbols.size() == 1) {
    shuffle(symbols.front(), radix);
    return symbols;
  }
  const auto middle = symbols.begin() + static_cast<std::ptrdiff_t>(symbols.size() / 2);
  Symbols left(symbols.begin(), middle);
  Symbols right(middle, symbols.end());
  for (unsigned round = 0; round < rounds; ++round) {
    const std::string kind = "round " + std::to_string(round) + " of " + std::to_string(symbols.size()) +
                             " in " + std::to_string(radix);
    const std::string added =
        stream(kind, {reinterpret_cast<const char*>(right.data()), right.size()}, left.size());
    for (std::size_t i = 0; i < left.size(); ++i)
      left[i] = static_cast<unsigned char>((left[i] + static_cast<unsigned char>(added[i])) % radix);
    std::swap(left, right);
  }
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// The result begins with zero, and with `last_counts` ends with zero, exactly if `digits` does: the
/// permutation is applied again until that is so, which it is at the latest when it comes back.
std::string Pseudonyms::run_of_digits(std::string_view digits, bool last_counts) const {
  Symbols symbols;
  for (const char c : digits) symbols.push_back(static_cast<unsigned char>(c - '0'));
  if (symbols.empty()) return {};
  const bool first_zero = symbols.front() == 0;
  const bool last_zero = symbols.back() == 0;
  do {
    symbols = permuted(std::move(symbols), 10);
  } while (last_counts ? (symbols.back() == 0) != last_zero : (symbols.front() == 0) != first_zero);
  std::string out;
  for (const unsigned char symbol : symbols) out += static_cast<char>('0' + symbol);
  return out;
}

std::string Pseudonyms::digits(std::string_view value) const {
  std::string out;
  while (!value.empty()) {
    if (base::is_digit(value.front())) {
      out += run_of_digits(take_digits(value), false);
    } else {
      out += value.front();
      value.remove_prefix(1);
    }
  }
  return out;
}

std::string Pseudonyms::number(std::string_view value) const {
  const NumberParts parts = parts_of(value);
  if (parts.whole.empty() && parts.fraction.empty()) return "0";
  std::string out(parts.sign);
  out += parts.whole.empty() ? "0" : run_of_digits(parts.whole, false);
  if (!parts.fraction.empty()) out += "." + run_of_digits(parts.fraction, true);
  return out.append(parts.exponent);
}

std::string Pseudonyms::bytes(std::string_view value) const {
  const Symbols out = permuted(Symbols(value.begin(), value.end()), 256);
  return {out.begin(), out.end()};
}

}  // namespace dinette::app
