"""When a person is asked before the run goes on: the planner's rules, and the risk of an action."""
