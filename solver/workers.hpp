#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace lockwood::solver {

// Threads for TBB to work with, the one that asks among them. TBB's own would not do: it ends the program when it
// cannot start one of them.
class Workers {
 public:
  // As many as the system allows, at most `jobs`. Requires at least 1.
  explicit Workers(std::size_t jobs);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  Workers(Workers&&) = delete;
  Workers& operator=(Workers&&) = delete;
  ~Workers();

  [[nodiscard]] std::size_t count() const;

  // Runs what uses TBB, such that they all take part. Throws what it throws.
  void run(const std::function<void()>& work);
  // Divides 0 … count - 1 among them, in pieces [begin, end) of about that size.
  void divide(std::size_t count, std::size_t piece,
              const std::function<void(std::size_t begin, std::size_t end)>& work);

 private:
  class Helpers;
  std::unique_ptr<Helpers> helpers_;
};

}  // namespace lockwood::solver
