/**
 * Lists what queries find in small shops. A new case is one more line.
 *
 * `#` starts a rule. Its catalogues follow: the language of the shop, the names of its products with their numbers, and a line
 * per query. That line has the numbers of all products that the query finds, the best first, or `nothing`. The numbers stand
 * before the text, because editors would show them reversed behind Arabic or Hebrew.
 */
export const spellings = `

# A trade mark is no part of the word before it

en
1. LEGO™ Star Wars
2. Pump℠
1 <- lego star wars
1 <- LEGO™
2 <- pump

en
1. LEGO Star Wars
2. Playdoughᵀᴹ
1 <- LEGO™ Star Wars
2 <- playdough
nothing <- tm

de
1. Playmobil® Ritterburg
2. Tempo™ Taschentücher
1 <- playmobil ritterburg
1 <- playmobil®
2 <- tempo taschentücher

es
1. Post-it® notas adhesivas
2. Velcro™ cinta
1 <- postit notas
2 <- velcro

# A fraction is a number of its own

en
1. Shoe 10½ wide
2. Router 101
3. Pipe 1½ inch
1 <- 10 1/2
1 <- 10 ½
2 <- 101
nothing <- pipe 11
3 <- pipe 1 1/2

fr
1. Tuyau 1½ pouce
2. Tuyau 12 pouces
3. Raccord ¾ pouce
1 <- tuyau 1 1/2 pouce
1 <- tuyau 1½
2 <- tuyau 12
3 <- raccord 3/4
nothing <- raccord 34

pl
1. Wąż ogrodowy ¾ cala
2. Wąż ogrodowy 34 m
1 <- wąż 3/4 cala
1 <- waz ¾
2 <- wąż 34

sv
1. Rör ¼ tum
1 <- rör 1/4 tum
nothing <- rör 14

# A raised number is no digit of the number before it

en
1. Tank 10³ litres
2. Rug 5 m²
3. Pipe 103
3 <- 103
1 <- 10 tank
2 <- m2
2 <- m²

it
1. Tappeto 3 m²
2. Tappeto 32 cm
1 <- tappeto 3 m2
1 <- tappeto 3m²
2 <- tappeto 32

de
1. CO₂ Zylinder
2. Rasendünger 50 m²
1 <- co2 zylinder
1 <- CO₂-Zylinder
2 <- rasendünger 50 m2
2 <- rasenduenger 50m²

ja
1. ラグ 3㎡
2. ラグ 32
1 <- ラグ 3㎡
1 <- ラグ 3m2

# Every degree sign is one

en
1. Thermometer 25ºC
2. Thermometer 25˚C
3. Thermometer 25°C
4. Thermometer 25⁰C
1 2 3 4 <- 25°C
1 2 3 4 <- 25 c

es
1. Saco de dormir 0 ºC
2. Saco de dormir 5°C
1 <- saco de dormir 0°C
2 <- saco de dormir 5ºC

zh
1. 体温计 37℃
2. 体温计 42°C
1 <- 37°C
2 <- 42℃

# A compound is found joined, with a hyphen and with a space

en
1. WiFi Extender
2. Wi-Fi Router
3. Wi Fi Antenna
4. Antenna
1 2 3 <- wifi
2 3 1 <- wi-fi
2 3 1 <- wi fi
2 3 1 <- WI‑FI

en
1. Sunglasses
2. Sun Glasses
3. Glasses
2 1 <- sun glasses
2 1 <- sun-glasses

de
1. Kaffeemaschine
2. Kaffee-Maschine
1 2 <- kaffeemaschine
1 2 <- kaffeemaschinen
2 1 <- kaffee maschine
2 1 <- Kaffee-Maschine

de
1. Handyhülle
2. Handy-Hülle
3. Handy Hülle
2 3 1 <- handy-hülle
2 3 1 <- handy hülle

nl
1. Koffiezetapparaat
2. Koffiezet-apparaat
1 2 <- koffiezetapparaat
2 1 <- koffiezet apparaat

nl
1. E-bike
2. Ebike
3. E bike
1 3 2 <- e-bike
2 1 3 <- ebike
1 3 2 <- e bikes

sv
1. TV-bänk
2. TV bänk
3. TVbänk
1 2 3 <- tv-bänk
1 2 3 <- tv bänkar
3 1 2 <- tvbänk

da
1. Kaffemaskine
2. Kaffe-maskine
3. Kaffekop
1 2 <- kaffemaskine
1 2 <- kaffemaskiner
2 1 <- kaffe maskine

no
1. Vinterstøvler
2. Vinter-støvler
1 2 <- vinterstøvler
2 1 <- vinter støvler

fi
1. USB-kaapeli
2. USB kaapeli
3. Usbkaapeli
1 2 3 <- usb-kaapeli
1 2 3 <- usb kaapeli

fr
1. Porte-monnaie
2. Portemonnaie
3. Porte
1 2 <- porte-monnaie
1 2 <- porte monnaie
2 1 <- portemonnaie

fr
1. Lave-vaisselle
2. Lave vaisselle
1 2 <- lave-vaisselle
1 2 <- lave vaisselle

it
1. Asciugacapelli
2. Asciuga-capelli
3. Asciuga capelli
2 3 1 <- asciuga-capelli
2 3 1 <- asciuga capelli

es
1. Antimosquitos
2. Anti-mosquitos
3. Anti mosquitos
2 3 1 <- anti-mosquitos
2 3 1 <- anti mosquitos

pt
1. Guarda-chuva
2. Guarda chuva
3. Guardachuva
1 2 3 <- guarda-chuva
1 2 3 <- guarda chuva

pl
1. E-book
2. Ebook
3. E book
1 3 2 <- e-book
2 1 3 <- ebook

cs
1. Wi-Fi router
2. WiFi router
3. Router
1 2 <- wi-fi router
1 2 <- wi fi router
2 1 <- wifi router

ru
1. Смарт-часы
2. Смарт часы
3. Смартчасы
4. Часы
1 2 3 <- смарт-часы
1 2 3 <- смарт часы

ko
1. 스마트폰 케이스
2. 스마트폰케이스
3. 안경 케이스
1 2 <- 스마트폰 케이스
1 2 <- 스마트폰-케이스

ja
1. ソファベッド
2. ソファ ベッド
1 2 <- ソファベッド
1 2 <- ソファ ベッド

# A short word and the next are found joined and apart

en
1. T-Shirt
2. Tshirt
3. T Shirt
4. Shirt
2 1 3 <- tshirt
1 3 2 <- t-shirt
1 3 2 <- t shirts

# A number and its unit are found joined and apart

en
1. LED 60W
2. LED 60 W
3. LED 60-W
4. LED 600 W
1 2 3 <- 60w
2 3 1 <- 60 w
2 3 1 <- 60-W

fr
1. Ampoule 9W
2. Ampoule 9 W
3. Ampoule 90 W
1 2 <- ampoule 9w
2 1 <- ampoule 9 w

ru
1. Лампа 60 Вт
2. Лампа 60Вт
3. Лампа 600 Вт
1 2 <- лампа 60 вт
2 1 <- лампа 60вт

pl
1. Butelka 500ml
2. Butelka 500 ml
1 2 <- butelka 500ml
2 1 <- butelka 500 ml

# A name and its number are found joined and apart

en
1. iPhone15
2. iPhone 15
3. iPhone-15
4. iPhone 150
1 3 2 4 <- iphone15
2 3 1 4 <- iphone 15

# A size is one with every sign between its numbers

en
1. Shelf 80 × 30 cm
2. Shelf 80x30 cm
3. Shelf 80 x 30 cm
4. Shelf 80×30×40 cm
5. Shelf 30 cm
1 2 3 4 <- 80x30
1 2 3 4 <- 80 x 30
1 2 3 4 <- 80 × 30
1 2 3 4 <- shelf 80
nothing <- 30x80

en
1. Shelf 80x30 cm
2. Shelf 80×30×40 cm
1 2 <- shelf 30
2 <- 30x40
2 <- shelf 30 × 40

de
1. Teppich 160×230 cm
2. Teppich 160 x 230 cm
3. Teppich 230 cm
1 2 <- teppich 160x230
1 2 <- Teppich 160 × 230 cm
1 2 <- teppich 160*230
3 1 2 <- teppich 230

ja
1. カーテン 100×135cm
2. カーテン 100ｘ200cm
1 <- カーテン 100x135
1 <- 100×135
2 <- 100x200

ru
1. Полка 80×30 см
2. Полка 80 x 30 см
1 2 <- полка 80x30
1 2 <- полка 80 × 30

# The word as typed ranks before its other forms

en
1. Glasses
2. Glass
3. University sweatshirt
4. Universal adapter
2 1 <- glass
1 2 <- glasses
4 3 <- universal
3 4 <- university

de
1. Gläser
2. Glas
2 1 <- glas
1 2 <- gläser

# Accents as typed rank first

fr
1. Pate
2. Pâté
3. Pâte
1 2 3 <- pate
2 1 3 <- pâté
3 1 2 <- pâte

cs
1. Saty
2. Šaty
1 2 <- saty
2 1 <- šaty

hu
1. Kor
2. Kör
3. Kór
1 2 3 <- kor
2 1 3 <- kör
3 1 2 <- kór

pl
1. Laska
2. Łaska
1 2 <- laska
2 1 <- łaska

tr
1. Sac
2. Saç
1 2 <- sac
2 1 <- saç

vi
1. Ban
2. Bàn
1 2 <- ban
2 1 <- bàn

# Singular and plural find each other

en
1. Knife
2. Knives
3. Mouse
4. Mice
5. Woman
6. Women
7. Battery
8. Batteries
1 2 <- knife
2 1 <- knives
3 4 <- mouse
5 6 <- woman
6 5 <- women
7 8 <- battery
8 7 <- batteries

de
1. Buch
2. Bücher
3. Tasche
4. Taschen
5. Tasse
1 2 <- buch
2 1 <- bücher
4 3 <- taschen
5 <- tassen

nl
1. Kind
2. Kinderen
3. Vaas
4. Vazen
5. Foto
6. Foto's
1 2 <- kind
2 1 <- kinderen
3 4 <- vaas
4 3 <- vazen
5 6 <- foto

es
1. Lápiz
2. Lápices
3. Reloj
4. Relojes
5. Taza
6. Tasa
1 2 <- lápiz
2 1 <- lápices
2 1 <- lapices
3 4 <- reloj
4 3 <- relojes
5 <- tazas

pt
1. Animal
2. Animais
3. Coração
4. Corações
5. Anel
6. Anéis
1 2 <- animal
2 1 <- animais
3 4 <- coração
5 6 <- anel
6 5 <- anéis

it
1. Orologio
2. Orologi
3. Uovo
4. Uova
5. Giacca
6. Giacche
1 2 <- orologio
2 1 <- orologi
4 3 <- uova
5 6 <- giacca
6 5 <- giacche

fr
1. Couteau
2. Couteaux
3. Bijou
4. Bijoux
5. Œil
6. Yeux
1 2 <- couteau
2 1 <- couteaux
3 4 <- bijou
4 3 <- bijoux
6 5 <- yeux
5 6 <- oeil

sv
1. Bok
2. Böcker
3. Klocka
4. Klockor
5. Nyckel
6. Nycklar
1 2 <- bok
3 4 <- klocka
4 3 <- klockor
5 6 <- nyckel
6 5 <- nycklar

da
1. Bog
2. Bøger
3. Nøgle
4. Nøgler
1 2 <- bog
2 1 <- bøger
3 4 <- nøgle
4 3 <- nøgler

no
1. Bok
2. Bøker
3. Sykkel
4. Sykler
1 2 <- bok
2 1 <- bøker
3 4 <- sykkel
4 3 <- sykler

fi
1. Kenkä
2. Kengät
3. Veitsi
4. Veitset
1 2 <- kenkä
2 1 <- kengät
3 4 <- veitsi
4 3 <- veitset

ro
1. Carte
2. Cărți
3. Scaun
4. Scaune
1 2 <- carte
2 1 <- cărți
3 4 <- scaun
4 3 <- scaune

hu
1. Kés
2. Kések
3. Tükör
4. Tükrök
1 2 <- kés
2 1 <- kések
3 4 <- tükör

tr
1. Çanta
2. Çantalar
3. Bıçak
4. Bıçaklar
1 2 <- çanta
2 1 <- çantalar
3 4 <- bıçak
4 3 <- bıçaklar

ru
1. Стул
2. Стулья
3. Сумка
4. Сумки
5. Стол
1 2 <- стул
2 1 <- стулья
3 4 <- сумка
4 3 <- сумки
5 <- столы

uk
1. Ніж
2. Ножі
3. Книга
4. Книги
1 2 <- ніж
2 1 <- ножі
3 4 <- книга
4 3 <- книги

bg
1. Нож
2. Ножове
3. Часовник
4. Часовници
1 2 <- нож
2 1 <- ножове
3 4 <- часовник
4 3 <- часовници

sr
1. Nož
2. Noževi
3. Knjiga
4. Knjige
1 2 <- nož
2 1 <- noževi
3 4 <- knjiga
4 3 <- knjige

el
1. Καρέκλα
2. Καρέκλες
3. Ρολόι
4. Ρολόγια
1 2 <- καρέκλα
2 1 <- καρέκλες
3 4 <- ρολόι
4 3 <- ρολόγια

ar
1. سيارة
2. سيارات
3. ساعة
4. ساعات
1 2 <- سيارة
2 1 <- سيارات
3 4 <- ساعة
4 3 <- ساعات

hi
1. किताब
2. किताबें
3. जूता
4. जूते
1 2 <- किताब
2 1 <- किताबें
3 4 <- जूता
4 3 <- जूते

hy
1. Դուռ
2. Դռներ
1 2 <- դուռ
2 1 <- դռներ

ta
1. புத்தகம்
2. புத்தகங்கள்
1 2 <- புத்தகம்
2 1 <- புத்தகங்கள்

ga
1. Leabhar
2. Leabhair
1 2 <- leabhar
2 1 <- leabhair

# Signs beside a word tell products apart

en
1. C++ Programming
2. C# in Depth
3. Net
4. .NET in Action
5. Net Curtain
2 <- c# depth
1 2 5 <- c
2 1 5 <- c#
1 2 5 <- C++
4 3 5 <- .NET
3 5 4 <- net

de
1. Programmieren in C++
2. Programmieren in C#
3. Programmieren in C
2 1 3 <- programmieren in c#
2 1 3 <- c#

es
1. Programación en C#
2. Programación en C++
1 2 <- programación c#
2 1 <- programacion c++

# Signs between words stand for the word "and"

en
1. Salt & Pepper set
2. Salt and pepper mill
3. Salt + Pepper jar
4. Salt+Pepper jar
2 1 3 4 <- salt and pepper
1 3 4 2 <- salt & pepper

de
1. Salz & Pfeffer
2. Salz und Pfeffer
2 1 <- salz und pfeffer
1 2 <- salz & pfeffer

fr
1. Sel & poivre
2. Sel et poivre
3. Sel + poivre
4. Poivre et sel
2 1 3 4 <- sel et poivre
1 3 2 4 <- sel & poivre

es
1. Sal y pimienta
2. Sal & pimienta
3. Aguja e hilo
4. Aguja & hilo
5. Pimienta y sal
6. Hilo y aguja
1 2 5 <- sal y pimienta
2 1 5 <- sal + pimienta
3 4 6 <- aguja e hilo
4 3 6 <- aguja & hilo
4 3 6 <- aguja y hilo

it
1. Sale & pepe
2. Sale e pepe
3. Pepe e sale
2 1 3 <- sale e pepe
1 2 3 <- sale & pepe

nl
1. Peper & zout
2. Peper en zout
3. Zout en peper
2 1 3 <- peper en zout
1 2 3 <- peper & zout

pt
1. Sal & pimenta
2. Sal e pimenta
3. Pimenta e sal
2 1 3 <- sal e pimenta
1 2 3 <- sal & pimenta

sv
1. Salt & peppar
2. Salt och peppar
3. Peppar och salt
2 1 3 <- salt och peppar
1 2 3 <- salt & peppar

da
1. Salt & peber
2. Salt og peber
3. Peber og salt
2 1 3 <- salt og peber
1 2 3 <- salt + peber

fi
1. Suola & pippuri
2. Suola ja pippuri
3. Pippuri ja suola
2 1 3 <- suola ja pippuri
1 2 3 <- suola & pippuri

pl
1. Sól & pieprz
2. Sól i pieprz
3. Pieprz i sól
2 1 3 <- sól i pieprz
1 2 3 <- sol & pieprz

cs
1. Sůl & pepř
2. Sůl a pepř
3. Pepř a sůl
2 1 3 <- sůl a pepř
1 2 3 <- sůl & pepř

ru
1. Соль & перец
2. Соль и перец
3. Перец и соль
2 1 3 <- соль и перец
1 2 3 <- соль + перец

uk
1. Голка та нитка
2. Голка і нитка
3. Голка & нитка
2 3 1 <- голка і нитка
1 2 3 <- голка та нитка

tr
1. Tuz & karabiber
2. Tuz ve karabiber
3. Karabiber ve tuz
2 1 3 <- tuz ve karabiber
1 2 3 <- tuz & karabiber

ar
1. كتاب & قلم
2. كتاب و قلم
3. قلم و كتاب
2 1 3 <- كتاب و قلم
1 2 3 <- كتاب & قلم

hu
1. Só & bors
2. Só és bors
3. Bors és só
2 1 3 <- só és bors
1 2 3 <- só & bors

ro
1. Sare & piper
2. Sare și piper
3. Piper și sare
2 1 3 <- sare și piper
1 2 3 <- sare & piper

el
1. Αλάτι & πιπέρι
2. Αλάτι και πιπέρι
3. Πιπέρι και αλάτι
2 1 3 <- αλάτι και πιπέρι
1 2 3 <- αλάτι & πιπέρι

# An elided article need not match

fr
1. Huile d'olive
2. Vêtements d’hiver
3. Olive
3 1 <- l'olive
3 1 <- olive
2 <- l’hiver
1 <- huile olive
2 <- vêtements pour l'hiver

fr
1. Shampooing L'Oréal
2. Journal d’aujourd’hui
1 <- l'oréal
1 <- shampooing oréal
2 <- aujourd'hui

it
1. Anello d'oro
2. Anello d’argento
3. Agenda dell'anno
1 <- anello oro
1 <- l'oro
2 <- anello d'argento
2 <- dell’argento
3 <- agenda anno

ca
1. Oli d'oliva
2. Vi de l’Empordà
1 <- l'oliva
1 <- oli oliva
2 <- vi empordà
2 <- vi d'empordà

pt
1. Copo d'água
2. Copo de vinho
1 <- copo água
1 <- copo d’agua
2 <- copo vinho

# A possessive is a form of the word

en
1. Men's shoes
2. Men shoes
3. Mens shoes
4. Levi's jeans
1 2 3 <- men's shoes
3 1 2 <- mens shoes
4 <- levis
4 <- levi's

de
1. Omi's Backbuch
2. Omi Tasse
1 <- omi's backbuch
1 <- omi backbuch
2 <- omi’s tasse

nl
1. Baby's eerste boek
2. Baby boek
2 1 <- baby boek
1 <- baby's eerste

# A stop word need not match where other words remain, and counts for the rank

en
1. North Face jacket
2. The North Face
3. Face cream from the north
4. The Who
2 3 1 <- the north face
1 2 3 <- a north face
2 3 1 <- face of the north
4 2 3 <- the

de
1. Tasche für Damen
2. Tasche mit Herz
1 <- tasche für damen
1 <- eine tasche der damen
2 <- die tasche mit dem herz

fr
1. Chaise pour bébé
2. Chaise de bureau
1 <- chaise de bébé
2 <- la chaise du bureau

es
1. Zapatos de mujer
2. Zapatos de hombre
1 <- zapatos para mujer
2 <- los zapatos de los hombres

it
1. Scarpe da donna
2. Scarpe da uomo
1 <- scarpe per donna
2 <- le scarpe per uomini

nl
1. Tas voor dames
2. Tas met wielen
1 <- een tas voor de dames
2 <- de tas met de wielen

pt
1. Sapatos de mulher
2. Sapatos de homem
1 <- sapatos para mulher
2 <- os sapatos do homem

sv
1. Leksaker för barn
2. Leksaker till hund
1 <- leksaker till barn
2 <- leksaker för hundar

da
1. Sko til børn
2. Sko til mænd
1 <- sko for børn
2 <- en sko til mænd

ru
1. Куртка для мальчика
2. Куртка для девочки
1 <- куртка на мальчика
2 <- куртки для девочек

tr
1. Kadın için çanta
2. Kadın çanta
1 2 <- kadın için çanta
2 1 <- kadın çanta

# Umlauts are found as they are and with an e

de
1. Müsli Riegel
2. Muesli Riegel
1 2 <- müsli riegel
2 1 <- muesli riegel

de
1. Schlüsselanhänger
2. Schluesselanhaenger
3. Übertopf
4. Käse
5. Neue Quelle
1 2 <- schlüsselanhänger
2 1 <- schluesselanhaenger
3 <- uebertopf
3 <- ubertopf
4 <- kaese
4 <- kase
5 <- neue quelle

de
1. Fußball
2. Fussball
3. STRASSENKREIDE
1 2 <- fußball
2 1 <- fussball
3 <- straßenkreide

# The letter å is aa, and neighbours' letters are the same

da
1. Ålborg plakat
2. Aalborg plakat
1 2 <- ålborg plakat
2 1 <- aalborg plakat

no
1. Håndkle
2. Haandkle
3. Blåbærsyltetøy
1 2 <- håndkle
2 1 <- haandkle
3 <- blaabærsyltetøy
3 <- blåbärsyltetöy

da
1. Smørkniv
1 <- smörkniv
1 <- smorkniv

sv
1. Smörkniv
2. Kräftor
1 <- smørkniv
1 <- smorkniv
2 <- kræftor

# Parts of a long Chinese or Japanese word are found, after the word itself

ja
1. 東京タワー模型
2. タワー
2 1 <- タワー
1 <- 東京タワー

ja
1. 空気清浄機フィルター
2. フィルター
2 1 <- フィルター
1 <- 空気清浄機
1 <- 清浄機
1 <- 空気

ja
1. 電動歯ブラシ
2. 歯ブラシ
2 1 <- 歯ブラシ
1 <- 電動
2 1 <- ブラシ

ja
1. デジタルカメラ
2. カメラ
3. バスケットボール
4. ボール
2 1 <- カメラ
4 3 <- ボール
3 <- バスケット

zh
1. 高尔夫球杆
2. 球杆
2 1 <- 球杆
1 <- 高尔夫

zh
1. 不锈钢保温杯
2. 保温杯
3. 玻璃杯
2 1 <- 保温杯
1 <- 不锈钢
3 <- 玻璃

zh
1. 蓝牙耳机充电盒
2. 耳机
2 1 <- 耳机
1 <- 充电盒
1 <- 蓝牙耳机

zh
1. 電動牙刷
2. 牙刷
2 1 <- 牙刷
1 <- 電動牙刷

# A katakana word is found with and without a long vowel at its end

ja
1. コンピュータ
2. コンピューター
3. サーバー
4. サーバ
1 2 <- コンピュータ
2 1 <- コンピューター
3 4 <- サーバー
4 3 <- サーバ

ja
1. カバー
2. カバ
1 <- カバー
2 1 <- カバ

# Letters that look like an apostrophe are apostrophes

uk
1. Комп'ютер
2. Компʼютер
3. Комп’ютер
1 2 3 <- комп'ютер
1 2 3 <- компʼютер
1 2 3 <- компютер

uk
1. М'яч
2. Мʼяч
3. М’яч
1 2 3 <- м'яч
1 2 3 <- м‘яч
1 2 3 <- мяч

en
1. Levi's
2. Levi’s
3. Leviʼs
4. Levi´s
5. Levi\`s
1 2 3 4 5 <- levi's
1 2 3 4 5 <- levi’s
1 2 3 4 5 <- levis

uz
1. O'yinchoq
2. Oʻyinchoq
3. O‘yinchoq
1 2 3 <- o'yinchoq
1 2 3 <- oʻyinchoq
1 2 3 <- oyinchoq

he
1. צ'יפס
2. צ׳יפס
1 2 <- צ'יפס
1 2 <- צ׳יפס
1 2 <- ציפס

# Digits of every script are the same

fa
1. 128 گیگ
2. ۱۲۸ گیگ
3. १२८
3 1 2 <- 128
3 1 2 <- ۱۲۸
1 2 <- ١٢٨ گیگ

ar
1. هاتف 128
2. هاتف ١٢٨
1 2 <- هاتف 128
1 2 <- هاتف ١٢٨
1 2 <- ۱۲۸

hi
1. मोबाइल 128
2. मोबाइल १२८
1 2 <- मोबाइल १२८
1 2 <- 128

bn
1. মোবাইল 128
2. মোবাইল ১২৮
1 2 <- মোবাইল ১২৮
1 2 <- 128

ja
1. 電池 4本
2. 電池 ４本
1 2 <- 電池 4本
1 2 <- 電池 ４本

# Letters of every keyboard are the same

fa
1. کتاب
2. كتاب عربی
3. گوشی موبایل
4. گوشي موبايل
1 2 <- کتاب
1 2 <- كتاب
3 4 <- گوشی
3 4 <- گوشي موبايل

ur
1. کتاب
2. كتاب
3. ہار
4. هار
1 2 <- کتاب
1 2 <- كتاب
3 4 <- ہار
3 4 <- هار

ar
1. أحذية
2. احذية
3. حقيبة
4. حقيبه
1 2 <- أحذية
2 1 <- احذية
3 4 <- حقيبة
4 3 <- حقيبه

ro
1. Șosete
2. Şosete
1 2 <- șosete
2 1 <- şosete
1 2 <- sosete

nl
1. Ĳsmachine
2. IJsmachine
1 2 <- ijsmachine
1 2 <- ĳsmachine

ru
1. Ёлка
2. Елка
1 2 <- ёлка
2 1 <- елка

tr
1. IŞIK
2. Işık
3. İnci kolye
1 2 <- ışık
3 <- inci
3 <- İNCİ

el
1. Δίσκος
2. ΔΙΣΚΟΣ
1 2 <- δίσκος
1 2 <- ΔΊΣΚΟΣ
2 1 <- δισκος

# A letter has one form, whole and taken apart

ml
1. അവൻ
2. അവന്\u200d
1 2 <- അവൻ
1 2 <- അവന്\u200d

hi
1. कमी\u095b
2. कमी\u091c\u093c
1 2 <- कमी\u095b
1 2 <- कमी\u091c\u093c

bn
1. শা\u09dcি
2. শা\u09a1\u09bcি
1 2 <- শা\u09dcি
1 2 <- শা\u09a1\u09bcি

vi
1. Bàn phím
2. Ba\u0300n phi\u0301m
1 2 <- bàn phím
1 2 <- ba\u0300n phi\u0301m
1 2 <- ban phim

ja
1. バッテリー
2. ﾊﾞｯﾃﾘｰ
3. ハ\u3099ッテリー
1 2 3 <- バッテリー
1 2 3 <- ﾊﾞｯﾃﾘｰ

ko
1. 가방
2. \u1100\u1161\u1107\u1161\u11bc
1 2 <- 가방
1 2 <- \u1100\u1161\u1107\u1161\u11bc
# A letter behind a word is no ending of the word

de
1. Hose M
2. Hose S
3. Hose N
1 <- hose m
2 <- hose s

# A letter and a number, or a number and a raised unit, are found joined and apart

en
1. Nikon D850
2. Nikon D 850
1 2 <- d850
2 1 <- d 850
1 2 <- nikon d850

en
1. Rug 5 m²
2. Rug 5m2
3. Rug 5 m2
2 1 3 <- rug 5m2
1 3 2 <- 5 m²

en
1. Canon EOS5D
2. Canon EOS 5D
1 2 <- eos5d
2 1 <- eos 5d

# A size is one with the sign of a Cyrillic keyboard

ru
1. Полка 80х30
2. Полка 80 × 30
1 2 <- 80x30
1 2 <- полка 80х30

# A name is found with and without its apostrophe

de
1. Levi's Jeans
2. Levis Jeans
2 1 <- levis jeans

fr
1. L'Oréal Shampooing
2. Loreal Shampooing
2 1 <- loreal

# Accents, signs and forms as typed come first

en
1. Mouse
2. Mice
2 1 <- mice
1 2 <- mouse

en
1. Class C
2. Class C++
2 1 <- class c++
1 2 <- class c

de
1. Kühlschrank A+
2. Kühlschrank A++
2 1 <- kühlschrank a++
1 2 <- kühlschrank a+

es
1. Papa
2. Papá
2 1 <- papá
1 2 <- papa

pt
1. Colchão
2. Colchões
2 1 <- colchões
2 1 <- colchoes
1 2 <- colchão

sv
1. Bok
2. Böcker
2 1 <- böcker
2 1 <- bocker

uk
1. Сіль та перець
2. Сіль і перець
2 1 <- сіль і перець
1 2 <- сіль та перець

# Two words with a space between them are found by the word that joins them, whatever the others are

en
1. Sunglasses
2. Sun Glasses
3. Glasses for the Sun
1 2 <- sunglasses
2 1 3 <- sun glasses

en
1. Powerbank 20000
2. Power Bank 20000
1 2 <- powerbank
2 1 <- power bank

de
1. Handyhülle
2. Handy Hülle
1 2 <- handyhülle
2 1 <- handy hülle

de
1. Kaffeemaschine
2. Kaffee Maschine
1 2 <- kaffeemaschine
2 1 <- kaffee maschine

fr
1. Lave-vaisselle
2. Lave vaisselle
1 2 <- lave-vaisselle
1 2 <- lavevaisselle

ru
1. Смартчасы
2. Смарт часы
1 2 <- смартчасы
2 1 <- смарт часы

# A sign of a size stands between two numbers, with a space on both sides or none

en
1. BMW E84 X1 Floor Mats
2. Fujifilm 2023 X100V
3. Lenovo Gen 9 X1 Carbon
4. Frame 10 x 15
1 3 2 <- x1
1 <- e84 mats
2 <- fujifilm x100v
3 <- x1 carbon
4 <- 10x15

# A model number is found with a space at every change of letters and digits

en
1. Sony WH 1000 XM4
2. Sony WH-1000XM4
3. Sony WH1000XM4
4. iPhone 15 Pro
5. Case iphone15pro
3 2 1 <- wh1000xm4
1 2 3 <- wh 1000 xm4
5 4 <- iphone15pro

# Words that a stemmer would take for an ending are no part of a joined word

en
1. Star Ring
2. Star Poster
3. DVD starring Tom
4. Searing pan
5. Sear plate
1 <- star ring
nothing <- sea ring

# A stop word may be a part of a joined word

en
1. Make Up Brush
2. Makeup Brush
2 1 <- makeup

fr
1. T Shirt
2. Tshirt
2 1 <- tshirt

# Neighbours of a Chinese or Japanese word are found, though no dictionary has them

ja
1. 冷蔵庫
1 <- 蔵庫

zh
1. 羽绒服
1 <- 绒服

# A name is the query only in the same letters

de
1. Müsli
2. Muesli Riegel
2 1 <- muesli
1 2 <- müsli

de
1. Buch
2. Bücher
1 2 <- buch
2 1 <- bücher

# A raised number that is a note is no part of the word before it

en
1. Candle² holder
2. Oil³
3. Mat 50 cm²
4. Silver¹²
1 <- candle holder
nothing <- candle2
2 <- oil
3 <- 50cm2
4 <- silver

de
1. Kissen¹ blau
2. Folie 10 dm³
1 <- kissen blau
2 <- folie 10 dm3

# A joined word whose stem differs is found joined and apart

en
1. O'Reilly guide
2. OReilly map
3. Ereader sleeve
4. E-reader lamp
5. Escooter lock
6. E Scooter tyre
1 2 <- o'reilly
2 1 <- oreilly
4 3 <- e-reader
4 3 <- e reader
6 5 <- e scooter
6 5 <- e-scooters

it
1. Minigonne
2. Mini-gonne
2 1 <- mini gonne

# The accent of the query goes before other accents and none, also before a shorter name

fr
1. Peche
2. Pêche plate
3. Mure
4. Mûre sauvage
2 1 <- pêche
4 3 <- mûre
3 4 <- mure

de
1. Schon
2. Schön warm
2 1 <- schön

hu
1. Kór
2. Kőr
3. Kör alakú
4. Kor
3 1 2 4 <- kör

it
1. Pésca fresca
2. Pèsca fresca
2 1 <- pèsca
1 2 <- pésca

vi
1. Bán
2. Bàn gỗ
2 1 <- bàn

# A word is found at the end of a longer Chinese word

zh
1. 咖啡杯
2. 无线吸尘器
3. 全自动洗衣机
4. 儿童太阳镜
1 <- 杯
2 <- 吸尘器
2 <- 尘器
3 <- 洗衣机
4 <- 太阳镜

ja
1. 革手袋
2. 冷蔵庫ケース
3. 腕時計
1 <- 袋
2 <- 庫
3 <- 時計

# The vowel am is one sign in every spelling

th
1. กำไล
2. ก\u0e4d\u0e32ไล
3. ด้ำ
4. ด\u0e4d\u0e49\u0e32
1 2 <- กำไล
1 2 <- ก\u0e4d\u0e32ไล
3 4 <- ด้ำ
3 4 <- ด\u0e4d\u0e49\u0e32
3 4 <- ด\u0e33\u0e49

lo
1. ນ້ຳ
2. ນ\u0ecd\u0ec9\u0eb2
1 2 <- ນ້ຳ
1 2 <- ນ\u0ecd\u0ec9\u0eb2

# Groups of three digits are one number, written with a sign and without

en
1. Beads 2,500 pcs
2. Beads 2500 pcs
3. Lamp 1,250lm
4. Crate 1,000,000
5. Board 1,200 × 600 mm
6. Hose 15 m
7. Hose 1,5 m
8. Rod 0.125 in
2 1 <- beads 2500
1 2 <- beads 2,500
1 2 <- beads 2.500 pcs
3 <- 1250lm
3 <- lamp 1250 lm
3 <- lamp 1,250 lm
4 <- crate 1000000
5 <- 1200x600
5 <- board 1,200x600
6 <- 15 m
7 <- hose 1,5 m
nothing <- rod 0125

de
1. Kugeln 3.500 Stück
2. Uhr 1'250 Teile
3. Akku 26800mAh
1 <- kugeln 3500
2 <- uhr 1250
3 <- akku 26.800 mah

fr
1. Perles 12\u202f500 pièces
2. Batterie 26 800 mAh
3. Clous 4500
1 <- perles 12500
2 <- batterie 26800mah
3 <- clous 4 500

# A size may begin with letters

en
1. Wood screw M6 × 40
2. Dowel D10x80
3. Bit PH2 x 50
4. Rod Tr20 × 4
5. Tap M10 × 1.25
1 <- m6x40
1 <- screw m6 x 40
1 <- m6 screw
2 <- dowel d10 × 80
3 <- ph2x50
4 <- tr20x4
5 <- tap m10x1.25

# A number that a query repeats is looked for as often

en
1. Jeans 34/34
2. Jeans 30/34
3. Jeans W 34 L 34
4. Slipper 7.7
5. Slipper 7
6. Slipper 77
7. Fan 3.3 kW
8. Fan 3 kW
9. Fan 3.3kW plus
10. Fertiliser 20-20-20
11. Fertiliser 20-20-10
1 3 <- jeans 34/34
1 3 <- jeans 34 34
1 2 3 <- jeans 34
4 <- slipper 7.7
4 <- slipper 7,7
7 9 <- fan 3.3 kw
9 7 <- fan 3.3kw
10 <- fertiliser 20-20-20
10 11 <- fertiliser 20-20

`;
