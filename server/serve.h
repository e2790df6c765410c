#pragma once

#include "core/base/error.h"
#include "server/config/server_options.h"

namespace notbad {

// Of notbad-server, as its manual explains them.
enum ExitCode { kOrderly = 0, kBug = 1, kBadConfig = 2, kBadModel = 3, kNoPort = 4 };

// Says on stderr why the program ends with `code`, and returns it.
ExitCode complain(const Error& error, ExitCode code);

// Builds the objects of the service, serves until a signal, then finishes what runs. To be called
// before any other thread is made.
ExitCode serve(const config::ServerOptions& options);

}  // namespace notbad
