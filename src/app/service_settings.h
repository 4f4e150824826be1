#pragma once

#include <optional>
#include <string>

#include "dinette/admin/api.h"
#include "dinette/aws/auth_options.h"
#include "dinette/aws/json_face.h"
#include "dinette/cql/service.h"
#include "dinette/dynamodb/service.h"
#include "dinette/keyspaces/service.h"
#include "dinette/kinesis/service.h"
#include "dinette/kv/data_folder.h"
#include "dinette/lambda/pollers.h"
#include "dinette/lambda/service.h"

#include "app/options.h"

namespace dinette::app {

// Turns the command line's options into settings of what answers, whether or not it has a port.

dynamodb::ServiceOptions service_settings(const Options& options, aws::Credentials credentials);

/// Returns what the other services of AWS have in common with DynamoDB; Kinesis needs nothing else.
aws::JsonFaceOptions face_settings(const dynamodb::ServiceOptions& service);
tablestore::ServiceOptions tablestore_settings(const Options& options,
                                               const dynamodb::ServiceOptions& service);
cql::ServiceOptions cql_settings(const Options& options, const dynamodb::ServiceOptions& service);
keyspaces::ServiceOptions keyspaces_settings(const Options& options, const dynamodb::ServiceOptions& service);
lambda::ServiceOptions lambda_settings(const dynamodb::ServiceOptions& service,
                                       lambda::StreamSources& sources);

/// Returns those of what calls functions. What is passed by reference must outlive the pollers.
lambda::PollersSettings pollers_settings(const Options& options, const dynamodb::ServiceOptions& service,
                                         lambda::StreamSources& sources, base::Ids& ids);

/// `visitor_token`: one that the program made up, for callers that are not on this machine; empty: none.
admin::ApiOptions admin_settings(const Options& options, const std::string& visitor_token = {});

/// Checks a rule for faults: of DynamoDB, or of CQL. Returns a sentence about what is wrong with it, if
/// anything.
std::optional<std::string> prepare_fault(tenancy::FaultRule& rule);

kv::DataFolderOptions data_folder_settings(const Options& options);

}  // namespace dinette::app
