// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace roadtune {

double wallSeconds();       // seconds since 1970, as events store it
double monotonicSeconds();  // never jumps; only differences mean something

std::string isoTime(double wallSeconds);   // 2026-01-31T08:15:30Z
std::string fileTime(double wallSeconds);  // 20260131-081530, for names

}  // namespace roadtune
