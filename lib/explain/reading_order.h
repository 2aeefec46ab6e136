// In which order people read what Pods run: what does most first, and what many variables and volumes repeat last. Reports, and
// the formats for programs, keep the order of paths.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "explain/report.h"

namespace smp::explain {

using RowPointers = std::span<const ReportRow* const>;

bool IsContainerList(std::string_view field);

// Return what comes first as the lowest number.
int RankInContainer(std::string_view field);
int RankInPodSpec(std::string_view field);

// Returns the rows; if some of them are about containers, these come before volumes and metadata, and their images first.
std::vector<const ReportRow*> InReadingOrder(const std::vector<ReportRow>& rows);

}  // namespace smp::explain
