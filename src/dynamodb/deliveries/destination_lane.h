#pragma once

#include "dinette/dynamodb/kinesis_streams.h"
#include "dinette/kv/error.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

#include "dynamodb/api/destination_log.h"

/// What goes on for a Kinesis destination from its Enable on, in a lane of its world (dinette/deliveries/
/// lanes.h): the destination becomes ACTIVE or ENABLE_FAILED, its log is delivered, and after Disable, or the
/// deletion of the table, the log is removed and the destination DISABLED.
namespace dinette::dynamodb {

/// Has a log delivered from now on; a log that is delivered already is looked at again. `streams`: null if
/// there is no Kinesis. What is passed must outlive the world's lanes.
void deliver_changes(tenancy::World& world, store::Store& store, KinesisStreams* streams,
                     const api::DestinationLog& log);

/// The same for all logs of a store: for one that was opened again, or forked. A job looks for them.
void resume_deliveries(tenancy::World& world, store::Store& store, KinesisStreams* streams);

}  // namespace dinette::dynamodb
