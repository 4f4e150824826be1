#pragma once

#include "dinette/aws/json_service.h"

namespace dinette::dynamodb::wire {

/// Returns the parts of AWS JSON that the service defines: DynamoDB's targets, errors and limits.
aws::JsonProtocol protocol();

}  // namespace dinette::dynamodb::wire
