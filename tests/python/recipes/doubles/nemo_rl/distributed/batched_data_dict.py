"""A double of NeMo-RL's batch: a dictionary of equally long lists that can be merged."""


class BatchedDataDict(dict):
    @classmethod
    def from_batches(cls, batches):
        return cls({name: [item for batch in batches for item in batch[name]] for name in batches[0]})
