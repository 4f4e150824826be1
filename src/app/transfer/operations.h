#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

namespace dinette::app {

struct OperationReply {
  int status = 0;
  std::string body;              ///< JSON
  std::string explanation = {};  ///< JSON; empty: none was asked for, or the server gives none
  std::string error_type = {};   ///< of a header, as REST has it; empty: the body may have it
};

/// Why there is no reply.
struct NoReply {
  std::string message;   ///< a sentence for the user
  bool passing = false;  ///< another try may succeed
};

/// A call of an operation of another service of AWS than DynamoDB.
struct ServiceCall {
  std::string service;          ///< its name in signatures: "cassandra", "lambda"
  std::string operation;        ///< "CreateKeyspace", for messages
  std::string method = "POST";  ///< of HTTP
  std::string path = "/";       ///< with its query
  std::string target = {};      ///< of X-Amz-Target; empty: there is none, as in REST
  std::string body = {};        ///< JSON; may be empty
};

/// The operations of a DynamoDB, wherever it is.
class Operations {
 public:
  Operations() = default;
  Operations(const Operations&) = delete;
  Operations& operator=(const Operations&) = delete;
  virtual ~Operations() = default;

  /// `request`: the operation's input as JSON.
  virtual base::Result<OperationReply, NoReply> call(std::string_view operation,
                                                     std::string_view request) = 0;

  /// Calls another service at the same place, if there is one.
  virtual base::Result<OperationReply, NoReply> call_service(const ServiceCall& call);
};

struct CallError {
  std::string type;         ///< of the service, such as "ValidationException"; empty: it did not answer
  std::string message;      ///< a sentence for the user, with the operation's name
  bool not_served = false;  ///< the server answered, and does not have the operation
};

/// How long a caller continues.
struct Patience {
  std::function<bool()> interrupted;                    ///< true once the user wants the program to stop
  std::function<void(std::chrono::milliseconds)> wait;  ///< sleeps
};

/// Sleeps, and continues until `interrupted`.
Patience patience_until(std::function<bool()> interrupted);

/// Calls an operation that may be repeated. Tries again for some seconds while the service is overloaded,
/// fails by itself, or loses the connection. Returns the output as JSON.
base::Result<std::string, CallError> call_patiently(Operations& operations, std::string_view operation,
                                                    std::string_view request, const Patience& patience);

/// The same for another service.
base::Result<std::string, CallError> call_patiently(Operations& operations, const ServiceCall& call,
                                                    const Patience& patience);

/// Waits for a moment that grows with each try, counted from 0.
void wait_before_retry(const Patience& patience, unsigned tries);

/// How many times in a row something is tried.
inline constexpr unsigned most_tries = 10;

}  // namespace dinette::app
