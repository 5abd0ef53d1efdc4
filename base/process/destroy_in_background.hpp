#pragma once

#include <memory>
#include <new>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

namespace lockwood {

// Has another thread clear away these things, which must need nothing but memory to go. For who was asked to stop: to
// give back gigabytes in small pieces takes longer than a stop may take, and what is known would be lost. If there is
// no such thread to be had, they go now.
template <class... Things>
void destroy_in_background(Things&&... things) {
  try {
    auto left = std::make_shared<std::tuple<Things...>>(std::move(things)...);
    std::thread{[left = std::move(left)]() mutable { left.reset(); }}.detach();
  } catch (const std::bad_alloc&) {
    // They are where they were, or have gone with the attempt.
  } catch (const std::system_error&) {
    // The same.
  }
}

}  // namespace lockwood
