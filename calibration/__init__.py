"""Where things are: pixels of the image <-> millimetres on the table.

The only room that knows lenses and homographies. It sees no tiles and no games. Start reading at `plane.TablePlane`;
`table_file` reads and writes table.toml.
"""
