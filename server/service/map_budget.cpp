#include "server/service/map_budget.h"

namespace notbad::service {

std::shared_ptr<const void> MapBudget::take(std::int64_t values) {
  std::int64_t before = *taken_;
  do {
    if (before > 0 && before + values > limit_) return nullptr;
  } while (!taken_->compare_exchange_weak(before, before + values));
  const auto give_back = [taken = taken_, values](const void*) { *taken -= values; };
  return {taken_.get(), give_back};
}

}  // namespace notbad::service
