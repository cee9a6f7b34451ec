"""`status`."""

from __future__ import annotations

import click

from codemap.cli import shared


@click.command()
@click.option("--skipped", is_flag=True, help="List the files that are not in the map, with the reason.")
@shared.as_json
@click.pass_context
def status(context: click.Context, skipped: bool, json: bool) -> None:
    """Show what the map holds and whether it is fresh."""
    from codemap.render import hooks, reports
    from indexer.hooks import record

    with shared.opened(context, build=False) as code_map:
        found = code_map.status()
        place = reports.Place.of(code_map.root, code_map.map_path, code_map.facts_path)
        state = code_map.staleness(code_map.changed_files())
        folder = str(code_map.map_path.parent)
        kept = hooks.Kept(next(reversed(record.entries(folder)), None), record.trouble(folder))
        if json:
            shared.write(reports.json_status(found, place, state, code_map.measure, kept))
        elif skipped:
            shared.write(reports.text_skipped(found))
        else:
            shared.write(reports.text_status(found, place, state, code_map.measure, kept))
