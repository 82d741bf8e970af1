"""The status page: served, or written as files. It reads; what a person wants is recorded for the next firing."""

from bot.web.files import write_pages
from bot.web.site import Watched

__all__ = ["Watched", "write_pages"]
