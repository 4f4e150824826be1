#include "dynamodb/api/describe_kinesis_streaming_destination.h"

#include "dynamodb/tables/kinesis_destinations.h"
#include "dynamodb/tables/open_table.h"

// docs/service/kinesis.md section 1.
namespace dinette::dynamodb::ops {

Answer<api::DescribeKinesisStreamingDestinationOutput> describe_kinesis_streaming_destination(
    const Context& context, api::DescribeKinesisStreamingDestinationInput&& input) {
  DINETTE_TRY(const OpenTable table, open_created(context, input.table_name));
  return api::DescribeKinesisStreamingDestinationOutput{table.table->name,
                                                        describe_destinations(table.record(), context.now)};
}

}  // namespace dinette::dynamodb::ops
