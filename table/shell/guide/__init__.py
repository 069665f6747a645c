"""What `dominoref games GAME` tells people who want to play: one text file a game, as they would explain it."""
