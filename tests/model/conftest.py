from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from attn_debugger.demo.models import Design, TinyTransformer


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def design() -> Design:
    return Design(vocabulary=11, width=24, heads=3, layers=2, hidden=32, length=10)


@pytest.fixture
def model(design: Design) -> TinyTransformer:
    torch.manual_seed(0)
    return TinyTransformer(design)
