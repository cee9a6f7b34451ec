from __future__ import annotations

import pytest

from indexer.resolve.python_projects import declared_roots

DECLARATIONS = [
    ("pyproject.toml", '[tool.setuptools.package-dir]\n"" = "lib"', {"lib"}),
    ("pyproject.toml", '[tool.setuptools.package-dir]\npkg = "code/pkg"', {"code"}),
    ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["one", "two"]', {"one", "two"}),
    ("pyproject.toml", '[[tool.poetry.packages]]\ninclude = "pkg"\nfrom = "lib"', {"lib"}),
    ("pyproject.toml", '[tool.hatch.build.targets.wheel]\npackages = ["python/pkg"]', {"python"}),
    ("pyproject.toml", '[tool.hatch.build.targets.wheel.sources]\n"lib" = ""', {"lib"}),
    ("pyproject.toml", '[tool.pdm.build]\npackage-dir = "lib"', {"lib"}),
    ("pyproject.toml", '[tool.maturin]\npython-source = "python"', {"python"}),
    ("pyproject.toml", '[tool.uv.build-backend]\nmodule-root = "lib"', {"lib"}),
    ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["lib"]', {"lib"}),
    ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = "lib more"', {"lib", "more"}),
    ("setup.cfg", "[options]\npackage_dir =\n    = lib", {"lib"}),
    ("setup.cfg", "[options]\npackage_dir = =lib", {"lib"}),
    ("setup.cfg", "[options.packages.find]\nwhere = lib", {"lib"}),
    ("setup.py", 'from setuptools import setup\nsetup(name="x", package_dir={"": "lib"})', {"lib"}),
    ("setup.py", 'import setuptools as s\ns.setup(packages=s.find_packages("lib"))', {"lib"}),
    ("setup.py", 'setup(packages=find_namespace_packages(where="lib"))', {"lib"}),
    ("pytest.ini", "[pytest]\npythonpath = lib", {"lib"}),
    ("tox.ini", "[pytest]\npythonpath = lib", {"lib"}),
]


@pytest.mark.parametrize(("path", "text", "roots"), DECLARATIONS)
def test_a_declared_root_is_found(path: str, text: str, roots: set[str]) -> None:
    assert declared_roots([path], {path: text.encode()}.get).explicit == roots


def test_folders_are_read_in_the_folder_of_the_project() -> None:
    configs = {"services/a/pyproject.toml": b'[tool.pdm.build]\npackage-dir = "lib"'}
    declared = declared_roots(list(configs), configs.get)
    assert declared.roots == {
        "": "",
        "services/a": "services/a",
        "services/a/src": "services/a",
        "services/a/lib": "services/a",
    }


def test_a_package_named_unlike_its_folder_is_an_alias() -> None:
    configs = {"setup.py": b'setup(package_dir={"pkg": "code"})'}
    assert declared_roots(list(configs), configs.get).aliases == {"pkg": "code"}


HOSTILE = [
    ("pyproject.toml", b"[tool\n"),
    ("pyproject.toml", b"\xff\xfe"),
    ("pyproject.toml", b"x = " + b"[" * 50_000),
    ("pyproject.toml", b'[tool.setuptools]\npackage-dir = "src"\npackages = 3'),
    ("pyproject.toml", b'[tool.setuptools.package-dir]\n"" = "../../etc"'),
    ("pyproject.toml", b'[tool.pdm.build]\npackage-dir = "/etc"'),
    ("pyproject.toml", b"#" * 1_000_001 + b'\n[tool.pdm.build]\npackage-dir = "lib"'),
    ("setup.cfg", b"no section = 1"),
    ("setup.cfg", b"[options]\npackage_dir = %(loop)s\n"),
    ("setup.py", b"def package_dir(:"),
    ("setup.py", b"package_dir = " + b"(" * 10_000),
    ("setup.py", b"find_packages(" + b"-" * 20_000 + b"1)"),
    ("setup.py", b'setup(package_dir={"": compute()}, **{"package_dir": 1})'),
    ("setup.py", b'raise SystemExit("ran")\nfind_packages(name)'),
    ("setup.py", b"package_dir\0"),
]


@pytest.mark.parametrize(("path", "data"), HOSTILE)
def test_what_makes_no_sense_or_leads_out_is_ignored(path: str, data: bytes) -> None:
    declared = declared_roots([path], {path: data}.get)
    assert declared.explicit == set()
    assert declared.aliases == {}


def test_setup_py_is_read_without_warnings_of_its_own() -> None:
    data = b'regex = "\\d"\nsetup(package_dir={"": "lib"})'
    assert declared_roots(["setup.py"], {"setup.py": data}.get).explicit == {"lib"}
