// SPDX-License-Identifier: BSD-3-Clause
// replay <folder>: gives each file of the folder, and a few thousand fixed random inputs, to the
// fuzzer's target, without a fuzzer. Fails too if no file leads to a call of some kind that goes
// through.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "fuzz/source.hpp"
#include "support/elements.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int count = 0;
  std::set<std::size_t> reached;
  for (const auto& file : std::filesystem::directory_iterator(argv[1])) {
    std::fprintf(stderr, "%s\n", file.path().filename().c_str());
    std::ifstream in(file.path(), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    const auto done = fuzz::calls_done;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    if (fuzz::calls_done > done) {
      reached.insert(static_cast<std::uint8_t>(bytes[0]) % fuzz::target_count());
    }
    ++count;
  }
  std::fprintf(stderr, "random inputs\n");
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    std::vector<std::uint8_t> bytes(20 + test::mix(seed) % 80);
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      // Half of the bytes are small: choices that many calls have in common.
      const std::uint64_t bits = test::mix(test::mix(seed + 1) + k);
      bytes[k] = static_cast<std::uint8_t>(bits & 256 ? bits : bits % 8);
    }
    bytes[0] = static_cast<std::uint8_t>(seed);  // every operation
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%d files and 4000 random inputs\n", count);
  for (std::size_t k = 0; k < fuzz::target_count(); ++k) {
    if (reached.contains(k)) continue;
    std::printf("FAILED: no file for target %zu\n", k);
    return 1;
  }
  return 0;
}
