"""The conversations of the demonstration: two tenants, people with habits, plans and changes of mind.

Each line is ``(role, text)``; a number between lines is days that pass. Written for MemoryHub; all people invented.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Line = tuple[str, str] | int


@dataclass(frozen=True)
class DemoThread:
    """A conversation that began ``days_ago``."""

    title: str
    days_ago: int
    lines: Sequence[Line]


@dataclass(frozen=True)
class DemoPerson:
    """A subject; ``member_email`` makes the first tenant's member of that address the one who talks."""

    external_id: str
    name: str
    threads: Sequence[DemoThread]
    member_email: str = ""


@dataclass(frozen=True)
class DemoTenant:
    """A tenant with its people."""

    name: str
    slug: str
    people: Sequence[DemoPerson]


LENA = DemoPerson(
    "lena.brandt",
    "Lena Brandt",
    (
        DemoThread(
            "Setting up the new laptop",
            94,
            (
                (
                    "user",
                    "Hi, I'm Lena. My timezone is Europe/Berlin and I work at Brandt Logistics as an operations lead.",
                ),
                ("assistant", "Welcome, Lena. What can I help you with?"),
                ("user", "Always use PowerShell, never bash. I'm on Windows 11."),
                ("assistant", "Understood: PowerShell examples only."),
                ("user", "How do I list the five largest files in a folder?"),
                (
                    "assistant",
                    "Get-ChildItem -File | Sort-Object Length -Descending | Select-Object -First 5",
                ),
                ("user", "Great. By the way, I'm on the free plan at the moment."),
                ("assistant", "Noted."),
            ),
        ),
        DemoThread(
            "Incident E-4012",
            21,
            (
                (
                    "user",
                    "We have an incident: error E-4012 in the label printer service since this morning.",
                ),
                ("assistant", "What changed before it started?"),
                (
                    "user",
                    "We're migrating the label service to the Rotterdam cluster. We decided to keep the old queue until Friday.",
                ),
                (
                    "assistant",
                    "Then the old consumers may still hold messages. Check the dead letters first.",
                ),
                1,
                (
                    "user",
                    "The dead letters were it. We decided to roll back the queue change and retry E-4012 next week.",
                ),
                ("assistant", "Good. Keep the old queue until the retry is done."),
                2,
                ("user", "We upgraded to the enterprise plan yesterday, so we have the audit log now."),
                ("assistant", "That helps: the log shows who changed the queue."),
            ),
        ),
        DemoThread(
            "Planning the offsite",
            6,
            (
                (
                    "user",
                    "Help me plan the team offsite. I'm allergic to peanuts and two of us are vegetarian.",
                ),
                ("assistant", "How many people, and where?"),
                (
                    "user",
                    "Twelve people. I live in Leipzig, so somewhere we can reach by train. I prefer trains to flying.",
                ),
                ("assistant", "Dresden or Weimar are both close by train."),
            ),
        ),
    ),
    member_email="lena@demo.memoryhub.local",
)
MARCO = DemoPerson(
    "marco.silva",
    "Marco Silva",
    (
        DemoThread(
            "Invoice questions",
            40,
            (
                ("user", "Hello, my name is Marco. I'm based in Lisbon and my timezone is Europe/Lisbon."),
                ("assistant", "Hello Marco. What is it about?"),
                ("user", "Please always answer in short sentences. My invoice for October is missing."),
                ("assistant", "I can see it. It was sent on the third."),
                ("user", "Thanks. I prefer email over phone calls."),
                ("assistant", "Noted."),
            ),
        ),
        DemoThread(
            "Moving house",
            4,
            (
                ("user", "I moved to Porto last month. Please update my address."),
                ("assistant", "Done. Anything else?"),
                (
                    "user",
                    "I'm working on a catalogue of Portuguese tiles, in case I ask about image storage.",
                ),
                ("assistant", "Good to know."),
            ),
        ),
    ),
)
AIKO = DemoPerson(
    "aiko.tanaka",
    "Aiko Tanaka",
    (
        DemoThread(
            "Onboarding",
            12,
            (
                ("user", "I work at Hoshi Robotics as a firmware engineer. I prefer code examples in Rust."),
                ("assistant", "Rust it is."),
                ("user", "My timezone is Asia/Tokyo. Don't suggest meetings before 10 in the morning."),
                ("assistant", "Noted."),
            ),
        ),
    ),
)
PRIYA = DemoPerson(
    "patient-portal-17",
    "Priya Raman",
    (
        DemoThread(
            "Course plan",
            30,
            (
                ("user", "I'm Priya. I'm learning German and my exam is on 2027-02-12."),
                ("assistant", "Shall we make a weekly plan?"),
                ("user", "Yes. I like short exercises and I hate long grammar tables."),
                ("assistant", "Short exercises, then."),
            ),
        ),
    ),
)
TOMAS = DemoPerson(
    "tomas.novak",
    "Tomáš Novák",
    (
        DemoThread(
            "Reading list",
            15,
            (
                ("user", "I live in Brno and I love Czech science fiction."),
                ("assistant", "Any favourites?"),
                ("user", "My favourite author is Karel Čapek. I'm on the student plan."),
                ("assistant", "A good place to start from."),
            ),
        ),
    ),
)

FIRST_PEOPLE = (LENA, MARCO, AIKO)
SECOND = DemoTenant("Northwind Learning", "northwind", (PRIYA, TOMAS))
