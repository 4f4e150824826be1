#include "lambda/api/list_event_source_mappings.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "dinette/aws/arn.h"
#include "dinette/base/base64.h"

#include "lambda/api/limits.h"
#include "lambda/api/mapping_record.h"
#include "lambda/api/mapping_transition.h"
#include "lambda/mappings/description.h"
#include "lambda/mappings/kept_mappings.h"
#include "lambda/mappings/open_mapping.h"
#include "lambda/request/names.h"

// docs/service/triggers.md section 1.4.
namespace dinette::lambda::ops {
namespace {

using ListInput = api::ListEventSourceMappingsInput;

/// Which mappings a request wants.
class WantedMappings {
 public:
  explicit WantedMappings(const ListInput& input) : source_(input.event_source_arn) {
    if (input.function_name) function_ = read_function_name(*input.function_name);
  }

  bool fits(const api::MappingRecord& mapping) const {
    return (!source_ || mapping.event_source_arn == *source_) && (!function_ || fits_function(mapping));
  }

 private:
  /// What the request does not say of the function, its account for example, may be anything; but no
  /// qualifier is one, too.
  bool fits_function(const api::MappingRecord& mapping) const {
    const auto function = read_function_name(mapping.function_arn);
    const auto fits = [](std::string_view wanted, std::string_view given) {
      return wanted.empty() || wanted == given;
    };
    return function && qualified_name(*function) == qualified_name(*function_) &&
           fits(function_->account, function->account) && fits(function_->region, function->region);
  }

  const std::optional<std::string>& source_;
  std::optional<FunctionName> function_;
};

/// Returns the UUID after which the page begins.
Answer<std::string> beginning_of_page(const ListInput& input) {
  if (!input.marker || input.marker->empty()) return std::string();
  auto uuid = base::base64_decode(*input.marker);
  if (!uuid) return invalid_parameter("Marker is not valid.");
  return *std::move(uuid);
}

}  // namespace

Answer<api::ListEventSourceMappingsOutput> list_event_source_mappings(
    const Context& context, api::ListEventSourceMappingsInput&& input) {
  DINETTE_TRY(const std::string after, beginning_of_page(input));
  const auto most =
      std::min(static_cast<std::size_t>(input.max_items.value_or(model::limits::mappings_per_page)),
               std::size_t{model::limits::mappings_per_page});
  const WantedMappings wanted(input);
  api::ListEventSourceMappingsOutput output;
  auto& page = output.event_source_mappings;
  const auto visit = [&](const api::MappingRecord& mapping) {
    const StateAtMoment state = state_at(mapping, context.now);
    if (!is_shown(context, state) || !wanted.fits(mapping)) return true;
    if (page.size() == most) {
      output.next_marker = base::base64_encode(page.back().uuid);
      return false;
    }
    page.push_back(describe(mapping, state));
    return true;
  };
  if (const auto read = KeptMappings(context.store).for_each(after, visit); !read)
    return storage_failure(read.error());
  return output;
}

}  // namespace dinette::lambda::ops
