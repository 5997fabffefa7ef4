"""Tiny games whose exact solution is known: testbeds for algorithms, not for players."""
