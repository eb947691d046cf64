"""What is done to the venue's machines, and what must be on their screens after it."""

STEPS = []


def a_step(function):
    STEPS.append(function)
    return function


def names():
    return [function.__name__ for function in STEPS]


def step(name):
    return next(function for function in STEPS if function.__name__ == name)


@a_step
def boot(venue):
    """Power on, and nobody touches anything."""
    for machine in venue.machines:
        machine.start()
    for machine in venue.machines:
        took = machine.waits_for(" connected", patience=1500)
        venue.says(True, f"{machine.name}: from power-on to a connected pair in {took:.0f} s, no key, no network")
        for row in machine.screen():
            if row.strip():
                venue.saw(f"{machine.name} |{row.rstrip()}")
