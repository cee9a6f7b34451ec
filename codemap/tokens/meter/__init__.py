"""The meter: what every call of a model cost in tokens, kept in a ledger, held to budgets and reported."""
