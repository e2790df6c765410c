#include "server/service/forward_passes.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <numeric>
#include <utility>

namespace notbad::service {
namespace {

// Enough to keep several workers busy with full batches, a quarter of the default queue.
constexpr std::int64_t kQueuedTokens = 4096;

struct Waiting {
  Ticket ticket;
  std::int64_t tokens = 0;
};

bool is_finite(const std::vector<float>& values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

Result<SequenceAnswer> take_answer(Ticket& ticket) {
  Result<std::vector<SequenceAnswer>> answers = ticket.wait();
  if (!answers) return tl::unexpected(std::move(answers.error()));
  SequenceAnswer& answer = answers->front();
  if (!is_finite(answer.output.logits) || !is_finite(answer.output.probabilities))
    return fail(ErrorCode::kNonFinite, "the model's answer is not a finite number");
  return std::move(answer);
}

std::vector<std::int64_t> all_below(std::int64_t end) {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(end));
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

}  // namespace

std::vector<std::int32_t> ids_of(const tokenizer::Encoding& encoding) {
  std::vector<std::int32_t> ids;
  std::ranges::transform(encoding.tokens, std::back_inserter(ids), &tokenizer::Token::id);
  return ids;
}

model::AttentionSelection every_head(const model::ModelConfig& config) {
  return {all_below(config.num_layers), all_below(config.num_heads)};
}

std::int64_t count_tokens(std::span<const ForwardPass> passes) {
  std::int64_t tokens = 0;
  for (const ForwardPass& pass : passes) tokens += std::ssize(pass.ids);
  return tokens;
}

Result<std::vector<SequenceAnswer>> run_passes(Batcher& batcher, std::vector<ForwardPass> passes,
                                               Clock::time_point deadline,
                                               const std::function<bool()>& has_caller_left) {
  std::vector<SequenceAnswer> answers;
  std::deque<Waiting> waiting;
  std::int64_t queued = 0;
  auto next = passes.begin();
  while (next != passes.end() || !waiting.empty()) {
    const std::int64_t tokens = next == passes.end() ? 0 : std::ssize(next->ids);
    if (next != passes.end() && (waiting.empty() || queued + tokens <= kQueuedTokens)) {
      Result<Ticket> ticket =
          batcher.submit({{next->ids}, next->options, deadline, has_caller_left});
      if (ticket) {
        waiting.push_back({std::move(*ticket), tokens});
        queued += tokens;
        ++next;
        continue;
      }
      // What is under way already makes room as it is answered.
      if (waiting.empty() || ticket.error().code != ErrorCode::kOverloaded)
        return tl::unexpected(std::move(ticket.error()));
    }
    Result<SequenceAnswer> answer = take_answer(waiting.front().ticket);
    if (!answer) return tl::unexpected(std::move(answer.error()));
    answers.push_back(std::move(*answer));
    queued -= waiting.front().tokens;
    waiting.pop_front();
  }
  return answers;
}

}  // namespace notbad::service
