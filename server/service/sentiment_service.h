#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/model/model_config.h"
#include "server/service/batcher.h"
#include "server/service/forward_passes.h"
#include "server/service/map_budget.h"
#include "server/service/model_bundle.h"
#include "server/service/sentiment.h"

namespace notbad::service {

struct ServiceLimits {
  std::int64_t inputs = 32;                   // texts of one request
  std::int64_t tokens = 256;                  // of one text, special ones counted
  std::int64_t characters = 8192;             // code points of one text: bounds the tokenizer
  std::int64_t attention_values = 1'048'576;  // layers x heads x T² over one request
  std::int64_t attention_values_at_once = 4'194'304;  // over all requests, see MapBudget
  std::int64_t effect_tokens = 32'768;   // of the passes of Negation::kEffects in one request
  std::int64_t explain_tokens = 16'384;  // of all forward passes of one explanation
};

// Text in, sentiment out: tokenises, has the batcher compute, reads the outcome. Holds no state of
// a request; any thread may call classify(), which blocks it until the answer or the deadline.
class SentimentService {
 public:
  // `batcher` must outlive this and run `bundle`'s classifier or a double of it.
  SentimentService(ModelBundle bundle, Batcher& batcher, const ServiceLimits& limits);

  // All or nothing: one bad input fails the request, and every bad input is named.
  ClassifyOutcome classify(const ClassifyRequest& request) const;

  // Passes of an experiment on a text; see run_passes().
  Result<std::vector<SequenceAnswer>> run(std::vector<ForwardPass> passes,
                                          Clock::time_point deadline,
                                          const std::function<bool()>& has_caller_left) const {
    return run_passes(batcher_, std::move(passes), deadline, has_caller_left);
  }

  // A known sentence through the real path, which warms every stage. Fails where no answer comes.
  Result<void> warm_up() const;

  const ModelBundle& bundle() const { return bundle_; }
  const ServiceLimits& limits() const { return limits_; }
  std::vector<std::string> kernels() const { return batcher_.kernels(); }
  std::int64_t queued_tokens() const { return batcher_.queued_tokens(); }
  std::chrono::nanoseconds longest_batch() const { return batcher_.longest_batch(); }

 private:
  using Encodings = std::vector<tokenizer::Encoding>;

  // A place for the maps that are asked for; null where there are none.
  Result<std::shared_ptr<const void>> reserve_maps(const ClassifyOptions& options,
                                                   const Encodings& encodings) const;
  tl::expected<Encodings, ClassifyFailure> encode(const ClassifyRequest& request) const;
  Result<tokenizer::Encoding> encode_one(std::string_view text, Truncate truncate) const;
  ClassifyOutcome compute(const ClassifyRequest& request, Encodings encodings) const;
  ClassifyOutcome add_effects(const ClassifyRequest& request, ClassifyAnswer answer) const;

  ModelBundle bundle_;
  Batcher& batcher_;
  ServiceLimits limits_;
  std::shared_ptr<MapBudget> map_budget_;
};

}  // namespace notbad::service
