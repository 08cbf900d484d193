// SPDX-License-Identifier: BSD-3-Clause
// Nothing: the precompiled headers of the tests belong to the target of this file.
