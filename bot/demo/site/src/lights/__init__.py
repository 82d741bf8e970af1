"""The website of the Harbour Lights society."""
