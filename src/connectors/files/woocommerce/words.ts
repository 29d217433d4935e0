import type { ColumnWords } from "../rows.ts";

const split = (words: string): readonly string[] => words.split(/\s*\|\s*/);

/**
 * Words of the header of WooCommerce's export in English, German, French, Spanish, Italian, Dutch, Portuguese, Polish and
 * Swedish, also of older versions. The columns have the names of the exporter.
 */
export const wooCommerceWords = {
  id: split(`ID`),
  type: split(`Type|Typ|Tipo`),
  sku: split(`SKU|Artikelnummer|UGS|COD|REF|Artikelnr`),
  global_unique_id: split(`GTIN, UPC, EAN, or ISBN|GTIN, UPC, EAN oder ISBN|GTIN, UPC, EAN ou ISBN|
    GTIN, UPC, EAN o ISBN|GTIN, UPC, EAN, o ISBN|GTIN, UPC, EAN of ISBN|GTIN, UPC, EAN lub ISBN|
    GTIN, UPC, EAN eller ISBN`),
  name: split(`Name|Nom|Nombre|Nome|Naam|Nazwa|Namn`),
  published: split(`Published|Veröffentlicht|Publié|Publicado|Pubblicato|Gepubliceerd|Opublikowany|
    Opublikowano|Publicerad`),
  catalog_visibility: split(`Visibility in catalog|Sichtbarkeit im Katalog|
    Visibilité dans le catalogue|Visibilidad en el catálogo|Visibilità nel catalogo|
    Zichtbaarheid in catalogus|Visibilidade no catálogo|Widoczność w katalogu|Synlighet i katalog`),
  short_description: split(`Short description|Kurzbeschreibung|Description courte|Descripción corta|
    Breve descrizione|Korte omschrijving|Descrição curta|Descrição breve|Krótki opis|
    Kort beskrivning`),
  description: split(`Description|Beschreibung|Descripción|Descrizione|Beschrijving|Descrição|Opis|
    Beskrivning`),
  date_on_sale_from: split(`Date sale price starts|Datum, an dem Angebotspreis beginnt|
    Date de début de promo|Día en que empieza el precio rebajado|
    Data di partenza del prezzo in saldo|Startdatum actieprijs|Data de preço promocional começa em|
    Data de início do preço promocional|Data rozpoczęcia promocji|Datum när reapriset börjar`),
  date_on_sale_to: split(`Date sale price ends|Datum, an dem Angebotspreis endet|
    Date de fin de promo|Día en que termina el precio rebajado|Data in cui termina l'offerta|
    Einddatum actieprijs|Data de preço promocional termina em|Data de término do preço promocional|
    Data zakończenia promocji|Datum när reapriset upphör`),
  stock_status: split(`In stock?|Vorrätig?|En stock ?|¿En inventario?|Op voorraad?|Em estoque?|
    Em stock?|W magazynie?|I lager?`),
  stock: split(`Stock|Lager|Bestand|Inventario|Magazzino|Voorraad|Estoque|Magazyn|Stan magazynowy|
    Lagersaldo`),
  backorders: split(`Backorders allowed?|Lieferrückstande erlaubt?|
    Autoriser les commandes de produits en rupture ?|¿Permitir reservas de productos agotados?|
    Abilita gli ordini arretrati?|Nabestellingen toestaan?|São permitidas encomendas?|
    Permitir encomendas pendentes?|Pozwalać na zamówienia oczekujące (na dostawę do magazynu)?|
    Tillåt restnoteringar?`),
  sale_price: split(`Sale price|Angebotspreis|Tarif promo|Precio rebajado|Prezzo in offerta|
    Actieprijs|Preço promocional|Cena promocyjna|Reapris`),
  regular_price: split(`Regular price|Regulärer Preis|Tarif régulier|Precio normal|
    Prezzo di listino|Reguliere prijs|Preço|Preço normal|Cena|Ordinarie pris`),
  category_ids: split(`Categories|Kategorien|Catégories|Categorías|Categorie|Categorieën|Categorias|
    Kategorie|Kategorier`),
  tag_ids: split(`Tags|Schlagwörter|Étiquettes|Etiquetas|Tag|Tagi|Taggar`),
  images: split(`Images|Bilder|Imágenes|Immagine|Afbeeldingen|Imagens|Obrazki`),
  parent_id: split(`Parent|Übergeordnetes Produkt|Superior|Genitore|Hoofd|Produto ascendente|Pai|
    Rodzic|Element nadrzędny|Förälder`),
  grouped_products: split(`Grouped products|Gruppierte Produkte|Groupes de produits|
    Productos agrupados|Prodotti raggruppati|Gegroepeerde producten|Grupo de produtos|
    Produtos agrupados|Produkty grupowe|Grupperade produkter`),
  upsell_ids: split(`Upsells|Zusatzverkäufe|Produits suggérés|Ventas dirigidas|Up-sell|
    Aumentar vendas|Aumenta vendas|Produkty "up-sell"|Merförsäljning`),
  cross_sell_ids: split(`Cross-sells|Cross-Sells (Querverkäufe)|Ventes croisées|Ventas cruzadas|
    Cross-sell|Venda cruzada|Vendas cruzadas|Produkty "Cross-sell"|Korsförsäljning`),
  brand_ids: split(`Brands|Marken|Marques|Marcas|Marchi|Merken|Marki|Varumärken`),
  attribute_name: split(`Attribute %d name|Attribut %d Name|Nom de l'attribut %d|
    Nombre del atributo %d|Attributo %d nome|Naam eigenschap %d|Nome do atributo %d|
    Atributo %d nome|Nazwa atrybutu %d|Attribut %d namn`),
  attribute_value: split(`Attribute %d value(s)|Attribut %d Wert(e)|Valeur(s) de l'attribut %d|
    Valor(es) del atributo %d|Attributo %d valuta(e)|Waarde eigenschap %d|Valores do atributo %d|
    Atributo %d valor(es)|Wartości atrybutu %d|Attribut %d värde(n)`),
  attribute_visible: split(`Attribute %d visible|Attribut %d Sichtbar|Attribut %d visible|
    Atributo visible %d|Attributo %d visibile|Zichtbare eigenschap %d|Visibilidade do atributo %d|
    Atributo %d visível|Atrybut %d widoczny|Attribut %d synligt`),
} as const satisfies ColumnWords<string>;
