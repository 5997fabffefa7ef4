"""What every game shares: records, kernels, loops over many games, layouts, options."""
