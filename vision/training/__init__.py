"""Scene generator, training and export of the two nets in vision/weights. Not needed at run time."""
