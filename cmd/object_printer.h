// Objects as -o json and -o yaml print them: one object as it is, several as a v1 List.
#ifndef SMP_CMD_OBJECT_PRINTER_H_
#define SMP_CMD_OBJECT_PRINTER_H_

#include <string>
#include <vector>

#include "value/document.h"

namespace smp {

// `format` is "json" or "yaml". Without managedFields, as kubectl.
std::string PrintObjects(const std::vector<Document>& objects, const std::string& format);

}  // namespace smp

#endif  // SMP_CMD_OBJECT_PRINTER_H_
