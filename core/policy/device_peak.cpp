// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/device_peak.h"

#include <array>
#include <cctype>

namespace roadtune::policy {
namespace {

struct Peak {
  std::string_view name;
  double bf16, tf32;  // 10^12 operations per second, from the data sheets
};

// "H100 PCIe" is an H100, too: the longer name first.
constexpr std::array kPeaks = {
    Peak{"GB300", 2500, 1250},
    Peak{"GB200", 2500, 1250},
    Peak{"B300", 2250, 1125},
    Peak{"B200", 2250, 1125},
    Peak{"H200", 989, 494},
    Peak{"GH200", 989, 494},
    Peak{"H100 PCIe", 756, 378},
    Peak{"H100 NVL", 835, 417},
    Peak{"H100", 989, 494},
    Peak{"H800", 989, 494},
    Peak{"H20", 148, 74},
    Peak{"A100", 312, 156},
    Peak{"A800", 312, 156},
    Peak{"A40", 149.7, 74.8},
    Peak{"A30", 165, 82},
    Peak{"A10", 125, 62.5},
    Peak{"L40S", 362, 183},
    Peak{"L40", 181, 90.5},
    Peak{"L4", 121, 60},
    Peak{"RTX 6000 Ada", 364, 182},
    Peak{"RTX A6000", 154.8, 77.4},
    Peak{"RTX 5090", 209.5, 104.8},
    Peak{"RTX 4090", 165.2, 82.6},
    Peak{"RTX 3090", 71, 35.6},
};

bool isPartOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// As words of their own: an "RTX A4000" is no A40.
bool holds(std::string_view device, std::string_view name) {
  const auto at = device.find(name);
  if (at == std::string_view::npos || (at > 0 && isPartOfWord(device[at - 1]))) return false;
  const auto end = at + name.size();
  return end == device.size() || !isPartOfWord(device[end]);
}

}  // namespace

std::optional<double> peakFlops(std::string_view device, bool bf16) {
  for (const auto& peak : kPeaks)
    if (holds(device, peak.name)) return 1e12 * (bf16 ? peak.bf16 : peak.tf32);
  return {};
}

}  // namespace roadtune::policy
