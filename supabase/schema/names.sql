-- Names as data: their words, and which words are one name (pepe is jose, fdez is fernandez).
-- docs/identity.md ("Names") has the sources. All of it is lower case without accents, as private.name_tokens
-- gives it.

create table private.name_variants (
  spelling text not null check (spelling ~ '^[a-z]{1,30}$'),
  canonical text not null check (canonical ~ '^[a-z]{2,30}( [a-z]{2,30}){0,2}$'),
  kind text not null check (kind in ('given', 'surname')),
  is_commonest boolean not null default false,
  primary key (spelling, canonical, kind),
  check (spelling <> canonical)
);
comment on table private.name_variants is
  'Variants of names: pet names, abbreviations, and its forms in other languages. One spelling may stand for several names (ale: alejandro, alejandra), and a compound one has several words (juanjo: juan jose).';
comment on column private.name_variants.spelling is 'One word, as private.name_tokens gives it.';
comment on column private.name_variants.canonical is
  'The name in full, without particles (maria angeles). Two spellings with one canonical may be one name.';
comment on column private.name_variants.is_commonest is 'Whether most people who write the spelling have this name; one of a spelling and kind.';

create index name_variants_canonical_idx on private.name_variants (canonical);
alter table private.name_variants enable row level security;
grant select on private.name_variants to service_role;

-- Reads "canonical: spelling spelling / canonical: …", for the data below only.
create or replace function private.read_variants(p_kind text, p_names text)
returns table (spelling text, canonical text, kind text)
language sql immutable set search_path = ''
as $$
  select s, btrim(split_part(entry, ':', 1), E' \n'), p_kind
  from regexp_split_to_table(p_names, '[/\n]') as entry,
    regexp_split_to_table(btrim(split_part(entry, ':', 2)), '\s+') as s
  where entry like '%:%'
$$;

-- Spanish with its Catalan, Basque and Galician forms, and the abbreviations of bookings (fco, jm).
insert into private.name_variants (spelling, canonical, kind)
select v.* from private.read_variants('given', $names$
abelardo: abe / abraham: abran abrahan / abundio: abun / adan: ada / adela: adelita adelina / adelaida: ade / adolfo: fito adol
adoracion: dora dori dorita / adrian: adri adria adriano / adriana: adri / agapito: aga / agata: agueda agatha / agustin: agus tin agusti
agustina: agus tina / aida: aidita / aitor: aito / alba: albita / albert: berty bertie / alberto: albert berto beto tito alber albertito
alejandra: ale alex jandra alejandrita aleja alexandra alessandra
alejandro: ale alex jandro alejo jano alexandre alexandro alesandro alessandro xandre / alejo: aleix aleixo alexio
alfonso: alfon fonso poncho alfons alifonso foncho afonso alphonse / alfredo: fredo alfre fredi fredy alfred / alicia: ali licia alix
almudena: almu / alvaro: alvarito alvarin / amador: ama / amalia: amal mali / amancio: manci / amaya: amaia / amparo: amparito amparin empar ampa
ana: anita ani anna any anuska anni nani / ana belen: anabel anabelen / ana isabel: anabel anaisa anais
ana maria: anamari anama annamaria anamaria / anastasia: tasia / andrea: andreia andie andreina / andres: andreu ander andresito andre andrew andy
angel: angelito angelin gelo anxo angelo aingeru anjo gotzon / angel luis: angelu / angel maria: gotzonmari
angela: angelita angeli angelines gela anxela angie / angeles: angelines angelita angels geles angie / angustias: angus / anselmo: selmo anselm
antonia: toni tona tonia tonyi antonieta antoneta tonita antonina antonita ant
antonio: toni tony tono tonin tonet antonino antxon antoni antoine antonito antuan ant tonito tonho tonecas antonin anto
antonio jose: antoniojose toneque / antonio manuel: antoma / apolonia: polonia poli / araceli: ara celi arace
aranzazu: arantxa arantza aran arantzazu arancha arantzatxu / arcadio: arca / arturo: artur arturito artu arthur / ascension: ascen chon
asuncion: asun asunta chon choni asumpta assumpta asumpcio assumpcio susi jasone eragone / aurelio: aure aureli / aurora: auro aurorita
azucena: azu / baltasar: balta balti baltazar / barbara: barbi babi barbarita barbra / bartolome: bartolo barto tolo bartomeu tomeu tolomeu bertomeu
basilio: basi / beatriz: bea beatriu beita beatrix beti triz beatrice bia / begona: bego begonya begonita begone / belen: belencita bele belem
benigno: beni / benito: beni beneit benet bieito / benjamin: benja benji ben mincho / bernabe: berna / bernardino: berni dino
bernardo: berni bernar bernat nardo bernaldo bernard benat / bibiana: bibi viviana bibianita
blanca: blanqui blanquita blanka branca bianca zurine zuria / blas: blai brais / bonifacio: boni / borja: borjita borjamari / calixto: calisto cali
candelaria: cande candela candi candelita yaya / candelas: cande / candida: candi / candido: candi / caridad: cari caritat
carlos: carlitos charly charlie carles carlo carlangas litos calo charli carlinhos carlito karlos charles xarles / carlos alberto: carlosal
carlota: carlo carlotita lota charlotte carlotta / carmelo: melo carmel carmelito
carmen: carmela carmelita carmenchu menchu mamen carmencita carmina menchi carmele karmen karmele carme carmeta carmenza carmucha chita maica carmelina crmen
carolina: caro carol lina karolina caroline / casilda: casi / casimiro: casi miro
catalina: cata cati caterina catarina caty lina katalin katerin katalina catuxa katixa catherine / cayetana: tana cayetanita caetana
cayetano: tano caetano gaetano caietano / cecilia: ceci cecily cesi icia sisi chila cilia / celestino: tino cele celes / celia: celi
cesar: cesarito / cipriano: cipri cibran cebrian / clara: clarita klara clareta claire / claudia: clau claudieta / claudio: clau claudi
clemente: cleme clement clementino climent kelmen
concepcion: concha conchi conchita chon choni conchin concepcio conxa conxita concho ina conche conception concheta cuncha conchina kontxi kontxa chonina sorne conc conceicao
conrado: conrad / consolacion: conso chelo / consuelo: chelo conso consu consuelito consol cheli chelito consolo / cosme: cosmin
cristian: cris christian kristian / cristina: cris cristi tina kristina cristy cristineta titi christina cristiana kris chris kristine
cristobal: tobal cristo cris tofol cristofol cristovo xtobal tobalo kristobal / damian: dami damia
daniel: dani danny dany danielito danel daniele dan / daniela: dani / david: davi davy davit dave dabid / delfin: delfi
diego: dieguito dieguin didac diogo / dionisia: dioni nisia / dionisio: dioni nisio
dolores: lola loli lolita dolo lolin dolors dolorcitas lolica lole mariloli lolilla nekane dores dlores
domingo: mingo txomin chomin mingu domenec domingos dominguito domin domenech dgo
eduardo: edu lalo eduard edorta duardo eddy edy eduardito dudu tito wado edo / eladio: ela lalo
elena: leni elenita helena lena elene elenuca helen / eleuterio: tello eleu / elias: eli elies elia / elisa: eli lisa elisita elise
elisabet: eli betty elisabeth elizabet elizabeth lisbeth lisi elisenda bet elixabete elixabet / eloisa: elo eloi heloisa / eloy: eloi loi eligio
elvira: elvi elvirita / emilia: emi mila emilieta / emiliano: emi / emilio: emi milio emili emilito millo / emma: ema
encarnacion: encarna encarni encarnita encarnacio chon nina choni encarn gizane
enrique: quique kike quico quiquito enric henrique enrico kiko henry rique quiqui kiki endika henri harry enriquito / epifanio: epi
ernesto: tito neto ernest ernestito erne / esperanza: espe esperanca / estanislao: estanis lao tanis estanislau
esteban: esteve estevo steve estebe estefan stephen estebitan stefan estevan estevao steven estebi
estefania: estefi fani fanny estefany stefania stephanie tefi / ester: esther tere esti estercita / estibaliz: esti estitxu / estrella: estre
eugenia: geni eugeni uge xenia eukene uxia / eugenio: geni euge eugeni uxio euken / eulalia: lali laia lalia olalla eulalina eula
eusebio: use sebio eusebi / eustaquio: taquio / eva: evita ebita evi eve / eva maria: evamari evamaria / evaristo: varis evarist
exaltacion: gorane / ezequiel: eze / fabian: fabi / fatima: fati / fausto: faust
federico: fede quico lico frederic federiko kiko fred freddy frederico / feliciano: feli chano
felipe: pipe felip filip lipe felipin feli phil philip philippe filipe / felisa: feli / felix: feli felis zorion fiz feliu
fermin: fermi firmin fermintxo / fernanda: fer nanda ferny fernandita / fernando: fer nando ferran ferdi fernan fernandito ferny fdo ferrandis fern
fidel: fide / filomena: filo mena / florencio: floren floro / florentino: floren floro tino
francisca: paca paqui paquita fran cisca curra francesca frasca paki xisca fani francis frantxa frances francine chica quica fca pantxika
francisco: paco fran pancho curro kiko quico francis frasco patxi francesc cesc cesco xisco pacho fco paquito frank paquillo pakito franc frantzisko patxo farruco chico xico francesco siscu sisco frasquito curri pakillo chisco paquete currito franco franci fc francois francho paki frans franz faco fcisco frco
francisco antonio: franan / francisco javier: franja francisjavier fj frajavier fcojavier franxavier pacojavi javi frajavi franjavi
francisco jose: franjo fcojose franjose / francisco manuel: franma / fructuoso: fruti / fulgencio: fulgen
gabriel: gabi gabri biel gabrielito gaby gabe / gabriela: gabi gaby gabri / gaspar: gaspi jasper caspar / gema: gemma gemita / genaro: gena xenaro
genoveva: geno veva / gerardo: gera gerard gerardito guerardo / german: germa mancho xerman / gines: genis / ginesa: gine / gloria: glori glorina
gonzalo: gonza gonzalito chalo gonzal gonzo goncal goncalo zalo / gracia: gracita garazi graca / graciela: chela / gregoria: goya goyi
gregorio: goyo grego gregori gregory goio gori greg goyito / guadalupe: lupe guada lupita gpe / guillermina: guille mina
guillermo: guille guillem willy memo willi guiller gillermo guillen guilhem bill guillermito will william guilherme gilen gmo gllmo
gumersindo: gumer sindo / gustavo: gus gusti tavo gustau / hector: heitor / heliodoro: helio / hermenegildo: gildo / herminia: hermi mina
herminio: hermi / higinio: higi / hilario: lario / hipolito: polito poli / hortensia: tensi horten / hugo: hug / humberto: beto berto humber
ignacia: nacha nati / ignacio: nacho inaki ignasi natxo igna nachete inazio ygnacio inacio nachito ignaci ignace nacito ignac inacito
ildefonso: fonso ilde poncho / imanol: manex / immaculada: inma / ines: nines inesita agnes ine ynes ineseta inexa
inmaculada: inma macu imma immaculada conchi concha macula maculada inmita inmi macus purisima maku / inocencio: chencho ino / iratxe: irache
irene: ire irenita / isaac: isac isaque isak
isabel: isa isabelita chabela bel isabe bela beli isabela isabelle isabella chavela chabeli sabel sabela ysabel belita belinha
isabel maria: isamari / isidoro: isi doro dorin isidor / isidro: isi sidro isidre cidre / ismael: isma ismaelillo / ivan: ivanchu iban yvan ivanito
jacinto: chinto jacint / jacobo: jacob yago xacobe jakobo jaco jacobito cobo / jaime: jaume jimmy jaimito xaime jaimi jaumet jim james jaimote
javier: javi xavi xavier jabi xabi xabier javito javichu jabier xavierin javiero chavi jvr / jeronima: jero
jeronimo: jero jeroni momo jerome geronimo xerome
jesus: chus chuchi suso jesusin xesus chuchin josu xuso txus susi jesusito chuy xus suxo chuchu jesu / jesus angel: jesusan / jesus manuel: jesusma
jesus maria: chuma txuma jesusmari txusma chumari jesusma / jesusa: josune susa
joaquin: quino chimo ximo quim joaquim quin joakin kino jokin xaquin joaquinito xoaquin juaco kim jqn / joaquina: quina joaquineta
jonatan: jonathan yoni joni jona johny yonatan jonatanito jonatas johnathan
jorge: jordi coque jorgito koke xurxo georges gorka yordi jurgi george giorgio
jose: pepe pepito pepin josep cheo che joselito jse joxe josu xose pepet pepon chepe joe joseba pitu josepe ze jusepe joselin josito josete joso joselu pepillo pepico joseph zezinho pep pepo jph joseino
jose alberto: josealb / jose andres: joseandres / jose angel: josean joseangel joxean txosean josea
jose antonio: josan joseantonio pepetoni toni chetoni josanton joseant joseto jantonio ja / jose carlos: josecar / jose david: josedavid
jose enrique: josenrique / jose fernando: josefer / jose francisco: josefran josefco / jose ignacio: joseina chenacho josenacho joseignacio josei
jose javier: josejavi josejavier / jose joaquin: josejoaquin / jose julian: josejulian
jose luis: joselu joseluis chelu pepelu josel txelu pepeluis selu joseluisito txelui jl
jose manuel: josema josemanuel chema chemanu josemanu josma pepema txemanu chemanuel jm
jose maria: chema josemari txema josemaria josema joxemari josepmaria pepemari chemita chemi jma josemi jm
jose miguel: josemi josemiguel chemi josemigue txemi / jose pablo: josepablo / jose pedro: josepedro
jose ramon: joserra joserramon monchope txerra josera joseramon cherra joxerra / jose vicente: josevi josevicente chevi
josefa: pepa pepi pepita fina finita josefita josefeta chefa sefa pepica josefin fefa pepina josepa zefa jfa / josefina: fina finita josephine fini
josue: josua joshua
juan: juanito joan xoan juanin jon john jhon xan juancho juanillo joanet juani ganix juano juanico johan jean johnny giovanni joao juanan juantxo ion manex txan jn
juan andres: juanan juandres / juan antonio: juanan juantoni juantonio joantoni juanantonio xoanantonio juanto
juan bautista: bautista tista titus juanba batiste juantxo / juan carlos: juanca juancar juankar juancarlos joancarles jc jcarlos juanqui
juan diego: juandi juandiego / juan fernando: juanfer / juan francisco: juanfran juanfra juanfrancisco xanfran
juan ignacio: juanig juanacho juanignacio juanignasi / juan jesus: juanje juanjesus juanchu juanchus
juan jose: juanjo juanjose joanjosep xoanxose joanjo juango xoanxo / juan luis: juanlu juanluis
juan manuel: juanma juanmanuel joanmanel juanmi juanman xoanma jm / juan maria: juanma juanmari juanmaria joanmaria xoanma
juan miguel: juanmi juanmiguel / juan pablo: juampa juanpa juanpablo jp juanpi / juan pedro: juampe juanpe juanpedro / juan rafael: juanra
juan ramon: juanra juanramon / juan vicente: juanvi / juana: juani juanita joana xoana jone jane juanola juanica joaneta jeanne
julia: juli julieta julina julita yulia xulia xulina / julian: juli julianin xulian iulen julen julianet juliano / juliana: juli
julio: juli julito xulio julius yul juliet jules / justo: just / laura: lau lauri laurita laureta lala laurina / lazaro: lazar
leandro: lea lean leandre / leocadia: leo cadia / leonardo: leo leonard lleonard nardo / leonor: leo leonorcita nora elionor leonora elianor
leopoldo: leo polo poldo leopold / leticia: leti letizia / lidia: lydia lidi lili / lino: linin / lorena: lore loren
lorenzo: loren llorenc lencho chencho lorenz laurent lorencito lourenzo lourenco laurentzi enzo lzo laurendi / loreto: lore
lourdes: lurdes lou lulu lourditas lurdi / lucas: luc luca lluc / lucia: luci lucita luchi lluci luzia lucy llucia lucie luchy / luciana: luci
luciano: luci chano llucia / lucrecia: lucre / ludovico: ludo
luis: luisito lucho lluis koldo lois luisin luigi louis luiso luiz luisillo luisinho lsito / luis alberto: luisal luisalberto / luis alfonso: luisal
luis angel: luisan luisangel / luis antonio: luisan luisantonio / luis carlos: luisca luiscar luiscarlos / luis enrique: luisen luisenrique luiskike
luis fernando: luisfer luisfernando / luis francisco: luisfran / luis javier: luisja luisjavi / luis jose: luisjo / luis manuel: luisma luismanuel
luis maria: luisma luismari koldomari luismaria / luis miguel: luismi luismiguel lluismi luismigue
luisa: lui luisita lluisa luisi lucha isa louise luiseta / luz: lucita llum / macarena: maca macarenita
magdalena: magda malena madalena lena magdala madalen maddalen maida madeleine magdi maialen matxalen / maite: mayte
manuel: manolo manu lolo manolito manel manuelito nolo mel imanol manoel manolin manolino manno manole manuelin manny nelo manue manolet manuele manuco manueliyo manelino ml mnuel
manuel antonio: manuelan / manuel jesus: manuje / manuela: manoli manola manolita manu manela lela nela manolina nolita manuelita
marcela: marce chela / marcelino: marce lino marcel marceli chelino / marcelo: marce chelo martxel / marcial: marci marcal martzial
marcos: marc marco marquitos markel mark markos marcus
margarita: marga margari margui margot marganta margalida margarida magui margaret margo mgta
maria: mari m ma mary marie mariya maruja maruxa marichu mariquita mariuca miren maruchi maruxina marieta maru marilla marietta
maria angeles: mariangeles angelines marian nines mangeles manina marygeles mariangels geles maangeles mariageles ma
maria antonia: mariantonia toni marian mariatonia maitona mantonia / maria asuncion: mariasun masun marisun / maria begona: mabego maribego
maria belen: maribelen mabel mb
maria carmen: maricarmen mamen mcarmen macarmen mcarme maricarme maica mayca maika mayka menchu carmenmari mariacarmen maricar maricarmela mariacarme mc mariac
maria cinta: macinta / maria concepcion: mariconchi mconcepcion marichon mariconcha conchi mariaconcepcio / maria consuelo: chelo mariconsuelo
maria cristina: maricris maricruz mariacristina maris / maria cruz: maricruz mariacruz macruz
maria dolores: mariloli lola maridol loli marilo mdolores mariadolores mariadolors madolores mariola marilola md
maria elena: marilena malena mariaelena mariel / maria esther: mariester / maria eugenia: mariaeugenia maru marijenia mageni marigeni
maria fernanda: marifer mafer / maria francisca: marifran / maria gracia: magracia / maria inmaculada: inma
maria isabel: maribel misabel mabel mariaisabel maisabel marisabel mariabel marisabela
maria jesus: mariachus chus mjesus mariajesus susi chusa majesus txus mariaje marichus mchus mj
maria jose: mariajo pepa majo cote mjose majose maripepa mariajose pepi mariaxose marijo marijose coti mariapepa mariajosep mj
maria josefa: maripepa mariajosefa marijose pepi maripepi mariapepa / maria juana: marijuani / maria lourdes: marilou malou marilourdes
maria luisa: marisa maluisa marilu mluisa marilui maluli mariluisa mariluz mariaisa mariluis malu marialuisa maluca marialluisa ml
maria luz: mariluz marialuz maluz / maria magdalena: malena marimagda / maria mar: marimar mariamar
maria mercedes: mariamerche merche mamer marimerche / maria milagros: marimila mili / maria montserrat: marimontse / maria nieves: marinieves
maria paz: maripaz mapaz mariapaz mapi / maria pilar: maripili mapi mpilar mapilar pili maripilar marpi mariapilar marupi mp
maria remedios: marireme / maria rosa: marirrosa mariarosa marirosa / maria rosario: charo mariro marosa mrosario mariacharo maricharo marirosario
maria soledad: marisol masole msoledad mariasol sole
maria teresa: maite mayte marite maritere mteresa maritxu mariteresa materesa mariateresa maitetxu tere teretxu mt
maria victoria: mariavi mavi marivi mariv mariviqui marvi mariavictoria maribi / maria yolanda: mayol / mariana: marian nana marianne
mariano: nano marianito / marina: marinita / mario: marito / marta: martita martha martuca martuki
martin: martintxo marti tin martinho martinet marty mattin martino matxin / martina: marti
mateo: mateu matteo mateus matheo matthew mathieu mateito / matias: mati maties matthias / matilde: mati matil tilde mathilde matilda
mauricio: mauri maurici maurice / maximiliano: maxi max / maximino: maxi mino / maximo: maxi maxim / melchor: melcior melchi
mercedes: merche merce merceditas mercedicas merxe mertxe cheches mer merse mechi chiti merces merchi / micaela: mica miki
miguel: migue miki mikel miquel michel miguelito mike miguelin mitxel michael miqui micky mikelats miguelillo michele mick miguelon migel miguelino mguel mig
miguel angel: migue miguelangel miguelan mikelangel miquelangel mangel michelangelo miguela magel miguelangelo ma
milagros: mila mili milagritos milagro / modesto: mode modest / monica: moni monique mo
montserrat: montse monse monste monserrat rat muntsa montsita monserrate montxe monsy mtse / narciso: narcis chicho siso
natalia: nati nata natalie naty talia nat natalya / natividad: nati natis nativitat naty nativa / nazaret: naza nazareth / nazario: naza
nicanor: nica / nicolas: nico nicolau colas nicolo nick nicola nikolas nicholas nicoletto colau / nicolasa: nico colasa
nieves: neus nievitas nives edurne / noelia: noe noeli / noemi: nohemi naomi / norberto: berto beto norbert / nuria: nurieta nurita nuri
octavio: octavi tavi / olga: olguita / oscar: oskar / pablo: pau pol pablito paul paulo pablos paolo pavel pablete paulinho
paloma: palo palomita coloma / pascual: pascu pasqual pascualin / patricia: patri patty pati patrizia patrice tricia pat paty patricinha
patrocinio: patro / paula: pauli paulita paola paulina paulette / paulino: pauli / paz: pacita
pedro: pere perico peru periko pedrito peyo peio pedrin pello pero perucho peter kepa peret pedrolo periquin pierre pietro petri pedrucho petru pedrinho pdro betiri
pedro antonio: pedroan / pedro jose: pedrojo pedrojose / pedro luis: pedrolu pedroluis / pedro manuel: pedroma / pelayo: paio pelai pelagio
petra: petri petrita / petronila: petro nila / piedad: pia pie pietat / pilar: pili pilarin pilarica piluca pilarita piluchi / placida: placi
primitivo: primi tivo / purificacion: puri pura purita purificacio puro garbine / quintin: quinti quentin / quirico: quirze
rafael: rafa rafi rafel falo rafita rafaelito raffaele felo rafalin rafilla fali rafaelin raphael rapha / rafaela: rafi rafaelita fela fali
raimundo: mundo raimon ray raimond rai raymond / ramiro: rami
ramon: moncho ramonchu monchi ramoncin raymond mon ramonet erramun ramonin monxo rmon / ramona: moni monchi ramoneta ramonita
raquel: raqui raquelita rakel rachel raquelin / raul: rauli raulito raule / regina: regi / remedios: reme remei remeditos meyos remediets
remigio: remi / reyes: reis / ricardo: ricky richi rica richard riqui ric ricard ricardito richar caito rick cardo rikardo / rigoberto: rigo beto
rita: ritita / roberto: rober robert berto rob tito beto bob robertito robbie robertin bobby / rocio: ro rozio chio rochi rociito
rodrigo: rodri ruy rodriguin roderic rui drigo / rogelio: roge roxelio rogeli / roman: roma romano / romualdo: romu / roque: roc
rosa: rosi rosita rosie rosetta rosina roseta rose / rosa ana: rosana rosanna / rosa maria: rosamari rosama rosamaria rosmari rosmary
rosalia: lia rosi / rosario: charo chari charito rosi rosarito charin roser rosarillo chayo rrio agurtzane / rosendo: sendo / ruben: rube rubencito
rufino: rufi / sagrario: sagra / salome: salo / salvador: salva salvi salvadoret boro vador chava salbador gaizka / salvadora: dora salva
samuel: sami samu sam samy / sandra: sandri sandrita
santiago: santi yago tiago chago iago santy santiaguito xacobe chanti stgo jagoba jakes xaime iagoba / santos: santi
sara: sarita sarai sarah sari sareta / saturnino: satur saturio
sebastian: sebas sebastia chano bastian sebastiano tian basti bastia sebastien sebastiao / sebastiana: sebas chana / secundino: secun dino
segismundo: segis mundo / segundo: segun / serafin: sera fin / sergio: sergi sergito chejo serxio checho serge sergey keko sergiet / severiano: seve
silvestre: silve / silvia: silvi sylvia silvina silvy xilbia / simon: simo / sofia: sofi sofie sophia sophie chofi / sol: solete
soledad: sole marisol sol soledat chole bakarne / sonsoles: sonso / susana: susi susan susanna suso susanita susy suzana / tamara: tami
tarsicio: tarsi / telesforo: teles / teodora: teo dora / teodoro: teo doro theo / teofilo: teo filo
teresa: tere teresita teresina teresin tete tesa teressa tereseta thereza treixa terexa therese tareixa / timoteo: timo teo
tomas: tomasin tom tommy tomasito toma thomas tomasete tomaset masito / tomasa: toma / trinidad: trini trinitat trinita / ubaldo: baldo
urbano: urban / valentin: valen tin vale valenti balendin / valentina: vale valen / valeria: vale / valeriano: vale valeri / valvanera: valva
vanesa: vane vanessa vanesita vani / ventura: ventureta buenaventura bonaventura / veronica: vero veronika vera verito / vicenta: vicen vicenteta
vicente: vicen chente vicent vicens tente bixente vincent visent vicentet vincenzo xente vincen bizente vicentin vte
victor: vitor viti bittor vic vitin vik vict / victor manuel: vitorma victorma / victoria: vicky vicki viky toria viqui viki victorina vitoria biki
victoriano: vito viti toriano / victorio: vito / virginia: virgi vir gini virxinia ginny / virtudes: virtu / visitacion: visi ikerne / viviana: vivi
wenceslao: wences / yago: iago / yesica: jessica yessica jesi jessi yesi jesica / yolanda: yoli yola iolanda yol yolandita violant
zacarias: zaca zac / zenaida: zena / zulema: zule
$names$) as v
on conflict do nothing;

-- English.
insert into private.name_variants (spelling, canonical, kind)
select v.* from private.read_variants('given', $names$
abigail: abby abbie gail abi / abraham: abe bram / adam: ad / adeline: addie addy / adrian: ade / agnes: aggie nessie / albert: al bert bertie
alexander: alex al sandy xander alec alick lex sasha zander alasdair alistair sander / alexandra: alex lexi sandy lexie alix ali sasha
alfred: al alf alfie fred / alice: ali allie / alison: ali allie allison alyson aly / amanda: mandy manda / amelia: amy millie
andrew: andy drew dru / angela: angie ange / ann: annie anne nan / anthony: tony ant anton antony / antoinette: toni nettie / arabella: bella belle
archibald: archie / arthur: art artie / augustus: gus augie / barbara: barb babs barbie bobbie / barnaby: barney / bartholomew: bart
beatrice: bea bee trixie beattie / belinda: bel linda / benedict: ben / benjamin: ben benny benji benjie / bernadette: bernie
bernard: bernie barney / bertram: bert / bradley: brad / brandon: bran / brendan: bren / brian: bryan bri / bridget: biddy bridie / calvin: cal
cameron: cam / carl: karl / caroline: carol caro carrie carolyn lyn / cassandra: cass cassie
catherine: cathy kate katie cath katherine kathryn kathy cate kat kitty kay catharine kath katy / cecilia: cissy ceci
charles: charlie chuck chas charley chip / charlotte: charlie lottie lotte char / christian: chris / christina: chris chrissie tina christine
christine: chris chrissie christina / christopher: chris kit topher kris christoph / clifford: cliff / clinton: clint / conrad: con
constance: connie / cornelius: neil corny / courtney: court / crystal: chris / curtis: curt / cynthia: cindy cyn / daniel: dan danny
danielle: dani / david: dave davie davey davy / deborah: deb debbie debra debs / delilah: lila / denise: denny / dennis: den denny denis
derek: del derrick / desmond: des / diana: di diane / dominic: dom nic dominick / donald: don donnie / donna: don / dorothy: dot dottie dolly dora
douglas: doug dougie / duncan: dunc / dwayne: duane / edith: edie / edmund: ed eddie ted ned / edward: ed eddie ted teddy ned eddy / edwin: ed eddie
eleanor: ellie nell nora nelly ella elinor lenora eleanore
elizabeth: liz beth lizzie betty eliza libby betsy bess liza lisa elisabeth elsie lisbeth lizzy buffy bessie / ellen: nell ellie nelly
emily: em millie emmy / emma: em emmy / emmanuel: manny / eric: erik rick / ernest: ernie / esther: essie hettie / eugene: gene / evelyn: evie eve
ezekiel: zeke / felicity: fliss flick / florence: flo flossie florrie / frances: fran frankie francie / francis: frank fran / franklin: frank
frederick: fred freddie freddy rick fredrick frederic / gabriel: gabe / gabrielle: gaby gabby / garrett: gary / geoffrey: geoff jeff jeffrey
george: georgie geordie / georgina: georgie gina / gerald: gerry jerry / geraldine: gerry / gerard: gerry ged / gilbert: gil bert
gillian: gill jill / gordon: gord / graham: graeme / gregory: greg gregg / gwendolyn: gwen / hannah: han / harold: harry hal / harriet: hattie harry
harrison: harry / hayley: hailey hayleigh / helen: nell nellie / henrietta: hettie etta hennie / henry: harry hal hank / herbert: herb bert
howard: howie / hubert: bert / hugh: hughie huw / ian: iain / imogen: immy / isaac: ike zac / isabel: izzy bel bella isobel
isabella: bella izzy bel belle / jacob: jake / jacqueline: jackie jacqui jacky / james: jim jimmy jamie jimbo / jane: janie jenny janey / janet: jan
janice: jan / jasmine: jas jazz / jason: jay / jean: jeanie / jefferson: jeff / jeffrey: jeff geoffrey / jennifer: jen jenny jenn jenna jennie
jeremy: jerry jez jem / jerome: jerry / jessica: jess jessie / joan: joanie / joanna: jo joanne / joanne: jo joanna / jocelyn: joss / joel: joe
john: johnny jack jon jonny johnnie / jonathan: jon jonny johnny jonathon johnathan jono nathan / joseph: joe joey jo / josephine: jo josie josey
joshua: josh / joyce: joy / judith: judy jude judi / julia: jules julie / julian: jules / julie: jules / karen: kaz
katherine: kate katie kathy kat kit kitty kay catherine kath katy kathryn / kathleen: kath kathy kate kay / kenneth: ken kenny / kevin: kev
kimberly: kim kimmy kimberley / kirsten: kirsty / kristopher: kris / laura: laurie / lauren: laurie / laurence: larry laurie lawrence
lawrence: larry laurie laurence / leonard: len lenny leo / leopold: leo / leslie: les lesley / lester: les / lewis: lew louis lou
lillian: lily lil lilian / linda: lin lyn lindy / lindsay: lindsey lin / louis: lou louie lewis / louise: lou lulu / lucille: lucy lu
lucinda: lucy cindy / lydia: liddy / lynn: lynne lyn lin / mackenzie: mac / madeleine: maddie maddy madeline madelyn / malcolm: mal
marcus: marc mark / margaret: maggie meg peggy peg marge madge margie maisie mags / marilyn: lyn / marion: marian / marjorie: marge margie
marshall: marsh / martha: marty mattie / martin: marty / mary: molly polly mamie / matilda: tilly mattie / matthew: matt matty mathew
maureen: mo reenie / maurice: mo morris / maxine: max / maxwell: max / melanie: mel / melissa: mel missy lissa / mercedes: mercy / meredith: merry
michael: mike mick mickey mikey micky micheal / michelle: shelly chelle shell michele / mildred: millie / miranda: mandy randa / mitchell: mitch
mohammed: mo mohamed muhammad mohammad moe / monica: mo / montgomery: monty / nancy: nan / natalie: nat / natasha: tasha nat / nathan: nat nate
nathaniel: nat nate nathan / neil: neal niall / nicholas: nick nicky nico / nicola: nicky nikki / nicole: nikki nic nicki / nigel: nige
nora: norah / norman: norm / oliver: ollie olly noll / olivia: liv livvy olly ollie / oscar: ozzie / oswald: ozzie oz / pamela: pam
patricia: pat patty trish tricia trisha / patrick: pat paddy / paul: pauly / paula: polly / pauline: polly / penelope: penny / percival: percy
perry: pez / peter: pete / philip: phil pip phillip / philippa: pippa pip / phillip: phil philip pip / phoebe: phee / phyllis: phyl
prudence: pru prue / quentin: quin / rachel: rach rachael rae / ralph: ralf rafe / randall: randy / randolph: randy / raymond: ray
rebecca: becky becca bex beck becs / reginald: reg reggie / reuben: rube / rhonda: ronnie / richard: rick dick rich ricky richie dickie rickie rico
robert: bob rob bobby robbie robby bobbie robin / roberta: bobbie / robin: rob / roderick: rod roddy rick / rodney: rod / roger: rodge rog
roland: rolly / ronald: ron ronnie / rosalind: ros roz / rosalyn: ros / roseanne: rose rosie / rosemary: rose rosie romy / rowena: ro / rupert: rupe
russell: russ rusty / ruth: ruthie / samantha: sam sammy / samuel: sam sammy / sandra: sandy / sarah: sally sadie / savannah: vanna / scott: scotty
sebastian: seb bastian / shannon: shan / sharon: shaz shari / shaun: sean shawn / shirley: shirl / sidney: sid sydney syd / simon: si
solomon: sol solly / sophia: sophie / sophie: soph sophia / spencer: spence / stacey: stacy / stanley: stan / stephanie: steph stevie stef
stephen: steve steven stevie ste / steven: steve stephen stevie ste / stewart: stew stu stuart / stuart: stu stewart / susan: sue susie suzy suzie
susannah: sue susie suzanna / suzanne: sue suzy suzie / sylvester: sly / sylvia: syl / tabitha: tabby / tamara: tam tammy / tanya: tania
terence: terry tel / teresa: terry tessa theresa / thaddeus: tad / theodora: theo dora / theodore: ted theo teddy / theresa: terry tess tessa tracy
thomas: tom tommy thom / timothy: tim timmy / tobias: toby / tracy: tracey / trevor: trev / tristan: tris tristram / tyler: ty / valerie: val
vanessa: nessa ness / vernon: vern / veronica: ronnie vron / victor: vic / victoria: vicky vicki tori vic vikki / vincent: vince vinnie vin
viola: vi / violet: vi / virginia: ginny ginger / vivian: viv vivienne / wallace: wally / walter: walt wally wal / warren: waz / wendy: wend
wesley: wes / wilfred: wilf fred / wilhelmina: billie mina / william: bill will billy willy willie wills / winifred: winnie freda / winston: win
yvonne: vonnie / zachary: zach zac zack zachariah / zoe: zoey
$names$) as v
on conflict do nothing;

-- Portuguese and Brazilian, with the Spanish name that a booking in Spain may give instead.
insert into private.name_variants (spelling, canonical, kind)
select v.* from private.read_variants('given', $names$
adalberto: beto / alexandre: xande alex xandi / alfredo: fredo / ana: aninhas aninha nita / ana maria: anamaria / anabela: bela
antonio: toze tonecas tonico toninho tonho / antonio jose: toze / antonio manuel: tomane / armando: mando / artur: turinho / augusto: guto gusto
beatriz: bia bibi / carlos: carlinhos cajo / carlos alberto: caco / carolina: carol / catarina: cata cati kika / conceicao: sao / cristiano: cris
edmundo: mundo / eduardo: dudu edu dado duda / elisabete: bete betinha beta elizabete / fatima: fatinha / fernanda: nanda / fernando: nando fefe
filipa: pipa lipa pipinha / filipe: lipe pipo / filomena: mena / francisca: chica quica kika / francisco: chico xico kiko quico chiquinho paquito
frederico: fred kiko / gabriel: biel gabi / gabriela: gabi / goncalo: gongas goncas / graca: gracinha / guilherme: gui guilhas guiga
gustavo: guga gu / helena: lena leninha / henrique: quique rique kike / ines: nes nene / isabel: belinha bela isabelinha zabel / jacinto: cinto
joana: joaninha / joao: joca joaozinho janeca jony / joao carlos: joca / joao manuel: jomane / joao pedro: jp / joaquim: quim quinzinho
jorge: jorginho joca / jose: ze zeca zezinho zezito zequinha zez ziquinha / jose antonio: zeto zantonio / jose carlos: zeca zecarlos
jose luis: zelu zeluis / jose manuel: zeman zemanel / jose maria: zemaria / jose pedro: zepedro / julia: julinha / juliana: ju juju
leonor: nono leo nonocas / leticia: lele / lourenco: lou / luis: lula luisinho lulu / luisa: luisinha / luiz: lula / madalena: mada lena
mafalda: mafaldinha / manuel: manel manelinho mane neca necas nelo / manuela: nela manelinha / marcelo: celo / marcos: marquinhos
margarida: guida magui mimi / maria: mariazinha mariquinhas miquinhas / maria conceicao: sao / maria fatima: fatinha / maria joao: mj majo
maria jose: ze zeze mize marize / maria luisa: milu / maria teresa: tete mite / mariana: nana / marta: martinha / miguel: mike miguelito guel
natalia: natalinha / nelson: nel / nuno: nunocas / patricia: paty ticha / paula: paulinha / paulo: paulinho / pedro: pedrocas pedrinho
rafael: rafa / raquel: quel / raul: raulzinho / ricardo: caco cado rico / rita: ritinha / roberto: beto / rodrigo: digo drigo guigo / rosa: rosinha
rui: ruizinho / sebastiao: bastiao tiao sebas / sofia: fifi sosso / teresa: tete teresinha / tiago: titi / tomas: tome / vasco: vasquinho
vera: verinha / vitor: vitinho / zulmira: mira
$names$) as v
on conflict do nothing;

-- French.
insert into private.name_variants (spelling, canonical, kind)
select v.* from private.read_variants('given', $names$
alexandre: alex / andre: dede / anne: annie / antoine: toine tonio / benoit: ben / bernadette: detta / catherine: cathy / christophe: chris tophe
dominique: domi / elisabeth: babette zabeth / emmanuel: manu / frederic: fred / guillaume: guigui / jacqueline: jacquie / jacques: jacquot
jean: jeannot / jean baptiste: jb / jean claude: jc / jean francois: jf / jean luc: jl / jean marie: jm / jean michel: jm jeanmi / jean paul: jp
jean philippe: jp / jean pierre: jp / joseph: jojo / laurence: lolo / laurent: lolo / louis: loulou / madeleine: mado / marguerite: margot
mathilde: mat / maxime: max / maximilien: max / michel: mimi / nathalie: nath nat / nicolas: nico / patrice: pat / philippe: phil / pierre: pierrot
sebastien: seb / stephane: steph / stephanie: steph / therese: tete / thierry: titi / thomas: tom / valerie: val / veronique: vero / vincent: vince
virginie: nini
$names$) as v
on conflict do nothing;

-- Surnames: abbreviations (fdez), and one surname in the spelling of another language or age (etxeberria,
-- ximenez).
insert into private.name_variants (spelling, canonical, kind)
select v.* from private.read_variants('surname', $names$
aguirre: agirre / alonso: alonzo / alvarez: alvares alvrz alvz / andrade: andrada / arce: artze / azcarate: azkarate / azcona: azkona
basterrechea: basterretxea / benitez: benites / bermudez: bdez / bernardez: bernaldez / caballero: cavaller / carballo: carvallo carvalho
carvajal: carbajal / castaneda: castanera / castells: castell / cervantes: serbantes / cevallos: ceballos zeballos / chavarri: txabarri etxabarri
churruca: txurruka / cordoba: cordova / cortes: cortez / diaz: dias dz / dominguez: domingues dguez dmguez / duran: durand / echaniz: etxaniz
echave: etxabe / echebarria: etxebarria echevarria echeverria etxeberria etxebarri echavarria / echegaray: etxegarai etxegaray
echeverria: etxeberria echevarria etxebarria echeverri etxeverria / eguiguren: egiguren / escriba: escriva / estevez: esteves
fernandez: fernandes fdez fdz fernadez frdez fnandez / figueras: figueres / gallego: gayego galego / garay: garai
garcia: gcia garcias g gc gartzia / gimenez: jimenez ximenez jimenes xim ximenes / giron: jiron / goicoechea: goikoetxea goicoetxea
gomez: gomes gmz gomiz / gonzalez: gonzales glez gzlez gonz gzalez / goyeneche: goienetxe goyenetxe / guevara: gebara / gutierrez: gtrrez gtez gutz
henriquez: enriquez henriques enriques / hernandez: hdez hdz hernadez hrdez hnandez / ibanez: ivanez ybanez / ibarra: ybarra / iniguez: iniges
irigoyen: irigoien / jaime: jaume / jauregui: jauregi / jerez: xeres / jimenez: gimenez ximenez jmnez jmz jnez gimenes / linares: llinares
llorens: lorenz / lopez: lopes lpz / lorenzo: lourenco / machado: maxado / macias: mathias / martin: mart / martinez: mtnez mtez mnez mtz mtinez
mateo: matheu / mejia: mexias megias / mejias: megias / mendez: mendes mdez / mendoza: mendonca / miralles: mirallas / montanes: montanez
muniz: moniz / munoz: mnz / nunez: nunes / ochoa: otxoa / olavarria: olabarria / osorio: ossorio / oyarzun: oiartzun / padilla: padiya
perez: peres pz / pineiro: pinheiro / pons: ponz / portillo: portilla / puig: puch / pujol: puyol pujols / quesada: quezada / quinones: quinonez
quintana: kintana / ramirez: rmrez rmz / recalde: rekalde errekalde / reina: reyna / rivero: ribero ribeiro
rodriguez: rodrigues rguez rdguez rodgez rdz rguz rodriges roguez / rosello: rossello / rubio: rubi / ruiz: rz / sanchez: sanches schez schz
sanchis: sanchiz / santos: dosantos / sarabia: saravia / silva: dasilva / solis: soliz / sotelo: soutelo / suarez: srez / teixeira: teijeira texeira
tejedor: teixidor / tomas: thomas / torralba: torralva / torres: torrez / trillo: triyo / ulloa: uyoa / valdes: valdez / valle: balle
vaquero: baquero / vazquez: vasquez vqz vazqz vasques bazques / velasco: velazco / velazquez: velasquez / vicente: vicens vicent
victoria: vitoria bitoria / villalba: villalva / villegas: villega / vives: bibes / vizcaino: biscaino / yague: llague yagues / yanez: ianez yanes
ybarra: ibarra / zabala: zavala / zabaleta: zavaleta
$names$) as v
on conflict do nothing;

drop function private.read_variants(text, text);
