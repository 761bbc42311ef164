// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <c10/util/Exception.h>

#include <exception>
#include <new>
#include <string>
#include <type_traits>

namespace roadtune::engine {

// What torch says of a card that failed goes on with advice for who writes kernels.
inline std::string firstOfCard(const std::string& words) {
  return words.starts_with("CUDA error") ? words.substr(0, words.find('\n')) : words;
}

// Torch throws; nothing above this library does. Runs `work` (which returns a Result or Status) and turns what it
// throws into an error.
template <class Work>
std::invoke_result_t<Work> guarded(const std::string& where, Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return failed("out of memory", where, "use a smaller batch, or gradient_checkpointing: true");
  } catch (const c10::OutOfMemoryError& error) {
    return failed(
        error.what_without_backtrace(), where,
        "use a smaller batch, or gradient_checkpointing: true; `roadtune estimate` shows what takes the memory");
  } catch (const c10::Error& error) {
    return failed(firstOfCard(error.what_without_backtrace()), where);
  } catch (const std::exception& error) {
    return failed(error.what(), where);
  }
}

}  // namespace roadtune::engine
