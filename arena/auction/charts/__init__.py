"""Pictures of a match: wire frames in, SVG out."""
