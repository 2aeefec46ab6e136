// PEM that OpenSSL reads, made for tests and of no use elsewhere: a certificate that signed itself until 2126, its key,
// and the key of another one, in the clear and encrypted.
#pragma once

namespace smp::net {

inline constexpr char kTestCertificate[] =
    "-----BEGIN CERTIFICATE-----\n"
    "MIIBbjCCARWgAwIBAgIUTzt/maNRlBOCHFoq0OJsP0Vc0rAwCgYIKoZIzj0EAwIw\n"
    "DDEKMAgGA1UEAwwBdDAgFw0yNjExMjExMDA4NDhaGA8yMTI2MTAyODEwMDg0OFow\n"
    "DDEKMAgGA1UEAwwBdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDjHJz2Mxw5j\n"
    "aCYcQsUk/r369VRbLrzYboRPpU6e7X2hSnFexwy/5aBQuh4VNEJz5OjvZ6u8/nFu\n"
    "zwbuSTE7HL+jUzBRMB0GA1UdDgQWBBSMZo9Zq3TC4ZHDl4e0ThCwj8O7kDAfBgNV\n"
    "HSMEGDAWgBSMZo9Zq3TC4ZHDl4e0ThCwj8O7kDAPBgNVHRMBAf8EBTADAQH/MAoG\n"
    "CCqGSM49BAMCA0cAMEQCIFQNRRXuyAO+5uUiB1OPgQQdhRQxsO93/DMuCf1XtCCU\n"
    "AiBLd1cI5CMLoX7z25/5gFoH3zuyt6Ez2IYqD/IdAoM6Uw==\n"
    "-----END CERTIFICATE-----\n";
inline constexpr char kTestKey[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnzZBedfjyOWLdYcy\n"
    "NKumBXUs5PU1Lz9sm9OoHIaKw9uhRANCAAQ4xyc9jMcOY2gmHELFJP69+vVUWy68\n"
    "2G6ET6VOnu19oUpxXscMv+WgULoeFTRCc+To72ervP5xbs8G7kkxOxy/\n"
    "-----END PRIVATE KEY-----\n";
inline constexpr char kOtherTestKey[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6Mx9bZjuAWAdIhCA\n"
    "nX3XhrZHKXfCnrRB+yZP2JR6ylGhRANCAAS+Gt4apgd9BwAtFN4ARzJgJSoGR+Ao\n"
    "XKWyBZ0nRLeDD6j1QNDydIE74bDlnJ+DaRfS+6UC1SrQYozxXu+msysa\n"
    "-----END PRIVATE KEY-----\n";
inline constexpr char kEncryptedTestKey[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhH3owIqx5UJwICCAAw\n"
    "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEPHYBIXzFdYCZOL/9Uhk3C4EgZDR\n"
    "ewzkqLiAHRhBbL30tE3PEsETdM6dhDxPi+NULbhLblx276SXIBvZvpxW/CD0Ign0\n"
    "4qywHwOYL5TShnSx5DbCRvZV3x/TP0tGbrRdeTIeKNl5NafymwXhlVNC7WCknjvX\n"
    "WaBwbwi4JwCbItZuBAT0usmue6Rewm/mssIUkKSwtzhJcH77V740RzX0BZF6oG0=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

}  // namespace smp::net
