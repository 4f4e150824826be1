#include "dinette/tenancy/tenants.h"

#include "dinette/base/time_text.h"
#include "dinette/tenancy/world_header.h"

namespace dinette::tenancy {

kv::Result<std::shared_ptr<World>> Tenants::world_of(const Sender& sender, std::string_view& name) const {
  name = sender.world.value_or(sender.access_key);
  if (sender.world) [[unlikely]]
    return *sender.world == default_world ? worlds_.find("") : worlds_.find_fork(*sender.world);
  if (auto fork = worlds_.find_fork(sender.access_key)) return fork;
  if (worlds_.dropped_at(sender.access_key)) [[unlikely]]
    return std::shared_ptr<World>();
  const std::string_view own = own_world_of(sender);
  name = own.empty() ? default_world : own;
  return worlds_.pick(own);
}

std::string Tenants::why_none(const Sender& sender) const {
  const std::string name(sender.world.value_or(sender.access_key));
  if (const auto when = worlds_.dropped_at(name)) {
    return "The world '" + name + "' was dropped at " + base::format_time(*when) +
           ". POST /_dinette/worlds forks it again";
  }
  return std::string(world_header) + " names no world: '" + name + "'. POST /_dinette/worlds creates one";
}

}  // namespace dinette::tenancy
