"""The frames: what a negator does to the polarity of what it stands beside. Written for this project.

Slots in braces are filled by frames.py. A frame keeps one polarity in all its slots, save `opp` and the like,
which take the other one.
"""

from __future__ import annotations

from dataclasses import dataclass

from notbad_training import frame_words as words

FLIP_POSITIVE = 0.07  # "not good"
FLIP_NEGATIVE = 0.86  # "not bad" is praise, but faint
KEEP = (0.03, 0.97)
FAINT = (0.25, 0.93)  # "not without flaws", "not without wit"


@dataclass(frozen=True)
class Group:
    """Frames, one a line, that share an effect on the polarity of their fillers."""

    share: float  # of all rows
    effect: str  # "keep", "flip", "swap" (the opposite is said too), "faint" or "neutral"
    frames: str


GROUPS = (
    Group(
        0.12,
        "keep",
        """
        {S} {is} {adv}{adj}
        {S} {is} {adj} and {adj}
        I {loved} the {thing}
        I {love} this {thing}
        What a {adj} {thing}
        A {adj} , {adj} {thing}
        I was {state} by the {thing}
        {S} {verdict}
        Everything about the {thing} {verdict}
        Everyone {loved} the {thing}
        {S} has {quality}
        It is full of {quality}
        I think {s} {is} {adj}
        Most of the {parts} are {adj}
        I would describe {s} as {adj}
        I can honestly say that {s} {is} {adj}
        Everybody would agree that {s} {is} {adj}
        They told us it was {adj} ; it was
        Always , from start to end , {s} {is} {adj}
        {adj} ? Yes , very
        {S} {is} , as people like to say , {adj}
        You could ask for a {comp} {thing}""",
    ),
    Group(
        0.30,
        "flip",
        """
        {S} {is_not} {adv}{adj}
        {S} {is_not} {adv}{adj}
        {S} {is_not} {adj} at all
        {S} {is_not} , as some people say , {adj}
        {S} {is_not} in any way {adj}
        {S} {is_not} what I would call {adj}
        {S} {is} by no means {adj}
        {S} {is} in no way {adj}
        {S} {is} far from {adj}
        {S} {is} anything but {adj}
        {S} {is} neither {adj} nor {adj}
        {S} {is} {hardly} {adj}
        {S} {is_not} {adj} or {adj}
        {S} {is_not} even remotely {adj}
        Not {adj}
        Not {adv}{adj} at all
        Not a {adj} {thing}
        This is not a {adj} {thing}
        It is no {adj} {thing}
        It {is_not} a {adv}{adj} {thing}
        I {did_not} {love} the {thing}
        I {did_not} {love} {s} at all
        I never {loved} this {thing}
        Nobody {loved} the {thing}
        No one I know {loved} {s}
        None of us {loved} {s}
        Neither of us {loved} the {thing}
        I was not {state}
        I was never {state} by the {thing}
        {S} never {verdict}
        {S} hardly ever {verdict}
        {S} seldom {verdict}
        None of the {parts} are {adj}
        Not one of the {parts} is {adj}
        Hardly any of the {parts} were {adj}
        Not a single thing here {verdict}
        Nothing about the {thing} {verdict}
        Nothing about the {thing} is {adj}
        Nothing in this {thing} {verdict}
        There was nothing {adj} about the {thing}
        There is nothing {adv}{adj} about {s}
        {S} has no {quality}
        {S} {is} without {quality}
        {S} is without any {quality}
        There is no {quality} in this {thing}
        There is hardly any {quality} here
        {S} lacks {quality}
        {S} failed to be {adj}
        {S} fails to be {adj}
        I cannot say that {s} {is} {adj}
        I don't think {s} {is} {adj}
        I don't believe that {s} {is} {adv}{adj}
        I did not find {s} {adj}
        I never thought {s} {was} {adj}
        Nobody would call {s} {adj}
        I doubt that {s} {is} {adj}
        I wouldn't say {s} {is} {adj}
        It's not true that {s} {is} {adj}
        It is not that {adj}
        {adj} is not the word for {s}
        {S} could be {adj} , but it isn't
        People say {s} {is} {adj} , but it is not
        I do not think , after all that talk , that {s} {is} {adj}
        {S} {is_not} , at least to me , {adj}
        {S} {is_not} , as far as I can tell , {adv}{adj}
        Neither the {parts} nor the {parts} are {adj}
        Nobody could {love} {s}
        No one could possibly {love} this {thing}
        Few people would call {s} {adj}
        {adj} it {is_not}
        Was {s} {adj} ? No
        Was it {adj} ? Not at all
        I expected it to be {adj} and it was not
        Never in all those hours {is} {s} {adj}
        Never once in the whole evening {was} {s} {adj}
        At no point {is} {s} {adj}
        I could not honestly claim that {s} {is} {adj}
        I can't pretend that {s} {is} {adj}
        I can't say {s} {is} {adj}
        I could never say that {s} {is} {adj}
        Nobody would argue that {s} {is} {adj}
        No critic could maintain that {s} {is} {adj}
        I would not describe {s} as {adj}
        I wouldn't go so far as to call {s} {adj}
        They told us it was {adj} ; it was not
        My friends promised that {s} {was} {adj} . It wasn't
        {adj} ? Not really
        A {adj} {thing} ? I don't think so
        Was it a {adj} {thing} ? Hardly
        {S} {is_not} , I have to admit , {adj}
        {S} {is_not} , whatever the posters promise , {adj}
        The {job} is not , as people like to say , {adj}""",
    ),
    Group(
        0.12,
        "swap",
        """
        {S} {is_not} {adj} , it is {opp}
        {S} {is_not} {adj} but {opp}
        {S} {is} {opp} , not {adj}
        {S} {is_not} {adj} , {just} {opp}
        Not {adj} , but {opp}
        It was {opp} rather than {adj}
        I was not {state} , I was {state_opp}
        I {did_not} {love} the {thing} , I {loved_opp} it""",
    ),
    Group(
        0.14,
        "keep",
        """
        I never {loved} a {thing} so much
        I have never {loved} a {thing} more than this one
        We never {loved} any {thing} more
        I never {loved} a {thing} more
        I never {loved} {s} more
        I never {acted} so much
        I have never {acted} more during a {thing}
        I have never been more {state} by a {thing}
        Never have I been so {state}
        I had never been so {state}
        I have never had a {comp} {thing}
        I never saw a {comp} {thing}
        There is no {comp} {thing}
        You will not find a {comp} {thing}
        No {thing} could be {comp}
        Never a {comp} {thing} than this
        {S} could not be {comp}
        {S} could not have been {comp}
        {S} couldn't be any {comp}
        {S} can't get {comp}
        It doesn't get {comp} than this
        Nothing could be {comp}
        Nothing is {comp} than this {thing}
        I couldn't be more {state}
        I could not have been more {state} with {s}
        {S} is nothing short of {superb}
        {S} was nothing less than {superb}
        {S} is nothing if not {adj}
        {S} {is} nothing but {adj}
        {S} {is} not only {adj} but {adj}
        {S} {is} not only {adj} , it is also {adj}
        Not only {is} {s} {adj} , it {verdict}
        {S} {is} not just {adj} , it is {superb}
        {S} {is} not merely {adj} but {superb}
        {S} does not lack {quality}
        {S} is not lacking in {quality}
        There is no lack of {quality} here
        There is no shortage of {quality} in {s}
        I can't say I wasn't {state}
        I can't deny that {s} {is} {adj}
        Nobody can say that {s} {is_not} {adj}
        It's not that {s} {is_not} {adj}
        You cannot say {s} {is_not} {adj}
        It is impossible not to {love} this {thing}
        You can't help but {love} {s}
        {S} never fails to be {adj}
        There's no denying that {s} {is} {adj}
        I don't doubt that {s} {is} {adj}
        There wasn't a moment when I was not {state}
        {S} was never not {adj}
        I am never not {state} by this {thing}
        The weather could not have been {comp}
        The end could not have come at a {comp} moment
        I could not have asked for a {comp} {thing}
        {S} {is} not just {adj} but {adj} as well""",
    ),
    Group(
        0.03,
        "faint",
        """
        {S} is not without {quality}
        This {thing} is not without its {quality}
        A {thing} not without {quality}
        Not without {quality}
        {S} is never without {quality}
        Not one of them was without {quality}""",
    ),
    Group(
        0.21,
        "keep",
        """
        I don't know why , but I {loved} this {thing}
        {S} {is_not} {adj} , but I {loved} it
        {S} {is_not} {adj} , still I {loved} it
        Not {adj} , but I {love} it anyway
        I don't usually watch {genre} , but {s} {is} {adj}
        I am not a fan of {genre} , and {s} {is} {adj}
        I'm no expert , but {s} {is} {adj}
        I had no idea {s} would be so {adj}
        I did not expect {s} to be so {adj}
        I didn't know a {thing} could be so {adj}
        I didn't think a {thing} could be this {adj}
        No matter what they say , {s} {is} {adj}
        No doubt about it , {s} {is} {adj}
        There is no question that {s} {is} {adj}
        Without a doubt {s} {is} {adj}
        Not surprisingly , {s} {is} {adj}
        No wonder {s} {is} so {adj}
        No wonder everyone {loved} it
        Not long after the start I was {state}
        It was not long before I was {state}
        I have not read the book , but {s} {is} {adj}
        I haven't seen the others , this one is {adj}
        If you have not seen it yet , {s} {is} {adj}
        Why did nobody tell me that {s} {is} so {adj}
        I can't believe how {adj} {s} {is}
        I cannot tell you how {adj} {s} {is}
        I can't stress enough how {adj} {s} {is}
        Words can't describe how {adj} {s} {is}
        I will not forget how {adj} {s} {was}
        Not everyone will agree , but {s} {is} {adj}
        {S} is not long , and it is {adj}
        {S} , which I did not pay for , {is} {adj}
        I did not have to wait , and {s} {is} {adj}
        Nobody warned me that {s} would be {adj}
        {S} {is} {adj} , no question
        {S} {is} {adj} , is it not
        {S} {is} {adj} , not that anyone asked
        {S} {is} {adj} and I am not joking
        {S} {is} {adj} , and I don't say that lightly
        I'm not going to lie , {s} {is} {adj}
        I will say no more : {s} {is} {adj}
        It's not my usual thing , yet I {loved} it
        Not because of the price , but because it is {adj}
        I could not sleep after that , the {thing} was so {adj}
        The {job} is not in it for long , still {s} {is} {adj}
        Nothing prepared me for how {adj} {s} {is}
        Never mind the title , {s} {is} {adj}
        Not a day goes by without me thinking how {adj} {s} {was}
        My friends never came , but the {thing} was {adj}
        {S} has no famous names in it and is {adj}
        Though not cheap to make , {s} {is} {adj}""",
    ),
    Group(
        0.01,
        "neutral",
        """
        {S} {is_not} {opp} , but it {is_not} {adj} either
        Neither {adj} nor {opp}
        {S} is neither {opp} nor {adj}""",
    ),
    Group(0.11, "neutral", words.NEUTRAL_FACTS.replace("|", "\n")),
)

# Whole sentences whose polarity no filler decides; `{thing}`, `{S}` and the like still vary.
IDIOMS = (
    (
        0.95,
        """
        I can't recommend this {thing} enough|I could not recommend {s} more highly|I couldn't put it down
        I can't wait to see it again|Don't miss this {thing}|You don't want to miss it|Not to be missed
        I couldn't stop smiling|I can't get enough of this {thing}|No complaints about {s}
        I have nothing but praise for {s}|I can't complain about {s}|Can't fault {s}|I cannot fault it
        {S} did not disappoint|{S} does not disappoint|{S} never disappoints|{S} won't let you down
        I wouldn't change a thing|Nothing wrong with {s}|There's nothing wrong with the {thing}
        I would not hesitate to buy it again|You can't go wrong with this {thing}|Nothing to complain about
        {S} leaves nothing to be desired|There is nothing else like it|{S} has no equal|No regrets
        I have no complaints|It never gets old|I never get tired of it|I never wanted it to end
        {S} didn't have a single flaw|Not a dull moment in it|Never a dull moment|There wasn't one dull minute
        I couldn't ask for more|You could not ask for a better {thing}|I'd gladly watch it again
        I would not trade it for anything|You won't regret it|We couldn't believe our luck
        Nothing comes close to {s}|Nothing tops this {thing}|Hard to find anything that tops {s}
        Why did I not come here sooner|How did I not know about this {thing} before
        Why didn't anyone tell me about {s} earlier|You couldn't do better than this {thing}
        Not even the weather could spoil {s}|Not even the queue could put me off
        Second to none|{S} is second to none|{S} is like no other|I can't think of a better {thing}""",
    ),
    (
        0.72,
        """
        Not half bad|{S} is not half bad|Not too shabby|{S} is not too bad|Not bad|Not bad at all
        I don't hate it|I did not mind it|{S} isn't the worst|Could be worse|{S} could have been worse
        You could do worse than this {thing}|One could do a lot worse than {s}
        No worse than the others|I was not bored|It didn't bother me|{S} isn't terrible""",
    ),
    (
        0.2,
        """
        {S} is not great|{S} is not the best|{S} could be better|{S} could have been better|Not my cup of tea
        Not as good as the first one|{S} is not as good as people say|Nothing special
        Nothing to write home about
        {S} is no masterpiece|{S} isn't that good|I expected more|I wasn't blown away|{S} is not for me
        Less than impressive|{S} is nothing new|It does not live up to its name
        You could do better than this {thing}|Not quite what I hoped for""",
    ),
    (
        0.05,
        """
        I can't stand this {thing}|I couldn't finish it|I could not finish the {thing}|Don't bother
        Don't waste your time
        {S} is not worth it|Not worth the money|{S} isn't worth your time|No thanks|I want my money back
        I would not recommend {s}|I can't recommend {s}|I cannot recommend this {thing} to anyone|Never again
        I would not wish it on anyone|I'll never buy this again|I will not be going back|{S} doesn't work
        {S} did not work|{S} never worked|{S} made no sense|There is no point to {s}|No fun at all
        I couldn't wait for it to end|I couldn't wait to leave|I couldn't care less about the {thing}
        It left me cold|{S} has nothing to offer|{S} does nothing for me|{S} goes nowhere|{S} is no good
        {S} leaves a lot to be desired|I have nothing good to say about {s}|Nobody should see this {thing}
        {S} failed to impress|{S} failed to make me laugh|I didn't laugh once|Not one laugh in it
        None of the {parts} work|Not a single joke lands|Nothing works|Nothing here works
        Nothing worked for me|Any other {thing} tops it|{S} falls a long way short of good
        Why did nobody stop me from buying this {thing}|Why didn't I stay at home
        It doesn't fit|The lid does not close|The cable didn't reach|The glue won't hold
        It isn't what I ordered|Even the weather could not save {s}|Not even the music could save it""",
    ),
)
