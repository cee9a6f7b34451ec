"""`calibrate`."""

from __future__ import annotations

import click

from codemap.cli import shared


@click.command()
@click.option("--model", required=True, metavar="NAME", help="The model, as its provider names it.")
@click.option(
    "--base-url", metavar="URL", help="An OpenAI-compatible interface; default: OPENAI_BASE_URL, else OpenAI."
)
@click.option("--dry-run", is_flag=True, help="Show what would be sent and its size; send nothing.")
@shared.as_json
@click.pass_context
def calibrate(context: click.Context, model: str, base_url: str | None, dry_run: bool, json: bool) -> None:
    """Measure a model's tokens on this repository.

    Nine requests with texts of the map and of sources go to the model's provider. The key comes from CODEMAP_API_KEY
    or OPENAI_API_KEY, and is neither shown nor stored.
    """
    from codemap.tokens import calibrate_report as report
    from codemap.tokens.calibrate import calibrate as run
    from codemap.tokens.calibrate_http import Endpoint, base_url_of
    from codemap.tokens.samples import draw

    # What is wrong with the call is said before the map is built.
    endpoint = None if dry_run else Endpoint.of(base_url)
    url = base_url_of(base_url) if endpoint is None else endpoint.url
    with shared.opened(context) as code_map:
        samples = draw(code_map)
        if endpoint is None:
            plan = report.plan(model, url, samples)
            shared.write(report.plan_json(plan) if json else report.plan_text(plan))
            return
        ask = endpoint.count
        found = run(model, samples, lambda text: ask(model, text), commit=code_map.staleness().map_commit, endpoint=url)
        code_map.ratios.put(found)
    shared.write(report.to_json(found) if json else report.to_text(found))
