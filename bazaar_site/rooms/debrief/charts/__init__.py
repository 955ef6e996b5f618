"""The pictures of a debrief; every point of a game opens its replay."""
