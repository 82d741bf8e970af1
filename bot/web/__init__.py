"""The status page: served, or written as files. It reads; what a person wants is recorded for the next firing."""

from bot.web.files import write_pages
from bot.web.server import Server, application
from bot.web.site import Watched

__all__ = ["Server", "Watched", "application", "write_pages"]
