#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "dinette/http/message.h"

#include "admin/answer.h"

/// The page for people, at /_dinette/: files that were bundled from src/page when the program was built.
namespace dinette::admin {

struct PageFile {
  std::string_view path;          ///< "/_dinette/page/main-IHT6UGDW.js"
  std::string_view content_type;  ///< of static storage
  std::string_view gzip;          ///< its bytes, compressed
  std::size_t size;               ///< of its bytes
  std::string_view digest;        ///< of its bytes, in hexadecimal digits
  bool is_named_by_content;       ///< other bytes would have another path
};

/// Returns all files of the page; none if it was not bundled, since npm was missing.
std::span<const PageFile> page_files();

/// Returns true if the path is the page or one of its files, whether they exist or not.
bool is_of_page(std::string_view path);

/// The icon that browsers look for on their own.
inline constexpr std::string_view icon_shortcut = "/favicon.ico";
/// Returns true for paths outside /_dinette/ at which people look for a page: "/", and DynamoDB Local's.
bool leads_to_page(std::string_view path);

/// Answers with the file that the request asks for. Fails with 404 if there is none, and with 405 if the
/// method is not GET. Requests at shortcuts are redirected.
Result<void> serve_page(std::span<const PageFile> files, const http::Request& request,
                        http::Response& response);

}  // namespace dinette::admin
