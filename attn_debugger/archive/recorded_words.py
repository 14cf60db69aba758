"""The recorder's notes, known again when they are read: a window can say them in its language.

An archive holds them as plain English text, whoever wrote it and whenever.
"""

from __future__ import annotations

import re
from functools import lru_cache
from string import Formatter

from attn_debugger.core.words import Message, say

_PLACE = say("{path}: {reason}")

RECORDED: tuple[Message, ...] = (
    say("TorchScript code shows nothing to a recorder; run the original module"),
    say(
        "it ran, but no attention was seen in it: a kernel this recorder does not know; "
        "record.register(function, how) teaches it"
    ),
    say(
        "nothing to record: no attention was seen; run the model's forward inside "
        "recorder.step(...), or teach the recorder your kernel with record.register"
    ),
    say("sample {sample} of the batch is the one with non-finite values in {where}"),
    say("sample {sample} of the batch has a loss that is not finite"),
    say("sample {sample} of the batch has the highest loss, {value}"),
    say("the output of {path}"),
    say("the output"),
    say(
        "this model is compiled: recorded steps run eagerly (results differ by rounding, about "
        "1e-8), the others stay compiled; compiled='probe_only' or 'skip' leaves every step "
        "compiled"
    ),
    say("the model is compiled and compiled='skip' was asked for: nothing is recorded"),
    say("the model is compiled and compiled='probe_only' was asked for: only the probe is"),
    say("this step was not recorded: {error}"),
    say("part of this step was not recorded: {error}"),
    say(
        "the padding given to recorder.step looks inverted: it marks tokens with many ids as "
        "padding and one repeated id as text. attention_mask= is 1 for real tokens, "
        "key_padding= is True for padding. The other way round was stored."
    ),
    say(
        "the model was called with {name} that looks inverted: it marks tokens with many ids as "
        "padding and one repeated id as text"
    ),
    say("the gradient norm could not be taken: {error}"),
    say("the gradient of {name} is not finite"),
    say(
        "the disk is slower than training: this frame was dropped; record less often (every=), "
        "fewer samples, or use compression='lzf'"
    ),
    say("{count} frames: the disk was slower than training"),
    say("what broke on this rank could not be stored: {error}"),
    say("what broke on this rank is stored in {path}"),
    say("the crash could not be kept: {error}"),
    say("the probe could not be run: {error}"),
    say("every({step}) raised {error}; this step is not recorded"),
    say(
        "{used} of {limit} (limit_bytes) are used: from here on overviews and statistics only, "
        "no full maps"
    ),
    say(
        "{used} of {limit} (limit_bytes) are used: full maps are stored every {every}th recorded "
        "frame from here on"
    ),
    say("a second softmax of scores, multiplying no values"),
    say("attention outside the recorded model"),
    say("the weights were not seen multiplying any values"),
    say("a softmax that multiplies no values"),
    say("the softmax axis is not the axis summed over with the values"),
    say("dropout sits between the scores and the softmax"),
    say(
        "a ragged (nested) batch ran on torch's fast path, where nothing can be seen; pad the "
        "batch at recorded steps"
    ),
    say("there is no room left on the disk for another frame"),
    say("recording ended: {reason}"),
    say("pictures of {size} came after {before}: those of another size or number are not stored"),
    say(
        "{path} computes its attention in {pieces} pieces of its queries: they are stored as "
        "{layers} layers, from {first} to {last}, in order"
    ),
    say("tokens are stored as ids: {error}"),
    say("the loss is {loss}"),
    say("the loss jumped to {loss} where {expected} was expected"),
    say("{reason}: the last {steps} steps were written, and the next {more}"),
    say("{reason}, but no forward was seen to run again"),
    say("{reason}: the forward of step {step} was run again"),
    say("{said}; {why}, it is stored"),
    say("{said}; {why}, but only {n} of them fit into memory"),
    say(
        "{said}; the parameters had already been updated, so it is not exact: call "
        "recorder.log(loss=...) before optimizer.step()"
    ),
    say("{said}; run again it is finite: a compiled or fused kernel is then the suspect"),
    say("a call was not remembered: {error}"),
    say("log({name}=...) is not a single number and was left out"),
    say("asked for"),
    _PLACE,
)


@lru_cache(maxsize=1024)  # a note comes again at every step
def recognised(text: str) -> str:
    """Return a recorder's note as a message with its values; any other text as it is."""
    for template, pattern in _PATTERNS:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        values = {name: recognised(value) for name, value in found.groupdict().items()}
        # Much is a name and a colon; of the recorder's it is only before a sentence of its own.
        if template != _PLACE.template or isinstance(values["reason"], Message):
            return Message(text, template, values)
    return text


def _pattern(template: str) -> re.Pattern[str]:
    parts = [
        re.escape(literal) + (f"(?P<{name}>.+?)" if name else "")
        for literal, name, _, _ in Formatter().parse(template)
    ]
    return re.compile("".join(parts), re.DOTALL)


def _literal_length(template: str) -> int:
    return sum(len(literal) for literal, _, _, _ in Formatter().parse(template))


# The longest first: what is a sentence of its own is not a part of a shorter one.
_PATTERNS = tuple(
    (template, _pattern(template))
    for template in sorted((said.template for said in RECORDED), key=_literal_length, reverse=True)
)
