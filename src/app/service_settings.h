#pragma once

#include <string>

#include "dinette/admin/api.h"
#include "dinette/aws/auth_options.h"
#include "dinette/dynamodb/service.h"
#include "dinette/kinesis/service.h"
#include "dinette/kv/data_folder.h"

#include "app/options.h"

namespace dinette::app {

// Turns the command line's options into settings of what answers, whether or not it has a port.

dynamodb::ServiceOptions service_settings(const Options& options, aws::Credentials credentials);

/// Returns those of the streams that are served next to DynamoDB.
kinesis::ServiceOptions kinesis_settings(const dynamodb::ServiceOptions& service);

/// `visitor_token`: one that the program made up, for callers that are not on this machine; empty: none.
admin::ApiOptions admin_settings(const Options& options, const std::string& visitor_token = {});

kv::DataFolderOptions data_folder_settings(const Options& options);

}  // namespace dinette::app
