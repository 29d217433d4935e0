/** Values of a template of addresses: `https://shop.example/c/{slug}`. */
export interface AddressParts {
  readonly id: number | string;
  readonly name?: string;
  readonly slug?: string;
  readonly sku?: string;
}

/** Fills a template; a part that the entity lacks is empty. */
export const fillAddress = (template: string, parts: AddressParts): string =>
  template.replace(/\{(id|name|slug|sku)\}/g, (_, name: keyof AddressParts) =>
    encodeURIComponent(parts[name] ?? ""),
  );
