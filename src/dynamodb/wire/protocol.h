#pragma once

#include "dinette/aws/json_service.h"

namespace dinette::dynamodb::wire {

/// What AWS JSON leaves to the service: DynamoDB's targets, errors and limits.
aws::JsonProtocol protocol();

}  // namespace dinette::dynamodb::wire
