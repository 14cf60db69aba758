"""One process of a small distributed run; started by the tests, twice."""

from __future__ import annotations

import os
import sys

import torch
import torch.distributed as dist
from recording_models import LanguageModel, loss_of, operator_method, sdpa

from attn_debugger import record


def main(kind: str, rank: int, port: int, path: str) -> None:
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=2)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = LanguageModel(sdpa if "compiled" in kind else operator_method)
    if kind.startswith("ddp"):
        wrapped = torch.nn.parallel.DistributedDataParallel(model)
    else:
        from torch.distributed.fsdp import fully_shard

        for layer in model.layers:
            fully_shard(layer)
        wrapped = fully_shard(model)
    if "compiled" in kind:
        wrapped = torch.compile(wrapped, backend="eager")
    batch = torch.randint(1, 50, (2, 10), generator=torch.Generator().manual_seed(rank))
    if "flight" in kind:
        break_on_rank_1(kind, wrapped, model, rank, path)
        return
    options = {"rank": "all"} if "all" in kind else {}
    optimizer = torch.optim.SGD(wrapped.parameters(), 0.1)
    probe = record.Probe(torch.full((1, 8), 3))
    recorder = record(wrapped, path, every=2, probe=probe, optimizer=optimizer, **options)
    for step in range(5):
        with recorder.step(step):
            loss = loss_of(wrapped, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recorder.log(loss=loss)
    recorder.close()
    print("coverage", recorder.coverage())
    dist.destroy_process_group()


def break_on_rank_1(
    kind: str, wrapped: torch.nn.Module, model: LanguageModel, rank: int, path: str
) -> None:
    """Rank 1 is given a batch whose second item makes its embedding overflow."""
    batch = torch.randint(2, 50, (3, 10), generator=torch.Generator().manual_seed(rank))
    if rank == 1:
        batch[1, 4] = 1

        def overflow(module, args, out):
            return torch.where((args[0] == 1)[..., None], torch.inf, out)

        model.embed.register_forward_hook(overflow)
    recorder = record(wrapped, path, every=1000, flight="rerun")
    for step in (1, 2):
        with recorder.step(step):
            loss = loss_of(wrapped, batch)
        recorder.log(loss=loss)
        if kind.startswith("fsdp") and step == 1:
            assert recorder.rerun()
    recorder.close()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
