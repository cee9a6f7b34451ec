"""The MCP server: what a model can ask, and the transports it is asked through. Needs the extra `server`."""
