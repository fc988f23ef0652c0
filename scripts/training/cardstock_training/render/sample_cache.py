"""A cache of drawings that take longer to make than everything that is done with them."""


class SampleCache:
    """Returns each cached sample several times; replaces a share `new` of them with fresh ones."""

    def __init__(self, size: int, new: float):
        self.size, self.new, self.samples = size, new, []

    def get(self, rng, make):
        if len(self.samples) < self.size:
            self.samples.append(make())
            return self.samples[-1]
        index = rng.integers(self.size)
        if rng.random() < self.new:
            self.samples[index] = make()
        return self.samples[index]
