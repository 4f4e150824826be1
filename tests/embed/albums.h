#pragma once

namespace dinette::embed_tests {

inline constexpr const char* make_albums = R"({
  "TableName": "Albums", "BillingMode": "PAY_PER_REQUEST",
  "AttributeDefinitions": [{"AttributeName": "artist", "AttributeType": "S"}],
  "KeySchema": [{"AttributeName": "artist", "KeyType": "HASH"}],
  "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "KEYS_ONLY"}})";

/// The item expires at 2030-01-01T00:01:00Z.
inline constexpr const char* put_album =
    R"({"TableName": "Albums", "Item": {"artist": {"S": "Nina Simone"}, "until": {"N": "1893456060"}}})";

inline constexpr const char* expire_albums = R"({
  "TableName": "Albums", "TimeToLiveSpecification": {"AttributeName": "until", "Enabled": true}})";

inline constexpr const char* list_tables = "{}";

}  // namespace dinette::embed_tests
