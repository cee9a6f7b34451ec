"""Names that files with secrets commonly bear. What bears one is never read, whatever it holds."""

from __future__ import annotations

import re

_NAMES = frozenset(
    """
    .aws .azure .docker .git-credentials .gnupg .htpasswd .kube .my.cnf .netrc .npmrc .pgpass .pypirc .ssh .vault-token
    _netrc authorized_keys client_secret.json credentials credentials.json credentials.yaml credentials.yml
    credentials.toml credentials.ini htpasswd id_dsa id_ecdsa id_ed25519 id_rsa known_hosts kubeconfig master.key secret
    secrets secret.json secret.yaml secret.yml secret.toml secret.txt secrets.json secrets.yaml secrets.yml secrets.toml
    secrets.txt secrets.ini secrets.env service-account.json service_account.json terraform.tfvars token tokens.json
    """.split()
)
_ENDINGS = (
    ".asc", ".gpg", ".jks", ".kdb", ".kdbx", ".key", ".keystore", ".p12", ".pem", ".pfx", ".pkcs12", ".ppk", ".tfstate",
    ".env", ".tfvars",
)  # fmt: skip
_ENVIRONMENT = re.compile(r"\.env(?:rc|[._~-].*)?")
_KEYS = re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[.~](?!pub$).*)?")
_TEMPLATES = (".example", ".sample", ".template", ".dist")  # what is meant to be shown


def is_secret(name: str) -> bool:
    """Whether a file or folder of this name is taken to hold secrets. Case does not matter."""
    folded = name.casefold().rstrip(" .")
    if folded.startswith(".env") and folded.endswith(_TEMPLATES):
        return False
    return folded in _NAMES or folded.endswith(_ENDINGS) or any(p.fullmatch(folded) for p in (_ENVIRONMENT, _KEYS))
