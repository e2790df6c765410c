#pragma once

#include <vector>

#include "core/base/result.h"
#include "server/cli/bulk_classifier.h"
#include "server/cli/evaluation.h"
#include "server/cli/labelled_rows.h"
#include "server/cli/progress_bar.h"

namespace notbad::cli {

// Classifies every row and compares with its label. Fails with the error of the first row that the
// service refuses: a figure over part of the rows would mislead.
Result<Evaluation> evaluate_rows(const std::vector<LabelledRow>& rows,
                                 const service::SentimentService& service, BulkOptions options,
                                 ProgressBar& progress);

}  // namespace notbad::cli
