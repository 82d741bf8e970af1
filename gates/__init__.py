"""Gates: what to run and how to read it, pure; and the stand-alone server that runs beside the site."""
