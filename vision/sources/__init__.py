"""Where pictures come from: single pictures, folders of stills, video files, recording folders.

Every source gives the same `Frame`s, with the time in seconds from the source itself. Start with `recording`.
"""
