from prime_rl.orchestrator.curriculum.samplers.base import TaskSampler  # noqa: F401

# the recipe's line, as a person adds it
from prime_rl_envsched import EnvSchedSampler as StandardSampler  # noqa: F401, E402
