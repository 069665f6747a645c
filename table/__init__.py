"""What it means: facts and verdicts, rules, referee, tracking, journal, board, and the shell over all of them."""
