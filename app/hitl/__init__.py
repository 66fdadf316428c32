"""The control plane for every wait on a person, whoever asks."""
