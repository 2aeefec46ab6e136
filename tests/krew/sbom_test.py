#!/usr/bin/env python3
"""The bill of materials of a program is valid SPDX 2.3 by a validator that is not ours, names what the licences in the archive name and
nothing else, and has the checksums of the program and of the packages that it was linked from."""
import hashlib
import json
import os
import re
import sys
import tarfile
import time
import urllib.parse

import archives
import harness

sys.path.insert(0, os.path.join(archives.SOURCE, '.build', 'tools', 'spdx'))
from spdx_tools.spdx.parser.json.json_parser import parse_from_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def file_with_checksum(built, name, wanted):
    """Whether the package or library of this name, which the release was linked with, has this checksum."""
    for folder in (os.path.join(built, 'packages'), '/usr/lib'):
        for where, _, names in os.walk(folder):
            if name in names:
                with open(os.path.join(where, name), 'rb') as f:
                    if sha256(f.read()) == wanted:
                        return True
    return False


def check_program(check, document, program):
    package = document['packages'][0]
    check.holds('the program', package, {'SPDXID': 'SPDXRef-kubectl-smp', 'name': 'kubectl-smp', 'versionInfo': archives.version()[1:],
                                         'licenseDeclared': 'Apache-2.0', 'packageFileName': 'kubectl-smp'})
    check.equal('its checksum', package['checksums'][0]['checksumValue'], sha256(program))
    expressions = {part['licenseConcluded'] for part in document['packages'][1:]} | {'Apache-2.0'}
    check.equal('its licences', set(package['licenseConcluded'].split(' AND ')), expressions)


def check_part(check, part, built):
    name = part['name']
    check.equal('supplier of ' + name, part['supplier'], 'Organization: Debian')
    check.true('checksum of ' + name, file_with_checksum(built, part['packageFileName'], part['checksums'][0]['checksumValue']), part)
    purl = part['externalRefs'][0]['referenceLocator']
    found = re.fullmatch(r'pkg:deb/debian/([^@?/]+)@([^@?/]+)\?arch=(amd64|arm64|all|source)', purl)
    check.equal('purl of ' + name, found and tuple(urllib.parse.unquote(text) for text in found.groups()[:2]), (name, part['versionInfo']))


def check_relationships(check, document):
    ids = [package['SPDXID'] for package in document['packages']]
    related = {(r['spdxElementId'], r['relationshipType'], r['relatedSpdxElement']) for r in document['relationships']}
    check.equal('relationships', related, {('SPDXRef-DOCUMENT', 'DESCRIBES', ids[0])} | {(ids[0], 'STATIC_LINK', part) for part in ids[1:]})


def main():
    options = archives.parse_args(__doc__, architecture='amd64 or arm64', built='folder in which krew/release builds')
    check = harness.Checks()
    path = os.path.join(options.archives, 'kubectl-smp_linux_%s.spdx.json' % options.architecture)
    parsed = parse_from_file(path)
    check.equal('the validator finds nothing', [message.validation_message for message in validate_full_spdx_document(parsed)], [])
    parsed.packages[0].spdx_id = 'kubectl-smp'
    check.true('the validator finds what is wrong', validate_full_spdx_document(parsed), 'it does not')
    with open(path, encoding='utf-8') as f:
        document = json.load(f)
    with tarfile.open(os.path.join(options.archives, archives.name_of(options.architecture))) as tar:
        program, licences = (tar.extractfile(name).read() for name in ('kubectl-smp', 'THIRD-PARTY-LICENSES'))
        created = tar.getmembers()[0].mtime
    check.equal('the format', document['spdxVersion'], 'SPDX-2.3')
    check.equal('the time of the release', document['creationInfo']['created'], time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(created)))
    check_program(check, document, program)
    named = re.findall(r'^  (\S+) (\S+)$', licences.decode().split('\nTheir licences follow.')[0], re.M)
    check.equal('the parts whose licences the archive has', [(p['name'], p['versionInfo']) for p in document['packages'][1:]], named)
    for part in document['packages'][1:]:
        check_part(check, part, os.path.join(options.built, options.architecture))
    check_relationships(check, document)
    return check.finish()


if __name__ == '__main__':
    sys.exit(main())
