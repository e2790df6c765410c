#include "server/http/static_files.h"

#include <string>
#include <string_view>

#include "server/api/content_coding.h"

namespace notbad::http {
namespace {

constexpr const char* kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

// The header lists tags, perhaps marked weak, or is a star.
bool has_already(const api::Request& request, std::string_view etag) {
  const std::string* tags = request.find_header("If-None-Match");
  return tags != nullptr && (*tags == "*" || tags->find(etag) != std::string::npos);
}

api::Response serve(const EmbeddedFile& file, const api::Request& request) {
  const bool is_gzip = !file.gzip.empty() && api::takes_gzip(request);
  // Other bytes need another tag: "x" becomes "x-gzip".
  std::string etag(file.etag);
  if (is_gzip) etag.insert(etag.size() - 1, "-gzip");
  api::Response response;
  response.content_type = file.content_type;
  response.headers = {{"ETag", etag}, {"Cache-Control", "no-cache"}};
  if (!file.gzip.empty()) response.headers.push_back({"Vary", "Accept-Encoding"});
  if (file.content_type.starts_with("text/html"))
    response.headers.push_back({"Content-Security-Policy", kContentSecurityPolicy});
  if (has_already(request, etag)) {
    response.status = 304;
  } else {
    if (is_gzip) response.headers.push_back({"Content-Encoding", "gzip"});
    response.body = is_gzip ? file.gzip : file.content;
  }
  return response;
}

}  // namespace

void add_static_files(std::span<const EmbeddedFile> files, api::Router& router) {
  for (const EmbeddedFile& file : files)
    router.add({api::RouteKind::kPage, std::string(file.path),
                [&file](const api::Request& request, const api::Exchange&) {
                  return api::Answer(serve(file, request));
                }});
}

}  // namespace notbad::http
