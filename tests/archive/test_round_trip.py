"""What the writer wrote is what the reader reads, and the least archive by hand opens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from archive_samples import frame, softmax_maps, specs

from attn_debugger.archive.reader import open_archive
from attn_debugger.archive.records import FrameRecord, LayerRecord, LayerSpec
from attn_debugger.archive.writer import ArchiveWriter
from attn_debugger.core.heads import HeadRef
from attn_debugger.core.source import RunSource


def test_the_least_archive_opens(by_hand: Callable[..., Path], rng: np.random.Generator) -> None:
    weights = softmax_maps(rng, 3, 2, 5, 7)
    path = by_hand({"steps": [0, 100, 200], "layers/0/weights": weights})
    with open_archive(path) as archive:
        source: RunSource = archive
        run = source.run
        assert run.steps.tolist() == [0, 100, 200]
        assert run.streams == ("train",) * 3
        assert (run.ended, run.missing, run.dropped) == ("closed", (), 0)
        assert (run.layers[0].n_queries, run.layers[0].n_keys, run.n_heads) == (5, 7, 2)
        np.testing.assert_array_equal(source.layer(1, 0).weights, weights[1])
        one = source.head(2, HeadRef(0, 1))
        assert one.heads == (1,)
        np.testing.assert_array_equal(one.weights, weights[2, 1:])
        assert [f.frame_index for f in source.scan(2)] == [2]


def test_everything_a_record_holds_comes_back(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "run.h5"
    weights = softmax_maps(rng, 2, 4, 6, 6).astype(np.float16)
    scores = rng.normal(size=weights.shape).astype(np.float32) * 1e6
    mask = np.tri(6, dtype=bool)
    padding = np.array([[0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0]], bool)
    layer = LayerRecord(
        weights=weights,
        scores=scores,
        q=rng.normal(size=(2, 4, 6, 3)).astype(np.float16),
        k=rng.normal(size=(2, 2, 6, 3)).astype(np.float16),
        stats={"score_max": np.arange(8, dtype=np.float32).reshape(2, 4)},
        output={"mean": 0.5, "abs_max": np.inf},
        captures=1,
        mask=mask,
    )
    tokens = (("the", "cat", "sat", "…", "", "\0"), ("a",) * 6)
    record = FrameRecord(
        step=70,
        layers=(layer,),
        stream="val",
        time=12.5,
        scalars={"loss": 2.0},
        token_ids=np.arange(12).reshape(2, 6),
        tokens=tokens,
        key_padding=padding,
        documents=np.zeros((2, 6), np.int64),
        images=rng.integers(0, 256, (2, 4, 5, 3), np.uint8),
    )
    spec = LayerSpec(
        name="enc.0", heads=4, queries=6, keys=6, samples=2, attributes={"causal": True}
    )
    with ArchiveWriter(path, [spec], attributes={"model": "tiny", "vocab_size": 50}) as writer:
        assert writer.append(record) == 0
        writer.log(70, grad_norm=3.0)
        writer.event(70, "dropped", "2 frames were dropped: the disk is slow")
        writer.checkpoint(70, tmp_path / "ckpt_70.pt")
    with open_archive(path) as archive:
        run = archive.run
        assert run.streams == ("val",)
        assert run.times is not None
        assert run.times.tolist() == [12.5]
        assert {n: v.tolist() for n, v in run.scalars.items()} == {
            "loss": [2.0],
            "grad_norm": [3.0],
        }
        assert run.curves["grad_norm"].tolist() == [[70.0, 3.0]]
        assert run.facts.vocab_size == 50
        assert run.attributes["model"] == "tiny"
        assert run.layers[0].facts.causal is True
        assert run.layers[0].name == "enc.0"
        assert run.checkpoints[0].path == "ckpt_70.pt"
        assert (run.events[0].kind, run.dropped) == ("dropped", 2)
        assert run.ended == "closed"
        got = archive.layer(0, 0, sample=1)
        np.testing.assert_array_equal(got.weights, weights[1])
        np.testing.assert_array_equal(got.scores, scores[1])
        np.testing.assert_array_equal(got.q, layer.q[1])
        np.testing.assert_array_equal(got.k, layer.k[1])
        np.testing.assert_array_equal(got.mask.reshape(6, 6), mask)
        assert got.stats["score_max"].tolist() == [4, 5, 6, 7]
        assert got.output == {"mean": 0.5, "abs_max": np.inf}
        assert got.captures == 1
        assert got.tokens == ("a",) * 6
        assert got.query_tokens == got.tokens
        assert got.token_ids.tolist() == [6, 7, 8, 9, 10, 11]
        first = archive.layer(0, 0, sample=0)
        assert first.tokens[:4] == ("the", "cat", "sat", "…")
        assert first.key_padding.tolist() == padding[0].tolist()
        assert first.query_padding.tolist() == padding[0].tolist()
        assert not first.weights.flags.writeable
        np.testing.assert_array_equal(archive.image(0, 1), record.images[1])
        assert archive.image(0, 2) is None


def test_gaps_varying_lengths_and_sparse_maps(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "run.h5"
    small, large = softmax_maps(rng, 1, 3, 8, 8), softmax_maps(rng, 1, 3, 90, 90)
    with ArchiveWriter(path, specs(2), dtype="float32") as writer:
        writer.append(frame(0, [small, None]))
        writer.append(frame(10, [large, small]))
        writer.append(frame(20, [small, small], full=False))
        writer.append(frame(30, [large, small]))
    with open_archive(path) as archive:
        gap = archive.layer(0, 1)
        assert (gap.present, gap.weights) == (False, None)
        np.testing.assert_array_equal(archive.layer(0, 0).weights, small[0])
        np.testing.assert_array_equal(archive.layer(1, 0).weights, large[0])
        sparse = archive.layer(2, 0)
        assert (sparse.full, sparse.present, sparse.weights) == (False, True, None)
        np.testing.assert_array_equal(archive.layer(3, 0).weights, large[0])
        np.testing.assert_array_equal(archive.layer(3, 1).weights, small[0])
        grid = archive.grid(0, 0, 32)
        assert grid.shapes == ((8, 8), (0, 0))
        assert grid.known.tolist() == [[True] * 3, [False] * 3]


def test_a_layer_never_captured_is_listed(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "run.h5"
    layers = [*specs(1), LayerSpec(name="silent", heads=5, queries=0, keys=0)]
    with ArchiveWriter(path, layers) as writer:
        writer.append(frame(0, [softmax_maps(rng, 1, 3, 8, 8), None]))
    with open_archive(path) as archive:
        silent = archive.run.layers[1]
        assert (silent.n_heads, silent.n_queries, silent.n_keys) == (5, 0, 0)
        assert not archive.layer(0, 1).present
