#include "tablestore/wire/signatures.h"

#include <chrono>
#include <vector>

#include <catch2/catch.hpp>

#include "tablestore/wire/dates.h"

// tablestore/wire.md sections 2 to 5.
namespace dinette::tablestore::wire::signatures_test {

using Headers = std::vector<http::Header>;

const Headers delete_table{{"x-ots-date", "2026-11-21T00:16:51.000Z"},
                           {"x-ots-apiversion", "2015-12-31"},
                           {"X-OTS-AccessKeyId", "ak"},
                           {"x-ots-instancename", "inst"},
                           {"x-ots-contentmd5", "9rCktUUn90P2xaaaReWYfQ=="}};

TEST_CASE("a request is signed as clients sign it") {
  CHECK(request_text("/DeleteTable", delete_table) ==
        "/DeleteTable\nPOST\n\nx-ots-accesskeyid:ak\nx-ots-apiversion:2015-12-31\n"
        "x-ots-contentmd5:9rCktUUn90P2xaaaReWYfQ==\nx-ots-date:2026-11-21T00:16:51.000Z\n"
        "x-ots-instancename:inst\n");
  CHECK(sign("sk", request_text("/DeleteTable", delete_table)) == "XX0+6SyFZge9m09z7KbLFIJe88w=");
  const Headers list_table{{"x-ots-accesskeyid", "ak"},
                           {"x-ots-apiversion", "2015-12-31"},
                           {"x-ots-contentmd5", "1B2M2Y8AsgTpgAmY7PhCfg=="},
                           {"x-ots-date", "2026-11-25T04:15:09.090Z"},
                           {"x-ots-instancename", "inst"}};
  CHECK(sign("sk", request_text("/ListTable", list_table)) == "xnwXrVNK5uofwiiSvU/WzQzg14w=");
}

TEST_CASE("version 4 signs with a key of the day and the region") {
  const std::string key = derive_key("sk", "20261121", "cn-hangzhou");
  CHECK(key == "0amfkh3NJEJZsjBT1ecI3+tiscwOnM3FiiTvc/Rl4II=");
  Headers headers = delete_table;
  headers.push_back({"x-ots-signdate", "20261121"});
  headers.push_back({"x-ots-signregion", "cn-hangzhou"});
  CHECK(sign_v4(key, request_text("/DeleteTable", headers)) ==
        "2PFz0627hEWPqnchn5WVucKeyCw4s+5VCL1fm6KJLwM=");
}

TEST_CASE("the path of a reply comes last in what is signed") {
  const Headers reply{{"x-ots-contentmd5", "1B2M2Y8AsgTpgAmY7PhCfg=="},
                      {"x-ots-contenttype", "protocol buffer"},
                      {"x-ots-date", "2026-11-21T00:16:51.000Z"},
                      {"x-ots-requestid", "0005-1"}};
  CHECK(sign("sk", reply_text("/DeleteTable", reply)) == "TUDMMP4IrqHWzg9wh81rLCsDoL4=");
}

TEST_CASE("dates of all clients are read, to the second") {
  const base::TimePoint moment{std::chrono::seconds(1'795'582'503)};  // 2026-11-25T04:55:03Z
  for (const char* date : {"2026-11-25T04:55:03.000Z", "2026-11-25T04:55:03.1Z", "2026-11-25T04:55:03.11254Z",
                           "2026-11-25T04:55:03.148462Z", "Wed, 25 Nov 2026 04:55:03 GMT",
                           "Wednesday, 25-Nov-26 04:55:03 GMT", "Wed Nov 25 04:55:03 2026"}) {
    CAPTURE(date);
    CHECK(parse_date(date) == moment);
  }
  for (const char* date :
       {"", "yesterday", "2026-11-25T04:55:03Z", "2026-11-25T04:55:03.Z", "2026-11-25T04:55:03.000",
        "2026-11-25T04:55:03.000Zx", "2026-11-25 04:55:03.000Z", "2026-13-25T04:55:03.000Z"}) {
    CAPTURE(date);
    CHECK_FALSE(parse_date(date));
  }
}

TEST_CASE("dates are written to the microsecond") {
  using std::chrono::microseconds;
  CHECK(format_date(base::TimePoint(microseconds(1'600'247'968'148'462))) == "2020-09-16T09:19:28.148462Z");
  CHECK(format_date(base::TimePoint(microseconds(1'600'247'968'000'001))) == "2020-09-16T09:19:28.000001Z");
}

}  // namespace dinette::tablestore::wire::signatures_test
