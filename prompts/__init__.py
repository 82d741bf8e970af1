"""The prompts, as texts with named blanks (`bot.prompts` fills them)."""
