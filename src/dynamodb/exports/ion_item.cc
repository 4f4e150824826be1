#include "dynamodb/exports/ion_item.h"

namespace dinette::dynamodb::exports {
namespace {

using base::Failure;

constexpr std::string_view version = "$ion_1_0";
constexpr std::string_view symbol_table = "$ion_symbol_table";

}  // namespace

base::Result<bool, ReadError> IonItem::write(std::string& out) {
  DINETTE_TRY(const bool found, skip_to_struct());
  if (!found) return false;
  in_struct_ = true;
  struct_begin_ = cursor_.position();
  bool has_item = false;
  bool has_record = false;
  std::string ignored;
  DINETTE_CHECK(values_.fields([&](const std::string& name) -> IonValues::Done {
    has_record = has_record || name == "Record";
    if (name != "Item") {
      ignored.clear();
      return values_.value(ignored);
    }
    if (cursor_.peek() != '{' || cursor_.sees("{{"))
      return Failure{ReadError("has an Item that is no struct")};
    has_item = true;
    out.clear();
    return values_.attributes(out);
  }));
  if (has_item) return true;
  if (has_record)
    return Failure{
        ReadError("holds a change, as incremental exports do, and not an item; take a full export")};
  return Failure{ReadError(R"(has no Item: it must look like {Item: {pk: "a"}})")};
}

/// Returns false if there is none with an item.
base::Result<bool, ReadError> IonItem::skip_to_struct() {
  for (;;) {
    cursor_.skip_white();
    if (cursor_.at_end()) return false;
    if (cursor_.peek() == '{' && !cursor_.sees("{{")) return true;
    const IonCursor before = cursor_;
    const std::string_view word = cursor_.word();
    cursor_.skip_white();
    if (word == symbol_table && cursor_.sees("::")) return false;
    if (word == version && !cursor_.sees("::")) continue;
    if (!word.empty() && cursor_.take("::")) continue;  // an annotation, which means nothing
    cursor_ = before;
    return not_ion("it does not begin with {");
  }
}

}  // namespace dinette::dynamodb::exports
