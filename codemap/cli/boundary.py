"""Run a command and turn whatever it raises into one line and an exit code."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence

INTERRUPTED = 130  # 128 + SIGINT, as shells report it
PIPE_CLOSED = 141  # 128 + SIGPIPE: what a program killed by a closed pipe reports
DEBUG = "CODEMAP_DEBUG"
SHOWN_CHOICES = 20
COLLECT_AFTER = 50_000
"""New containers until cycles are looked for: an answer makes many and hardly a cycle, and loading modules does."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `codemap` with `arguments` (default: those of the process); returns the exit code."""
    gc.set_threshold(COLLECT_AFTER)
    _speak_utf8()
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Bytes that are not UTF-8 reach us as lone surrogates; the map writes them as `\\xff`, and so do we.
    given = [word.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace") for word in given]
    try:
        code = _guarded(lambda: _run(given))
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads any more: what is still buffered must not fail again when the interpreter closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return PIPE_CLOSED
    except OSError as error:
        return _say(f"the output could not be written: {error.strerror or error}", 1)
    return code


def _run(arguments: list[str]) -> int:
    import click

    from codemap.cli.app import app

    if "_CODEMAP_COMPLETE" in os.environ:  # a shell asks what could come next
        app.main(arguments, prog_name="codemap", standalone_mode=False)
        return 0
    try:
        with app.make_context("codemap", arguments) as context:
            app.invoke(context)
    except click.exceptions.Exit as wish:
        return wish.exit_code
    except click.UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # not there before click 8.2
            click.echo(error.format_message())
            return 2
        name = error.ctx.command_path if error.ctx is not None else "codemap"
        return _say(f"{_sentence(error.format_message())}; see `{name} --help`", 2)
    except click.ClickException as error:
        return _say(error.format_message(), error.exit_code)
    return 0


def _guarded(run: Callable[[], int]) -> int:
    from indexer.errors import CodemapError

    try:
        return run()
    except CodemapError as error:
        code = _say(str(error), error.exit_code)
        _list("suggestions", "did you mean", error)
        _list("choices", "type one of", error)
        return code
    except KeyboardInterrupt:
        return _say("interrupted", INTERRUPTED)
    except BrokenPipeError:
        raise
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _say(f"{place}{error.strerror or error}", 1)
    except RecursionError:
        return _unexpected("the source nests too deeply")
    except MemoryError:
        return _say("not enough memory", 1)
    except Exception as error:  # noqa: BLE001 - the outermost boundary: a person never sees a traceback unasked
        return _damaged(error) or _unexpected(f"internal error: {type(error).__name__}: {error}")


def _damaged(error: Exception) -> int:
    """The exit code for an error of the database, else 0. Whoever never loaded sqlite3 did not get such an error."""
    from indexer.errors import StoreError

    sqlite = sys.modules.get("sqlite3")
    if sqlite is None or not isinstance(error, sqlite.Error):
        return 0
    return _say(f"the map cannot be used ({error}): run `codemap index --full` to rebuild it", StoreError.exit_code)


def _unexpected(message: str) -> int:
    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exc()
    return _say(f"{message} (set {DEBUG}=1 to see where)", 1)


def _say(message: str, code: int) -> int:
    from codemap.render import escape

    print(f"codemap: {escape.line(' '.join(message.split(chr(10))))}", file=sys.stderr)
    return code


def _list(attribute: str, title: str, error: Exception) -> None:
    from codemap.render import escape

    entries: tuple[str, ...] = getattr(error, attribute, ())
    if not entries:
        return
    print(f"  {title}:", file=sys.stderr)
    for entry in entries[:SHOWN_CHOICES]:
        print(f"    {escape.line(entry)}", file=sys.stderr)
    if len(entries) > SHOWN_CHOICES:
        print(f"    … and {len(entries) - SHOWN_CHOICES} more", file=sys.stderr)


def _sentence(message: str) -> str:
    text = " ".join(message.split()).rstrip(".")
    return text[:1].lower() + text[1:] if not text.startswith("'") else text


def _speak_utf8() -> None:
    """Whatever the console's code page, and whatever a path holds, printing never fails."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            # Line ends as they are: an answer has the same bytes, and the same cost, on every system.
            reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
