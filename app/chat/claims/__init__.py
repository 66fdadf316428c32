"""What a model claims, certified by code: each claim stands on quotes that are found where it says."""
