from albums import Plays


def test_plays_are_counted(dynamodb):
    plays = Plays(dynamodb)
    plays.add("Nina Simone")
    plays.add("Nina Simone")
    assert plays.count("Nina Simone") == 2


def test_another_test_has_its_own_copy(dynamodb, dinette_world):
    assert Plays(dynamodb).count("Nina Simone") == 0
    dinette_world.clock.set("2030-01-01T00:00:00Z")
    assert dinette_world.clock.advance("PT25H")["now"].startswith("2030-01-02T01")
