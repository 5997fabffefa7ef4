"""Pictures of a table: SVG from the games, arrays of pixels made from it."""
