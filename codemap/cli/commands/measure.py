"""`measure`."""

from __future__ import annotations

from pathlib import Path

import click

from codemap.cli import shared


@click.command()
@click.argument("path", required=False)
@click.option("--rev", metavar="REV", help="Measure this commit, not the working tree.")
@click.option("--window", type=click.IntRange(1), metavar="N", help="Also show the share of a context of N tokens.")
@shared.for_model
@shared.as_json
@click.pass_context
def measure(
    context: click.Context, path: str | None, rev: str | None, window: int | None, model: str | None, json: bool
) -> None:
    """Count files, characters and tokens of the code people wrote.

    Dependencies, generated and minified files are shown apart.
    """
    from codemap.cli import places
    from codemap.config import load
    from codemap.home import find
    from codemap.tokens import measure_report as report
    from codemap.tokens.measure import measure as run

    root = find(context.obj).root
    inside = None if path is None or Path(path).resolve() == root else places.relative(root, path)
    model = load(root).model if model is None else model
    found = run(root, inside, rev=rev, model=model or None)
    shared.write(report.to_json(found, window) if json else report.to_text(found, window))
