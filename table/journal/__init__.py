"""The append-only file of records, and the inputs of a recording. Start at `journal.Journal` and `inputs`."""
