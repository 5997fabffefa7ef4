"""The ways to play from Python: batches, PettingZoo, Gymnasium."""
