"""Certificates for servers on loopback, good for two days."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from servers.process import ServerFailed

KEY: Final = ("-newkey", "rsa:2048", "-nodes", "-sha256")
AUTHORITY: Final = """
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
"""
LEAF: Final = """
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature, keyEncipherment
extendedKeyUsage = serverAuth, clientAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = DNS:localhost, IP:127.0.0.1
"""


class Certificates:
    """An authority, and a certificate that it gave to localhost, to serve and to be a client."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ca = folder / "ca.pem"
        self.certificate = folder / "localhost.pem"
        self.key = folder / "localhost.key"
        self.bundle = folder / "localhost-with-key.pem"

    def make(self) -> "Certificates":
        """Write the files and return what names them."""
        self.folder.mkdir(parents=True)
        self._sign("ca", "newsdedup tests", AUTHORITY, "-signkey", "ca.key")
        signer = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial")
        self._sign("localhost", "localhost", LEAF, *signer)
        self.bundle.write_bytes(self.key.read_bytes() + self.certificate.read_bytes())
        return self

    def _sign(self, name: str, subject: str, extensions: str, *signer: str) -> None:
        (self.folder / f"{name}.ext").write_text(extensions, "utf-8")
        wanted = ("-subj", f"/CN={subject}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        self._openssl("req", "-new", *KEY, *wanted)
        out = ("-in", f"{name}.csr", "-extfile", f"{name}.ext", "-out", f"{name}.pem")
        self._openssl("x509", "-req", "-days", "2", "-sha256", *out, *signer)

    def _openssl(self, *arguments: str) -> None:
        program = shutil.which("openssl")
        if program is None:
            raise ServerFailed("openssl is not installed; scripts/provision installs it")
        done = subprocess.run(
            [program, *arguments], cwd=self.folder, capture_output=True, check=False, text=True
        )
        if done.returncode != 0:
            raise ServerFailed(f"openssl {arguments[0]} failed:\n{done.stderr}")
