#pragma once

#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "server/cli/bulk_classifier.h"
#include "server/cli/progress_bar.h"

namespace notbad::cli {

// One outcome as a JSON object on one line, without the line end: label, score and probabilities,
// with
// `"truncated": true` where the text was cut; or `{"error": {"code", "message"}}`.
std::string format_outcome(const BulkOutcome& outcome, const std::vector<std::string>& labels);

struct StreamCount {
  std::int64_t lines = 0;
  std::int64_t failed = 0;
};

// Reads a text a line from `input` and writes a JSON line for each to `output`, order kept, memory
// bounded whatever the input is.
StreamCount classify_stream(std::istream& input, std::ostream& output,
                            const service::SentimentService& service, const BulkOptions& options,
                            ProgressBar& progress);

}  // namespace notbad::cli
