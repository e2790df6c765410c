#pragma once

#include <cstdint>
#include <memory>

#include "core/model/classifier.h"
#include "server/service/batch_runner.h"

namespace notbad::service {

// Makes runners that share `classifier` read-only; each owns a workspace for `max_batch_tokens`.
RunnerFactory classifier_runners(std::shared_ptr<const model::Classifier> classifier,
                                 std::int64_t max_batch_tokens);

}  // namespace notbad::service
