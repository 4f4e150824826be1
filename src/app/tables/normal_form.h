#pragma once

#include "dinette/definitions/definitions.h"

namespace dinette::app {

/// Returns a table in the one form in which all that say the same are equal (operator== of nodes), wherever
/// they come from: the map of whole_table() without what is the service's default or of no effect, such as
/// the throughput of an on-demand table; what the service keeps in no order is sorted. What cannot be asked
/// of every server is not in it: ResourcePolicy, WarmThroughput, and operations that follow CreateTable for
/// contributor insights and streams to Kinesis.
definitions::Node normal_form(const definitions::TableDefinition& table);

}  // namespace dinette::app
