"""The commands: the only room that knows all others. Start reading at `main`."""
