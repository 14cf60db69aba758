"""Colours as eyes see them: contrast, distance, and simulated colour-blind vision."""

from __future__ import annotations

import numpy as np

# Machado, Oliveira & Fernandes 2009, severity 1.0, on linear RGB.
VISION = {
    "normal": np.eye(3),
    "protan": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuter": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritan": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def rgb(colour: str) -> np.ndarray:
    """Return red, green and blue of `#rrggbb`, 0 to 255."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def linear(colour: np.ndarray) -> np.ndarray:
    """Return sRGB as linear light, 0 to 1."""
    part = np.asarray(colour, dtype=float) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(linear_rgb: np.ndarray) -> np.ndarray:
    """Return CIE L*a*b* (D65) of linear RGB."""
    xyz = linear_rgb @ XYZ.T / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack(
        [116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1
    )


def distance(one: np.ndarray, other: np.ndarray, vision: str) -> float:
    """Return the least CIE76 distance of two colours or tables to a kind of eyes."""
    seen = [lab(np.clip(linear(c) @ VISION[vision].T, 0, 1)) for c in (one, other)]
    return float(np.linalg.norm(seen[0] - seen[1], axis=-1).min())


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio."""
    bright = sorted(
        (float(linear(rgb(c)) @ np.array([0.2126, 0.7152, 0.0722])) for c in (one, other)),
        reverse=True,
    )
    return (bright[0] + 0.05) / (bright[1] + 0.05)
