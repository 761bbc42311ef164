// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "remote/ssh/session.h"

#include <string>
#include <vector>

namespace roadtune::remote {

// A machine on which files are to be written, and the folders below which they go.
struct WritePlace {
  Session* session = nullptr;
  std::vector<std::string> folders = {};
};

// The machines in groups: those of one group see the same files where they are to write (a shared file system), so only
// one of them may write at a time. Each leaves a mark for a moment that the others look for. Every machine is in
// exactly one group; one that cannot be asked is alone.
std::vector<std::vector<std::size_t>> groupsSharingPlaces(const std::vector<WritePlace>& machines);

// The part of it that decides: who saw whose mark. Pure.
std::vector<std::vector<std::size_t>> groupsOf(const std::vector<std::vector<std::size_t>>& seen);

}  // namespace roadtune::remote
