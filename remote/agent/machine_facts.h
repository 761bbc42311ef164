// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json.hpp>

#include <filesystem>

namespace roadtune::remote {

enum class DiskProbe { Write, LookOnly };  // the speed is measured by writing; or whether one may write is looked at

// What this machine is and has, measured now, as one JSON object; `folder` is where a run would write (its nearest
// existing parent is looked at). Takes up to about a second where the write speed is measured. Parts that cannot be
// told are null. Judging is left to others: see remote/launch/preflight.h.
//
// host, os, kernel, glibc, time (seconds since 1970), cpus, cpu, cpu_features, mem_total, mem_available, load,
// disk {path, free, total, inodes_free, write_bps, error}, shm_free, nofile, memlock, driver, cuda,
// gpus [{index, name, mem_total, mem_used, processes, temp_c, throttle, ecc_uncorrected}]
nlohmann::json machineFacts(const std::filesystem::path& folder, DiskProbe probe = DiskProbe::Write);

}  // namespace roadtune::remote
