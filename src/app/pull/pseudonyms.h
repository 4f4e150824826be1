#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::app {

/// Makes pseudonyms: the same value gets the same one of a kind, always, everywhere, and different values
/// get different ones (digits, numbers and bytes: certainly; others: for all practical purposes). Without the
/// key, values can neither be computed from pseudonyms nor compared with guesses. Thread-safe.
class Pseudonyms {
 public:
  explicit Pseudonyms(std::string key) : key_(std::move(key)) {}

  /// Returns 26 letters and digits.
  std::string text(std::string_view value) const;
  /// Returns an address at example.com.
  std::string email(std::string_view value) const;
  /// Returns as many words as `value` has, from one to four, that can be spoken.
  std::string name(std::string_view value) const;
  /// Replaces each run of digits by another one of the same length. It begins with zero if the first does.
  std::string digits(std::string_view value) const;
  /// Returns another number in DynamoDB's form, of the same sign and with as many digits. Zero stays.
  std::string number(std::string_view value) const;
  /// Returns as many bytes.
  std::string bytes(std::string_view value) const;

 private:
  using Symbols = std::vector<unsigned char>;

  std::string stream(std::string_view kind, std::string_view value, std::size_t size) const;
  Symbols permuted(Symbols symbols, unsigned radix) const;
  void shuffle(unsigned char& symbol, unsigned radix) const;
  std::string run_of_digits(std::string_view digits, bool last_counts) const;

  const std::string key_;
};

}  // namespace dinette::app
