"""Own sentences about shops, restaurants, hotels and repairs: what happened there, without an opinion word.

The film and product reviews hardly speak of service, and say in adjectives what guests say in facts.
A frame is positive, negative or neutral as a whole; its fillers carry no polarity.
"""

from __future__ import annotations

import random
import re

from notbad_training.data import Example

_FILLERS = {
    "place": "restaurant|cafe|diner|hotel|shop|salon|bakery|garage|bar|bistro|inn|spa|gym|pharmacy|store",
    "food": "soup|burger|pasta|chicken|rice|salad|fish|steak|pizza|curry|noodles|bread|coffee|cake|tacos",
    "staff": "waiter|waitress|manager|cashier|receptionist|owner|mechanic|server|stylist|driver|clerk",
    "few": "five|two|ten|a couple of|three|a few",
    "many": "forty|ninety|50|75|sixty|45|over an hour and twenty",
    "cash": "200|300|85|1200|40|500",
    "day": "Monday|Tuesday|Friday|Saturday|Sunday",
    "who": "my wife|my husband|my sister|our kids|my parents|a friend|my mom|everyone at the table",
    "item": "order|car|phone|jacket|couch|laptop|prescription|room|appointment|package",
    "left": "left|walked out|gave up|went home hungry|cancelled",
    "thanks": "Thank you|Thanks|Many thanks|Kudos|Hats off",
}

_POSITIVE = """
I will be back|I'll be coming back for the {food}|Can't wait to go back to this {place}
We were seated within {few} minutes|The {food} arrived {few} minutes after we ordered it
No wait at all, even on a {day}|They stayed open late so that I could pick up my {item}
The {staff} remembered our names|The {staff} walked me to my {item}
They fixed my {item} in {few} minutes and did not charge me|They beat every other quote by ${cash}
{thanks} to the {staff} who stayed late for us
The {staff} came over {few} times to see whether we needed anything|We finished every bite of the {food}
{who} had seconds of the {food}|My plate came back empty|I could eat that {food} every {day}
I wish they had one of these in my town|I have been telling everyone I know about this {place}
Our new go-to {place}|They refunded me at once, no questions asked|They replaced my {item} free of charge
The {staff} went out of his way to help {who}|I have been coming here for years
This is the only {place} I trust with my {item}|Worth every penny|Worth the drive
The {food} was still hot when it arrived|You could tell that the {food} was made that morning|Five stars
Ten out of ten|I drive an hour past {few} other places to come here
They explained every step before they touched my {item}|My {item} looks like new|I left with a smile
My only regret is not coming sooner|Do yourself a favor and go|Order the {food}, you will thank me
You have to try the {food}|Never once have I had to wait here
I have yet to find anything on the menu that I do not like|I can't say enough about the {staff}
The {place} is spotless|The rooms were clean and quiet|{who} asked when we are going back
"""

_NEGATIVE = """
I won't be back|We will not be returning|Never again|I want my money back|Save your money
We waited {many} minutes for the {food}|It took {many} minutes to get a table that we had booked
Nobody came to our table for {many} minutes|The {staff} rolled her eyes at {who}|The {staff} hung up on me
The {staff} was on his phone the whole time|The {staff} never came back|They lost my {item}
They charged me ${cash} and the {item} still does not work|They charged my card twice
My {item} came back with a scratch|The {food} arrived cold|The {food} was raw in the middle
There was a hair in the {food}|I was sick all night after the {food}|We {left}
After {many} minutes we {left}|I ended up cooking at home|We asked for the check and {left}
I had to call {few} times about my {item}|They gave our table to someone else
They told me to come back on {day}, and then they were closed|They refused to give me a refund
The sheets had stains|There were bugs in the room|The air conditioning did not work all night
The toilet was not flushed|They got my order wrong, again|Half of my {item} was missing
They forgot the {food}|I asked for it without onions and got onions|I would rather eat at a gas station
Go anywhere else|Keep driving|Do not bother|Take your business elsewhere|Zero stars if I could
Good luck getting the {staff} to look at you|Apparently answering the phone is too much to ask
So much for customer service|They used to be good|This {place} has gone downhill|It went downhill from there
I expected more for ${cash}|${cash} for that?|The {staff} blamed {who} for it
The {staff} argued with me in front of everyone|Still waiting for my {item}, it has been {few} weeks
I have never been treated like that|How hard is it to bring a glass of water?|Is anyone ever there?
You get what you pay for|The {food} tasted like cardboard|It went straight into the trash
My dog would not eat the {food}|I took one bite and {left}
"""

_NEUTRAL = """
The {place} opens at ten|The {place} is next to the bank|We went there on {day}|I ordered the {food}
{who} had the {food}|The {staff} asked for my name|I left my {item} there on {day}|They are closed on {day}
There are two floors|It used to be a {place}|I paid ${cash}|The menu has {food} and {food}
The {place} moved across the street|My appointment was at noon|I called to ask about my {item}
We were a party of six|The {staff} brought the check|You order at the counter|They also sell {food}
It was our second visit
"""

_TARGETS = ((_POSITIVE, 0.95), (_NEGATIVE, 0.05), (_NEUTRAL, 0.5))
_SHARES = (0.4, 0.4, 0.2)
_SLOT = re.compile(r"{(\w+)}")


def make_service_rows(count: int, seed: int) -> list[Example]:
    """`count` rows, two sentences of one kind in every third; with few fillers some come twice."""
    rng = random.Random(seed)
    rows = []
    for _ in range(count):
        block, target = rng.choices(_TARGETS, _SHARES)[0]
        lines = [frame for line in block.strip().splitlines() for frame in line.split("|")]
        chosen = rng.sample(lines, 2 if rng.random() < 0.33 else 1)
        rows.append(Example(" ".join(_filled(frame, rng) for frame in chosen), target))
    return rows


def _filled(frame: str, rng: random.Random) -> str:
    text = _SLOT.sub(lambda slot: rng.choice(_FILLERS[slot[1]].split("|")), frame)
    text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text[0].upper() + text[1:])
    return text if text.endswith("?") else text + rng.choice(".....!")
