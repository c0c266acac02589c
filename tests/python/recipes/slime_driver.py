"""slime: three rollouts as its rollout function runs them, one with a group that was aborted, one sampled beyond need; then a restart."""

import sys
import tempfile
from types import SimpleNamespace

from drive import GROUP, Book, key, names, recipe, reward_of

from slime.rollout.data_source import Status

book = Book()
module = recipe("slime", KEY=key())
rows = [{"prompt": f"do {task}", "metadata": {"environment": environment, "task": task}} for environment, task in names()]
folder = tempfile.mkdtemp()
args = SimpleNamespace(
    prompt_data=rows, n_samples_per_prompt=GROUP, rollout_shuffle=True, reward_key="score", save=folder, load=folder, rollout_batch_size=4
)
entries = {}


def sample_group(group, version, abort):
    """Samples a group: a policy of that version, or an abort after the first two, as at the end of a batch."""
    ours = group[0].metadata["envsched"]
    assert len({sample.metadata["envsched"]["lease"] for sample in group}) == 1 and len(group) == GROUP
    assert group[0].prompt == f"do {ours['task']}"
    if ours["lease"] not in entries:
        entries[ours["lease"]] = book.group(ours["environment"], ours["task"], ours["lease"], version)
        entries[ours["lease"]].update(versions=[None] * GROUP, rewards=[None] * GROUP)
    entry = entries[ours["lease"]]
    for copy, sample in enumerate(group):
        if sample.status is Status.COMPLETED:
            continue
        if abort and copy > 1:
            sample.status = Status.ABORTED
            continue
        sample.weight_versions = [str(version)]
        try:
            sample.reward, sample.status = {"score": reward_of(ours["task"], copy, version)}, Status.COMPLETED
        except ValueError:
            sample.reward, sample.status = None, Status.FAILED
        # one that failed is sampled again when its group comes back
        entry["versions"][copy] = version
        entry["rewards"][copy] = None if sample.reward is None else sample.reward["score"]


def rollout(source, version, over=0, abort=False):
    """generate_rollout: samples until enough groups are complete, hands all of them to the hook, gives aborted ones back."""
    groups = source.get_samples(args.rollout_batch_size + over)
    done, rest = groups[: args.rollout_batch_size], groups[args.rollout_batch_size :]
    for group in done:
        sample_group(group, version, False)
    for group in rest if abort else []:
        sample_group(group, version, True)
    module.report(args, sorted(done, key=lambda group: group[0].index), source.get_samples)
    if abort:
        source.add_samples(rest)
    return done, rest


source = module.EnvSchedDataSource(args)
rollout(source, 0)
_, kept = rollout(source, 1, over=1, abort=True)
done, dropped = rollout(source, 2, over=1)
assert done[0] is kept[0], "an aborted group comes back first, with its lease"
source.save(2)
book.lost = True
rollout(source, 3)
book.lost = False
book.more["dropped"] = [group[0].metadata["envsched"]["task"] for group in dropped]
again = module.EnvSchedDataSource(args)
again.load(2)
assert again.version == 3
rollout(again, 3)
source.get_samples(0)
book.show()
