#include "cql/system/node.h"

#include "dinette/aws/region.h"
#include "dinette/base/bytes.h"
#include "dinette/base/md5.h"
#include "dinette/base/time_text.h"

#include "cql/schema/objects.h"
#include "cql/system/values.h"

namespace dinette::cql::system {
namespace {

void add_version(base::Md5& digest, const store::Table& object) {
  std::string bytes;
  base::append_big_endian(bytes, object.id);
  base::append_big_endian(bytes, object.version);
  digest.add(bytes);
}

}  // namespace

Answer<std::string> schema_version(const Place& place) {
  DINETTE_TRY(const schema::Objects objects, schema::list_objects(place));
  base::Md5 digest;
  for (const auto& one : objects.keyspaces) add_version(digest, *one.stored);
  for (const auto& one : objects.tables) add_version(digest, *one.stored);
  return uuid_value(digest.digest());
}

std::string host_id(std::string_view address) {
  return uuid_value(base::md5(address_text(address)));
}

std::string keyspace_arn(const Place& place, std::string_view keyspace) {
  std::string arn("arn:");
  arn.append(aws::partition_of(place.region)).append(":cassandra:").append(place.region);
  arn.append(":").append(place.account).append(":/keyspace/").append(keyspace);
  return arn.append("/");
}

std::string table_arn(const Place& place, std::string_view keyspace, std::string_view table) {
  return keyspace_arn(place, keyspace) + "table/" + std::string(table);
}

std::string stream_arn(const Place& place, const schema::Table& table, const schema::ChangeStream& stream) {
  return table_arn(place, table.keyspace, table.name) + "/stream/" + stream_label(stream);
}

std::string stream_label(const schema::ChangeStream& stream) {
  std::string label = base::format_time(stream.since);
  label.pop_back();  // the zone
  return label;
}

}  // namespace dinette::cql::system
