// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/agent/gpm.h"

#include <array>
#include <cmath>
#include <dlfcn.h>
#include <utility>

namespace roadtune::remote {

// The library's interface as documented, as far as it is used here. Named, because Gpm::Calls below holds these types.
namespace gpm {

struct Support {
  unsigned version, supported;
};
struct Metric {
  unsigned id;
  int result;
  double value;
  const char *shortName, *longName, *unit;
};
// The library's own list of metrics is longer and grows; it looks at `count` of them.
struct Request {
  unsigned version, count;
  void *before, *now;
  std::array<Metric, 16> metrics;
};

}  // namespace gpm

struct Gpm::Calls {
  int (*support)(void*, gpm::Support*) = nullptr;
  int (*alloc)(void**) = nullptr;
  int (*free)(void*) = nullptr;
  int (*sample)(void*, void*) = nullptr;
  int (*metrics)(gpm::Request*) = nullptr;

  bool complete() const { return support && alloc && free && sample && metrics; }
};

namespace {

constexpr int kSuccess = 0;
constexpr unsigned kVersion = 1;
constexpr double kMebibyte = 1024.0 * 1024.0;

struct Wanted {
  unsigned id;
  std::optional<double> PartActivity::*target;
  double scale;
};
// Numbers of the documentation: utilisations in percent, transfers in MiB per second.
constexpr std::array<Wanted, 7> kWanted{{{2, &PartActivity::sm, 1},
                                         {5, &PartActivity::tensor, 1},
                                         {10, &PartActivity::dram, 1},
                                         {21, &PartActivity::pcieReceived, kMebibyte},
                                         {20, &PartActivity::pcieSent, kMebibyte},
                                         {60, &PartActivity::nvlinkReceived, kMebibyte},
                                         {61, &PartActivity::nvlinkSent, kMebibyte}}};

template <class F>
void find(void* library, F& function, const char* name) {
  function = reinterpret_cast<F>(::dlsym(library, name));
}

}  // namespace

Gpm::Gpm(void* library) : m_calls(std::make_unique<Calls>()) {
  find(library, m_calls->support, "nvmlGpmQueryDeviceSupport");
  find(library, m_calls->alloc, "nvmlGpmSampleAlloc");
  find(library, m_calls->free, "nvmlGpmSampleFree");
  find(library, m_calls->sample, "nvmlGpmSampleGet");
  find(library, m_calls->metrics, "nvmlGpmMetricsGet");
}

Gpm::~Gpm() {
  for (const Card& card : m_cards)
    for (void* sample : {card.before, card.now})
      if (sample) m_calls->free(sample);
}

Gpm::Card& Gpm::cardOf(void* device) {
  for (Card& card : m_cards)
    if (card.device == device) return card;
  Card& card = m_cards.emplace_back(Card{.device = device});
  gpm::Support support{kVersion, 0};
  card.refused = !m_calls->complete() || m_calls->support(device, &support) != kSuccess || support.supported == 0;
  return card;
}

bool Gpm::take(Card& card) const {
  if (!card.now && m_calls->alloc(&card.now) != kSuccess) card.now = nullptr;
  return card.now && m_calls->sample(card.device, card.now) == kSuccess;
}

PartActivity Gpm::look(void* device) {
  PartActivity activity;
  Card& card = cardOf(device);
  if (card.refused) return activity;
  if (!take(card)) {
    card.refused = true;  // another program holds the counters, or they may not be read: it stays so
    return activity;
  }
  if (card.before) {
    gpm::Request request{kVersion, kWanted.size(), card.before, card.now, {}};
    for (std::size_t i = 0; i < kWanted.size(); ++i) request.metrics[i].id = kWanted[i].id;
    if (m_calls->metrics(&request) == kSuccess)
      for (std::size_t i = 0; i < kWanted.size(); ++i)
        if (const auto& metric = request.metrics[i]; metric.result == kSuccess && std::isfinite(metric.value))
          activity.*kWanted[i].target = metric.value * kWanted[i].scale;
  }
  std::swap(card.before, card.now);
  return activity;
}

}  // namespace roadtune::remote
