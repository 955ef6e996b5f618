"""The tree of what-ifs as a page draws it."""


def levels_of_branches(html: str) -> int:
    """Count the lists inside lists."""
    depth = deepest = 0
    for part in html[html.index("branch-tree") :].split("<")[1:]:
        depth += part.startswith("ul") - part.startswith("/ul")
        deepest = max(deepest, depth)
    return deepest
