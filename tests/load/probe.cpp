#include "tests/load/probe.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

namespace notbad::load {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kInterval{50};
constexpr milliseconds kPatience{2000};
constexpr double kLimitMs = 100;
constexpr milliseconds kAround{500};  // of a probe, before it was due and after its answer

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Two ends of one connection over loopback.
std::array<int, 2> loopback_pair() {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t length = sizeof(address);
  if (bind(listener, generic, length) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, generic, &length) != 0)
    throw std::runtime_error("no loopback");
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(client, generic, length) != 0) throw std::runtime_error("no loopback");
  const int server = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  close(listener);
  const int yes = 1;
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  return {client, server};
}

}  // namespace

Probe::Probe(std::uint16_t port, double scrapes_per_second)
    : port_(port), echo_sockets_(loopback_pair()) {
  threads_.emplace_back([this] { echo(); });
  threads_.emplace_back([this] { control(); });
  threads_.emplace_back([this] { probe(); });
  if (scrapes_per_second > 0)
    threads_.emplace_back([this, scrapes_per_second] { scrape(scrapes_per_second); });
}

Probe::~Probe() { end(); }

ProbeResult Probe::end() {
  is_over_ = true;
  if (!threads_.empty()) {
    for (std::size_t i = 1; i < threads_.size(); ++i) threads_[i].join();
    shutdown(echo_sockets_[0], SHUT_RDWR);
    threads_[0].join();
    close(echo_sockets_[0]);
    close(echo_sockets_[1]);
    threads_.clear();
    result_.failed += failed_scrapes_;
    judge();
  }
  return result_;
}

void Probe::probe() {
  const std::array<Request, 2> requests = {get("/livez"), get("/readyz")};
  Client kept(port_);
  std::size_t count = 0;
  for (auto due = start_; !is_over_; due += kInterval, ++count) {
    std::this_thread::sleep_until(due);
    const bool is_fresh = count / 2 % 2 == 1;
    const auto fresh = is_fresh ? std::make_unique<Client>(port_) : nullptr;
    if (!ask(is_fresh ? *fresh : kept, requests[count % 2])) ++result_.failed;
    result_.probes.push_back({due, ms_since(due)});
  }
}

void Probe::scrape(double per_second) {
  const Request request = get("/metrics");
  const auto interval = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(1 / per_second));
  Client client(port_);
  for (auto due = start_; !is_over_; due += interval) {
    std::this_thread::sleep_until(due);
    if (!ask(client, request)) ++failed_scrapes_;
    result_.scrapes.push_back({due, ms_since(due)});
  }
}

bool Probe::ask(Client& client, const Request& request) const {
  const auto begin = Clock::now();
  auto completion = client.start(request, begin);
  while (Clock::now() < begin + kPatience) {
    if (completion && completion->end == End::kRaced) completion = client.start(request, begin);
    if (completion && completion->end != End::kRaced)
      return completion->end == End::kAnswered && completion->answer.status == 200;
    pollfd one{client.socket(), POLLIN, 0};
    poll(&one, 1, static_cast<int>(kPatience.count()));
    completion = client.proceed();
  }
  return false;
}

void Probe::control() {
  for (auto due = start_; !is_over_; due += kInterval) {
    std::this_thread::sleep_until(due);
    char byte = 'x';
    if (send(echo_sockets_[0], &byte, 1, MSG_NOSIGNAL) != 1 ||
        recv(echo_sockets_[0], &byte, 1, 0) != 1)
      return;
    result_.controls.push_back({due, ms_since(due)});
  }
}

void Probe::echo() const {
  char byte = 0;
  while (recv(echo_sockets_[1], &byte, 1, 0) == 1 &&
         send(echo_sockets_[1], &byte, 1, MSG_NOSIGNAL) == 1) {
  }
}

void Probe::judge() {
  for (const ProbeTime& probe : result_.probes) {
    if (probe.ms <= kLimitMs) continue;
    ++result_.over;
    const auto begin = probe.due - kAround;
    const auto end = probe.due + std::chrono::duration<double, std::milli>(probe.ms) + kAround;
    double worst = 0;
    for (const ProbeTime& control : result_.controls)
      if (control.due >= begin && control.due <= end) worst = std::max(worst, control.ms);
    if (probe.ms - worst > kLimitMs) ++result_.slow;
  }
}

}  // namespace notbad::load
