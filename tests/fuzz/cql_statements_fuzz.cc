// Statements of CQL. What is refused is refused with a text; what is accepted can be shown again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "cql/grammar/parse.h"

using namespace dinette::cql;

namespace {

void check(const grammar::Select& select) {
  for (const grammar::Relation& relation : select.where) {
    if (grammar::to_text(relation).empty()) std::abort();
  }
  for (const grammar::Selection& selection : select.selections) {
    if (grammar::to_text(selection.selector).empty()) std::abort();
  }
}

void check(const grammar::Insert& insert) {
  for (const grammar::Term& value : insert.values) {
    if (grammar::to_text(value).empty()) std::abort();
  }
}

template <class Other>
void check(const Other&) {}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto statement = grammar::parse({reinterpret_cast<const char*>(data), size});
  if (!statement) {
    if (statement.error().message.empty()) std::abort();
    return 0;
  }
  std::visit([](const auto& one) { check(one); }, statement->value);
  return 0;
}
