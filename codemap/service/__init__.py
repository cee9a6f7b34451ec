"""What the doors for agents, MCP and HTTP, share: questions as values, maps kept open, updates in their own process."""
