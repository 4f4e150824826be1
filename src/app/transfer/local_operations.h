#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/service.h"
#include "dinette/tenancy/worlds.h"

#include "app/program.h"
#include "app/transfer/operations.h"

namespace dinette::app {

/// The operations of this process: a service without sockets, in the default world. Nothing is authenticated,
/// and tables change their states at once.
class LocalOperations final : public Operations {
 public:
  /// `options` as the server has them; the references must outlive the object.
  LocalOperations(dynamodb::ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock,
                  base::Ids& ids);

  base::Result<OperationReply, NoReply> call(std::string_view operation, std::string_view request) override;

  /// The same in a world: the name of a fork or "default".
  base::Result<OperationReply, NoReply> call_in(std::string_view world, std::string_view operation,
                                                std::string_view request);

 private:
  dynamodb::Service service_;
};

/// Opens the worlds of a data folder, which belongs to this process until they are destroyed. `make`: make
/// the folder if there is none; else nothing in it changes. The error is a sentence for the user.
base::Result<std::unique_ptr<tenancy::Worlds>, std::string> open_worlds(OpenDataFolder open_data_folder,
                                                                        const std::filesystem::path& folder,
                                                                        bool make, const base::Clock& clock,
                                                                        base::Ids& ids);

/// The operations of a data folder, as open_worlds opens it.
base::Result<std::unique_ptr<Operations>, std::string> open_folder(OpenDataFolder open_data_folder,
                                                                   const std::filesystem::path& folder,
                                                                   bool make, const base::Clock& clock,
                                                                   base::Ids& ids);

}  // namespace dinette::app
