# Sourced by krew/release: the Debian package and the rpm, which have the files of the archive where such packages have them.

# The rpm name of architecture $1.
rpm_architecture_of() {
  case $1 in
    amd64) echo x86_64 ;;
    arm64) echo aarch64 ;;
  esac
}

# Debian's statement of copyright.
copyright() {
  cat <<'END'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: kubectl-smp
Comment: The program contains parts of other packages. THIRD-PARTY-LICENSES
 in this directory has their names, versions and licences.

Files: *
Copyright: 2026 the authors of kubectl-smp
License: Apache-2.0
 The text is in LICENSE in this directory and, on Debian, in
 /usr/share/common-licenses/Apache-2.0.
END
}

changelog() {
  cat <<END
kubectl-smp ($version) stable; urgency=medium

  * Release $version. README.md has the changes.

 -- $maintainer  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
END
}

# What lintian may not know of a static program.
lintian_overrides() {
  printf 'kubectl-smp: %s\n' statically-linked-binary embedded-library shared-library-lacks-prerequisites extra-license-file \
    'no-manual-page *kubectl_complete-smp*'
}

# Puts the files of the archive, which are in folder $1, into the root $2 as they are to be installed.
stage_root() {
  local staged=$1 root=$2 doc=$2/usr/share/doc/kubectl-smp man=$2/usr/share/man/man1 page
  rm -rf "$root"
  mkdir -p "$root/usr/bin" "$doc" "$man"
  cp "$staged/kubectl-smp" "$staged/kubectl_complete-smp" "$root/usr/bin"
  cp "$staged/LICENSE" "$staged/README.md" "$staged/THIRD-PARTY-LICENSES" "$doc"
  for page in "$staged"/man/man1/*; do
    gzip -9n <"$page" >"$man/${page##*/}.gz"
  done
}

# Adds to root $1 what Debian wants.
add_debian_files() {
  mkdir -p "$1/usr/share/lintian/overrides"
  lintian_overrides >"$1/usr/share/lintian/overrides/kubectl-smp"
  copyright >"$1/usr/share/doc/kubectl-smp/copyright"
  changelog | gzip -9n >"$1/usr/share/doc/kubectl-smp/changelog.gz"
}

# Makes a package of form $1, DEB or RPM, of the root in folder $2; more definitions follow.
run_cpack() {
  local form=$1 folder=$2
  shift 2
  chmod -R u=rwX,go=rX "$folder/root"
  cpack -G "$form" --config "$here/cpack.cmake" -B "$folder" -D CPACK_INSTALLED_DIRECTORIES="$folder/root;." \
    -D CPACK_PACKAGE_VERSION="$version" -D CPACK_PACKAGE_CONTACT="$maintainer" -D CPACK_PACKAGE_HOMEPAGE_URL="${url[1]-}" "$@" \
    >"$folder.log" 2>&1 || { cat "$folder.log" >&2; fail "cannot make the $form package in $folder"; }
  mv "$folder"/*."${form,,}" "$out"
}

# Makes the packages for architecture $1 of the archive's files in folder $2; the list of what the program contains is file $3.
make_packages() {
  local folder=${2%/*}/packaged licences
  licences=$(all_licences "$3")
  stage_root "$2" "$folder/root"
  rm -f "$folder"/*.deb "$folder"/*.rpm
  run_cpack RPM "$folder" -D CPACK_RPM_PACKAGE_ARCHITECTURE="$(rpm_architecture_of "$1")" -D CPACK_RPM_PACKAGE_LICENSE="$licences"
  add_debian_files "$folder/root"
  run_cpack DEB "$folder" -D CPACK_DEBIAN_PACKAGE_ARCHITECTURE="$1"
}
