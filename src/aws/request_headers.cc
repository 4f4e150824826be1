#include "aws/request_headers.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dinette/aws/json_service.h"
#include "dinette/http/trace_parent.h"
#include "dinette/tenancy/world_header.h"

namespace dinette::aws {
namespace {

/// Returns some characters, with letters in lower case. All of `text` must be there.
template <class Word>
constexpr Word lower_word(const char* text) {
  constexpr Word letter_case = static_cast<Word>(0x2020202020202020);
  std::array<char, sizeof(Word)> characters{};
  if (std::is_constant_evaluated()) {
    for (char& one : characters) one = *text++;
  } else {
    std::memcpy(characters.data(), text, sizeof(Word));
  }
  return std::bit_cast<Word>(characters) | letter_case;
}

/// The name of a header that is looked for: 4 to 24 letters and dashes. Every request has a dozen headers, so
/// the comparison is made of whole words. The bit that tells the cases of letters apart makes nothing else
/// that a name may have equal to a letter or a dash.
class Name {
 public:
  explicit constexpr Name(std::string_view name)
      : size_(name.size()),
        first_(name.size() < 8 ? 0 : lower_word<std::uint64_t>(name.data())),
        middle_(name.size() <= 16 ? 0 : lower_word<std::uint64_t>(name.data() + 8)),
        last_(name.size() < 8 ? 0 : lower_word<std::uint64_t>(name.data() + name.size() - 8)),
        short_first_(lower_word<std::uint32_t>(name.data())),
        short_last_(lower_word<std::uint32_t>(name.data() + name.size() - 4)) {
    for (const char c : name) {
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!is_letter && c != '-') throw "a name has only letters and dashes";
    }
    if (name.size() > 24) throw "the name is too long";
  }

  constexpr std::size_t size() const { return size_; }

  /// Returns true if a name of the same size is this one.
  bool is(std::string_view name) const {
    const char* const end = name.data() + size_;
    if (size_ < 8) {
      return lower_word<std::uint32_t>(name.data()) == short_first_ &&
             lower_word<std::uint32_t>(end - 4) == short_last_;
    }
    if (lower_word<std::uint64_t>(name.data()) != first_) return false;
    if (size_ > 16 && lower_word<std::uint64_t>(name.data() + 8) != middle_) return false;
    return lower_word<std::uint64_t>(end - 8) == last_;
  }

 private:
  std::size_t size_;
  std::uint64_t first_;
  std::uint64_t middle_;
  std::uint64_t last_;
  std::uint32_t short_first_;
  std::uint32_t short_last_;
};

constexpr Name accept_encoding_name("Accept-Encoding");
constexpr Name agent_name("User-Agent");
constexpr Name authorization_name("Authorization");
constexpr Name browser_agent_name("X-Amz-User-Agent");
constexpr Name content_encoding_name("Content-Encoding");
constexpr Name content_type_name("Content-Type");
constexpr Name explain_name(explain_header);
constexpr Name faults_name(faults_header);
constexpr Name host_name("Host");
constexpr Name origin_name("Origin");
constexpr Name record_name(record_header);
constexpr Name target_name("X-Amz-Target");
constexpr Name trace_parent_name(http::trace_parent_header);
constexpr Name world_name(tenancy::world_header);

/// Stores the value of a header that is looked for. Its name has the right size.
template <class Value>
bool take_if(const http::Header& header, const Name& name, Value& value) {
  if (!name.is(header.name)) return false;
  value = header.value;
  return true;
}

}  // namespace

RequestHeaders::RequestHeaders(const http::Request& request) {
  constexpr std::size_t around_name_and_value = std::string_view(": \r\n").size();
  // From the last to the first, so that the first of a name stays.
  for (std::size_t i = request.headers.size(); i-- > 0;) {
    const http::Header& header = request.headers[i];
    bytes += header.name.size() + header.value.size() + around_name_and_value;
    take(header);
  }
}

void RequestHeaders::take(const http::Header& header) {
  static_assert(target_name.size() == content_type_name.size());
  static_assert(accept_encoding_name.size() == world_name.size());
  static_assert(browser_agent_name.size() == content_encoding_name.size());
  static_assert(browser_agent_name.size() == faults_name.size());
  static_assert(browser_agent_name.size() == record_name.size());
  switch (header.name.size()) {
    case host_name.size():
      take_if(header, host_name, host);
      break;
    case origin_name.size():
      take_if(header, origin_name, origin);
      break;
    case agent_name.size():
      take_if(header, agent_name, agent);
      break;
    case trace_parent_name.size():
      take_if(header, trace_parent_name, trace_parent);
      break;
    case target_name.size():
      take_if(header, target_name, target) || take_if(header, content_type_name, content_type);
      break;
    case authorization_name.size():
      take_if(header, authorization_name, authorization);
      break;
    case world_name.size():
      take_if(header, accept_encoding_name, accept_encoding) || take_if(header, world_name, world);
      break;
    case browser_agent_name.size():
      take_if(header, browser_agent_name, browser_agent) ||
          take_if(header, content_encoding_name, content_encoding) || take_if(header, faults_name, faults) ||
          take_if(header, record_name, record);
      break;
    case explain_name.size():
      take_if(header, explain_name, explain);
      break;
    default:
      break;
  }
}

}  // namespace dinette::aws
