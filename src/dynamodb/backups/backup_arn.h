#pragma once

#include <string>
#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// The ARN of a backup, which may not exist: views of the text.
struct BackupArn {
  std::string_view text;
  std::string_view region;  ///< in any letter case
  std::string_view table_name;
  std::string_view id;

  /// Returns the key of its entry (backup_entry.h).
  std::string key() const;
};

/// Returns the parts of an ARN that a request of the caller names a backup by. The region may be another one
/// (docs/service/backups-pitr.md section 1).
Answer<BackupArn> parse_backup_arn(const Context& context, std::string_view text);

}  // namespace dinette::dynamodb
