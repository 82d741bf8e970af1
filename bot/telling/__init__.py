"""How a cycle is told to people and programs: its report, its story, its findings."""
