#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/codec/field_writer.h"
#include "tablestore/request/context.h"

namespace dinette::tablestore::wire {

/// The phases of every operation.
template <class Request, auto operate>
Answer<void> serve(const Context& context, std::string_view body, std::string& reply) {
  auto request = codec::decode_message<Request>(body);
  if (!request) return refuse::unreadable_message();
  DINETTE_TRY(const auto response, operate(context, *std::move(request)));
  codec::append_message(reply, response);
  return {};
}

}  // namespace dinette::tablestore::wire
