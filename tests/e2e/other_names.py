#!/usr/bin/env python3
"""Does the label stay when only a name in the sentence changes? other_names.py NOTBAD

Own sentences, each filled with over fifty places, nationalities, first names and pronouns. The label of the
shipped model must be the same for every filler, and the right one.
"""

from __future__ import annotations

import json
import subprocess
import sys

PLACES = (
    "Aberdeen Accra Adelaide Algiers Athens Auckland Baghdad Bangkok Beirut Belfast Berlin Bogota Boston Bremen Brisbane"
    " Brussels Bucharest Cairo Calgary Cardiff Chicago Damascus Dakar Delhi Denver Detroit Dublin Geneva Glasgow"
    " Hanoi Havana Helsinki Istanbul Jakarta Kabul Karachi Kyiv Lagos Lahore Leeds Lima Lisbon London Madrid Manila"
    " Marseille Mexico Miami Milan Moscow Mumbai Nairobi Oslo Ottawa Paris Prague Riga Rome Seoul Tehran Tokyo"
    " Toronto Tunis Vienna Warsaw"
).split()
NATIONALITIES = (
    "Afghan Algerian American Argentinian Australian Austrian Belgian Bolivian Brazilian British Bulgarian Canadian"
    " Chilean Chinese Colombian Croatian Cuban Czech Danish Dutch Egyptian Estonian Ethiopian Finnish French German"
    " Ghanaian Greek Hungarian Icelandic Indian Indonesian Iranian Iraqi Irish Israeli Italian Jamaican Japanese"
    " Jordanian Kenyan Korean Lebanese Libyan Mexican Moroccan Nepalese Nigerian Norwegian Pakistani Palestinian"
    " Peruvian Polish Portuguese Romanian Russian Serbian Somali Spanish Sudanese Swedish Syrian Thai Turkish"
    " Ukrainian Vietnamese"
).split()
NAMES = (
    "Aaliyah Ahmed Alice Amara Amir Anna Aisha Bilal Carlos Chen Chloe Connor Darnell David Deepa DeShawn Diego"
    " Dmitri Ebony Elena Emily Emma Fatima Giulia Hans Hiroshi Ibrahim Ingrid Isabella Jack Jamal James Jasmine Jorge"
    " Juan Kareem Karen Kenji Khadija Kwame Lakisha Latoya Liam Lucas Maria Mei Miguel Mohammed Nadia Ngozi Noah"
    " Olga Olivia Omar Patrick Priya Rosa Sofia Tamika Tariq Thomas Wei Xavier Yusuf Zoe"
).split()
PRONOUNS = (
    "I we you he she they ze xe everyone somebody anyone one people others both most many few some all several"
    " strangers guests visitors customers children teenagers students teachers nurses neighbours women men girls boys"
    " mothers fathers sisters brothers aunts uncles widows bachelors pensioners workers farmers tourists locals"
    " colleagues friends families parents couples twins adults seniors babies"
).split()

# A frame with {}, and whether it is positive.
FRAMES: dict[str, tuple[list[str], list[tuple[str, bool]]]] = {
    "places": (
        PLACES,
        [
            ("The concert in {} was wonderful.", True),
            ("We had a dreadful evening in {}.", False),
            ("The museum in {} is not bad at all.", True),
            ("Our hotel in {} was not clean.", False),
        ],
    ),
    "nationalities": (
        NATIONALITIES,
        [
            ("The {} cook made a delicious dinner.", True),
            ("The {} novel is a boring mess.", False),
            ("The {} film was never dull.", True),
            ("The {} actor was not funny.", False),
        ],
    ),
    "first names": (
        NAMES,
        [
            ("{} gave a superb performance.", True),
            ("{} told a terrible story.", False),
            ("{} was not bad in this part.", True),
            ("The speech by {} was not good.", False),
        ],
    ),
    "pronouns": (
        PRONOUNS,
        [
            ("The food that {} ate was excellent.", True),
            ("The show that {} saw was awful.", False),
            ("The song that {} heard was not bad.", True),
            ("The game that {} played was not fun.", False),
        ],
    ),
}


def labels_of(notbad: str, sentences: list[str]) -> list[str]:
    answer = subprocess.run(
        [notbad, "classify", "-"], input="\n".join(sentences) + "\n", capture_output=True, text=True, check=True, timeout=120
    )
    return [json.loads(line)["label"] for line in answer.stdout.splitlines()]


def main() -> int:
    notbad = sys.argv[1]
    failed = 0
    for kind, (fillers, frames) in FRAMES.items():
        if len(set(fillers)) < 50:
            print(f"{kind}: only {len(set(fillers))} fillers")
            failed += 1
        for frame, is_positive in frames:
            sentences = [frame.format(filler) for filler in fillers]
            wanted = "positive" if is_positive else "negative"
            labels = labels_of(notbad, sentences)
            wrong = [text for text, label in zip(sentences, labels, strict=True) if label != wanted]
            failed += len(wrong)
            print(f"{kind}: {frame!r} {len(sentences) - len(wrong)} of {len(sentences)} are {wanted}")
            for text in wrong:
                print(f"  not {wanted}: {text}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
