/** Options of esbuild that the program and the bundled tests have in common. */
export const bundleOptions = {
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  mainFields: ["module", "main"],
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: true,
  // Joins object literals that are spread into another, which V8 would copy member by member.
  minifySyntax: true,
  // In its development mode, graphql-js looks for other copies of itself at each test of a type.
  define: { "process.env.NODE_ENV": '"production"' },
  // CommonJS packages call `require` for built-in modules of Node.
  banner: {
    js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
  },
};
