#include "dynamodb/wire/type_lenience.h"

#include "dinette/aws/mistyped.h"
#include "dinette/base/log.h"

#include "dynamodb/codec/decoder.h"

namespace dinette::dynamodb::wire {
namespace {

/// Members that are named; paths contain names that clients choose.
constexpr std::size_t most_noted = 256;
/// Of one request.
constexpr std::size_t most_named = 16;

constexpr auto is_attribute_value = [](aws::JsonElement json) {
  codec::AttributeValueInput value;
  return codec::Decoder(model::Generation::current).read(json, value).ok();
};

}  // namespace

bool TypeLenience::is_first(const aws::Operation& operation, const std::string& path) {
  const std::scoped_lock lock(mutex_);
  return noted_.size() < most_noted && noted_.insert(std::string(operation.name) + " " + path).second;
}

void TypeLenience::note_refused(const aws::Operation& operation, aws::JsonElement request,
                                const std::string& message) {
  if (!base::log_enabled(base::LogLevel::warn)) return;
  const auto found = aws::mistyped_values(operation, request, 1, is_attribute_value);
  if (found.empty() || !is_first(operation, found.front().path)) return;
  const bool hint = found.front().quoted;
  base::log(base::LogLevel::warn,
            hint ? "a value of the wrong type was refused, as by the service; --lenient-types accepts it"
                 : "a value of the wrong type was refused, as by the service",
            {{"operation", operation.name}, {"member", found.front().path}, {"error", message}});
}

void TypeLenience::note_accepted(const aws::Operation& operation, aws::JsonElement request) {
  if (!base::log_enabled(base::LogLevel::warn)) return;
  for (const auto& [path, quoted] :
       aws::mistyped_values(operation, request, most_named, is_attribute_value)) {
    if (!is_first(operation, path)) continue;
    base::log(base::LogLevel::warn,
              "a number or boolean in quotation marks was accepted, which the service refuses",
              {{"operation", operation.name}, {"member", path}});
  }
}

}  // namespace dinette::dynamodb::wire
