#pragma once

#include <span>

#include "server/api/router.h"
#include "server/http/embedded_files.h"

namespace notbad::http {

// A route for each file: with ETag, compressed for who takes gzip, a 304 to who has it already, and
// a strict content security policy on HTML. Nothing is looked up in a file system. The files must
// outlive the router.
void add_static_files(std::span<const EmbeddedFile> files, api::Router& router);

}  // namespace notbad::http
