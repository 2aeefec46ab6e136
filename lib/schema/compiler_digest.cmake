# Writes the C++ file that defines CompilerDigest() (compiler_digest.h).
#
#   cmake -DROOT=lib -DFILES=base/a.cc;schema/b.cc;… -DOUT=FILE -P compiler_digest.cmake
#
# The digest is of the files' names below ROOT and their contents, so that it is the same in every folder.
set(lines "")
foreach(file IN LISTS FILES)
  file(SHA256 ${ROOT}/${file} digest)
  string(APPEND lines "${digest} ${file}\n")
endforeach()
string(SHA256 digest "${lines}")
file(WRITE ${OUT} "#include \"schema/compiler_digest.h\"

namespace smp {

std::string_view CompilerDigest() { return \"${digest}\"; }

}  // namespace smp
")
