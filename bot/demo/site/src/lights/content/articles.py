"""The articles, oldest first."""

ARTICLES = [
    {
        "slug": "how-the-society-began",
        "title": "How the society began",
        "date": "2019-03-02",
        "summary": "Nine people, a leaking lantern and a key that nobody would give back.",
        "body": """
            In the autumn of 1997 the port announced that Skerry Point Light would be put out for
            good. Nine people met in the net loft to write a letter. The letter was not answered,
            but the harbour master lent them the key for a weekend, to take photographs.

            The key was never asked for again. By spring they had mended the lantern roof, and in
            1998 the port let the tower to the society for a peppercorn. The key hangs in the
            hall of Keepers' Row.
        """,
        "tags": ["society"],
    },
    {
        "slug": "reading-a-light",
        "title": "Reading a light",
        "date": "2019-06-15",
        "summary": "A chart gives each light its own rhythm, so that no two neighbours look alike.",
        "body": """
            Every light on a chart has a few letters beside it. They tell how it shines: fixed,
            flashing, occulting, or with equal times of light and dark. Numbers tell how often,
            and how far away it can be seen on a clear night.

            Skerry Point shows two flashes every fifteen seconds. The mole shows a fixed green.
            From the sea they stand close together, and the rhythm is all that a tired helmsman
            has to tell them apart.
        """,
        "tags": ["navigation", "lamps"],
    },
    {
        "slug": "a-winter-in-the-station-book",
        "title": "A winter in the station book",
        "date": "2019-12-01",
        "summary": "What Agnes Thorne wrote down in the first months after her father's death.",
        "body": """
            The station book of 1889 changes its handwriting on the fourth of November. Nothing
            else tells that the keeper has died. The lamp is lit at four, trimmed at nine and at
            two, and put out at eight.

            It takes until February for Agnes Thorne to sign with her own name. The inspector who
            came in March wrote one line under it: lamp, lenses and books in perfect order.
        """,
        "tags": ["keepers"],
    },
    {
        "slug": "why-the-mole-is-green",
        "title": "Why the mole is green",
        "date": "2020-05-09",
        "summary": "The colour of a harbour light depends on which side you pass it.",
        "body": """
            Visitors ask why the lantern on the mole is green when every picture shows it red.
            The pictures are older than 1977. Until then our port marked its sides the other
            way round, as many small ports did.

            When the marks were made the same all over the region, the lantern kept its glass and
            changed its lamp. The red panes are in the paraffin store, packed in straw.
        """,
        "tags": ["navigation", "harbour"],
    },
    {
        "slug": "paraffin-and-patience",
        "title": "Paraffin and patience",
        "date": "2020-11-21",
        "summary": "An evening with the old burner, which does nothing fast.",
        "body": """
            We light the paraffin burner once a year. It must be warmed for twenty minutes with a
            spirit flame before the vapour burns blue, and it sulks if anybody opens the door.

            Tom Abara did this every night for eleven years. His notes say that the mantle lasts
            longer if it is left alone, which is good advice for most things in the tower.
        """,
        "tags": ["lamps", "keepers"],
    },
    {
        "slug": "the-bell-comes-ashore",
        "title": "The bell comes ashore",
        "date": "2021-04-17",
        "summary": "Moving half a ton of bronze from a rock with no landing.",
        "body": """
            Gannet Rock has no landing, only a ledge that is dry for an hour at low springs. The
            fog bell weighs half a ton. It took three summers to find a day with both a low tide
            and a flat sea.

            In the end it was a fishing boat that lifted it, with a borrowed derrick and a mattress
            on the deck. Nobody spoke until the bell was down. Then it rang by itself, once.
        """,
        "tags": ["restoration", "fog"],
    },
    {
        "slug": "henry-oakes-and-his-striker",
        "title": "Henry Oakes and his striker",
        "date": "2021-10-30",
        "summary": "A keeper who was tired of pulling a rope built a machine that pulls it.",
        "body": """
            A fog bell was rung by hand, one stroke every half minute, for as long as the fog
            stayed. In June 1874 that was fifty-one hours. Henry Oakes spent the rest of the
            summer drawing.

            His striker is a falling weight, a train of four wheels and a hammer with a leather
            face. It runs for six hours on one winding. We have changed the leather and nothing
            else.
        """,
        "tags": ["fog", "keepers"],
    },
    {
        "slug": "two-towers-in-line",
        "title": "Two towers in line",
        "date": "2022-06-04",
        "summary": "How leading lights show the channel without a single buoy.",
        "body": """
            A leading line needs two lights, a low one in front and a high one behind. When they
            stand one above the other, you are in the channel. When the upper one slides to the
            left, so have you.

            Ours are only nine metres tall and were nearly sold as sheds. Since 2011 they are lit
            again from dusk to midnight, and the pilots say that they use them more than they
            admit.
        """,
        "tags": ["navigation", "restoration"],
    },
    {
        "slug": "cleaning-a-lens",
        "title": "Cleaning a lens",
        "date": "2022-11-12",
        "summary": "A soft cloth, spirit, rouge, and no rings on your fingers.",
        "body": """
            The lens at Skerry Point has two hundred and forty prisms. Each has an upper and a
            lower face, and each face takes about four minutes. It is a good way to spend a wet
            weekend with friends.

            The rules on the door are from 1862. Linen apron, no buttons, no rings, no talking
            on the ladder. We have only added that the cloths are washed without softener.
        """,
        "tags": ["lamps", "restoration"],
    },
    {
        "slug": "a-cook-takes-the-watch",
        "title": "A cook takes the watch",
        "date": "2023-08-26",
        "summary": "Wen Hua signed on for a season and stayed for eighteen years.",
        "body": """
            Lightship Constance lay on the Long Bank for eleven months a year. In 1949 her cook
            left, and Wen Hua came aboard with one bag and a kettle. Within a year he stood the
            lamp watch when the mate was ill.

            The crew list of 1961 calls him master. His daughter remembers the smell of paraffin
            and ginger, and that he never could sleep ashore because nothing moved.
        """,
        "tags": ["keepers", "lightships"],
    },
    {
        "slug": "the-man-who-hoisted-cones",
        "title": "The man who hoisted cones",
        "date": "2024-05-18",
        "summary": "A black cone on Watch Hill meant a gale, and the fleet stayed in.",
        "body": """
            Before there was a forecast on the radio there was a mast on Watch Hill. A telegram
            came from the capital, and a black cone went up: point upwards for a northerly gale,
            point down for a southerly one.

            The hut beside the mast held a stove, a telescope and one chair. The last telegram is
            still on the nail. It says that the wind will ease by evening.
        """,
        "tags": ["weather", "harbour"],
    },
    {
        "slug": "what-a-lightship-is-made-of",
        "title": "What a lightship is made of",
        "date": "2025-02-08",
        "summary": "Constance has no engine, and that is the point of her.",
        "body": """
            A lightship is built to stay. Constance has no engine and no rudder worth the name. Her
            keel is deep, her sides are round, and a third of her weight is chain.

            The new deck will be larch, as the old one was. The planks are drying in the net loft
            until they stop moving, which the shipwright says will be next year, as he said last
            year.
        """,
        "tags": ["lightships", "restoration"],
    },
]


def newest_first():
    return sorted(ARTICLES, key=lambda article: article["date"], reverse=True)


def latest(count):
    return newest_first()[:count]


def find(slug):
    return next((article for article in ARTICLES if article["slug"] == slug), None)


def tagged(tag):
    return [article for article in newest_first() if tag in article["tags"]]


def tags():
    """Every tag with the number of its articles."""
    counts = {}
    for article in ARTICLES:
        for tag in article["tags"]:
            counts[tag] = counts.get(tag, 0) + 1
    return dict(sorted(counts.items()))
