"""The prompts, as texts with named blanks (`bot.agents.prompts` fills them)."""
