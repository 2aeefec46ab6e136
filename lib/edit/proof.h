// Every edit is proved before its text leaves the editor: the readers of values, which share nothing with the writer of
// texts, must read what the operations made of the old values.
#pragma once

#include <string_view>

#include "base/result.h"
#include "edit/inner_document.h"
#include "value/value.h"

namespace smp::edit {

// Error: parse, if the text (of YAML: its first document) cannot be read; refused, with the place, if it does not say
// `wanted`. Linear in the text and in `wanted`.
Status ProveText(std::string_view text, DataFormat format, const Value& wanted);

}  // namespace smp::edit
