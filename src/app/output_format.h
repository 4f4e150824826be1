#pragma once

namespace dinette::app {

/// How the items of a table are written to files.
enum class OutputFormat {
  dynamodb_json,  ///< as DynamoDB's export to S3
  json,           ///< plain JSON, one item per line
  csv
};

/// What happens to a table that the destination has already.
enum class Existing {
  refuse,   ///< nothing is done
  resume,   ///< what was interrupted is completed
  replace,  ///< it is deleted first
  skip      ///< it stays as it is
};

}  // namespace dinette::app
