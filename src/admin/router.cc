#include "admin/router.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dinette/admin/api.h"
#include "dinette/http/query_string.h"
#include "dinette/http/tokens.h"

#include "admin/aliases.h"
#include "admin/certificate.h"
#include "admin/clock.h"
#include "admin/contributors.h"
#include "admin/cql.h"
#include "admin/faults.h"
#include "admin/health.h"
#include "admin/metrics.h"
#include "admin/regions.h"
#include "admin/report.h"
#include "admin/requests.h"
#include "admin/snapshots.h"
#include "admin/status.h"
#include "admin/streams.h"
#include "admin/tablestore.h"
#include "admin/triggers.h"
#include "admin/worlds.h"

namespace dinette::admin {
namespace {

struct Route {
  RouteName name;
  Handler handler;
};

/// For what other programs ask for in their own way: health checks, collectors of metrics, helpers of Moto
/// and LocalStack.
constexpr std::string_view any = "*";

constexpr Route all_routes[] = {
    {{"GET", certificate_path, ""}, get_certificate},
    {{"GET", "/_dinette/clock"}, get_clock},
    {{"PUT", "/_dinette/clock"}, put_clock},
    {{"GET", "/_dinette/contributors"}, list_contributors},
    {{"POST", "/_dinette/cql"}, run_cql},
    {{"GET", "/_dinette/cql/keyspaces"}, list_keyspaces},
    {{"GET", "/_dinette/faults"}, list_faults},
    {{"PUT", "/_dinette/faults"}, put_faults},
    {{"DELETE", "/_dinette/faults"}, delete_faults},
    {{"GET", health_path, any}, get_health},
    {{"GET", metrics_path, any}, get_metrics},
    {{"GET", "/_dinette/regions"}, get_regions},
    {{"PUT", "/_dinette/regions"}, put_regions},
    {{"GET", "/_dinette/report"}, get_report},
    {{"PUT", "/_dinette/report"}, put_report},
    {{"DELETE", "/_dinette/report"}, delete_report},
    {{"GET", "/_dinette/requests", "after,wait,limit,world"}, list_requests},
    {{"POST", "/_dinette/reset"}, reset_worlds},
    {{"GET", "/_dinette/snapshots", ""}, list_snapshots},
    {{"POST", "/_dinette/snapshots"}, take_snapshot},
    {{"DELETE", "/_dinette/snapshots/{id}", ""}, delete_snapshot},
    {{"POST", "/_dinette/snapshots/{id}/restore"}, restore_snapshot},
    {{"GET", "/_dinette/status"}, get_status},
    {{"POST", "/_dinette/streams/{table}/split"}, split_shards},
    {{"GET", "/_dinette/tablestore/rows",
      "instance,table,begin,end,direction,maxVersions,from,until,limit,next,world"},
     read_tablestore_rows},
    {{"GET", "/_dinette/tablestore/tables"}, list_tablestore_tables},
    {{"GET", "/_dinette/triggers"}, list_triggers},
    {{"PUT", "/_dinette/triggers"}, put_triggers},
    {{"GET", "/_dinette/triggers/deliveries", "trigger,failed,after,world"}, list_deliveries},
    {{"POST", "/_dinette/triggers/deliveries/{id}/repeat"}, repeat_delivery},
    {{"GET", "/_dinette/worlds", ""}, list_worlds},
    {{"POST", "/_dinette/worlds"}, fork_world},
    {{"GET", "/_dinette/worlds/{name}", ""}, get_world},
    {{"DELETE", "/_dinette/worlds/{name}", ""}, delete_world},
    {{"POST", "/moto-api/reset", any}, reset_as_moto},
    {{"GET", "/_localstack/health", any}, health_as_localstack},
    {{"DELETE", "/_aws/dynamodb/expired"}, delete_expired},
};

constexpr auto all_names = [] {
  std::array<RouteName, std::size(all_routes)> names;
  std::ranges::transform(all_routes, names.begin(), &Route::name);
  return names;
}();

/// Returns the part that matches the braces, empty for a path without them; nothing if it does not match.
std::optional<std::string_view> match(std::string_view pattern, std::string_view path) {
  std::string_view argument;
  while (true) {
    const bool more = pattern.find('/') != std::string_view::npos;
    if (more != (path.find('/') != std::string_view::npos)) return std::nullopt;
    const std::string_view wanted = http::take_until(pattern, '/');
    const std::string_view given = http::take_until(path, '/');
    if (wanted.starts_with('{')) {
      argument = given;
    } else if (wanted != given) {
      return std::nullopt;
    }
    if (!more) return argument;
  }
}

}  // namespace

std::span<const RouteName> routes() {
  return all_names;
}

Result<Match> find_route(std::string_view method, std::string_view path) {
  for (const Route& route : all_routes) {
    if (route.name.method != method) continue;
    if (const auto argument = match(route.name.path, path))
      return Match{route.handler, static_cast<std::size_t>(&route - all_routes), route.name.parameters,
                   http::percent_decode(*argument)};
  }
  const std::string methods = methods_of(path);
  if (methods.empty())
    return not_found("There is nothing at this path; docs/admin-api.md lists what there is.");
  return base::Failure{Error{405, "MethodNotAllowed", "The methods of this path are: " + methods + "."}};
}

std::string methods_of(std::string_view path) {
  std::string methods;
  for (const RouteName& one : all_names) {
    if (!match(one.path, path)) continue;
    methods += (methods.empty() ? "" : ", ") + std::string(one.method);
  }
  return methods;
}

}  // namespace dinette::admin
