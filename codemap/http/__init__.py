"""The HTTP service: the same answers for many clients. Needs the extra `server`."""
