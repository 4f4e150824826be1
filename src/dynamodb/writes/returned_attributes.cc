#include "dynamodb/writes/returned_attributes.h"

#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"

namespace dinette::dynamodb {

using Returned = std::optional<codec::ItemText>;

Answer<Returned> returned_attributes(api::ReturnValue wanted, const ItemUpdate& update,
                                     const model::Item* item, WrittenItem& written) {
  const auto unless_empty = [](const model::Item& some) {
    return some.empty() ? Returned() : Returned(codec::to_text(some));
  };
  switch (wanted) {
    case api::ReturnValue::none:
      break;
    case api::ReturnValue::all_old:
      if (written.old.exists()) return Returned(written.old.text());
      break;
    case api::ReturnValue::updated_old: {
      DINETTE_STORED(const model::Item* const old, written.old.item());
      if (old) return unless_empty(update.touched(*old));
      break;
    }
    case api::ReturnValue::all_new:
      if (written.record) return Returned(codec::copy_of(codec::record_text(written.record.view())));
      break;
    case api::ReturnValue::updated_new:
      if (item) return unless_empty(update.touched(*item));
      break;
  }
  return Returned();
}

}  // namespace dinette::dynamodb
