"""Family games as fast environments, and opponents that any program can play against."""
