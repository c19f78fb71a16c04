from newsdedup.core.clustering.articulation import Articulation
from newsdedup.core.clustering.center import Center
from newsdedup.core.clustering.cover import Clustering
from newsdedup.core.clustering.leader import Leader
from newsdedup.core.clustering.merge_center import MergeCenter
from newsdedup.core.clustering.ricochet import Ricochet
from newsdedup.core.clustering.star import Star

CLUSTERINGS: tuple[Clustering, ...] = (
    Center(),
    MergeCenter(),
    Star(),
    Ricochet(),
    Articulation(),
    Leader(),
)
"""The clusterings of seed 002 and the service's own, each with its default parameters."""
