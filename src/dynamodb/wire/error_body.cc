#include "dynamodb/wire/error_body.h"

namespace dinette::dynamodb::wire {

void append_error(std::string& out, const ApiError& error) {
  const aws::ErrorForm& form = api::form_of(error.code);
  if (!error.item) return aws::append_error(out, form, error.message);
  const aws::ErrorMember item{"Item", *error.item->json};
  aws::append_error(out, form, error.message, {&item, 1});
}

}  // namespace dinette::dynamodb::wire
