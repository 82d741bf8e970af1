"""Examples for an installation: configuration, units, a cron line."""
