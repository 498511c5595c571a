/// A card of 1.4 KB, as a service sends one.
enum GameCardSample {
  static let json = """
    {"name":"Keeper of the Ninth Gate","manaCost":"{3}{W}{W}","cmc":5.0,"colors":["White"],\
    "colorIdentity":["W"],"type":"Creature — Angel","supertypes":["Legendary"],\
    "types":["Creature"],"subtypes":["Angel"],"rarity":"Mythic Rare","set":"KPS",\
    "setName":"Keepsake Masters","text":"Flying, lifelink\\nWhenever you gain life, put a +1/+1 \
    counter on each creature you control.","flavor":"\\"What was entrusted is not lost.\\"",\
    "artist":"Margarethe Öhlund","number":"8","power":"3","toughness":"4","layout":"normal",\
    "multiverseid":438577,"imageUrl":"https://cards.example.com/image?multiverseid=438577&type=card",\
    "reserved":false,"rulings":[{"date":"2023-07-01","text":"The last ability triggers just once \
    for each life-gaining event, whether it is 1 life or 6 life that is gained."},\
    {"date":"2023-07-01","text":"Each creature with lifelink that deals combat damage causes a \
    separate life-gaining event."},{"date":"2023-11-17","text":"Counters stay if control of a \
    creature changes."}],"printings":["KP1","KPS","PKPS"],"legalities":[\
    {"format":"Commander","legality":"Legal"},{"format":"Duel","legality":"Legal"},\
    {"format":"Legacy","legality":"Legal"},{"format":"Modern","legality":"Banned"},\
    {"format":"Pioneer","legality":"Legal"},{"format":"Vintage","legality":"Restricted"}],\
    "id":"5f8287b1-5bb6-5f4c-ad17-316a40d5bb0c"}
    """
}
