#include "lambda/mappings/first_progress.h"

#include <string>
#include <utility>

#include "dinette/deliveries/stream_source.h"

#include "lambda/api/window_progress.h"

namespace dinette::lambda {
namespace {

base::Failure<ApiError> stream_not_found(const std::string& arn) {
  return invalid_parameter("Stream not found: " + arn);
}

}  // namespace

Answer<std::vector<api::MappingProgress>> first_progress(const Context& context,
                                                         const api::MappingRecord& mapping) {
  std::vector<api::MappingProgress> progress;
  if (context.sources == nullptr) return progress;
  DINETTE_LAMBDA_STORED(const auto source,
                        context.sources->open(context.world, context.name_space, mapping.event_source_arn));
  if (!source) return stream_not_found(mapping.event_source_arn);
  if (mapping.starting_position != api::StartingPosition::latest) return progress;
  DINETTE_LAMBDA_STORED(const auto shards, source->shards());
  if (!shards) return stream_not_found(mapping.event_source_arn);
  for (const deliveries::Shard& shard : *shards) {
    DINETTE_LAMBDA_STORED(std::string place,
                          source->place_of(shard.id, deliveries::StartingPosition::latest, context.now));
    progress.push_back({mapping.uuid, shard.id, {std::move(place)}, {}, {}, {}});
  }
  return progress;
}

}  // namespace dinette::lambda
