#include "tests/load/traffic.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace notbad::load {
namespace {

using std::chrono::duration;
using std::chrono::nanoseconds;

constexpr std::chrono::seconds kPatience{30};
// Whoever asks again at once would measure how fast a server can refuse.
constexpr std::chrono::milliseconds kPauseWhenRefused{100};
constexpr int kEvents = 64;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return duration<double>(end - begin).count();
}

timespec to_timespec(nanoseconds time) {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {whole.count(), (time - whole).count()};
}

}  // namespace

Traffic::Traffic(const TrafficOptions& options, RequestMix& mix)
    : options_(options), mix_(mix), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  for (int i = 0; i < options.connections; ++i) {
    clients_.push_back(std::make_unique<Client>(options.port));
    free_.push_back(static_cast<std::size_t>(i));
  }
}

Traffic::~Traffic() { close(epoll_); }

TrafficResult Traffic::run() {
  const auto start = Clock::now();
  next_due_ = start;
  end_ = start + std::chrono::duration_cast<nanoseconds>(duration<double>(options_.seconds));
  while (true) {
    const auto now = Clock::now();
    add_due(now);
    start_waiting();
    const bool is_over = now >= end_ || is_gone_;
    if ((is_over && waiting_.empty() && in_work() == 0) || now >= end_ + kPatience) break;
    wait(now < end_ && !is_gone_ && options_.rate > 0 ? std::min(next_due_, end_)
                                                      : now + std::chrono::milliseconds(100));
  }
  close_the_books(start);
  return std::move(result_);
}

void Traffic::add_due(Clock::time_point now) {
  if (options_.rate == 0) {
    while (now < end_ && now >= next_due_ && waiting_.size() < free_.size()) {
      waiting_.push_back({&mix_.next(), now});
      ++result_.due;
    }
    return;
  }
  const auto interval =
      std::chrono::duration_cast<nanoseconds>(duration<double>(1 / options_.rate));
  for (; next_due_ <= now && next_due_ < end_ && !is_gone_; next_due_ += interval) {
    waiting_.push_back({&mix_.next(), next_due_});
    ++result_.due;
  }
}

void Traffic::start_waiting() {
  // A start can complete at once and put its request back, so the queue is looked at only once.
  for (std::size_t count = std::min(waiting_.size(), free_.size()); count > 0; --count) {
    if (waiting_.empty() || free_.empty()) return;
    const Due due = waiting_.front();
    waiting_.pop_front();
    const std::size_t client = free_.front();
    free_.pop_front();
    start(client, due);
  }
}

void Traffic::start(std::size_t client, const Due& due) {
  const auto completion = clients_[client]->start(*due.request, due.at);
  watch(client);
  if (!completion) return;
  free_.push_back(client);
  finish(*completion);
}

void Traffic::wait(Clock::time_point until) {
  std::array<epoll_event, kEvents> events{};
  const timespec time = to_timespec(std::max<nanoseconds>(nanoseconds(0), until - Clock::now()));
  const int count = epoll_pwait2(epoll_, events.data(), kEvents, &time, nullptr);
  for (int i = 0; i < count; ++i) {
    const auto client = static_cast<std::size_t>(events[static_cast<std::size_t>(i)].data.u64);
    const auto completion = clients_[client]->proceed();
    watch(client);
    if (!completion) continue;
    free_.push_back(client);
    finish(*completion);
  }
}

// Closing a socket takes it out of epoll by itself; each new one has to be made known.
void Traffic::watch(std::size_t client) {
  const int socket = clients_[client]->socket();
  if (socket < 0 || !clients_[client]->is_new_socket()) return;
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.u64 = client;
  epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
}

void Traffic::finish(const Completion& completion) {
  switch (completion.end) {
    case End::kAnswered:
      return judge(completion);
    case End::kRaced:
      ++result_.raced;
      waiting_.push_front({completion.request, completion.due});
      return;
    case End::kLost:
      ++result_.lost;
      return;
    case End::kRefused:
      ++result_.refused;
      if (options_.may_end) is_gone_ = true;
      return;
  }
}

void Traffic::judge(const Completion& completion) {
  const Answer& answer = completion.answer;
  const std::string status = std::to_string(answer.status);
  ++result_.statuses[status];
  if (answer.status == 200)
    result_.latencies.push_back(seconds_between(completion.due, Clock::now()) * 1000);
  const bool is_back_pressure = answer.status == 503 && answer.has_retry_after;
  if (is_back_pressure && options_.rate == 0) next_due_ = Clock::now() + kPauseWhenRefused;
  if (answer.status != completion.request->expected && !is_back_pressure)
    ++result_.unexpected[status + " for " + std::to_string(completion.request->expected)];
}

void Traffic::close_the_books(Clock::time_point start) {
  const auto now = Clock::now();
  result_.seconds = seconds_between(start, now);
  result_.recovered_after = is_gone_ ? 0 : seconds_between(end_, now);
  result_.lost += std::ssize(waiting_) + static_cast<std::int64_t>(in_work());
}

}  // namespace notbad::load
