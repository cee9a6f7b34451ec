"""Tokens, as the model's provider will count them: measuring code, calibrating a ratio, estimating chosen text.

Names are loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codemap.tokens.calibrate import calibrate as calibrate
    from codemap.tokens.calibrate_http import Endpoint as Endpoint
    from codemap.tokens.estimate import Request as Request
    from codemap.tokens.estimate import estimate as estimate
    from codemap.tokens.measure import measure as measure
    from codemap.tokens.ratios import Calibration as Calibration
    from codemap.tokens.ratios import Ratios as Ratios

_HOME = {
    "Calibration": "ratios",
    "Endpoint": "calibrate_http",
    "Ratios": "ratios",
    "Request": "estimate",
    "calibrate": "calibrate",
    "estimate": "estimate",
    "measure": "measure",
}

__all__ = ["Calibration", "Endpoint", "Ratios", "Request", "calibrate", "estimate", "measure"]


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
