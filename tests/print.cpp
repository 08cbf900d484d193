// SPDX-License-Identifier: BSD-3-Clause
// operator<<. What is expected is what NumPy's print() shows for the same array.
#include <complex>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <garner/print.hpp>
#include <garner/tensor.hpp>

#include "support/catch.hpp"

using garner::end;
using garner::index_t;
using garner::tensor;
using garner::view;

namespace {

template <class X>
std::string text(const X& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

template <int Rank>
tensor<int, Rank> arange(const garner::dims<Rank>& shape) {
  tensor<int, Rank> x(shape);
  int i = 0;
  for (int& element : x) element = i++;
  return x;
}

using doubles = tensor<double, 1>;
using floats = tensor<float, 1>;
using ints = tensor<int, 1>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct opaque {};
struct spoken {
  friend std::ostream& operator<<(std::ostream& out, const spoken&) { return out << "spoken"; }
};

}  // namespace

TEST_CASE("print: integers are right-aligned to one width", "[print]") {
  CHECK(text(ints{1, 2, 3}) == "[1 2 3]");
  CHECK(text(ints{1, -20, 300}) == "[  1 -20 300]");
  CHECK(text(ints{-1, -2}) == "[-1 -2]");
  CHECK(text(ints{7}) == "[7]");
  CHECK(text(tensor<std::int8_t, 1>{65, -128}) == "[  65 -128]");
  CHECK(text(tensor<std::uint8_t, 1>{65, 255}) == "[ 65 255]");
  CHECK(text(tensor<char, 1>{'A'}) == "[65]");
  CHECK(text(tensor<std::uint64_t, 1>{~std::uint64_t{0}}) == "[18446744073709551615]");
  CHECK(text(tensor<std::int64_t, 1>{std::numeric_limits<std::int64_t>::min()}) ==
        "[-9223372036854775808]");
}

TEST_CASE("print: rows are bracketed and set below each other", "[print]") {
  CHECK(text(tensor<int, 2>{{1, 2}, {3, 4}}) ==
        "[[1 2]\n"
        " [3 4]]");
  CHECK(text(tensor<int, 2>{{1, 20}, {-3, 400}}) ==
        "[[  1  20]\n"
        " [ -3 400]]");
  CHECK(text(arange(garner::dims(2, 2, 3))) ==
        "[[[ 0  1  2]\n"
        "  [ 3  4  5]]\n"
        "\n"
        " [[ 6  7  8]\n"
        "  [ 9 10 11]]]");
  CHECK(text(arange(garner::dims(2, 1, 2, 1))) ==
        "[[[[0]\n"
        "   [1]]]\n"
        "\n"
        "\n"
        " [[[2]\n"
        "   [3]]]]");
  CHECK(text(arange(garner::dims(3, 1))) ==
        "[[0]\n"
        " [1]\n"
        " [2]]");
}

TEST_CASE("print: a view shows its own order", "[print][view]") {
  const auto x = arange(garner::dims(2, 3));
  CHECK(text(x.transpose(0, 1)) ==
        "[[0 3]\n"
        " [1 4]\n"
        " [2 5]]");
  CHECK(text(x.flip(1).select(0, 1)) == "[5 4 3]");
  CHECK(text(x.slice(1, 0, end, 2)) ==
        "[[0 2]\n"
        " [3 5]]");
  CHECK(text(view<const int>(x)) == text(x));
  const ints seven{7};
  CHECK(text(seven.expand({3})) == "[7 7 7]");
}

TEST_CASE("print: one element stands without brackets", "[print][0-d]") {
  CHECK(text(tensor<int, 0>(-5)) == "-5");
  CHECK(text(tensor<bool, 0>(true)) == "True");
  CHECK(text(tensor<double, 0>(1.5)) == "1.5");
  CHECK(text(tensor<double, 0>(not_a_number)) == "nan");
}

TEST_CASE("print: one float keeps a digit after the point", "[print][0-d]") {
  CHECK(text(tensor<double, 0>(1)) == "1.0");
}

TEST_CASE("print: what holds nothing is []", "[print][empty]") {
  CHECK(text(tensor<int, 1>(0)) == "[]");
  CHECK(text(tensor<int, 2>({0, 3})) == "[]");
  CHECK(text(tensor<double, 3>({2, 0, 3})) == "[]");
  CHECK(text(view<int, 2>(nullptr, {3, 0})) == "[]");
}

TEST_CASE("print: shapes are in parentheses", "[print][shape]") {
  CHECK(text(garner::dims(2, -3)) == "(2, -3)");
  CHECK(text(garner::dims<>()) == "()");
}

TEST_CASE("print: bools are words", "[print][bool]") {
  CHECK(text(tensor<bool, 1>{true, true}) == "[True True]");
  CHECK(text(tensor<bool, 1>{true, false}) == "[ True False]");
  CHECK(text(tensor<bool, 2>{{false, true}, {true, true}}) ==
        "[[False  True]\n"
        " [ True  True]]");
}

TEST_CASE("print: floats have their points in one column", "[print][float]") {
  CHECK(text(doubles{1, 2, 3}) == "[1. 2. 3.]");
  CHECK(text(doubles{1, 2.5}) == "[1.  2.5]");
  CHECK(text(doubles{1, 2.5, 3.25}) == "[1.   2.5  3.25]");
  CHECK(text(doubles{0.2, 10, 100.25}) == "[  0.2   10.   100.25]");
  CHECK(text(doubles{-1, 2.5}) == "[-1.   2.5]");
  CHECK(text(doubles{0}) == "[0.]");
  CHECK(text(doubles{-0.0, 1}) == "[-0.  1.]");
  CHECK(text(doubles{1.0 / 3, 2.0 / 3}) == "[0.33333333 0.66666667]");
  CHECK(text(doubles{0.1 + 0.2}) == "[0.3]");
  CHECK(text(doubles{0.0001, 0.1}) == "[0.0001 0.1   ]");
  CHECK(text(doubles{1, 1000}) == "[   1. 1000.]");
  CHECK(text(doubles{99999999, 99999998}) == "[99999999. 99999998.]");
  CHECK(text(tensor<double, 2>{{1, 2.5}, {-10, 0.125}}) ==
        "[[  1.      2.5  ]\n"
        " [-10.      0.125]]");
}

TEST_CASE("print: floats are as short as their type allows", "[print][float]") {
  CHECK(text(floats{1.1f, 3.3f}) == "[1.1 3.3]");
  CHECK(text(floats{0.1f, 0.7f, 2}) == "[0.1 0.7 2. ]");
  CHECK(text(floats{1.0f / 3}) == "[0.33333334]");
  CHECK(text(floats{123.456f}) == "[123.456]");
  CHECK(text(doubles{99999999.1}) == "[99999999.1]");
  CHECK(text(floats{1e-5f, 1.1f}) == "[1.0e-05 1.1e+00]");
}

TEST_CASE("print: nan and inf end where the numbers end", "[print][float]") {
  CHECK(text(doubles{not_a_number, 1}) == "[nan  1.]");
  CHECK(text(doubles{1, not_a_number, 2.5}) == "[1.  nan 2.5]");
  CHECK(text(doubles{infinity, -infinity, 1}) == "[ inf -inf   1.]");
  CHECK(text(doubles{not_a_number, 100.25}) == "[   nan 100.25]");
  CHECK(text(doubles{not_a_number, infinity}) == "[nan inf]");
  CHECK(text(doubles{-not_a_number}) == "[nan]");
  CHECK(text(doubles{1e10, not_a_number}) == "[1.e+10    nan]");
}

TEST_CASE("print: very large, small or different floats are scientific", "[print][float]") {
  CHECK(text(doubles{1e8}) == "[1.e+08]");
  CHECK(text(doubles{0.00009}) == "[9.e-05]");
  CHECK(text(doubles{1e-5, 1}) == "[1.e-05 1.e+00]");
  CHECK(text(doubles{1e-5, 0, 1}) == "[1.e-05 0.e+00 1.e+00]");
  CHECK(text(doubles{1.5e-5, 1}) == "[1.5e-05 1.0e+00]");
  CHECK(text(doubles{1, 1001}) == "[1.000e+00 1.001e+03]");
  CHECK(text(doubles{0, 1e10, -2.25e10}) == "[ 0.00e+00  1.00e+10 -2.25e+10]");
  CHECK(text(doubles{1e8 / 3}) == "[33333333.33333333]");
  CHECK(text(doubles{1e9 / 3}) == "[3.33333333e+08]");
}

TEST_CASE("print: exponents have one width", "[print][float]") {
  CHECK(text(doubles{1e100, 1}) == "[1.e+100 1.e+000]");
  CHECK(text(doubles{1e-100, 1e12}) == "[1.e-100 1.e+012]");
  CHECK(text(doubles{1e-200, 2.5}) == "[1.0e-200 2.5e+000]");
}

TEST_CASE("print: complex numbers", "[print][complex]") {
  using numbers = tensor<std::complex<double>, 1>;
  CHECK(text(numbers{{1, 2}, {3, -4}}) == "[1.+2.j 3.-4.j]");
  CHECK(text(numbers{{0.5, 0.25}}) == "[0.5+0.25j]");
  CHECK(text(numbers{{-1, 0}, {1, 0}}) == "[-1.+0.j  1.+0.j]");
}

TEST_CASE("print: complex numbers have both points in one column", "[print][complex]") {
  using numbers = tensor<std::complex<double>, 1>;
  CHECK(text(numbers{{1, 2}, {3.5, -4}}) == "[1. +2.j 3.5-4.j]");
  CHECK(text(numbers{{1, 2.5}, {3, -4}}) == "[1.+2.5j 3.-4.j ]");
  CHECK(text(numbers{{1e10, 1}, {1, 1}}) == "[1.e+10+1.j 1.e+00+1.j]");
}

TEST_CASE("print: strings are quoted, not padded", "[print][string]") {
  CHECK(text(tensor<std::string, 1>{"a", "b"}) == "['a' 'b']");
  CHECK(text(tensor<std::string, 1>{"a", "bcd", ""}) == "['a' 'bcd' '']");
  CHECK(text(tensor<std::string, 2>{{"a", "bb"}, {"ccc", "d"}}) ==
        "[['a' 'bb']\n"
        " ['ccc' 'd']]");
}

TEST_CASE("print: other types by their own operator, or a question mark", "[print]") {
  CHECK(text(tensor<spoken, 1>(2)) == "[spoken spoken]");
  CHECK(text(tensor<opaque, 1>(2)) == "[? ?]");
}

TEST_CASE("print: more than 1000 elements are elided in the middle", "[print][elided]") {
  CHECK(text(arange(garner::dims(1001))) == "[   0    1    2 ...  998  999 1000]");
  CHECK(text(arange(garner::dims(1000))).find("...") == std::string::npos);
  CHECK(text(arange(garner::dims(100, 100))) ==
        "[[   0    1    2 ...   97   98   99]\n"
        " [ 100  101  102 ...  197  198  199]\n"
        " [ 200  201  202 ...  297  298  299]\n"
        " ...\n"
        " [9700 9701 9702 ... 9797 9798 9799]\n"
        " [9800 9801 9802 ... 9897 9898 9899]\n"
        " [9900 9901 9902 ... 9997 9998 9999]]");
  CHECK(text(arange(garner::dims(2, 501))) ==
        "[[   0    1    2 ...  498  499  500]\n"
        " [ 501  502  503 ...  999 1000 1001]]");
  CHECK(text(arange(garner::dims(200, 6))).substr(0, 51) ==
        "[[   0    1    2    3    4    5]\n"
        " [   6    7    8  ");
  CHECK(text(arange(garner::dims(8, 2, 100))) ==
        "[[[   0    1    2 ...   97   98   99]\n"
        "  [ 100  101  102 ...  197  198  199]]\n"
        "\n"
        " [[ 200  201  202 ...  297  298  299]\n"
        "  [ 300  301  302 ...  397  398  399]]\n"
        "\n"
        " [[ 400  401  402 ...  497  498  499]\n"
        "  [ 500  501  502 ...  597  598  599]]\n"
        "\n"
        " ...\n"
        "\n"
        " [[1000 1001 1002 ... 1097 1098 1099]\n"
        "  [1100 1101 1102 ... 1197 1198 1199]]\n"
        "\n"
        " [[1200 1201 1202 ... 1297 1298 1299]\n"
        "  [1300 1301 1302 ... 1397 1398 1399]]\n"
        "\n"
        " [[1400 1401 1402 ... 1497 1498 1499]\n"
        "  [1500 1501 1502 ... 1597 1598 1599]]]");
}

TEST_CASE("print: what is left out decides neither width nor format", "[print][elided]") {
  auto x = arange(garner::dims(2000));
  x.slice(0, 1990)(0) = 123456789;
  CHECK(text(x) == "[   0    1    2 ... 1997 1998 1999]");
  const int one = 1;
  CHECK(text(view<const int, 2>(&one, {1 << 20, 1 << 20}, {0, 0})).substr(0, 15) ==
        "[[1 1 1 ... 1 1");
}

TEST_CASE("print: long rows wrap before column 75", "[print][wrap]") {
  CHECK(text(arange(garner::dims(30))) ==
        "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
        " 24 25 26 27 28 29]");
  // 37 one-digit elements fill columns 1 to 73; NumPy keeps column 75 for the bracket.
  CHECK(text(tensor<int, 1>(37)).size() == 75);
  CHECK(text(tensor<int, 1>(37)).find('\n') == std::string::npos);
  CHECK(text(tensor<int, 1>(38)).find('\n') == 74);
  CHECK(text(tensor<int, 1>(38)).substr(74) == "\n 0]");
  CHECK(text(tensor<std::string, 1>{std::string(100, 'x'), "y"}) ==
        "['" + std::string(100, 'x') + "'\n 'y']");
}

TEST_CASE("print: the brackets of outer dims take their columns too", "[print][wrap]") {
  std::string zeros = "0";
  for (int i = 1; i < 36; ++i) zeros += " 0";
  CHECK(text(tensor<int, 2>({1, 37})) == "[[" + zeros + "\n  0]]");
  CHECK(text(tensor<int, 3>({1, 1, 36})) == "[[[" + zeros.substr(2) + "\n   0]]]");
  CHECK(text(tensor<int, 3>({1, 1, 35})) == "[[[" + zeros.substr(2) + "]]]");
}

TEST_CASE("print: no line ends in a space", "[print][wrap]") {
  tensor<double, 1> x(40);
  x(39) = 0.25;
  CHECK(text(x).find(" \n") == std::string::npos);
}
