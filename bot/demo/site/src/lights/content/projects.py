"""The restoration projects, in the order in which we began them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Project:
    slug: str
    name: str
    url: str
    year: int
    place: str
    status: str
    summary: str


PROJECTS = [
    Project(
        slug="skerry-point",
        name="Skerry Point Light",
        url="https://skerry-point.example/",
        year=1998,
        place="Skerry Point",
        status="open",
        summary="The tower where the society began: lantern, gallery and the keepers' garden.",
    ),
    Project(
        slug="mole-lantern",
        name="The Mole Lantern",
        url="https://haven-port.example/mole",
        year=2002,
        place="Skerry Haven",
        status="open",
        summary="The cast-iron harbour light at the end of the mole, repainted every fourth summer.",
    ),
    Project(
        slug="gannet-rock-fog-bell",
        name="Gannet Rock Fog Bell",
        url="https://gannet-rock.example/",
        year=2006,
        place="Gannet Rock",
        status="finished",
        summary="A bronze bell and its clockwork striker, brought ashore and made to ring again.",
    ),
    Project(
        slug="leading-lights",
        name="The Leading Lights",
        url="https://haven-port.example/leading-lights",
        year=2009,
        place="Inner Harbour",
        status="open",
        summary="Two small towers that pilots line up to find the channel at night.",
    ),
    Project(
        slug="keepers-row",
        name="Keepers' Row",
        url="https://keepers-row.example/",
        year=2013,
        place="Skerry Haven",
        status="open",
        summary="Three cottages, one of them furnished as it was in the winter of 1911.",
    ),
    Project(
        slug="paraffin-store",
        name="The Paraffin Store",
        url="https://skerry-point.example/store",
        year=2016,
        place="Skerry Point",
        status="finished",
        summary="The vaulted store beside the tower, dry again after sixty years of leaking.",
    ),
    Project(
        slug="lightship-constance",
        name="Lightship Constance",
        url="https://lightship-constance.example/",
        year=2019,
        place="East Quay",
        status="under way",
        summary="The last lightship of the Long Bank, afloat and waiting for a new deck.",
    ),
    Project(
        slug="signal-mast",
        name="The Signal Mast",
        url="https://haven-port.example/mast",
        year=2022,
        place="Watch Hill",
        status="under way",
        summary="The storm-cone mast above the harbour and the hut of the man who hoisted them.",
    ),
]


def find(slug):
    return next((project for project in PROJECTS if project.slug == slug), None)
