/** Fields that Contract 9 added to types of the specification. */
export const additions: Readonly<Record<string, readonly string[]>> = {
  Product: [
    ...["sku", "mpn", "listPrice", "listPriceKind", "priorPrice", "discountPercent", "sale"],
    ...["upcomingSales", "priceRange", "unitPrice", "taxIncluded", "stock", "options", "variants"],
    ...["variant", "featuredVariant", "attributes", "images", "media", "condition"],
    ...["quantityRule", "rating", "related", "releaseDate", "delivery", "tags", "highlights"],
    ...["minimumAge", "warnings", "returns", "manufacturer", "responsiblePerson", "energyLabel"],
  ],
  ProductEdge: ["matchedVariants"],
  ProductFacets: ["options", "attributes"],
};

/** Types that Contract 9 added. */
export const addedTypes = [
  ...["Attribute", "AttributeInput", "Company", "Condition", "Delivery", "EnergyLabel", "Image"],
  ...["ListPriceKind", "MatchedVariants", "Measure", "Media", "MediaType", "NamedFacet"],
  ...["OptionInput", "OptionValue", "PriceRange", "ProductOption", "QuantityRule", "Rating"],
  ...["RelatedProduct", "Relationship", "ReturnFees", "Returns", "Sale", "Stock", "StockStatus"],
  ...["UnitPrice", "ValueFacet", "Variant", "VariantConnection", "VariantOption", "Warning"],
];
