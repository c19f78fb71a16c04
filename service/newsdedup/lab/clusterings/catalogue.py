from newsdedup.lab.clusterings.articulation import Articulation
from newsdedup.lab.clusterings.center import Center
from newsdedup.lab.clusterings.cover import Clustering
from newsdedup.lab.clusterings.leader import Leader
from newsdedup.lab.clusterings.merge_center import MergeCenter
from newsdedup.lab.clusterings.ricochet import Ricochet
from newsdedup.lab.clusterings.star import Star

CLUSTERINGS: tuple[Clustering, ...] = (
    Center(),
    MergeCenter(),
    Star(),
    Ricochet(),
    Articulation(),
    Leader(),
)
"""The clusterings of seed 002 and the service's own, each with its default parameters."""
