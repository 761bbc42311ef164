// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/blocks/blocks.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <memory>
#include <mutex>
#include <ucontext.h>
#include <utility>
#include <vector>

namespace roadtune::blocks {
namespace {

constexpr unsigned kWarp = 32, kMostThreads = 1024;
constexpr std::size_t kStack = 64 << 10;

enum Code { Well = 0, NotAWarp = 1, PartedWays = 2, TooMany = 3 };
enum class State { Ready, AtBarrier, AtExchange, Done };

// Lives on from block to block; jumps cost less than a change of context, which asks the kernel.
struct Thread {
  std::jmp_buf place = {};
  std::unique_ptr<char[]> stack = std::make_unique<char[]>(kStack);
  bool begun = false;
  State state = State::Ready;
  float given = 0, got = 0;
  unsigned other = 0;
};

struct Block {
  std::vector<Thread> threads{kMostThreads};
  std::jmp_buf scheduler = {};
  unsigned count = 0, current = 0;
  Place place;
  const std::function<void()>* body = nullptr;
};

Block s_block;
int s_error = Well;
std::mutex s_running;

void waitIn(State state) {
  auto& thread = s_block.threads[s_block.current];
  thread.state = state;
  if (_setjmp(thread.place) == 0) _longjmp(s_block.scheduler, 1);
}

void live() {
  for (;;) {
    (*s_block.body)();
    waitIn(State::Done);
  }
}

void begin(Thread& thread) {
  thread.begun = true;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = thread.stack.get();
  context.uc_stack.ss_size = kStack;
  makecontext(&context, live, 0);
  setcontext(&context);
}

// Until it waits or is done.
void resume(unsigned index) {
  s_block.current = index;
  s_block.place.thread = {index};
  if (_setjmp(s_block.scheduler) != 0) return;
  auto& thread = s_block.threads[s_block.current];
  if (thread.begun) _longjmp(thread.place, 1);
  begin(thread);
}

bool allAt(State state, unsigned begin, unsigned end) {
  return std::all_of(s_block.threads.begin() + begin, s_block.threads.begin() + end,
                     [state](const Thread& thread) { return thread.state == state; });
}

void release(unsigned begin, unsigned end) {
  for (unsigned i = begin; i < end; ++i) s_block.threads[i].state = State::Ready;
}

// The lanes of a warp that all wait to exchange, with the same distance.
bool exchange(unsigned begin) {
  const unsigned end = begin + kWarp;
  auto& threads = s_block.threads;
  if (end > s_block.count || !allAt(State::AtExchange, begin, end)) return false;
  for (unsigned i = begin; i < end; ++i) {
    if (threads[i].other != threads[begin].other) return false;
    threads[i].got = threads[begin + ((i - begin) ^ threads[i].other)].given;
  }
  release(begin, end);
  return true;
}

// Until all are done; false when some wait for what cannot happen.
bool runBlock() {
  release(0, s_block.count);
  while (!allAt(State::Done, 0, s_block.count)) {
    bool moved = false;
    for (unsigned i = 0; i < s_block.count; ++i)
      if (s_block.threads[i].state == State::Ready) {
        resume(i);
        moved = true;
      }
    for (unsigned warp = 0; warp < s_block.count; warp += kWarp) moved |= exchange(warp);
    if (allAt(State::AtBarrier, 0, s_block.count)) {
      release(0, s_block.count);
      moved = true;
    }
    if (!moved) return false;
  }
  return true;
}

}  // namespace

const Place& place() { return s_block.place; }

void meet() { waitIn(State::AtBarrier); }

float partner(float value, unsigned other) {
  auto& thread = s_block.threads[s_block.current];
  thread.given = value;
  thread.other = other;
  waitIn(State::AtExchange);
  return thread.got;
}

void run(Size grid, unsigned threads, const std::function<void()>& body) {
  if (threads == 0 || threads > kMostThreads || grid.x == 0 || grid.y == 0 || grid.y > 65535) {
    s_error = TooMany;
    return;
  }
  const std::lock_guard lock(s_running);
  s_block.count = threads;
  s_block.body = &body;
  s_block.place.size = {threads};
  for (unsigned y = 0; y < grid.y; ++y)
    for (unsigned x = 0; x < grid.x; ++x) {
      s_block.place.block = {x, y};
      if (runBlock()) continue;
      for (auto& thread : s_block.threads) thread.begun &= thread.state == State::Done;
      s_error = threads % kWarp != 0 ? NotAWarp : PartedWays;
      return;
    }
}

int takeError() { return std::exchange(s_error, Well); }

const char* errorText(int code) {
  constexpr std::array kTexts = {"all is well", "threads that exchange values do not fill their warps",
                                 "threads of a block wait for each other in different places",
                                 "more blocks or threads than a GPU starts, or none"};
  return kTexts.at(static_cast<std::size_t>(code));
}

}  // namespace roadtune::blocks
