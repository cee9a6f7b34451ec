"""`subgraph`: the main command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from codemap.cli import shared

if TYPE_CHECKING:
    from codemap.render.formats import Format
    from queries.answers import Subgraph


class _Subgraph(click.Command):
    """`--include-bodies auto`, too: an option of click has a value always or never, and words may follow this one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        options = ["--include-bodies" if each == "--include-bodies=auto" else each for each in args[:end]]
        for index in range(len(options) - 1, 0, -1):
            if options[index - 1 : index + 1] == ["--include-bodies", "auto"]:
                del options[index]
        return super().parse_args(ctx, options + args[end:])


@click.command(cls=_Subgraph)
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@shared.budget
@click.option(
    "--hops",
    type=click.IntRange(0, 10),
    envvar="CODEMAP_HOPS",
    metavar="N",
    help="How far from what the words match; default: 2.",
)
@click.option("--include-bodies", is_flag=True, help="Fill what is left with source; also `--include-bodies auto`.")
@click.option(
    "--expand",
    "names",
    multiple=True,
    metavar="SYMBOL",
    help="Show more of what is around this symbol; may be repeated.",
)
@click.option("--after", "cursor", metavar="CURSOR", help="Go on where the answer with this cursor ended.")
@click.option("--explain", is_flag=True, help="Say for each symbol what brought it in.")
@click.option(
    "--shown",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write the symbols shown to FILE, best first, one JSON object a line.",
)
@shared.for_model
@shared.policy
@shared.as_json
@click.pass_context
def subgraph(
    context: click.Context,
    words: tuple[str, ...],
    budget: int | None,
    hops: int | None,
    include_bodies: bool,
    names: tuple[str, ...],
    cursor: str | None,
    explain: bool,
    shown: Path | None,
    model: str | None,
    json: bool,
) -> None:
    """Show what matters for some WORDS, within a budget.

    A word `-` stands for standard input: a whole issue text or a stack trace is a normal question.
    """
    from codemap.cli import places
    from codemap.cli.words import query

    text = query(words)
    form: Format = "json" if json else "text"
    with shared.opened(context) as code_map:
        answer = code_map.subgraph(
            text,
            budget=budget,
            hops=hops,
            include_bodies=include_bodies,
            expand=[places.name(code_map.root, name) for name in names],
            after=cursor,
            explain=explain,
            form=form,
            model=model,
        )
        shared.answer(code_map, "subgraph", code_map.render(answer, form), (card.path for card in answer.files))
    if shown is not None:
        _write_shown(answer, shown)


def _write_shown(answer: Subgraph, file: Path) -> None:
    from codemap.render.lines import place

    file.write_bytes(b"".join(place(node) + b"\n" for node in answer.nodes))
