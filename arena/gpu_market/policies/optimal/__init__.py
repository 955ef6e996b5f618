"""The optimal planner: exact plans on what it sees, and prices from what it has learned."""

from arena.gpu_market.policies.optimal.deciding import optimal_planner, planner_alone

__all__ = ["optimal_planner", "planner_alone"]
