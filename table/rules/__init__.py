"""The rules of the games. Pure: facts of a game in, what is allowed and what it scores out; no table, no clock, no I/O.

Start with `games` (the list), `line.layout` (tiles joined and their open ends) and `line.rules` (what a line game
decides); one module a game beside it. The trick game lives in `tricks`.
"""
