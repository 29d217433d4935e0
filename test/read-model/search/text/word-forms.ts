/** Nouns of shops in languages with a stemmer. */
export interface WordForms {
  readonly language: string;
  /** Forms of one noun, separated by strokes: the singular, the plural, and both as typed without accents. */
  readonly same: string;
  /** Different words, separated by strokes. */
  readonly different: string;
}

export const wordForms: Readonly<Record<string, WordForms>> = {
  ar: {
    language: "Arabic",
    same: `
      سيارة/سيارات/السيارة/السيارات طاولة/طاولات/الطاولات ساعة/ساعات/الساعات نظارة/نظارات سماعة/سماعات
      حقيبة/الحقيبة غسالة/غسالات ثلاجة/ثلاجات مكنسة/المكنسة شاشة/شاشات كاميرا/كاميرات بطارية/بطاريات لعبة/اللعبة
      دراجة/دراجات/الدراجات كتاب/الكتاب قميص/القميص خزانة/خزانات شنطة/الشنطة مجوهرات/المجوهرات عطر/العطر
      طابعة/طابعات شاحنة/شاحنات ملعقة/الملعقة منتج/منتجات مشروب/مشروبات هاتف/الهاتف`,
    different: `
      كتاب/كاتب سيارة/ستارة ساعة/سماعة باب/بيت قلم/قميص نظارة/نضارة حذاء/حقيبة طاولة/طابعة شاشة/شنطة عطر/عصير
      ملعقة/ملابس كتاب/كلب حقيبة/حليب سيارة/سيجارة لعبة/علبة دراجة/درجة خاتم/خادم عطر/مطر مفتاح/مصباح`,
  },
  bg: {
    language: "Bulgarian",
    same: `
      стол/столове/столовете/стола нож/ножове/ножовете маса/маси/масата книга/книги/книгите
      обувка/обувки/обувките риза/ризи чанта/чанти телефон/телефони/телефона шал/шалове колан/колани
      часовник/часовници лампа/лампи рокля/рокли играчка/играчки чаша/чаши чиния/чинии килим/килими ключ/ключове
      диск/дискове плик/пликове химикал/химикали чорап/чорапи легло/легла дърво/дървета огледало/огледала
      лаптоп/лаптопи завеса/завеси`,
    different: `
      стол/стъкло маса/месо нож/нос чаша/чанта риза/роза ключ/клин шал/шапка лампа/лампион книга/килим маса/каса
      риза/вази книга/гривна нож/ножица лампа/лапа чадър/чаршаф куче/ключ телефон/телевизор`,
  },
  da: {
    language: "Danish",
    same: `
      bog/bøger/bøgerne/boger barn/børn/børnene mand/mænd/maend fod/fødder tand/tænder gås/gæs hånd/hænder
      øje/øjne sko/skoene stol/stole/stolene bord/borde/bordet kniv/knive/knivene skjorte/skjorter bukse/bukser
      jakke/jakker taske/tasker lampe/lamper kop/kopper seng/senge hylde/hylder ur/ure telefon/telefoner
      kjole/kjoler nøgle/nøgler gryde/gryder pande/pander gaffel/gafler ske/skeer tæppe/tæpper cykel/cykler
      nat/nætter bonde/bønder by/byer kat/katte hat/hatte ring/ringe datter/døtre søn/sønner and/ænder ko/køer
      so/søer`,
    different: `
      bog/bord kop/ko mand/mad sko/skole hat/had ur/ud bøf/bog tand/tang kniv/knap lampe/lamme skjorte/skjold
      jakke/jagt taske/tast seng/sang kop/krop ring/rang stol/sten bukse/busk sko/skov ur/ord`,
  },
  de: {
    language: "German",
    same: `
      müsli/muesli/müslis möbel/moebel schlüssel/schluessel tür/tuer/türen/tueren küche/kueche/küchen/kuechen
      bär/baer/bären stuhl/stühle/stuehle buch/bücher/buecher glas/gläser/glaeser haus/häuser/haeuser
      rad/räder/raeder schrank/schränke/schraenke straße/strasse/straßen/strassen fuß/fuss/füße/fuesse
      größe/groesse/größen gruß/grüße auto/autos foto/fotos sofa/sofas kamera/kameras radio/radios video/videos
      handy/handys messer/messern lampe/lampen tisch/tische/tischen hemd/hemden kleid/kleider jacke/jacken
      schuh/schuhe/schuhen tasche/taschen uhr/uhren gürtel/guertel spiegel/spiegeln hut/hüte/huete
      mantel/mäntel/maentel korb/körbe/koerbe topf/töpfe/toepfe kissen/kissens decke/decken neu/neue/neuen/neuer
      feuer/feuers bauer/bauern quelle/quellen aktuell/aktuelle steuer/steuern mauer/mauern
      büro/büros/bueros/buero akku/akkus shirt/shirts ebook/ebooks kinderwagen/kinderwagens`,
    different: `
      glas/gas haus/hau bus/buch gas/gaul maus/mauer masse/messe gras/grau blume/bluse hose/hase tasse/tasche
      mais/mai preis/preisel plus/plush kreis/kreide eis/ei kasse/kasten radio/radius bett/brett kanne/kante
      licht/leuchte kissen/kiste ring/rind wein/wanne tuch/tisch auto/autor hemd/hand stuhl/stahl`,
  },
  el: {
    language: "Greek",
    same: `
      καρέκλα/καρέκλες/καρεκλες τραπέζι/τραπέζια/τραπεζια βιβλίο/βιβλία/βιβλια παπούτσι/παπούτσια τσάντα/τσάντες
      μαχαίρι/μαχαίρια ρολόι/ρολόγια φόρεμα/φορέματα λάμπα/λάμπες παιχνίδι/παιχνίδια ποτήρι/ποτήρια πιάτο/πιάτα
      κάλτσα/κάλτσες κρεβάτι/κρεβάτια τηλέφωνο/τηλέφωνα υπολογιστής/υπολογιστές καπέλο/καπέλα ζώνη/ζώνες
      μπλούζα/μπλούζες παντελόνι/παντελόνια κουρτίνα/κουρτίνες καθρέφτης/καθρέφτες ντουλάπα/ντουλάπες
      φακός/φακοί σκύλος/σκύλοι κλειδί/κλειδιά πουκάμισο/πουκάμισα δαχτυλίδι/δαχτυλίδια γυναίκα/γυναίκες
      άντρας/άντρες χέρι/χέρια`,
    different: `
      τσάντα/τσάι πιάτο/πάτος ζώνη/ζωή καρέκλα/καρότο ποτήρι/ποτό μπλούζα/μπλε σκύλος/σκούπα λάμπα/λάδι
      βιβλίο/βίδα ρολόι/ρόδα παπούτσι/πάπια φόρεμα/φόρος λάμπα/λάστιχο κάλτσα/κάλυμμα κρεβάτι/κρέας ζώνη/ζωμός
      γυναίκα/γωνία χέρι/χαρτί`,
  },
  en: {
    language: "English",
    same: `
      knife/knives woman/women man/men foot/feet tooth/teeth goose/geese mouse/mice child/children loaf/loaves
      shelf/shelves leaf/leaves half/halves wolf/wolves calf/calves elf/elves scarf/scarves/scarfs wife/wives
      life/lives thief/thieves hoof/hooves/hoofs ox/oxen die/dice louse/lice wharf/wharves self/selves
      dwarf/dwarves/dwarfs sheaf/sheaves person/persons tomato/tomatoes potato/potatoes glass/glasses box/boxes
      watch/watches dress/dresses shoe/shoes battery/batteries toy/toys bus/buses brush/brushes lens/lenses
      chair/chairs shirt/shirts lamp/lamps bag/bags key/keys book/books camera/cameras photo/photos sofa/sofas
      dish/dishes candy/candies glove/gloves sleeve/sleeves stove/stoves curve/curves gentleman/gentlemen
      salesman/salesmen fireman/firemen snowman/snowmen policeman/policemen housewife/housewives
      penknife/penknives bookshelf/bookshelves midwife/midwives werewolf/werewolves matrix/matrices
      index/indices/indexes vertex/vertices cactus/cacti/cactuses fungus/fungi analysis/analyses quiz/quizzes
      crisis/crises`,
    different: `
      live/life leave/leaf glass/glas man/mane mouse/mousse die/diet foot/food goose/goods wolf/wool tooth/tool
      ox/oxide shelf/shell loaf/load scarf/scar calf/call half/hall elf/ell knife/knit louse/loose child/chill
      woman/wool cup/cupboard car/care cap/cape tub/tube pan/pane men/menu chair/chain lamp/lamb shirt/skirt
      shoe/show bag/bug key/kit book/boot watch/water ring/rink table/tablet wolf/golf`,
  },
  es: {
    language: "Spanish",
    same: `
      lápiz/lápices/lapiz/lapices luz/luces pez/peces nuez/nueces cruz/cruces vez/veces voz/voces
      raíz/raíces/raiz/raices disfraz/disfraces arroz/arroces tapiz/tapices barniz/barnices antifaz/antifaces
      altavoz/altavoces feliz/felices maíz/maíces nariz/narices camión/camiones/camion botón/botones/boton
      sillón/sillones/sillon cinturón/cinturones pantalón/pantalones/pantalon sofá/sofás/sofa/sofas silla/sillas
      mesa/mesas zapato/zapatos camisa/camisas reloj/relojes libro/libros lámpara/lámparas/lampara/lamparas
      cuchillo/cuchillos árbol/árboles/arbol/arboles móvil/móviles/movil/moviles jersey/jerséis/jerseys
      ordenador/ordenadores mujer/mujeres hombre/hombres niño/niños/nino/ninos juguete/juguetes llave/llaves
      taza/tazas plato/platos papel/papeles cajón/cajones/cajon color/colores flor/flores cojín/cojines/cojin
      jabón/jabones/jabon jardín/jardines/jardin`,
    different: `
      taza/tasa casa/caza vez/vea luz/lujo pez/peso cruz/crudo saco/saz rico/rizo marco/marzo bolso/bolo
      cazo/caco foca/foz voz/boca atroz/atrio silla/sillón mesa/misa camisa/camino cuchillo/cuchara papel/papa
      niño/nido flor/flan llave/lluvia`,
  },
  fi: {
    language: "Finnish",
    same: `
      kenkä/kengät/kenkiä tuoli/tuolit/tuolin pöytä/pöydät/pöytiä veitsi/veitset/veitsen/veitsiä
      kirja/kirjat/kirjoja käsi/kädet/käden/käsiä lamppu/lamput/lampun paita/paidat/paitoja laukku/laukut/laukun
      kello/kellot/kelloja takki/takit/takin lasi/lasit/laseja sänky/sängyt puhelin/puhelimet/puhelimen
      kuppi/kupit/kuppeja sukka/sukat/sukan hattu/hatut/hatun housut/housuja matto/matot/maton
      hylly/hyllyt/hyllyjä avain/avaimet/avaimen peili/peilit sormus/sormukset/sormuksen
      lapsi/lapset/lasten/lapsen mies/miehet/miesten/miehen nainen/naiset/naisten/naisen jalka/jalat/jalan
      ovi/ovet/oven lahja/lahjat hammas/hampaat hansikas/hansikkaat saapas/saappaat lautanen/lautaset/lautasen
      verho/verhot tietokone/tietokoneet kone/koneet huone/huoneet lelu/lelut vene/veneet valaisin/valaisimet
      imuri/imurit kaappi/kaapit/kaapin kukka/kukat`,
    different: `
      lasi/lapsi kello/kelkka kuppi/kuusi matto/matka kukka/kukko sukka/suku laukku/laku mies/miekka ovi/ovaali
      veitsi/vesi tuoli/tuli kenkä/kehä paita/pata takki/tikki sänky/sankari puhelin/puhe hylly/hylje peili/peli
      kone/koira verho/veri`,
  },
  fr: {
    language: "French",
    same: `
      œil/yeux/oeil travail/travaux vitrail/vitraux corail/coraux émail/émaux/email/emaux bail/baux bijou/bijoux
      caillou/cailloux chou/choux genou/genoux hibou/hiboux joujou/joujoux pou/poux jeu/jeux feu/feux
      cheveu/cheveux lieu/lieux vœu/vœux/voeu/voeux monsieur/messieurs madame/mesdames cheval/chevaux/chevaux
      journal/journaux animal/animaux bocal/bocaux canal/canaux métal/métaux/metal/metaux chapeau/chapeaux
      manteau/manteaux bateau/bateaux couteau/couteaux rideau/rideaux gâteau/gâteaux/gateau/gateaux tuyau/tuyaux
      noyau/noyaux aspirail/aspiraux soupirail/soupiraux neveu/neveux essieu/essieux pieu/pieux enjeu/enjeux
      chaise/chaises table/tables chemise/chemises robe/robes chaussure/chaussures montre/montres lampe/lampes
      livre/livres téléphone/téléphones clé/clés clef/clefs verre/verres pneu/pneus bleu/bleus sac/sacs
      jouet/jouets rose/roses femme/femmes homme/hommes enfant/enfants veste/vestes lit/lits
      écran/écrans/ecran/ecrans bougie/bougies assiette/assiettes tapis/tapis bureau/bureaux
      mademoiselle/mesdemoiselles bonhomme/bonshommes ciel/cieux aïeul/aïeux moyeu/moyeux adieu/adieux
      aveu/aveux milieu/milieux bestiau/bestiaux bal/bals`,
    different: `
      verre/vers jeu/jeune feu/feutre chou/choix genou/genre pou/poule bail/bal émail/émoi mail/mal rose/rosier
      robe/robot bijou/bijection table/tablette yeux/yaourt corail/coral travail/travers chaise/chasse
      chemise/chemin montre/monstre lampe/lame livre/lèvre sac/sec femme/ferme veste/vis lit/lait bougie/bouée
      feu/fou`,
  },
  ga: {
    language: "Irish",
    same: `
      leabhar/leabhair siopa/siopaí scian/sceana bord/boird cathaoir/cathaoireacha bróg/bróga mála/málaí
      lampa/lampaí fáinne/fáinní gúna/gúnaí léine/léinte bean/mná fear/fir leanbh/leanaí páiste/páistí cos/cosa
      lámh/lámha súil/súile teach/tithe leaba/leapacha`,
    different: `
      bord/bróg cos/cas mála/maol gúna/gunna teach/teas leabhar/leaba siopa/sop scian/sciath lampa/lámh
      fáinne/fáilte bean/bia cathaoir/cathair léine/líne súil/siúl`,
  },
  hi: {
    language: "Hindi",
    same: `
      किताब/किताबें/किताबों कुर्सी/कुर्सियाँ/कुर्सियों मेज/मेजें/मेजों जूता/जूते/जूतों कपड़ा/कपड़े/कपड़ों
      घड़ी/घड़ियाँ/घड़ियों साड़ी/साड़ियाँ/साड़ियों चप्पल/चप्पलें/चप्पलों खिलौना/खिलौने/खिलौनों थैला/थैले
      चाकू/चाकुओं तकिया/तकिये चादर/चादरें/चादरों बोतल/बोतलें/बोतलों कमीज/कमीजें अंगूठी/अंगूठियाँ
      बच्चा/बच्चे/बच्चों महिला/महिलाएं/महिलाओं पुरुष/पुरुषों लड़का/लड़के चश्मा/चश्मे गिलास/गिलासों`,
    different: `
      किताब/कबाब मेज/मोजा जूता/जोत साड़ी/सड़क चादर/चाकू थैला/थाली बोतल/बादल किताब/किनारा कुर्सी/कुर्ता मेज/मोर
      जूता/जाल कपड़ा/कपूर चप्पल/चाय चादर/चाँदी बोतल/बटन लड़का/लकड़ी`,
  },
  hu: {
    language: "Hungarian",
    same: `
      kanál/kanalak/kanalat cipő/cipők/cipőt szék/székek/széket asztal/asztalok/asztalt kés/kések/kést
      könyv/könyvek/könyvet ing/ingek lámpa/lámpák/lámpát táska/táskák/táskát óra/órák/órát telefon/telefonok
      kabát/kabátok/kabátot ágy/ágyak/ágyat pohár/poharak/poharat tányér/tányérok villa/villák/villát
      szoknya/szoknyák/szoknyát nadrág/nadrágok ruha/ruhák/ruhát zokni/zoknik sapka/sapkák/sapkát
      kesztyű/kesztyűk/kesztyűt játék/játékok madár/madarak kosár/kosarak szekér/szekerek levél/levelek
      tükör/tükrök/tükröt bútor/bútorok gyűrű/gyűrűk/gyűrűt kéz/kezek nyakkendő/nyakkendők ló/lovak tál/tálak
      fal/falak polc/polcok szőnyeg/szőnyegek függöny/függönyök autó/autók/autót gyerek/gyerekek nő/nők/nőt
      férfi/férfiak ember/emberek fa/fák/fát kert/kertek edény/edények párna/párnák/párnát takaró/takarók`,
    different: `
      kés/kéz óra/orr pohár/pora/vill kosár/kos könyv/könny ing/ág lámpa/láp fal/falu cipő/cipzár szék/szekrény
      asztal/asztag könyv/köny lámpa/lánc táska/tál tányér/tanya ruha/rugó sapka/sajt kosár/kocsi`,
  },
  hy: {
    language: "Armenian",
    same: `
      գիրք/գրքեր աթոռ/աթոռներ/աթոռը կոշիկ/կոշիկներ պայուսակ/պայուսակներ լամպ/լամպեր հեռախոս/հեռախոսներ
      վերնաշապիկ/վերնաշապիկներ դանակ/դանակներ գդալ/գդալներ բաժակ/բաժակներ մատանի/մատանիներ խաղալիք/խաղալիքներ
      գլխարկ/գլխարկներ գորգ/գորգեր դուռ/դռներ մահճակալ/մահճակալներ բարձ/բարձեր ափսե/ափսեներ`,
    different: `
      դանակ/դանդաղ սեղան/սև գդալ/գլուխ աթոռ/աթար կոշիկ/կոշտ լամպ/լար պայուսակ/պայտ հեռախոս/հեռու մատանի/մատիտ
      գորգ/գործ բարձ/բարդ`,
  },
  id: {
    language: "Indonesian",
    same: `
      sepatu/sepatunya buku/bukunya meja/mejanya kursi/kursinya tas/tasnya baju/bajunya jam/jamnya
      pisau/pisaunya lampu/lampunya mainan/mainannya celana/celananya cincin/cincinnya topi/topinya
      gelas/gelasnya piring/piringnya kasur/kasurnya bantal/bantalnya selimut/selimutnya kamera/kameranya
      lemari/lemarinya`,
    different: `
      buku/bulu meja/merah tas/teras jam/jamu gelas/gelap topi/kopi lampu/lampion baju/bayu sepatu/sepeda
      buku/kuku kursi/kunci tas/kertas pisau/pisang lampu/lampin celana/cela cincin/cicak piring/pirang
      kasur/kasar bantal/bentuk`,
  },
  it: {
    language: "Italian",
    same: `
      uomo/uomini bue/buoi lago/laghi fungo/funghi banco/banchi fuoco/fuochi parco/parchi disco/dischi
      tacco/tacchi sacco/sacchi cuoco/cuochi gioco/giochi fianco/fianchi ago/aghi luogo/luoghi albergo/alberghi
      casco/caschi bosco/boschi arco/archi drago/draghi chirurgo/chirurghi barca/barche tasca/tasche
      giacca/giacche brocca/brocche forchetta/forchette paga/paghe toga/toghe bottega/botteghe pesca/pesche
      amica/amiche amico/amici medico/medici camicia/camicie valigia/valigie/valige sedia/sedie tavolo/tavoli
      scarpa/scarpe borsa/borse libro/libri orologio/orologi coltello/coltelli cucchiaio/cucchiai tazza/tazze
      letto/letti specchio/specchi anello/anelli gonna/gonne vestito/vestiti occhio/occhi occhiale/occhiali
      pantalone/pantaloni telefono/telefoni gatto/gatti cane/cani fiore/fiori donna/donne bambino/bambini
      bicchiere/bicchieri uovo/uova dito/dita lenzuolo/lenzuola/lenzuoli paio/paia braccio/braccia mano/mani
      ala/ali tempio/templi ginocchio/ginocchia arancia/arance/arancie ciliegia/ciliegie/ciliege goccia/gocce
      frangia/frange pioggia/piogge lancia/lance`,
    different: `
      lago/latte cane/canna pescare/pesi casa/cassa pala/palla sete/sette nono/nonno tacco/tazza arco/arma
      cuoco/cuore gioco/gioia disco/discesa luogo/luna banco/bancomat porco/porta manica/mani fungo/fango
      banco/bianco parco/parte sacco/succo barca/barba tasca/tassa letto/latte cane/carne gatto/getto
      libro/labbro gonna/nonna borsa/borsino scarpa/sciarpa fiore/fuori donna/danno`,
  },
  lt: {
    language: "Lithuanian",
    same: `
      kėdė/kėdės/kėdžių stalas/stalai/stalų batas/batai/batų knyga/knygos/knygų peilis/peiliai/peilių
      lempa/lempos/lempų marškiniai/marškinių krepšys/krepšiai/krepšių laikrodis/laikrodžiai/laikrodžių
      telefonas/telefonai/telefonų žaislas/žaislai/žaislų lova/lovos/lovų puodelis/puodeliai lėkštė/lėkštės
      suknelė/suknelės/suknelių striukė/striukės kepurė/kepurės žiedas/žiedai/žiedų raktas/raktai spinta/spintos
      veidrodis/veidrodžiai kilimas/kilimai medis/medžiai/medžių vaikas/vaikai/vaikų moteris/moterys/moterų
      vyras/vyrai/vyrų akinys/akiniai durys/durų`,
    different: `
      stalas/stiklas batas/baltas lova/lempa peilis/pelė raktas/rankos kėdė/katė stalas/stogas knyga/kinas
      peilis/pelenai lempa/lentyna krepšys/krepšinis lova/lapas puodelis/puodas suknelė/sūris žiedas/žemė
      raktas/ratas spinta/spiritas vaikas/vanduo`,
  },
  ne: {
    language: "Nepali",
    same: `
      किताब/किताबहरू/किताबको मेच/मेचहरू टेबल/टेबलहरू/टेबलको जुत्ता/जुत्ताहरू/जुत्ताको झोला/झोलाहरू घडी/घडीहरू
      मोबाइल/मोबाइलहरू टोपी/टोपीहरू खेलौना/खेलौनाहरू सारी/सारीहरू कुर्सी/कुर्सीहरू चप्पल/चप्पलहरू बोतल/बोतलहरू
      औंठी/औंठीहरू चक्कु/चक्कुहरू गिलास/गिलासहरू कप/कपहरू`,
    different: `
      मेच/मेला झोला/झ्याल घडी/घर टोपी/टिका किताब/किनारा जुत्ता/जुस टेबल/टमाटर बोतल/बत्ती कुर्सी/कुकुर सारी/सागर`,
  },
  nl: {
    language: "Dutch",
    same: `
      kind/kinderen ei/eieren blad/bladeren/bladen lied/liederen lam/lammeren kalf/kalveren goed/goederen
      rund/runderen been/beenderen stad/steden schip/schepen lid/leden smid/smeden gelid/gelederen
      volk/volkeren/volken gemoed/gemoederen hoen/hoenderen/hoenders brief/brieven huis/huizen glas/glazen
      laars/laarzen mes/messen rok/rokken jas/jassen fiets/fietsen kaars/kaarsen foto/foto's/fotos
      auto/auto's/autos radio/radio's pyjama/pyjama's camera/camera's sofa/sofa's paraplu/paraplu's baby/baby's
      stoel/stoelen tafel/tafels lamp/lampen tas/tassen boek/boeken boom/bomen maan/manen steen/stenen
      muur/muren deur/deuren schoen/schoenen kast/kasten bed/bedden bank/banken kussen/kussens deken/dekens
      sleutel/sleutels spiegel/spiegels horloge/horloges telefoon/telefoons raam/ramen dak/daken pan/pannen
      pot/potten kop/koppen bus/bussen kaas/kazen neus/neuzen vaas/vazen doos/dozen roos/rozen broek/broeken
      hemd/hemden trui/truien sok/sokken lens/lenzen prijs/prijzen reis/reizen muis/muizen buis/buizen
      spijs/spijzen poes/poezen duif/duiven schijf/schijven zeef/zeven wolf/wolven slaaf/slaven druif/druiven
      korf/korven golf/golven graaf/graven kleur/kleuren maat/maten vork/vorken lepel/lepels beker/bekers
      weg/wegen dag/dagen gat/gaten glaasje/glaasjes zee/zeeën/zeeen knie/knieën idee/ideeën hals/halzen
      vers/verzen beurs/beurzen pels/pelzen gans/ganzen spons/sponzen kruis/kruisen mens/mensen kans/kansen
      prins/prinsen dans/dansen kous/kousen paus/pausen saus/sausen eis/eisen koers/koersen lip/lippen
      bal/ballen bel/bellen hond/honden vrouw/vrouwen man/mannen gordijn/gordijnen kopje/kopjes
      ketting/kettingen oorbel/oorbellen museum/musea zaaier/zaaiers band/banden`,
    different: `
      mes/me bed/beet vis/vies wol/wolf glas/gras kaas/kaars vaas/vaars zeef/zee brief/brie huis/hui glas/gaas
      golf/gol kas/kast druif/druk stoel/stoom tafel/tegel lamp/lamel boek/broek steen/staan muur/meer deur/duur
      kast/kist bank/bink deken/deksel sleutel/slot spiegel/speld hemd/hand trui/tuin vork/kurk lepel/leder
      beker/bakker hond/hand brief/broek huis/hals laars/laag doos/does prijs/pruik muis/muur wolf/wolk`,
  },
  no: {
    language: "Norwegian",
    same: `
      bok/bøker/bøkene/boker barn/barna mann/menn/mennene fot/føtter tann/tenner gås/gjess hånd/hender øye/øyne
      stol/stoler/stolene bord/bordet kniv/kniver/knivene skjorte/skjorter bukse/bukser jakke/jakker
      veske/vesker lampe/lamper kopp/kopper seng/senger hylle/hyller klokke/klokker telefon/telefoner
      kjole/kjoler nøkkel/nøkler gryte/gryter panne/panner gaffel/gafler skje/skjeer teppe/tepper
      sykkel/sykler/sykkelen natt/netter bonde/bønder datter/døtre/døtrer sønn/sønner ku/kyr/kuer
      tre/trær/trærne kne/knær rot/røtter bot/bøter kraft/krefter stang/stenger bror/brødre far/fedre mor/mødre
      nøtt/nøtter sko/skoene ski/skiene`,
    different: `
      bok/bukk bord/bor mann/mat fot/foto tann/tang hånd/hund kopp/kobber sko/skole ski/skinn kniv/knapp
      lampe/lamme hatt/hat skjorte/skjerf jakke/jakt veske/vask seng/sang ring/rang stol/stein bukse/busk
      sko/skog klokke/kloss teppe/tupp hund/hundre ord/ordre hav/havre`,
  },
  pt: {
    language: "Portuguese",
    same: `
      coração/corações/coracao/coracoes avião/aviões/aviao/avioes limão/limões botão/botões/botao/botoes
      fogão/fogões/fogao/fogoes cão/cães/cao/caes pão/pães mão/mãos/mao/maos irmão/irmãos capitão/capitães
      alemão/alemães grão/grãos órgão/órgãos cidadão/cidadãos colchão/colchões/colchao/colchoes balão/balões
      decoração/decorações/decoracao/decoracoes cartão/cartões/cartao/cartoes edredão/edredões
      calção/calções/calcao/calcoes promoção/promoções/promocao/promocoes edição/edições/edicao/edicoes
      iluminação/iluminações/iluminacao/iluminacoes animal/animais jornal/jornais papel/papéis/papeis
      anel/anéis/aneis pincel/pincéis/pinceis móvel/móveis/movel/moveis automóvel/automóveis
      fácil/fáceis/facil/faceis réptil/répteis barril/barris funil/funis fuzil/fuzis
      lençol/lençóis/lencol/lencois farol/faróis/farol/farois azul/azuis paul/pauis cristal/cristais
      metal/metais portátil/portáteis/portatil/portateis varal/varais avental/aventais quintal/quintais
      álbum/álbuns/album/albuns homem/homens bombom/bombons jardim/jardins patim/patins batom/batons
      imagem/imagens nuvem/nuvens viagem/viagens embalagem/embalagens bagagem/bagagens som/sons trem/trens
      lápis/lapis cadeira/cadeiras mesa/mesas sapato/sapatos camisa/camisas relógio/relógios/relogio/relogios
      livro/livros lâmpada/lâmpadas faca/facas colher/colheres flor/flores luz/luzes nariz/narizes
      mulher/mulheres copo/copos prato/pratos bolsa/bolsas chave/chaves sofá/sofás/sofa/sofas mãe/mães/mae/maes
      pai/pais rei/reis herói/heróis/heroi/herois televisão/televisões/televisao/televisoes
      violão/violões/violao/violoes chão/chãos leão/leões pião/piões sabão/sabões/sabao/saboes`,
    different: `
      caos/cão mais/mal pai/pau pães/pais rei/real sol/só mel/mês som/só fio/fim lã/lar nação/nada bom/boa
      avó/avião animal/anima papel/papa anel/ano móvel/movimento homem/homenagem cadeira/cadela camisa/caminho
      faca/fada copo/corpo flor/farol`,
  },
  ro: {
    language: "Romanian",
    same: `
      om/oameni/oamenii scaun/scaune/scaunele masă/mese/masa pantof/pantofi/pantofii carte/cărți/cărțile
      cuțit/cuțite lampă/lămpi/lampa cămașă/cămăși geantă/genți ceas/ceasuri/ceasul telefon/telefoane/telefonul
      jucărie/jucării pat/paturi/patul pahar/pahare/paharul farfurie/farfurii rochie/rochii haină/haine/hainele
      inel/inele/inelul oglindă/oglinzi covor/covoare/covorul dulap/dulapuri/dulapul cheie/chei floare/flori
      bicicletă/biciclete lingură/linguri/lingura femeie/femei bărbat/bărbați copil/copii/copiii mână/mâini
      picior/picioare ochi/ochii dinte/dinți ou/ouă soră/surori fată/fete băiat/băieți perdea/perdele
      curea/curele cafea/cafele stea/stele pernă/perne canapea/canapele saltea/saltele lumânare/lumânări
      jachetă/jachete fustă/fuste tricou/tricouri cană/căni televizor/televizoare`,
    different: `
      masă/masiv carte/cartof ceas/ceai inel/în cheie/chelner om/omidă cană/canal stea/steag scaun/scară
      pantof/pantalon carte/curte cuțit/cutie lampă/lapte cămașă/cameră telefon/televizor pahar/păr rochie/roșie
      inel/inimă dulap/dulce floare/flacără copil/copac ochi/ou`,
  },
  ru: {
    language: "Russian",
    same: `
      человек/люди/людей/человека ребёнок/ребенок/дети/детей/детям стул/стулья/стульев стол/столы/столов
      нож/ножи/ножей книга/книги/книг туфля/туфли ботинок/ботинки рубашка/рубашки/рубашек сумка/сумки/сумок
      часы/часов лампа/лампы/ламп телефон/телефоны/телефонов игрушка/игрушки/игрушек кровать/кровати
      чашка/чашки/чашек тарелка/тарелки/тарелок платье/платья куртка/куртки/курток шапка/шапки/шапок
      кольцо/кольца/колец ключ/ключи зеркало/зеркала ковёр/ковер/ковры шкаф/шкафы окно/окна/окон дерево/деревья
      лист/листья друг/друзья подушка/подушки/подушек ложка/ложки/ложек вилка/вилки/вилок кресло/кресла/кресел
      полотенце/полотенца/полотенец одеяло/одеяла носок/носки/носков перчатка/перчатки/перчаток ухо/уши
      глаз/глаза/глаз котёнок/котята щенок/щенки/щенята мать/матери дочь/дочери цветок/цветы
      платок/платки/платков кусок/куски подарок/подарки/подарков замок/замки/замков молоток/молотки/молотков
      чулок/чулки/чулок`,
    different: `
      стол/стул нож/ножка часы/частый лист/лиса ключ/клюшка окно/оклад чашка/шашка носок/нос глаз/газ
      дети/деталь вилка/вилла кольцо/кол люди/люстра стол/столб книга/книжка рубашка/рубка сумка/сушка
      лампа/лапа кровать/кровь тарелка/тара куртка/курица шапка/шарф зеркало/зерно ковёр/короб дерево/деревня
      кресло/крест`,
  },
  sr: {
    language: "Serbian",
    same: `
      nož/noževi/noževa sto/stolovi sat/satovi/satova cipela/cipele stolica/stolice/stolica knjiga/knjige/knjiga
      košulja/košulje torba/torbe lampa/lampe telefon/telefoni/telefona igračka/igračke krevet/kreveti
      šolja/šolje tanjir/tanjiri haljina/haljine jakna/jakne kapa/kape ključ/ključevi/ključeva prsten/prstenovi
      ogledalo/ogledala tepih/tepisi orman/ormani sako/sakoi kaput/kaputi šal/šalovi disk/diskovi muž/muževi
      zid/zidovi pojas/pojasevi нож/ножеви сат/сатови кључ/кључеви књига/књиге зид/зидови čovek/ljudi dete/deca
      oko/oči uvo/uši žena/žene`,
    different: `
      nož/noga sat/sako knjiga/knjižara torba/torta kapa/kaput zid/zima muž/muzika stolica/stolnjak knjiga/kniga
      torba/tromba lampa/lapa telefon/televizor krevet/kravata tanjir/tanak haljina/halva jakna/jaje
      prsten/prsluk ogledalo/oglas tepih/test kaput/kapija`,
  },
  sv: {
    language: "Swedish",
    same: `
      bok/böcker/böckerna/bocker fot/fötter/fotter man/män/männen hand/händer/hander tand/tänder/tander
      mus/möss/moss gås/gäss stad/städer/stader son/söner/soner bror/bröder dotter/döttrar mor/mödrar far/fäder
      bonde/bönder natt/nätter and/änder rot/rötter bot/böter stång/stänger tång/tänger rand/ränder
      strand/stränder kraft/krafter lus/löss öga/ögon öra/öron stol/stolar/stolarna bord/bordet
      kniv/knivar/knivarna skjorta/skjortor byxa/byxor jacka/jackor väska/väskor/vaska/vaskor lampa/lampor
      kopp/koppar säng/sängar/sang/sangar hylla/hyllor klocka/klockor telefon/telefoner klänning/klänningar
      nyckel/nycklar gryta/grytor panna/pannor gaffel/gafflar sked/skedar matta/mattor cykel/cyklar
      sko/skor/skorna barn/barnen kudde/kuddar glas/glasen hatt/hattar ring/ringar tröja/tröjor spegel/speglar
      handske/handskar leksak/leksaker skål/skålar ko/kor verktyg/verktygen`,
    different: `
      bok/bock fot/foto hand/hund man/mat son/sol stad/stat tand/tant glas/gas kopp/koppla hatt/hat sko/skog
      mus/musik lus/ljus rot/rost kniv/knapp bord/bor lampa/lamm skjorta/skjul byxa/bygga jacka/jakt ring/rang
      hylla/hyllning stol/sten klocka/klass nyckel/nygift gryta/gryning panna/penna cykel/cyklon sko/skott
      sked/skida`,
  },
  ta: {
    language: "Tamil",
    same: `
      புத்தகம்/புத்தகங்கள் நாற்காலி/நாற்காலிகள் மேசை/மேசைகள் சட்டை/சட்டைகள் பை/பைகள் விளக்கு/விளக்குகள்
      கத்தி/கத்திகள் கடிகாரம்/கடிகாரங்கள் தொலைபேசி/தொலைபேசிகள் பொம்மை/பொம்மைகள் கட்டில்/கட்டில்கள்
      கோப்பை/கோப்பைகள் தட்டு/தட்டுகள் மோதிரம்/மோதிரங்கள் கண்ணாடி/கண்ணாடிகள் தொப்பி/தொப்பிகள்
      செருப்பு/செருப்புகள் சேலை/சேலைகள் படம்/படங்கள் பெண்/பெண்கள் மரம்/மரங்கள்`,
    different: `
      மேசை/மீசை சட்டை/சட்டம் கத்தி/கத்தரி படம்/பாடம் மரம்/மாரி புத்தகம்/புதினம் நாற்காலி/நாற்று பை/பால்
      விளக்கு/விலங்கு தட்டு/தண்ணீர் பெண்/பேனா கட்டில்/கட்டி`,
  },
  tr: {
    language: "Turkish",
    same: `
      çanta/çantalar/çantası ayakkabı/ayakkabılar/ayakkabısı kitap/kitabı/kitaplar masa/masalar/masası
      sandalye/sandalyeler bıçak/bıçaklar/bıçağı lamba/lambalar/lambası saat/saatler/saati
      telefon/telefonlar/telefonu gömlek/gömlekler/gömleği elbise/elbiseler/elbisesi ceket/ceketler
      oyuncak/oyuncaklar/oyuncağı yatak/yataklar/yatağı bardak/bardaklar/bardağı tabak/tabaklar/tabağı
      kaşık/kaşıklar/kaşığı çatal/çatallar yüzük/yüzükler/yüzüğü ayna/aynalar/aynası halı/halılar/halısı
      dolap/dolaplar/dolabı anahtar/anahtarlar çorap/çoraplar/çorabı şapka/şapkalar/şapkası
      kazak/kazaklar/kazağı etek/etekler/eteği koltuk/koltuklar/koltuğu perde/perdeler/perdesi
      yastık/yastıklar/yastığı ağaç/ağaçlar/ağacı kutu/kutular/kutusu kapı/kapılar/kapısı kalem/kalemler/kalemi
      araba/arabalar/arabası kadın/kadınlar çocuk/çocuklar/çocuğu erkek/erkekler fincan/fincanlar
      tencere/tencereler/tenceresi kolye/kolyeler/kolyesi küpe/küpeler/küpesi gözlük/gözlükler/gözlüğü
      kilit/kilitler bebek/bebekler/bebeği`,
    different: `
      masa/masal çanta/çan bardak/bar etek/et saat/sa ayna/ay elbise/el tabak/tablo çanta/çatal ayakkabı/ayak
      kitap/kutu masa/maske bıçak/bıçkı lamba/lastik gömlek/gömme elbise/elma ceket/cep yatak/yat bardak/bayrak
      yüzük/yüz ayna/ayran şapka/şarap ağaç/ağ kadın/kahve çocuk/çorap`,
  },
  uk: {
    language: "Ukrainian",
    same: `
      стіл/столи стілець/стільці ніж/ножі книга/книги/книгу сорочка/сорочки сумка/сумки
      годинник/годинники/годинника лампа/лампи телефон/телефони іграшка/іграшки ліжко/ліжка чашка/чашки
      тарілка/тарілки сукня/сукні куртка/куртки шапка/шапки кільце/кільця ключ/ключі дзеркало/дзеркала
      килим/килими шафа/шафи вікно/вікна дерево/дерева подушка/подушки ложка/ложки виделка/виделки крісло/крісла
      рушник/рушники ковдра/ковдри шкарпетка/шкарпетки черевик/черевики двері/дверей людина/люди дитина/діти
      око/очі вухо/вуха`,
    different: `
      стіл/стіна ніж/ніжка ключ/клин шафа/шапка лампа/лама книга/кнопка книга/кишеня сорочка/сорок сумка/суміш
      лампа/лапка телефон/телевізор ліжко/ліхтар чашка/час тарілка/тарган куртка/курка кільце/кілька
      дзеркало/дзвін килим/клин вікно/вінок`,
  },
};
