#include "app/stream_sources.h"

#include "dinette/dynamodb/stream_source.h"
#include "dinette/kinesis/stream_source.h"

namespace dinette::app {

kv::Result<std::unique_ptr<deliveries::StreamSource>> ServedStreams::open(tenancy::World& world,
                                                                          std::string_view name_space,
                                                                          std::string_view arn) {
  DINETTE_TRY(auto stream, dynamodb::open_stream_source(world, name_space, arn));
  if (stream) return stream;
  return kinesis::open_stream_source(world, name_space, arn);
}

kv::Result<std::string> ServedStreams::stream_of_table(tenancy::World& world, std::string_view name_space,
                                                       std::string_view table) {
  return dynamodb::stream_of_table(world, name_space, table);
}

}  // namespace dinette::app
