// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/error.h"

#include <cstdlib>
#include <optional>
#include <utility>
#include <variant>

namespace roadtune {

// A value, or the reason there is none. It cannot be dropped silently and does not convert to bool:
// write `if (!r.ok()) return r.error();`, or use ROADTUNE_TRY.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return m_state.index() == 0; }
  explicit operator bool() const = delete;

  // Asking for what is not there is a mistake of ours, not of the world: it ends the program.
  T& value() & { return *access(std::get_if<0>(&m_state)); }
  const T& value() const& { return *access(std::get_if<0>(&m_state)); }
  T&& value() && { return std::move(*access(std::get_if<0>(&m_state))); }
  const Error& error() const& { return *access(std::get_if<1>(&m_state)); }
  Error&& error() && { return std::move(*access(std::get_if<1>(&m_state))); }

  T valueOr(T other) const& { return ok() ? value() : std::move(other); }

 private:
  template <class P>
  static P* access(P* pointer) {
    if (!pointer) std::abort();
    return pointer;
  }
  std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : m_error(std::move(error)) {}

  bool ok() const { return !m_error; }
  explicit operator bool() const = delete;
  const Error& error() const {
    if (!m_error) std::abort();
    return *m_error;
  }

 private:
  std::optional<Error> m_error;
};

using Status = Result<void>;

}  // namespace roadtune

#define ROADTUNE_JOIN_(a, b) a##b
#define ROADTUNE_JOIN(a, b) ROADTUNE_JOIN_(a, b)

// ROADTUNE_TRY(auto file, openFile(path)); hands an error to the caller, or goes on with the value.
#define ROADTUNE_TRY(declaration, expression)                          \
  auto ROADTUNE_JOIN(roadtuneResult, __LINE__) = (expression);         \
  if (!ROADTUNE_JOIN(roadtuneResult, __LINE__).ok())                   \
    return std::move(ROADTUNE_JOIN(roadtuneResult, __LINE__)).error(); \
  declaration = std::move(ROADTUNE_JOIN(roadtuneResult, __LINE__)).value()

// ROADTUNE_CHECK(step()); the same for a Status.
#define ROADTUNE_CHECK(expression)                                                               \
  do {                                                                                           \
    if (auto roadtuneStatus = (expression); !roadtuneStatus.ok()) return roadtuneStatus.error(); \
  } while (false)
