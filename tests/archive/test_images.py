"""Pictures of vision models: read with a head, one a sample, or said why not."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from attn_debugger.archive.reader import open_archive
from attn_debugger.core.heads import HeadRef

WEIGHTS = np.full((3, 2, 1, 5, 5), 0.2, np.float32)  # frame, sample, head, query, key


def test_each_frame_and_sample_has_its_picture(
    by_hand: Callable[..., Path], rng: np.random.Generator
) -> None:
    images = rng.integers(0, 256, (3, 2, 6, 8, 3), np.uint8)
    path = by_hand({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS, "images": images})
    with open_archive(path) as archive:
        for frame, sample in ((0, 0), (2, 1), (2, 1), (1, 0)):
            head = archive.head(frame, HeadRef(0, 0), sample)
            assert head.image is not None
            np.testing.assert_array_equal(head.image, images[frame, sample])
            assert not head.image.flags.writeable
        assert archive.layer(0, 0).image is None  # an examination does not read pictures


def test_one_picture_may_serve_all_frames(by_hand: Callable[..., Path]) -> None:
    images = np.full((1, 2, 4, 4, 3), 7, np.uint8)
    path = by_hand({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS, "images": images})
    with open_archive(path) as archive:
        image = archive.head(2, HeadRef(0, 0), 1).image
        assert image is not None
        assert (image == 7).all()


def test_pictures_of_another_shape_are_said_and_left_out(by_hand: Callable[..., Path]) -> None:
    images = np.zeros((3, 4, 4), np.uint8)
    path = by_hand({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS, "images": images})
    with open_archive(path) as archive:
        head = archive.head(0, HeadRef(0, 0))
    assert head.image is None
    assert any("images has shape (3, 4, 4)" in problem for problem in head.problems)
    assert head.weights is not None


def test_pictures_of_fewer_frames_are_unknown_at_the_end(by_hand: Callable[..., Path]) -> None:
    images = np.ones((2, 2, 4, 4, 3), np.uint8)
    path = by_hand({"steps": [0, 1, 2], "layers/0/weights": WEIGHTS, "images": images})
    with open_archive(path) as archive:
        assert archive.head(1, HeadRef(0, 0)).image is not None
        assert archive.head(2, HeadRef(0, 0)).image is None
