"""Renders training photos, trains Cardstock's seven networks and evaluates them."""
