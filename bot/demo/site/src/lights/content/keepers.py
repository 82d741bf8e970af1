"""The keepers whom the station books name, and the tide stations that they read."""

KEEPERS = [
    {"name": "Elias Thorne", "station": "Skerry Point", "years": "1862–1889", "note": "First keeper; planted the garden and wrote the weather down three times a day."},
    {"name": "Agnes Thorne", "station": "Skerry Point", "years": "1889–1904",
     "note": "Kept the light after her father, the first year without being paid."},
    {"name": "Henry Oakes", "station": "Gannet Rock", "years": "1871–1880",
     "note": "Invented the striker that still drives the fog bell."},
    {"name": "Margit Lund", "station": "The Mole", "years": "1904–1931",
     "note": "Harbour light and customs flag, and the only keeper with a telephone."},
    {"name": "Tom Abara", "station": "Skerry Point", "years": "1931–1958",
     "note": "Saw the lamp change from paraffin to electricity."},
    {"name": "Wen Hua", "station": "Lightship Constance", "years": "1949–1967",
     "note": "Ship's cook who learned the lamp, later her last master."},
]

TIDE_STATIONS = [
    {"name": "Skerry Haven", "mean_springs": 4.6},
    {"name": "Gannet Rock", "mean_springs": 4.1},
    {"name": "Long Bank", "mean_springs": 3.8},
]
