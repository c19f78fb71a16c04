"""Lists of feeds that are made to be slow or large."""

from newsdedup.feeder.subscriptions.subscription_list import read_subscriptions


def test_a_long_line_is_left_out_in_time_that_grows_with_it():
    # The square of its length would be minutes.
    text = f"https://a.example/{'a' * 3_000_000}\nhttps://b.example/ category=News\n"
    read = read_subscriptions(text.encode(), name="feeds.txt")
    assert [(one.address, one.category) for one in read.subscriptions] == [
        ("https://b.example/", "News")
    ]
    assert read.problems == (
        "feeds.txt: Line 1 is left out: it has 3000018 characters, more than 10000.",
    )


def test_a_path_of_long_outlines_makes_a_category_of_the_length_of_any_other():
    outlines = f'<outline text="{"n" * 500}">' * 50
    opml = f'<opml><body>{outlines}<outline xmlUrl="https://a.example/"/></body></opml>'
    (feed,) = read_subscriptions(opml.encode(), name="in.opml").subscriptions
    assert feed.category == "n" * 500


def test_outlines_without_a_name_add_nothing_to_a_category():
    feed = '<outline xmlUrl="https://a.example/"/>'
    opml = f'<opml><body><outline><outline text="A"><outline text="B">{feed}</outline></outline>'
    (feed,) = read_subscriptions(f"{opml}</outline></body></opml>".encode(), name="o").subscriptions
    assert feed.category == "A/B"
