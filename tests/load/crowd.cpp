#include "tests/load/crowd.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

namespace notbad::load {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kTrickle = "GET /livez HTTP/1.1\r\nX-Comes-Slowly: aaaaaaaaaaaaaaaaaaaa";
constexpr milliseconds kPace{500};
constexpr milliseconds kPauseAfterFailure{100};
constexpr milliseconds kTick{10};
constexpr int kSlowWindow = 4096;  // bytes that the kernel takes for a slow reader
constexpr std::size_t kAll = 65'536;
constexpr std::size_t kSip = 1024;
constexpr auto kNever = Clock::time_point::max();

}  // namespace

Crowd::Crowd(const CrowdOptions& options) : options_(options) {
  const auto add = [this](Habit habit, int count) {
    for (int i = 0; i < count; ++i) members_.push_back({.habit = habit});
  };
  add(Habit::kIdle, options.idle);
  add(Habit::kTrickler, options.tricklers);
  add(Habit::kSlowReader, options.slow_readers);
  // Each comes ten times a second.
  add(Habit::kLeaver, static_cast<int>(options.disconnects / 10));
  thread_ = std::thread([this] { run(); });
}

Crowd::~Crowd() { end(); }

std::map<std::string, std::int64_t> Crowd::end() {
  is_over_ = true;
  if (thread_.joinable()) thread_.join();
  return ends_;
}

void Crowd::run() {
  std::vector<pollfd> polled;
  while (!is_over_) {
    const auto now = Clock::now();
    for (Member& member : members_)
      if (member.next_act <= now) act(member, now);
    polled.clear();
    for (const Member& member : members_) {
      // A slow reader is not woken by what it does not want to read yet.
      const bool is_deaf = member.habit == Habit::kSlowReader && member.has_more;
      polled.push_back({member.socket, static_cast<short>(is_deaf ? 0 : POLLIN), 0});
    }
    poll(polled.data(), polled.size(), static_cast<int>(kTick.count()));
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (polled[i].revents != 0 && members_[i].habit != Habit::kSlowReader)
        listen_to(members_[i], kAll);
  }
  for (Member& member : members_)
    if (member.socket >= 0) close(member.socket);
}

void Crowd::act(Member& member, Clock::time_point now) {
  if (member.socket < 0) return enter(member, now);
  switch (member.habit) {
    case Habit::kIdle:
      return;
    case Habit::kTrickler:
      send(member.socket, &kTrickle[member.sent % kTrickle.size()], 1, MSG_NOSIGNAL);
      ++member.sent;
      member.next_act = now + kPace;
      return;
    case Habit::kSlowReader:
      member.next_act = now + kPace;
      return listen_to(member, kSip);
    case Habit::kLeaver:
      close(member.socket);
      member.socket = -1;
      ++ends_["leavers: left"];
      member.next_act = now + milliseconds(100);
      return;
  }
}

void Crowd::enter(Member& member, Clock::time_point now) {
  member = {.habit = member.habit, .socket = connect_to(options_.port), .since = now};
  if (member.socket < 0) {
    ++ends_[std::string(name_of(member.habit)) + ": no connection"];
    member.next_act = now + kPauseAfterFailure;
    return;
  }
  member.next_act = member.habit == Habit::kIdle ? kNever : now + kPace;
  const Request* request = nullptr;
  if (member.habit == Habit::kSlowReader) {
    setsockopt(member.socket, SOL_SOCKET, SO_RCVBUF, &kSlowWindow, sizeof(kSlowWindow));
    request = &maps_;
  }
  if (member.habit == Habit::kLeaver) {
    request = &short_;
    member.next_act = now + milliseconds(std::uniform_int_distribution(0, 30)(generator_));
  }
  if (request == nullptr) return;
  // Some leave in the middle of their request.
  const std::size_t size = member.next_act == now ? request->text.size() / 2 : request->text.size();
  send(member.socket, request->text.data(), size, MSG_NOSIGNAL);
}

// Reads at most so many bytes; notes the end.
void Crowd::listen_to(Member& member, std::size_t most) {
  if (member.socket < 0) return;
  std::string bytes(most, '\0');
  const ssize_t count = recv(member.socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count > 0) {
    if (member.received.size() < kSip)
      member.received.append(bytes, 0, static_cast<std::size_t>(count));
    return;
  }
  leave(member);
}

void Crowd::leave(Member& member) {
  const auto seconds =
      std::chrono::round<std::chrono::seconds>(Clock::now() - member.since).count();
  const std::string status = member.received.size() < 12 ? "closed" : member.received.substr(9, 3);
  ++ends_[std::string(name_of(member.habit)) + " " + std::to_string(seconds) + " s: " + status];
  close(member.socket);
  member.socket = -1;
  member.next_act = Clock::now();
}

const char* Crowd::name_of(Habit habit) {
  switch (habit) {
    case Habit::kIdle:
      return "idle";
    case Habit::kTrickler:
      return "tricklers";
    case Habit::kSlowReader:
      return "slow readers";
    case Habit::kLeaver:
      return "leavers";
  }
  return "";
}

}  // namespace notbad::load
