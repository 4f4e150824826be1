#include "admin/page.h"

#include <algorithm>
#include <array>
#include <string>

#include "dinette/admin/api.h"
#include "dinette/base/compression.h"
#include "dinette/http/content_coding.h"

namespace dinette::admin {
namespace {

constexpr std::string_view path_as_people_type_it = "/_dinette";
constexpr std::array<std::string_view, 3> paths_to_page{"/", "/shell", "/shell/"};
constexpr std::string_view icon_path = "/_dinette/page/icon.svg";
constexpr std::string_view files_prefix = "/_dinette/page/";

// The page holds what users have stored, so nothing of others may run in it, frame it, or be loaded by it.
constexpr std::string_view headers =
    "Content-Security-Policy: default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
    "'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Vary: Accept-Encoding\r\n";

/// Returns true if a page of another origin loads the file, other than by a link to it. Browsers say so only
/// to servers on their own machine and over TLS.
bool is_loaded_by_another(const http::Request& request) {
  const std::string_view site = request.header("Sec-Fetch-Site").value_or("none");
  const bool is_link = request.header("Sec-Fetch-Dest") == "document";
  return site != "same-origin" && site != "none" && !is_link;
}

bool accepts_gzip(const http::Request& request) {
  return http::chosen_coding(request.header("Accept-Encoding").value_or("")) == base::Compression::gzip;
}

/// Returns true if the client has the file already. A tag in quotes is part of no other tag.
bool has(const http::Request& request, const std::string& tag) {
  return request.header("If-None-Match").value_or("").find(tag) != std::string_view::npos;
}

void write_bytes(const PageFile& file, bool compressed, http::Response& response) {
  if (compressed) {
    response.add_header("Content-Encoding", http::coding_name(base::Compression::gzip));
    response.body = file.gzip;
  } else {
    response.body = base::decompress(base::Compression::gzip, file.gzip, file.size).value().view();
  }
}

void write(const PageFile& file, const http::Request& request, http::Response& response) {
  const bool compressed = accepts_gzip(request);
  const std::string tag = '"' + std::string(file.digest) + (compressed ? "-gzip\"" : "\"");
  response.headers += headers;
  response.add_header("Cache-Control", file.is_named_by_content ? "max-age=31536000, immutable" : "no-cache");
  response.add_header("ETag", tag);
  if (has(request, tag)) {
    response.status = 304;
    return;
  }
  response.content_type = file.content_type;
  write_bytes(file, compressed, response);
}

/// Until something else is there: another program may have the port tomorrow.
void redirect_for_now(std::string_view place, http::Response& response) {
  response.status = 302;
  response.add_header("Location", place);
  response.add_header("Cache-Control", "no-store");
}

void serve_icon(bool is_there, http::Response& response) {
  if (is_there) return redirect_for_now(icon_path, response);
  response.status = 404;
  response.content_type = "text/plain";
  response.body = "There is no icon.\n";
}

}  // namespace

bool leads_to_page(std::string_view path) {
  return std::ranges::find(paths_to_page, path) != paths_to_page.end();
}

bool is_of_page(std::string_view path) {
  return path == page_path || path == path_as_people_type_it || path.starts_with(files_prefix);
}

Result<void> serve_page(std::span<const PageFile> files, const http::Request& request,
                        http::Response& response) {
  if (is_loaded_by_another(request))
    return base::Failure{
        Error{403, "Forbidden", "Pages of other origins may link to the page, not load it."}};
  if (request.path() == icon_shortcut) {
    serve_icon(!files.empty(), response);
    return {};
  }
  if (request.method != "GET") {
    response.add_header("Allow", "GET");
    return base::Failure{Error{405, "MethodNotAllowed", "The methods of this path are: GET."}};
  }
  if (files.empty()) {
    return not_found(
        "This build of Dinette has no page: npm was missing when it was built. Everything else works.");
  }
  if (request.path() == path_as_people_type_it) {
    response.status = 308;
    response.add_header("Location", page_path);
    return {};
  }
  if (leads_to_page(request.path())) {
    redirect_for_now(page_path, response);
    return {};
  }
  const auto found = std::ranges::find(files, request.path(), &PageFile::path);
  if (found == files.end()) return not_found("The page has no such file.");
  write(*found, request, response);
  return {};
}

}  // namespace dinette::admin
