#include "dynamodb/writes/actions/expire_action.h"

namespace dinette::dynamodb {

Answer<ItemImage> ExpireAction::decide(StoredItem& old) {
  DINETTE_STORED(const std::optional<ExpiryTime> end, expiry_of(schema_, old.value()));
  if (end && is_expired(*end, now_)) return ItemImage();
  return base::Failure{
      ApiError{api::ErrorCode::conditional_check_failed_exception, "the item is not expired"}};
}

}  // namespace dinette::dynamodb
