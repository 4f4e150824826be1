#pragma once

#include <string>

#include "dinette/base/clock.h"
#include "dinette/cql/service.h"
#include "dinette/dynamodb/service.h"
#include "dinette/face/faces.h"
#include "dinette/http/server.h"
#include "dinette/kv/engines.h"
#include "dinette/observe/metrics_writer.h"
#include "dinette/tenancy/worlds.h"

namespace dinette::app {

/// What the metrics of the program are about.
struct Measured {
  const face::Faces& faces;
  const dynamodb::Service& service;
  const cql::Service& cql;
  const http::Server& server;
  const tenancy::Worlds& worlds;
  const kv::Engines& engines;
  base::TimePoint start;  ///< of the program
};

/// Returns all metrics as observe::MetricsWriter writes them; docs/observing.md lists them.
std::string metrics_text(const Measured& measured, observe::MetricsFormat format);

}  // namespace dinette::app
