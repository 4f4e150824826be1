#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/tenancy/worlds.h"

namespace dinette::tenancy {

/// Who sends a request, as far as that decides what it sees. Views of the request.
struct Sender {
  std::optional<std::string_view> world;  ///< world_header, if it was sent
  std::string_view access_key;            ///< empty if the request is not signed
  std::string_view account;
  std::string_view region;
};

/// Which senders see different data; otherwise all see the same.
struct Isolation {
  bool accounts = false;  ///< each account has a world
  bool regions = false;   ///< each region has a name space of its own in every world
};

/// Decides what a request sees: the world that it chooses by world_header, or by an access key that is the
/// name of a fork, else the one of its account; and in this world the name space of its region. Thread-safe.
class Tenants {
 public:
  /// `worlds` must outlive it.
  explicit Tenants(Worlds& worlds, Isolation isolation = {}) : worlds_(worlds), isolation_(isolation) {}

  /// Creates the world of an account that has none yet. Returns null if the header names no world, or the
  /// access key a fork that was dropped: programs that still use it would write into a world that others
  /// share. why_none() then says so. `name` receives the world's, as reports and logs show it: a view of the
  /// sender's.
  kv::Result<std::shared_ptr<World>> world_of(const Sender& sender, std::string_view& name) const;
  std::string why_none(const Sender& sender) const;

  /// Returns the name space of the sender's tables: its region, or "" if all regions see the same. A view of
  /// the sender's.
  std::string_view name_space_of(const Sender& sender) const {
    return isolation_.regions ? sender.region : std::string_view();
  }

  /// See Worlds::trouble().
  std::optional<std::string> trouble() const { return worlds_.trouble(); }

 private:
  /// Returns the name of the world of the sender's account.
  std::string_view own_world_of(const Sender& sender) const {
    return isolation_.accounts ? sender.account : std::string_view();
  }

  Worlds& worlds_;
  const Isolation isolation_;
};

}  // namespace dinette::tenancy
