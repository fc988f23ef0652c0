"""Procedural cards, printed text and photos of them, with the ground truth."""
