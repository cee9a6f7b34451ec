"""`completion`."""

from __future__ import annotations

import click

from codemap.cli import shared

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), metavar="bash|zsh|fish")
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print what makes a shell complete codemap's commands.

    For bash, add `eval "$(codemap completion bash)"` to ~/.bashrc; likewise for zsh. For fish, write it to
    ~/.config/fish/completions/codemap.fish.
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    root = context.find_root().command
    # Not `source()`: for bash that starts a bash to ask its version, which completes nothing.
    made = found(root, {}, "codemap", "_CODEMAP_COMPLETE")
    shared.write(made.source_template % made.source_vars())
