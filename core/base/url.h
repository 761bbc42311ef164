// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace roadtune {

// "s3://bucket/key" and its like: the name of a place that is no path of this machine.
bool isUrl(std::string_view text);

// "gpu1:/data/runs", a folder on a machine that ssh knows.
bool isHostPath(std::string_view text);

// Why an address of object storage is not taken, empty when it is: schemes other than s3 and gs, no bucket, and
// credentials or options in it, which would end up in files and process lists. Repeats nothing of the address.
std::string refusalOfUrl(std::string_view url);

}  // namespace roadtune
