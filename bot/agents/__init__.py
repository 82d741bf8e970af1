"""Models at work: prompts go out, tools run in the sandbox, every exchange is recorded."""
