"""What is seen: pixels -> sightings of tiles, arms and motion. Knows nothing of games.

Start reading at `eye.Eye` (one picture -> tiles) and `sources` (where pictures come from).
"""
