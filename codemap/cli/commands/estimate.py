"""`estimate`. Its exit codes are its own: 0, 4 for a wrong call, 5 for what was refused or failed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn

import click

from codemap.cli import shared
from indexer.errors import CodemapError

if TYPE_CHECKING:
    from codemap.tokens.encodings import Estimator

WRONG_CALL = 4
_VALUED = frozenset({"--file", "--root", "--encoding", "--model", "--kind", "--calls", "--output-budget", "--limit"})


class WrongCallError(CodemapError):
    exit_code = WRONG_CALL


class EstimateCommand(click.Command):
    """A command whose usage errors end in exit code 4 and, with --json, in a report."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        ctx.meta["order"] = _order(given)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            _wrong(error.format_message(), json="--json" in given)


@click.command(cls=EstimateCommand)
@click.option("--file", "files", multiple=True, metavar="PATH", help="Count this file; may be repeated.")
@click.option("--stdin", is_flag=True, help="Count what is on standard input.")
@click.option("--root", metavar="DIR", help="What the paths are relative to; default: the folder of --repo.")
@click.option("--encoding", metavar="NAME", help="heuristic (default), o200k_base or cl100k_base.")
@click.option(
    "--model",
    metavar="NAME",
    help="Count by the calibrated ratio of this model instead; default: CODEMAP_MODEL, the configuration.",
)
@click.option("--kind", metavar="KIND", help="With --model: map, json or source (default) text.")
@click.option("--calls", default="1", metavar="N", help="How often the text is sent; default 1.")
@click.option("--output-budget", metavar="N", help="Tokens set aside for each answer.")
@click.option("--limit", default="20", metavar="N", help="Inputs to list, 0 to 64; default 20. Sums are of all.")
@shared.as_json
@click.pass_context
def estimate(
    context: click.Context,
    files: tuple[str, ...],
    stdin: bool,
    root: str | None,
    encoding: str | None,
    model: str | None,
    kind: str | None,
    calls: str,
    output_budget: str | None,
    limit: str,
    json: bool,
) -> None:
    """Count the tokens of chosen text, offline.

    Nothing but what is named is read; nothing is written, and no content, name or hash is shown.
    """
    from codemap.tokens import estimate_report as report
    from codemap.tokens.estimate import Request
    from codemap.tokens.estimate import estimate as run
    from codemap.tokens.estimate_inputs import RefusedError

    try:
        model = _default_model(context.obj, encoding) if model is None else model or None
        _check_choice(encoding, model, kind)
        request = Request(
            inputs=_inputs(context, files, stdin=stdin),
            root=root if root is not None else str(context.obj),
            calls=_number("--calls", calls),
            output_budget=None if output_budget is None else _number("--output-budget", output_budget),
            limit=_number("--limit", limit),
        )
    except ValueError as error:
        _wrong(str(error), json=json)
    try:
        found = run(request, _estimator(context.obj, encoding, model, kind), _stream(stdin=stdin))
        shared.write(report.to_json(found) if json else report.to_text(found))
    except RefusedError as error:
        if json:
            shared.write(report.failure_json("incomplete", error.code, error.ordinal))
        hint = report.hint(error.code)
        error.args = (f"{error} ({hint})",) if hint else error.args
        raise


def _inputs(context: click.Context, files: tuple[str, ...], *, stdin: bool) -> list[str | None]:
    """Files and standard input in the order of their options."""
    inputs: list[str | None] = list(files)
    if stdin:
        inputs.insert(context.meta["order"], None)
    return inputs


def _order(args: Sequence[str]) -> int:
    """How many files are named before `--stdin`."""
    before = 0
    words = iter(args)
    for word in words:
        name, equals, _ = word.partition("=")
        if name in ("--stdin", "--"):
            break
        before += name == "--file"
        if name in _VALUED and not equals:
            next(words, None)
    return before


def _number(option: str, text: str) -> int:
    """An unsigned number of decimal digits. Raises ValueError for any other spelling."""
    if not (text.isascii() and text.isdigit()) or len(text) > 20:
        raise ValueError(f"{option} takes a number, written in decimal digits alone")
    return int(text)


def _default_model(folder: Path, encoding: str | None) -> str | None:
    """The model that the environment or the repository's configuration names; none beside a chosen encoding.

    Raises ValueError for a configuration that cannot be used.
    """
    if encoding is not None:
        return None
    named = os.environ.get("CODEMAP_MODEL")
    if named is not None:
        return named or None
    from codemap.config import load
    from codemap.home import find
    from indexer.errors import ConfigError, RepositoryError

    try:
        return load(find(folder).root).model
    except RepositoryError:  # what is counted need not be in a repository
        return None
    except ConfigError as error:
        raise ValueError(str(error)) from error


def _check_choice(encoding: str | None, model: str | None, kind: str | None) -> None:
    from codemap.tokens.encodings import ENCODINGS
    from codemap.tokens.ratios import KINDS

    if encoding is not None and model is not None:
        raise ValueError("--encoding and --model exclude each other")
    if encoding is not None and encoding not in ENCODINGS:
        raise ValueError(f"--encoding is one of {', '.join(ENCODINGS)}")
    if kind is not None and (model is None or kind not in KINDS):
        raise ValueError(f"--kind is one of {', '.join(KINDS)}, and goes with --model")


def _estimator(folder: Path, encoding: str | None, model: str | None, kind: str | None) -> Estimator:
    from codemap.tokens.encodings import HEURISTIC, EncodingUnavailableError, estimator
    from codemap.tokens.estimate_inputs import RefusedError

    if model is None:
        try:
            return estimator(encoding or HEURISTIC)
        except EncodingUnavailableError as error:
            raise RefusedError("encoding_unavailable") from error
    from codemap.home import find
    from codemap.tokens.ratios import Ratios, calibrated_estimator
    from indexer.errors import NotFoundError, RepositoryError, StoreError

    try:
        return calibrated_estimator(Ratios(find(folder).location.facts_dir).of(model), kind or "source")
    except (NotFoundError, RepositoryError, StoreError) as error:  # a store that cannot be read knows no model
        raise RefusedError("model_not_calibrated") from error


def _stream(*, stdin: bool) -> BinaryIO | None:
    if not stdin or sys.stdin is None or sys.stdin.closed or sys.stdin.isatty():
        return None
    return sys.stdin.buffer


def _wrong(message: str, *, json: bool) -> NoReturn:
    if json:
        from codemap.tokens.estimate_report import failure_json

        shared.write(failure_json("invalid", "usage"))
    raise WrongCallError(f"{message.rstrip('.')}; see `codemap estimate --help`")
