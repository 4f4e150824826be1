#include "dinette/store/verify.h"

#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "dinette/base/bytes.h"

#include "store/keys.h"
#include "store/name_record.h"
#include "store/stamp.h"

namespace dinette::store {
namespace {

std::string name_in(std::string_view name_record_key, const EngineKey& names) {
  return std::string(name_record_key.substr(names.size()));
}

class TablesVerification {
 public:
  TablesVerification(const kv::Snapshot& snapshot, std::uint8_t face, ReportFault report)
      : snapshot_(snapshot), face_(face), report_(report) {}

  kv::Result<void> run() {
    DINETTE_TRY(const auto last_id, snapshot_.get(EngineKey::last_id().view()));
    if (last_id) last_id_ = read_stamp(last_id->view());
    DINETTE_CHECK(check_names());
    DINETTE_CHECK(check_unnamed());
    return check_owners();
  }

 private:
  kv::Result<void> check_names() {
    const EngineKey names = EngineKey::names(face_);
    const std::string end = base::prefix_end(names.view());
    DINETTE_TRY(const auto cursor, snapshot_.cursor({names.view(), end}));
    DINETTE_TRY(bool more, cursor->first());
    while (more) {
      DINETTE_CHECK(check_name_record(name_in(cursor->key(), names), cursor->value()));
      DINETTE_TRY(more, cursor->next());
    }
    return {};
  }

  kv::Result<void> check_unnamed() {
    DINETTE_CHECK(check_unnamed(EngineKey::unnamed({face_, {}}, no_table)));
    return check_unnamed(EngineKey::with_name_space(face_).back());
  }

  /// Those whose keys begin with `beginning`, and end with the table's number.
  kv::Result<void> check_unnamed(const EngineKey& beginning) {
    const std::string end = base::prefix_end(beginning.view());
    DINETTE_TRY(const auto cursor, snapshot_.cursor({beginning.view(), end}));
    DINETTE_TRY(bool more, cursor->first());
    while (more) {
      DINETTE_CHECK(check_name_record("a table without a name", cursor->value()));
      std::string number;
      if (is_name_record(cursor->value()))
        base::append_big_endian(number, id_in_name_record(cursor->value()));
      if (!cursor->key().ends_with(number))
        report_("the record of a table without a name is not where its number says");
      DINETTE_TRY(more, cursor->next());
    }
    return {};
  }

  kv::Result<void> check_name_record(const std::string& name, std::string_view record) {
    if (!is_name_record(record)) {
      report_("the name record of " + name + " cannot be read");
      return {};
    }
    const TableId id = id_in_name_record(record);
    if (!tables_.insert(id).second) report_("two tables have the number " + std::to_string(id));
    if (id > last_id_) report_("the table number " + std::to_string(id) + " was never given out");
    DINETTE_TRY(const auto stamp, snapshot_.get(EngineKey::stamp(face_, id).view()));
    const std::string_view version = record.substr(1 + sizeof(TableId), stamp_size);
    if (!stamp || stamp->view() != version)
      report_("the stamp of table number " + std::to_string(id) + " is not that of its name record");
    return {};
  }

  /// Looks at one key of each table.
  kv::Result<void> check_owners() {
    const EngineKey begin = EngineKey::table(face_, 1);
    const EngineKey end = EngineKey::table(face_, std::numeric_limits<TableId>::max());
    DINETTE_TRY(const auto cursor, snapshot_.cursor({begin.view(), end.view()}));
    DINETTE_TRY(bool more, cursor->first());
    while (more) {
      const auto id = base::load_big_endian<TableId>(cursor->key().data() + 1);
      if (!tables_.contains(id))
        report_("there are keys of table number " + std::to_string(id) + ", which does not exist");
      DINETTE_TRY(more, cursor->seek(EngineKey::table(face_, id + 1).view()));
    }
    return {};
  }

  const kv::Snapshot& snapshot_;
  const std::uint8_t face_;
  const ReportFault report_;
  TableId last_id_ = 0;
  std::set<TableId> tables_;
};

}  // namespace

kv::Result<void> verify_tables(const kv::Engine& engine, std::uint8_t face_id, ReportFault report) {
  DINETTE_TRY(const auto snapshot, engine.snapshot());
  return TablesVerification(*snapshot, face_id, report).run();
}

}  // namespace dinette::store
