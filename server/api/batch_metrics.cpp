#include "server/api/batch_metrics.h"

namespace notbad::api {

service::BatchEvents count_batches(metrics::Metrics& metrics) {
  return {.on_batch = [&metrics](std::int64_t tokens) { metrics.observe_batch(tokens); },
          .on_drop =
              [&metrics](service::DropReason reason) {
                const bool is_late = reason == service::DropReason::kDeadline;
                metrics.count_drop(is_late ? metrics::Drop::kDeadline : metrics::Drop::kAbandoned);
              }};
}

}  // namespace notbad::api
