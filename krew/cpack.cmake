# What the Debian package and the rpm have in common, for cpack. krew/cpack.sh adds what depends on the release.
set(CPACK_PACKAGE_NAME kubectl-smp)
set(CPACK_PACKAGE_FILE_NAME kubectl-smp)
set(CPACK_PACKAGE_VENDOR kubectl-smp)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "apply and explain strategic merge patches (kubectl plugin)")
# Lines of a Debian description; a full stop alone is an empty line.
set(CPACK_PACKAGE_DESCRIPTION
"kubectl smp computes three-way strategic merge patches locally, explains
them field by field, and proves each one before it sends it.
.
The program is static, and kubectl is not required to run it.")
set(CPACK_PACKAGING_INSTALL_PREFIX "/")
set(CPACK_STRIP_FILES OFF)  # The program is stripped, and the packages have its very bytes.

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "kubectl | kubernetes-client")
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
string(REPLACE "\n.\n" "\n\n" CPACK_RPM_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION}")
set(CPACK_RPM_PACKAGE_GROUP Applications/System)
set(CPACK_RPM_PACKAGE_AUTOREQPROV no)
set(CPACK_RPM_COMPRESSION_TYPE gzip)
# Other packages own these.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/man /usr/share/man/man1)
# Neither the time nor the machine of the build shows, and the files stay as they are.
set(CPACK_RPM_SPEC_MORE_DEFINE
"%define _buildhost localhost
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1
%define _build_id_links none
%define __os_install_post %{nil}")
