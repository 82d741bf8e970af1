"""Small things done to text."""

from datetime import date


def paragraphs(body):
    """The paragraphs of a body; a blank line separates them."""
    return [" ".join(part.split()) for part in body.strip().split("\n\n")]


def day(text):
    """An ISO date, or None when the entry has none that can be read."""
    try:
        return date.fromisoformat(text)
    except:
        return None
