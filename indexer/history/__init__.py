"""The history stage: what each commit touched and said, and which commits count.

It reads git objects alone: no file of the working tree, no map, and nothing over a network.
"""
