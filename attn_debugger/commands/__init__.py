"""One module a command; this literal list is where a new command is added."""

from __future__ import annotations

from attn_debugger.commands.check import CHECK
from attn_debugger.commands.checks import CHECKS
from attn_debugger.commands.command import Command
from attn_debugger.commands.demo import DEMO
from attn_debugger.commands.import_run import IMPORT
from attn_debugger.commands.info import INFO
from attn_debugger.commands.probe import PROBE
from attn_debugger.commands.render import RENDER
from attn_debugger.commands.repair import REPAIR
from attn_debugger.commands.report import REPORT
from attn_debugger.commands.view import VIEW

COMMANDS: tuple[Command, ...] = (
    VIEW,
    DEMO,
    CHECK,
    INFO,
    RENDER,
    REPORT,
    REPAIR,
    PROBE,
    CHECKS,
    IMPORT,
)

__all__ = ["COMMANDS", "VIEW", "Command"]
