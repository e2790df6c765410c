#include "server/cli/bulk_classifier.h"

#include <stdexcept>
#include <utility>

namespace notbad::cli {
namespace {

using Positions = std::vector<std::size_t>;  // of the chunk's texts that still need an outcome

struct Chunk {
  const service::SentimentService& service;
  const service::ClassifyOptions& options;
  const std::vector<BulkInput>& inputs;
  std::vector<std::optional<BulkOutcome>>& outcomes;  // filled in one by one
};

Positions classify_together(const Chunk& chunk, const Positions& positions);

// A failure that names no text may be the doing of one of them: each is tried alone.
void classify_alone(const Chunk& chunk, const Positions& positions) {
  for (const std::size_t position : positions) classify_together(chunk, {position});
}

// Fills in the outcomes of `positions`; gives back those that are worth another try without the
// rest.
Positions classify_together(const Chunk& chunk, const Positions& positions) {
  service::ClassifyRequest request{.inputs = {}, .options = chunk.options};
  for (const std::size_t position : positions) request.inputs.push_back(*chunk.inputs[position]);
  service::ClassifyOutcome answer = chunk.service.classify(request);
  if (answer) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      chunk.outcomes[positions[i]].emplace(std::move(answer->results[i]));
    }
    return {};
  }
  if (positions.size() == 1) {
    chunk.outcomes[positions.front()].emplace(tl::unexpected(answer.error().error));
    return {};
  }
  if (answer.error().parts.empty()) {
    classify_alone(chunk, positions);
    return {};
  }
  std::vector<bool> is_bad(positions.size(), false);
  for (const service::PartError& part : answer.error().parts) {
    const auto index = static_cast<std::size_t>(part.index);
    is_bad[index] = true;
    chunk.outcomes[positions[index]].emplace(tl::unexpected(part.error));
  }
  Positions rest;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!is_bad[i]) rest.push_back(positions[i]);
  }
  return rest;
}

std::vector<std::optional<BulkOutcome>> classify_chunk(const service::SentimentService& service,
                                                       const service::ClassifyOptions& options,
                                                       const std::vector<BulkInput>& inputs) {
  std::vector<std::optional<BulkOutcome>> outcomes(inputs.size());
  Positions positions;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]) {
      positions.push_back(i);
    } else {
      outcomes[i].emplace(tl::unexpected(inputs[i].error()));
    }
  }
  const Chunk chunk{service, options, inputs, outcomes};
  while (!positions.empty()) positions = classify_together(chunk, positions);
  return outcomes;
}

}  // namespace

BulkClassifier::BulkClassifier(const service::SentimentService& service, const BulkOptions& options,
                               Sink sink)
    : service_(service), options_(options), sink_(std::move(sink)) {}

void BulkClassifier::push(BulkInput input) {
  chunk_.push_back(std::move(input));
  if (static_cast<std::int64_t>(chunk_.size()) >= options_.chunk) submit();
}

void BulkClassifier::finish() {
  if (!chunk_.empty()) submit();
  while (!in_flight_.empty()) deliver_first();
}

void BulkClassifier::submit() {
  if (static_cast<std::int64_t>(in_flight_.size()) >= options_.chunks_in_flight) deliver_first();
  in_flight_.push_back(std::async(std::launch::async, [this, inputs = std::exchange(chunk_, {})] {
    return classify_chunk(service_, options_.classify, inputs);
  }));
}

void BulkClassifier::deliver_first() {
  Outcomes outcomes = in_flight_.front().get();
  in_flight_.pop_front();
  for (auto& outcome : outcomes) {
    if (!outcome) throw std::logic_error("BulkClassifier: a text without an outcome");
    sink_(std::move(*outcome));
  }
}

}  // namespace notbad::cli
