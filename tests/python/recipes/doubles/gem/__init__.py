"""A double of gem's base class, as ROLL's environments extend it: reset(seed) gives (observation, info), step five values."""


class Env:
    def reset(self, seed=None):
        raise NotImplementedError

    def step(self, action):
        raise NotImplementedError
