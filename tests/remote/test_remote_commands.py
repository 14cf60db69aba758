"""The command line with addresses in place of files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from remote_doubles import HEADS, LAYERS, write_run
from ssh_server import SlowWire, SshServer

from attn_debugger.archive.reader import open_archive
from attn_debugger.cli import main
from attn_debugger.core.address import RemoteAddress, absolute, is_remote, parse_address
from attn_debugger.errors import ArchiveError, UsageError


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("far") / "run.h5", 12)


def test_info_and_check_say_the_same_of_a_file_far_away(
    server: SshServer, wire: SlowWire, run_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = server.address(run_file, wire.port)
    answers = []
    for path in (str(run_file), address):
        assert main(["info", path, "--json", "--step", "50"]) == 0
        info = json.loads(capsys.readouterr().out)
        assert main(["check", path, "--json"]) in (0, 1)
        check = json.loads(capsys.readouterr().out)
        assert info.pop("archive") == check.pop("archive") == path
        assert info["heads"] == LAYERS * HEADS
        answers.append((info, check))
    assert answers[0] == answers[1]


def test_what_stands_in_the_way_is_a_sentence(
    server: SshServer, run_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["info", server.address(run_file)]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert "is not known here" in said.err
    with pytest.raises(ArchiveError, match="lies on another machine"):
        open_archive(server.address(run_file))  # as commands do that work on files here alone


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ssh://host/a/run.h5", RemoteAddress("host", "/a/run.h5")),
        ("sftp://me@host:2222/run.h5", RemoteAddress("host", "/run.h5", "me", 2222)),
        ("ssh://cluster/~/my%20runs/run.h5", RemoteAddress("cluster", "my runs/run.h5")),
        ("ssh://cluster/runs/a#b?c.h5", RemoteAddress("cluster", "/runs/a#b?c.h5")),
        ("SSH://[::1]:22/run.h5", RemoteAddress("::1", "/run.h5", None, 22)),
    ],
)
def test_addresses(text: str, address: RemoteAddress) -> None:
    assert is_remote(text)
    assert parse_address(text) == address
    assert absolute(text) == text


@pytest.mark.parametrize(
    "text",
    ["run.h5", "ssh://", "ssh:///run.h5", "ssh://host", "ssh://-oProxyCommand=x/run.h5",
     "ssh://a:b@host/run.h5", "ssh://host:99999/run.h5", "http://host/run.h5"],
)  # fmt: skip
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(UsageError):
        parse_address(text)
