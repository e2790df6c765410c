#pragma once

#include "server/metrics/metrics.h"
#include "server/service/batcher.h"

namespace notbad::api {

// Has `metrics`, which must outlive the batcher, count what the batcher does.
service::BatchEvents count_batches(metrics::Metrics& metrics);

}  // namespace notbad::api
