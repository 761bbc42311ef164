// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/policy/device_peak.h"

#include <array>

namespace roadtune::policy {
namespace {

struct Peak {
  std::string_view name;
  double bf16, tf32;  // 10^12 operations per second, from the data sheets
};

// The longer names first: "H100 PCIe" is an H100, too.
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

}  // namespace

std::optional<double> peakFlops(std::string_view device, bool bf16) {
  for (const auto& peak : kPeaks)
    if (device.find(peak.name) != std::string_view::npos) return 1e12 * (bf16 ? peak.bf16 : peak.tf32);
  return {};
}

}  // namespace roadtune::policy
