"""A double of prime-rl's sampler interface, after PrimeIntellect-ai/prime-rl@2cfe40fbf src/prime_rl/orchestrator/curriculum/samplers/base.py."""

from abc import ABC, abstractmethod
from collections.abc import Iterator


class TaskSampler(Iterator, ABC):
    @abstractmethod
    def __next__(self):
        raise NotImplementedError

    def observe(self, group):
        """Of a finished group."""

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        """Before sampling goes on."""

    def metrics(self):
        return {}
