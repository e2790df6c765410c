#include "server/cli/evaluate_command.h"

#include <optional>
#include <utility>

namespace notbad::cli {

Result<Evaluation> evaluate_rows(const std::vector<LabelledRow>& rows,
                                 const service::SentimentService& service, BulkOptions options,
                                 ProgressBar& progress) {
  options.classify.negation = service::Negation::kCues;
  std::vector<EvaluatedRow> evaluated;
  std::optional<Error> first_error;
  BulkClassifier classifier(service, options, [&](BulkOutcome outcome) {
    const LabelledRow& row = rows[evaluated.size()];
    if (!outcome && !first_error) {
      first_error = Error{outcome.error().code, "row " + std::to_string(evaluated.size() + 1) +
                                                    ": " + outcome.error().message};
    }
    evaluated.push_back(
        {.expected = row.label,
         .probabilities = outcome ? std::move(outcome->probabilities) : std::vector<float>{},
         .is_negated = outcome && !outcome->cues.empty()});
    const auto done = static_cast<std::int64_t>(evaluated.size());
    progress.update(done, done);
  });
  for (const LabelledRow& row : rows) {
    if (first_error) break;
    classifier.push(row.sentence);
  }
  classifier.finish();
  if (first_error) return tl::unexpected(*std::move(first_error));
  return evaluate(evaluated, static_cast<std::int64_t>(service.bundle().labels.size()));
}

}  // namespace notbad::cli
