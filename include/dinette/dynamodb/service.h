#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "dinette/aws/auth_options.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/http/message.h"
#include "dinette/store/worlds.h"

namespace dinette::dynamodb {

class Gate;

/// What the store has to know of DynamoDB's tables.
store::Face face();

/// The same with what a world has to know.
store::WorldFace world_face();

struct ServiceOptions {
  aws::AuthOptions auth;
  /// Callers of another account, or region, or both are in another world; else all are in one.
  bool isolate_account = false;
  bool isolate_region = false;
  /// Web origins that may call, comma-separated: "https://app.example", a host alone for any of its ports,
  /// "local" for this machine, "*" for all.
  std::string cors_origins = "local";
  /// How long tables stay CREATING, UPDATING and DELETING.
  std::chrono::milliseconds state_delay{0};
  /// How long new and dropped indexes stay CREATING and DELETING, if that is longer.
  std::chrono::milliseconds index_state_delay{0};
  /// How far global indexes lag behind their tables, and how far, at most, any eventually consistent read
  /// lags behind. The store's history must reach back over both together.
  std::chrono::milliseconds index_lag{0};
  std::chrono::milliseconds stale_reads{0};
  /// Whether Scans of on-demand tables are charged at least the minimum for each of four internal partitions.
  bool partition_minimum = false;
  /// Whether log lines may show the bodies of requests and answers.
  bool log_items = false;
  /// Whether GET and HEAD of "/" answer 400 as DynamoDB Local does; its users' tools wait for that.
  bool as_dynamodb_local = false;
  /// Admits operations and hears what they cost; null admits all. Must outlive the service.
  Gate* gate = nullptr;
};

/// Answers DynamoDB and DynamoDB Streams requests, both on one port, each in the world that its caller sees.
/// Thread-safe; worlds, clock and ids must outlive it. Signatures are judged by `clock`, whatever the clocks
/// of worlds say. Logs a line a request at level info.
class Service {
 public:
  Service(ServiceOptions options, store::Worlds& worlds, const base::Clock& clock, base::Ids& ids);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  /// Waits for other requests only if the request may. Throws only when there is no memory even for the
  /// error's answer.
  void handle(const http::Request& request, http::Response& reply);

  /// Gives the service's form (and status) to an answer that the HTTP server found by itself, and logs it:
  /// for http::ServerOptions::on_refusal.
  void finish_refusal(std::string_view remote, http::Response& reply);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::dynamodb
