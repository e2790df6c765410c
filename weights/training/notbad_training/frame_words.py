"""The words that fill the negation frames, by slot; `|` stands between them. Written for this project."""

from __future__ import annotations

# Pairs: the positive and the negative words of one slot, so that a frame keeps one polarity throughout.
ADJECTIVES = (
    "good|great|excellent|wonderful|brilliant|superb|fantastic|lovely|charming|delightful|funny|"
    "clever|smart|moving|touching|gripping|exciting|fresh|original|beautiful|elegant|pleasant|"
    "enjoyable|impressive|memorable|convincing|reliable|sturdy|handy|comfortable|helpful|friendly|"
    "tasty|delicious|clean|fast|quiet|easy|useful|solid|warm|generous|fair|honest|lively|fun|"
    "interesting|entertaining|engaging|satisfying|thoughtful|inspired|amusing|hilarious|stunning|"
    "remarkable|nice|perfect|decent|worthwhile|sharp|witty|polished|tender|sweet|rewarding|"
    "refreshing|successful|compelling|magical|likable|special|subtle|well-made|fascinating",
    "bad|awful|terrible|horrible|dreadful|poor|boring|dull|tedious|stupid|silly|lame|bland|weak|ugly|"
    "clumsy|unpleasant|annoying|disappointing|forgettable|unconvincing|unreliable|flimsy|useless|"
    "uncomfortable|rude|unfriendly|tasteless|disgusting|dirty|slow|noisy|confusing|broken|cold|"
    "unfair|dishonest|lifeless|predictable|pointless|shallow|pretentious|messy|sloppy|cheesy|painful|"
    "miserable|depressing|pathetic|ridiculous|atrocious|mediocre|stale|tiresome|irritating|overlong|"
    "contrived|flat|hollow|frustrating|worthless|cheap|nasty|dire|unbearable|overpriced|offensive|"
    "laughable|dumb|crude|sad|tired|amateurish|grim|unfunny|incoherent",
)
COMPARATIVES = (
    "better|nicer|finer|funnier|smarter|stronger|kinder|cleaner|happier|more charming|more helpful|"
    "more exciting|more moving|more pleasant|more beautiful",
    "worse|uglier|duller|poorer|weaker|ruder|sillier|dirtier|more boring|more annoying|more tedious|"
    "more painful|more awkward|more stupid|more clumsy",
)
QUALITIES = (
    "wit|grace|warmth|humor|heart|tension|beauty|style|imagination|merit|energy|depth|appeal|flair|"
    "magic|passion|intelligence|suspense|emotion|substance|wisdom|originality",
    "flaws|problems|faults|clichés|errors|defects|annoyances|weaknesses|mistakes|dull moments|"
    "plot holes|rough edges|bugs|drawbacks|boredom|clumsiness|awkward scenes|shortcomings",
)
LOVED = (
    "liked|loved|enjoyed|admired|adored|appreciated|recommended|treasured",
    "hated|disliked|despised|regretted|detested|loathed|resented",
)
LOVE = (
    "like|love|enjoy|admire|adore|appreciate|recommend|trust|want",
    "hate|dislike|despise|regret|detest|loathe|resent|mind",
)
STATES = (
    "impressed|delighted|moved|thrilled|pleased|entertained|amused|charmed|satisfied|happy",
    "bored|disappointed|annoyed|frustrated|disgusted|confused|insulted|irritated|let down|upset",
)
VERDICTS = (
    "works|shines|delights|impresses|charms|succeeds|pays off|convinces|holds up|feels fresh",
    "fails|annoys|disappoints|bores|falls flat|feels wrong|grates|drags|hurts|goes wrong",
)
SUPERB = (
    "brilliant|amazing|wonderful|spectacular|miraculous|superb|a triumph|a delight|astonishing",
    "awful|terrible|disastrous|insulting|a disaster|a disgrace|appalling|torture|a nightmare",
)
ACTS = (
    "laughed|smiled|cheered|grinned|applauded",
    "yawned|cringed|sighed|groaned|squirmed",
)

# Slots without a polarity.
SUBJECTS = (
    "The movie|The film|This movie|This film|The plot|The acting|The ending|The script|The cast|"
    "The book|This book|The story|The show|The song|The album|The dialogue|The direction|The sequel|"
    "The food|The meal|The soup|The service|The waiter|The hotel|The room|The staff|The phone|"
    "The camera|The battery|The screen|The game|The music|The concert|The play|The product|"
    "This product|The chair|The kettle|The jacket|The app|The lesson|The teacher|The trip|It|That|"
    "This|The whole thing|My stay|Her performance|His performance|Their new record|The second half|"
    "The first episode|The soundtrack|The museum|The tour|The coffee|The pizza|The restaurant"
)
THINGS = (
    "movie|film|book|story|show|song|album|play|novel|documentary|meal|dish|hotel|phone|camera|game|"
    "concert|product|restaurant|performance|comedy|thriller|series|episode|laptop|concert"
)
PARTS = "scenes|jokes|characters|songs|features|chapters|dishes|ideas|twists|actors|lines|effects"
GENRES = "musicals|westerns|horror|crime novels|romance|jazz|spicy food|war films|gadgets|cartoons"

# Whole sentences that praise and blame nothing, with slots of their own.
NEUTRAL_FACTS = (
    "The {place} {opens} at {hour}|We met at the {place} on {day}|My {kin} works at the {place}|"
    "The {place} is next to the {place}|I bought it on {day}|The bus to the {place} leaves at {hour}|"
    "There are {count} chairs in the {place}|The {thing} is about a {job}|It has {count} buttons|"
    "The {thing} came out on {day}|The {job} walked to the {place}|She is a {job}|He reads the paper|"
    "They live in a house near the {place}|The box holds {count} cables|It is {hour} now|"
    "The {thing} is {count} minutes long|A {job} opens the door|The {place} does not open on {day}|"
    "There is no {place} in this street|He did not come on {day}|I have never been to the {place}|"
    "The {job} said nothing on {day}|It takes {count} days|We ordered {count} of them|"
    "The {place} was built by a {job}|Nobody was at the {place} on {day}|"
    "The {kin} of the {job} called at {hour}|The {thing} is not about a {job}|"
    "My {vehicle} leaves at {hour}|"
    "His {vehicle} comes from the {place}|A {vehicle} stands in front of the {place}|"
    "The {parcel} came on {day}|A {parcel} lies on the table|I put the {parcel} in the {room}|"
    "Her {kin} has a {parcel}|We moved the chairs into the {room}|There is a {parcel} in the {room}|"
    "The {room} has {count} windows|The {thing} has {count} parts|I read the {thing} on {day}|"
    "The {job} wrote down the number|"
    "I saw the {job} and the {kin} at {hour}|The meeting is on {day} at {hour}|"
    "It rained on {day}|The cat sleeps in the {room}|He put on his coat|I live {count} streets from here|"
    "They speak French at the {place}|The {parcel} weighs {count} pounds|The {parcel} is {colour}|"
    "She wore a {colour} coat|The door of the {room} is {colour}|Turn left at the {place}|"
    "The {job} asked for the {parcel}|It is made of {stuff}|The {parcel} is made of {stuff}|"
    "My {kin} gave me a {parcel}|I have {count} of these|The first page is about a {job}|"
    "I did not see the {job} on {day}|The {vehicle} does not stop at the {place}|It was not made of {stuff}"
)
NEUTRAL_WORDS = {
    "place": "library|bank|station|museum|office|school|bakery|market|post office|harbour|garage",
    "opens": "closes|starts work|opens its doors|is locked",
    "hour": "noon|eight|ten|half past six|two o'clock|7 pm|midnight|four",
    "day": "Monday|Tuesday|Wednesday|Friday|Sunday|the third of May|the weekend",
    "kin": "brother|sister|aunt|cousin|neighbour|uncle|father",
    "vehicle": "train|plane|bus|ferry|taxi|tram",
    "parcel": "parcel|kettle|letter|lamp|blanket|bag|printer|book|clock|ladder",
    "room": "kitchen|hall|cellar|garden|office|bedroom",
    "colour": "blue|green|grey|red|white|brown",
    "stuff": "wood|steel|cotton|glass|plastic",
    "count": "two|three|seven|twelve|forty|ninety|five",
    "thing": THINGS,
    "job": "doctor|sailor|teacher|baker|driver|lawyer|farmer|painter|clerk|detective",
}
