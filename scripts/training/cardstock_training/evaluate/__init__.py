"""Evaluation sets, figures for each network, and the calibration of thresholds."""
