// SPDX-License-Identifier: GPL-3.0-or-later

// The matrix library inside libtorch asks this before it chooses among its kernels, and answers "no" on processors of
// other makers, which then get kernels for old ones. With "yes" it goes by what the processor says it is capable of.
extern "C" int mkl_serv_intel_cpu_true();
extern "C" int mkl_serv_intel_cpu_true() { return 1; }
