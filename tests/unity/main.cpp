// SPDX-License-Identifier: BSD-3-Clause
// Linked with two units that include all headers, one of them in reverse order, and each header
// twice: none may lack a guard, an include of its own or an `inline`.
int main() {}
