"""Places that are known by name: countries, states, and large towns that the time zone database leaves out."""

_COUNTRIES = (
    "afghanistan|albania|algeria|andorra|angola|argentina|armenia|australia|austria|azerbaijan|bahrain|bangladesh|belarus|belgium|belize|"
    "benin|bhutan|bolivia|bosnia|botswana|brazil|brunei|bulgaria|burkina faso|burundi|cambodia|cameroon|canada|chad|chile|china|colombia|"
    "costa rica|croatia|cuba|cyprus|czechia|denmark|ecuador|egypt|el salvador|england|eritrea|estonia|eswatini|ethiopia|fiji|finland|france|"
    "gabon|gambia|georgia|germany|ghana|greece|guatemala|guinea|guyana|haiti|honduras|hungary|iceland|india|indonesia|iran|iraq|ireland|"
    "israel|italy|ivory coast|jamaica|japan|jordan|kazakhstan|kenya|kosovo|kuwait|kyrgyzstan|laos|latvia|lebanon|lesotho|liberia|libya|"
    "liechtenstein|lithuania|luxembourg|madagascar|malawi|malaysia|maldives|mali|malta|mauritius|mexico|moldova|monaco|mongolia|montenegro|"
    "morocco|mozambique|myanmar|namibia|nepal|netherlands|new zealand|nicaragua|niger|nigeria|north macedonia|northern ireland|norway|oman|"
    "pakistan|palestine|panama|paraguay|peru|philippines|poland|portugal|qatar|romania|russia|rwanda|samoa|saudi arabia|scotland|senegal|"
    "serbia|seychelles|sierra leone|singapore|slovakia|slovenia|somalia|south africa|south korea|spain|sri lanka|sudan|suriname|sweden|"
    "switzerland|syria|taiwan|tajikistan|tanzania|thailand|togo|tunisia|turkey|turkmenistan|uganda|ukraine|uk|united kingdom|"
    "united states|uruguay|usa|uzbekistan|venezuela|vietnam|wales|yemen|zambia|zimbabwe"
)
_STATES = (
    "alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|"
    "louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|"
    "new mexico|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|"
    "vermont|virginia|west virginia|wisconsin|wyoming|ontario|quebec|alberta|british columbia|nova scotia|manitoba|saskatchewan|bavaria|"
    "catalonia|andalusia|tuscany|sicily|brittany|normandy|provence|cornwall|yorkshire|kent|devon|essex|surrey|queensland|victoria|tasmania"
)
_TOWNS = (
    "aachen|aarhus|abuja|accra|adelaide|albuquerque|antalya|antwerp|arnhem|atlanta|austin|bangalore|barcelona|basel|bath|beijing|belfast|"
    "bengaluru|bergen|bern|bilbao|birmingham|bologna|bonn|bordeaux|boston|braga|bremen|brighton|bristol|brno|bruges|calgary|cambridge|"
    "cape town|cardiff|charlotte|chennai|chiang mai|christchurch|cincinnati|cleveland|cologne|columbus|cork|dallas|darmstadt|debrecen|delft|"
    "delhi|dresden|duisburg|durban|dusseldorf|düsseldorf|edinburgh|eindhoven|essen|exeter|florence|frankfurt|freiburg|galway|gdansk|gdańsk|"
    "geneva|genoa|ghent|glasgow|gothenburg|granada|graz|grenoble|groningen|guadalajara|haarlem|hamburg|hanoi|hanover|heidelberg|houston|"
    "hyderabad|innsbruck|izmir|jaipur|jena|kansas city|karlsruhe|kassel|katowice|kobe|köln|krakow|kraków|kyoto|lahore|las vegas|lausanne|"
    "leeds|leicester|leiden|leipzig|leuven|liège|lille|limerick|linz|liverpool|łódź|lodz|lucerne|lund|lyon|malaga|málaga|malmö|malmo|"
    "manchester|mannheim|marseille|medellin|medellín|memphis|miami|milan|milwaukee|minneapolis|montpellier|montreal|mumbai|munich|münster|"
    "nagoya|nantes|naples|nashville|newcastle|new delhi|new orleans|nice|norwich|nottingham|nuremberg|oakland|odense|oklahoma city|orlando|"
    "osaka|ottawa|oxford|palermo|philadelphia|pittsburgh|plymouth|portland|porto|poznan|poznań|pune|raleigh|rennes|rotterdam|sacramento|"
    "salt lake city|salzburg|san antonio|san diego|san francisco|san jose|seattle|seville|sheffield|southampton|split|stavanger|"
    "st\\. louis|strasbourg|stuttgart|tampa|tampere|tel aviv|the hague|toulouse|trondheim|tucson|turin|turku|uppsala|utrecht|valencia|"
    "venice|verona|washington|wellington|winnipeg|wrocław|wroclaw|würzburg|york|zagreb|zaragoza|zug|ann arbor|boulder|asheville|baltimore|"
    "brooklyn|queens|manhattan|bay area|silicon valley|durham|eugene|spokane|fort worth|long beach|richmond|rochester|buffalo"
)
#: Lower case.
PLACES = frozenset("|".join((_COUNTRIES, _STATES, _TOWNS)).replace("\\", "").split("|"))
