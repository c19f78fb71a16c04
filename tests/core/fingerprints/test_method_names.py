from newsdedup.config.settings import FINGERPRINTS
from newsdedup.core.fingerprints.catalogue import catalogue
from newsdedup.core.fingerprints.names import METHODS


def test_the_names_are_those_of_the_catalogue():
    assert tuple(catalogue()) == METHODS
    assert all(method.name == name for name, method in catalogue().items())


def test_the_settings_know_every_method():
    assert set(FINGERPRINTS) == set(METHODS)
