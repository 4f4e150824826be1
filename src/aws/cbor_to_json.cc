#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include <boost/container/small_vector.hpp>

#include "dinette/aws/json_writer.h"
#include "dinette/base/base64.h"

#include "aws/cbor.h"
#include "aws/cbor_format.h"

namespace dinette::aws {
namespace {

using cbor::Major;

/// The first byte of a value, and the number after it.
struct CborHead {
  Major major;
  std::uint8_t info;
  std::uint64_t number = 0;  ///< the value of an integer, a length, a tag, or the bits of a float

  bool is_indefinite() const { return info == cbor::indefinite; }
};

/// A map or list that has been begun.
struct OpenContainer {
  bool is_map;
  bool is_indefinite;
  bool is_empty = true;     ///< so far
  bool takes_bytes;         ///< a list whose elements may be byte strings
  std::uint64_t still = 0;  ///< values, or pairs of them, that are yet to come
};

double double_of_half(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 0x1f);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  double value = 0;
  if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else if (exponent != 31) {
    value = std::ldexp(fraction + 1024, exponent - 25);
  } else {
    value = std::numeric_limits<double>::infinity();  // or no number, which is refused as well
  }
  return bits & 0x8000 ? -value : value;
}

/// Returns the size that a text has at most as a JSON string.
std::size_t most_bytes_in_json(std::string_view text) {
  constexpr std::size_t longest_escape = std::string_view("\\u0000").size();
  const auto is_escaped = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '"' || c == '\\'; };
  const auto escaped = static_cast<std::size_t>(std::ranges::count_if(text, is_escaped));
  return text.size() + escaped * (longest_escape - 1) + std::string_view(R"("")").size();
}

class CborReader {
 public:
  CborReader(std::string_view text, const CborRules& rules, std::string& out)
      : cbor_(text),
        rules_(rules),
        json_(out),
        most_size_(out.size() + rules.most_json_bytes),
        takes_bytes_(rules.blob_members.empty()) {}

  std::optional<CborError> run() {
    bool good = read_value();
    while (good && !open_.empty()) good = read_next();
    if (good && at_ != cbor_.size()) good = fail("bytes after the value");
    return error_;
  }

 private:
  /// Reads the next value of the innermost container, or its end.
  bool read_next() {
    OpenContainer& container = open_.back();
    if (is_at_end_of(container)) return close();
    if (!container.is_empty) json_ += ',';
    container.is_empty = false;
    if (!container.is_map) {
      takes_bytes_ = container.takes_bytes;
      return read_value();
    }
    return read_key() && read_value();
  }

  bool is_at_end_of(OpenContainer& container) {
    if (!container.is_indefinite) return container.still-- == 0;
    if (at_ == cbor_.size() || cbor_[at_] != cbor::end_of_indefinite) return false;
    ++at_;
    return true;
  }

  bool close() {
    json_ += open_.back().is_map ? '}' : ']';
    open_.pop_back();
    return true;
  }

  bool read_value() {
    begin_ = at_;
    CborHead head;
    if (!read_head(head) || !has_room_for(longest_number)) return false;
    switch (head.major) {
      case Major::unsigned_integer:
        append_number(head.number);
        return true;
      case Major::negative_integer:
        return read_negative(head.number);
      case Major::bytes:
        return read_bytes(head);
      case Major::text:
        return read_text(head);
      case Major::list:
      case Major::map:
        return open(head);
      case Major::tag:
        return read_tagged(head.number);
      case Major::simple:
        return read_simple(head);
    }
    return fail("malformed");
  }

  bool read_head(CborHead& head) {
    if (at_ == cbor_.size()) return fail("it ends too soon");
    const auto first = static_cast<std::uint8_t>(cbor_[at_++]);
    head.major = static_cast<Major>(first >> 5);
    head.info = first & 0x1f;
    if (head.info < cbor::one_byte) {
      head.number = head.info;
      return true;
    }
    if (head.info <= cbor::eight_bytes)
      return read_number(std::size_t{1} << (head.info - cbor::one_byte), head.number);
    const bool may_be_indefinite = head.major >= Major::bytes && head.major <= Major::map;
    if (head.info == cbor::indefinite && may_be_indefinite) return true;
    return fail(head.info == cbor::indefinite ? "an end without a beginning" : "a reserved length");
  }

  bool read_number(std::size_t size, std::uint64_t& number) {
    if (cbor_.size() - at_ < size) return fail("it ends too soon");
    for (; size > 0; --size) number = number << 8 | static_cast<std::uint8_t>(cbor_[at_++]);
    return true;
  }

  bool read_negative(std::uint64_t number) {
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return fail("an integer that is too small");
    append_number(-1 - static_cast<std::int64_t>(number));
    return true;
  }

  bool read_bytes(const CborHead& head) {
    if (!takes_bytes_) return fail("bytes where none may be");
    std::string_view bytes;
    if (!read_string(head, bytes) || !has_room_for(bytes.size() / 3 * 4 + 6)) return false;
    json_ += '"';
    base::append_base64(json_, bytes);
    json_ += '"';
    return true;
  }

  bool read_text(const CborHead& head) {
    std::string_view text;
    return read_string(head, text) && append_string(text);
  }

  bool append_string(std::string_view text) {
    if (!has_room_for(most_bytes_in_json(text))) return false;
    append_json_string(json_, text);
    return true;
  }

  /// `string`: into the CBOR, or into `pieces_` until the next string.
  bool read_string(const CborHead& head, std::string_view& string) {
    if (!head.is_indefinite()) return read_definite_string(head.number, string);
    pieces_.clear();
    while (at_ == cbor_.size() || cbor_[at_] != cbor::end_of_indefinite) {
      CborHead part;
      if (!read_head(part)) return false;
      if (part.major != head.major || part.is_indefinite()) return fail("a piece that is of no such string");
      if (!read_definite_string(part.number, string)) return false;
      pieces_ += string;
    }
    ++at_;
    string = pieces_;
    return true;
  }

  bool read_definite_string(std::uint64_t size, std::string_view& string) {
    if (cbor_.size() - at_ < size) return fail("it ends too soon");
    string = cbor_.substr(at_, size);
    at_ += size;
    return true;
  }

  bool read_key() {
    begin_ = at_;
    CborHead head;
    std::string_view name;
    if (!read_head(head)) return false;
    if (head.major != Major::text) return fail("a key that is no text");
    if (!read_string(head, name) || !append_string(name)) return false;
    takes_bytes_ = is_blob_member(name);
    json_ += ':';
    return true;
  }

  bool is_blob_member(std::string_view name) const {
    if (rules_.blob_members.empty()) return true;
    return std::ranges::find(rules_.blob_members, name) != rules_.blob_members.end();
  }

  bool open(const CborHead& head) {
    if (open_.size() == json_levels) return fail("nested too deeply");
    const bool is_map = head.major == Major::map;
    open_.push_back({.is_map = is_map,
                     .is_indefinite = head.is_indefinite(),
                     .takes_bytes = takes_bytes_ && !is_map,
                     .still = head.number});
    json_ += is_map ? '{' : '[';
    return true;
  }

  bool read_tagged(std::uint64_t tag) {
    if (tag != cbor::time_tag) return fail("an unknown tag");
    CborHead head;
    double number = 0;
    if (!read_head(head)) return false;
    if (head.major == Major::unsigned_integer) {
      number = static_cast<double>(head.number);
    } else if (head.major == Major::negative_integer) {
      number = -1 - static_cast<double>(head.number);
    } else if (const auto value = float_of(head)) {
      number = *value;
    } else {
      return fail("a time that is no number");
    }
    append_float(rules_.time == CborTime::milliseconds ? number / 1000 : number);
    return true;
  }

  bool read_simple(const CborHead& head) {
    switch (head.info) {
      case cbor::false_value:
        json_ += "false";
        return true;
      case cbor::true_value:
        json_ += "true";
        return true;
      case cbor::null_value:
      case cbor::undefined_value:
        json_ += "null";
        return true;
      default:
        break;
    }
    const auto value = float_of(head);
    if (!value) return fail("an unknown simple value, or a float that is no number");
    append_float(*value);
    return true;
  }

  /// Returns nothing for infinite floats, those that are no numbers, and what is no float.
  static std::optional<double> float_of(const CborHead& head) {
    if (head.major != Major::simple) return std::nullopt;
    double value = std::numeric_limits<double>::infinity();
    if (head.info == cbor::half_float) value = double_of_half(head.number);
    if (head.info == cbor::single_float) {
      float single = 0;
      const auto bits = static_cast<std::uint32_t>(head.number);
      std::memcpy(&single, &bits, sizeof single);
      value = single;
    }
    if (head.info == cbor::double_float) std::memcpy(&value, &head.number, sizeof value);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  }

  template <class Number, class... Format>
  void append_number(Number number, Format... format) {
    std::array<char, longest_number> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, format...).ptr;
    json_.append(text.data(), end);
  }

  /// Whole numbers without a point or an exponent are read as integers, which have 64 bits.
  void append_float(double number) {
    if (std::abs(number) < 0x1p53) return append_number(number);
    append_number(number, std::chars_format::scientific);
  }

  bool has_room_for(std::size_t size) {
    if (json_.size() <= most_size_ && size <= most_size_ - json_.size()) return true;
    return fail("too long");
  }

  bool fail(std::string_view reason) {
    error_ = CborError{reason, begin_};
    return false;
  }

  /// Also of the words of JSON, and of brackets.
  static constexpr std::size_t longest_number = 32;

  const std::string_view cbor_;
  const CborRules& rules_;
  std::string& json_;
  const std::size_t most_size_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;  ///< of the value that is being read
  bool takes_bytes_;       ///< the value that comes next may be a byte string
  std::string pieces_;     ///< of a string of indefinite length
  boost::container::small_vector<OpenContainer, 32> open_;
  std::optional<CborError> error_;
};

}  // namespace

std::optional<CborError> cbor_to_json(std::string_view cbor, const CborRules& rules, std::string& json) {
  return CborReader(cbor, rules, json).run();
}

}  // namespace dinette::aws
