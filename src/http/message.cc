#include "dinette/http/message.h"

#include <cstdint>
#include <cstring>
#include <future>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/pending.h"

namespace dinette::http {
namespace {

using Word = std::uint64_t;

constexpr Word in_every_byte(unsigned char byte) {
  return byte * Word{0x0101010101010101};
}

Word load(const char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// Returns all of a text of four to eight characters, in an order that depends on its length alone.
Word load_short(std::string_view text) {
  std::uint32_t first;
  std::uint32_t last;
  std::memcpy(&first, text.data(), sizeof first);
  std::memcpy(&last, text.data() + text.size() - sizeof last, sizeof last);
  return Word{first} << 32 | last;
}

/// Compares eight characters at once, ignoring the case of ASCII letters.
bool same_characters(Word a, Word b) {
  constexpr Word case_bit = in_every_byte(0x20);
  constexpr Word high_bit = in_every_byte(0x80);
  const Word difference = a ^ b;
  if (difference == 0) return true;
  if ((difference & ~case_bit) != 0) return false;
  // Those that differ must be letters: the sums have the high bit from 'a' on, and beyond 'z'.
  const Word lower = (a | case_bit) & ~high_bit;
  const Word from_a = lower + in_every_byte(0x80 - 'a');
  const Word beyond_z = lower + in_every_byte(0x80 - 'z' - 1);
  const Word letters = from_a & ~beyond_z & ~a & high_bit;
  return ((difference << 2) & ~letters) == 0;
}

}  // namespace

bool same_header_name(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.size() < sizeof(Word) / 2) return base::equal_ignoring_case(a, b);
  if (a.size() < sizeof(Word)) return same_characters(load_short(a), load_short(b));
  const std::size_t last = a.size() - sizeof(Word);
  for (std::size_t i = 0; i < last; i += sizeof(Word)) {
    if (!same_characters(load(&a[i]), load(&b[i]))) return false;
  }
  return same_characters(load(&a[last]), load(&b[last]));
}

std::optional<std::string_view> Request::header(std::string_view name) const {
  for (const Header& line : headers) {
    if (line.name.size() == name.size() && same_header_name(line.name, name)) return line.value;
  }
  return std::nullopt;
}

std::string_view Request::query() const {
  const std::size_t mark = target.find('?');
  return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

void Response::add_header(std::string_view name, std::string_view value) {
  headers.append(name).append(": ").append(value).append("\r\n");
}

void Response::clear() {
  status = 200;
  content_type = {};
  body.clear();
  headers.clear();
  close = false;
  length.reset();
  rest = nullptr;
  drop = false;
  must_wait = false;
  progress.reset();
  deferral.reset();
}

void answer_here(const Handler& handler, const Request& request, Response& response) {
  handler(request, response);
  while (response.deferral) {
    const auto deferral = std::move(response.deferral);
    const auto due = std::make_shared<std::promise<void>>();
    deferral->when_due([due] { due->set_value(); });
    due->get_future().wait();
    if (!response.must_wait) return;
    response.clear();
    response.deferral = deferral;
    handler(request, response);
  }
}

}  // namespace dinette::http
