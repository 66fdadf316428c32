"""Human in the loop: questions, approvals, answers and delegations, for agent and chat alike."""
