#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "server/service/sentiment.h"
#include "server/service/sentiment_service.h"

namespace notbad::cli {

// A text, or why there is none; its outcome is then that error, in its place.
using BulkInput = Result<std::string>;
using BulkOutcome = Result<service::Sentiment>;

struct BulkOptions {
  std::int64_t chunk = 64;            // texts handed to the service at once; at most its limit
  std::int64_t chunks_in_flight = 2;  // more than the workers, so that none of them waits
  service::ClassifyOptions classify;
};

// Classifies any number of texts in bounded memory: they go in one by one, and the outcomes come
// out in the same order. Unlike a request, one bad text fails alone. `service` must outlive this;
// used by one thread.
class BulkClassifier {
 public:
  using Sink = std::function<void(BulkOutcome)>;

  BulkClassifier(const service::SentimentService& service, const BulkOptions& options, Sink sink);

  void push(BulkInput input);  // may hand earlier outcomes to the sink
  void finish();               // hands over all that is left

 private:
  using Outcomes = std::vector<std::optional<BulkOutcome>>;  // none empty

  void submit();
  void deliver_first();

  const service::SentimentService& service_;
  BulkOptions options_;
  Sink sink_;
  std::vector<BulkInput> chunk_;
  std::deque<std::future<Outcomes>> in_flight_;
};

}  // namespace notbad::cli
