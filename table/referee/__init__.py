"""The referee: facts in, verdicts out, time passed in.

`Referee` is all the other rooms need. Inside, `referee` numbers records and heeds `corrections`; `fold` is what all
games share. Line games: `line_state` what a round is, `turns` draws and passes, `strips` hand tiles shown, `laying` and
`shifting` tiles on the table, `reveal` the end, `line` the whole; `onboard` is the layout with poses, `claims` what is
proven of hidden hands. Tien Gow: `trick_acts` groups and tricks, `trick` the whole. `messages` has the sentences.
"""

from .referee import Referee

__all__ = ["Referee"]
