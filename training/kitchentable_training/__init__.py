"""PPO self-play on the games of `kitchentable`: training, evaluation, checkpoints."""
