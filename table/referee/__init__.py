"""The referee: facts in, verdicts out, time passed in.

`Referee` is all the other rooms need. Inside: `referee` numbers records and heeds corrections, `fold` is what all games
share, `line` (with `laying`, `turns`, `reveal`) the line games, `onboard` the layout with poses, `claims` the proofs.
"""

from .referee import Referee

__all__ = ["Referee"]
