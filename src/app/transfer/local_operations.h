#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/service.h"

#include "app/program.h"
#include "app/transfer/operations.h"
#include "app/transfer/other_services.h"

namespace dinette::app {

/// Returns the options of a service for the program's own calls: nothing is authenticated, and tables change
/// their states at once.
dynamodb::ServiceOptions without_hurdles(dynamodb::ServiceOptions options);

/// The operations of a service of this process, without sockets, in the default world.
class LocalOperations final : public Operations {
 public:
  /// `service` and `others` must outlive the object. `others`: null if there are none.
  explicit LocalOperations(dynamodb::Service& service, OtherServices* others = nullptr)
      : service_(service), others_(others) {}

  base::Result<OperationReply, NoReply> call(std::string_view operation, std::string_view request) override;
  base::Result<OperationReply, NoReply> call_service(const ServiceCall& call) override;

  /// The same as call() in a world: the name of a fork or "default". `explain`: ask how it was executed.
  base::Result<OperationReply, NoReply> call_in(std::string_view world, std::string_view operation,
                                                std::string_view request, bool explain = false);

 private:
  dynamodb::Service& service_;
  OtherServices* const others_;
};

/// Opens the operations of a data folder, which belongs to this process until they are destroyed, or of a
/// database. `make`: make the folder if there is none; else nothing in it changes. The error is a sentence
/// for the user.
base::Result<std::unique_ptr<Operations>, std::string> open_place(const DataOpeners& openers,
                                                                  const std::string& place, bool make,
                                                                  const base::Clock& clock, base::Ids& ids);

}  // namespace dinette::app
