/** Style sheets of the page take every colour, size and space from `tokens.css`, whose colours have enough contrast. */
import { deepEqual, ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '../src/browser/page');
const tokens = readFileSync(join(folder, 'styles/tokens.css'), 'utf8');

/** Each property with its allowed values; others are unrestricted. */
const allowed: readonly (readonly [property: RegExp, value: RegExp])[] = [
  [/^font-size$/, /^(?:var\(--text-\w+\)|inherit)$/],
  [/^font-weight$/, /^(?:var\(--weight-\w+\)|inherit|normal)$/],
  [/^border-radius$/, /^(?:var\(--radius[\w-]*\)|0|inherit)(?: (?:var\(--radius[\w-]*\)|0))*$/],
  [
    /^(?:padding|margin|gap|row-gap|column-gap)\b/,
    /^(?:(?:0|auto|var\(--space-\d+\)|calc\([^a-z]*(?:(?:var\(--space-\d+\)|1lh)[^a-z]*)+\))(?: |$))+$/,
  ],
  [/^(?:transition|animation)/, /var\(--motion\)|^none/],
];
const stray =
  /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|lab|color)\(|:\s*(?:white|black|red|gr[ae]y|blue|green)\b/i;

test('style sheets use the tokens: no colour, size, space, corner or motion of their own', () => {
  const found = globSync('**/*.css', { cwd: folder })
    .filter((name) => name !== 'styles/tokens.css')
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .flatMap((line, index) => {
          const [, property = '', value = ''] =
            /^\s*([a-z-]+):\s*([^;]+?)(?: !important)?;$/.exec(line) ?? [];
          const rule = allowed.find(([pattern]) => pattern.test(property));
          const isStray = stray.test(line) || (rule !== undefined && !rule[1].test(value));
          return isStray ? [`${name}:${index + 1} ${line.trim()}`] : [];
        }),
    );
  deepEqual(found, [], 'docs/reference/design.md lists the tokens');
});

test('every token that a style sheet or a part names exists, and each is used', () => {
  const defined = new Set([...tokens.matchAll(/^\s+(--[\w-]+):/gm)].map(([, name]) => name!));
  const read = (pattern: string, name: RegExp): Set<string> =>
    new Set(
      globSync(pattern, { cwd: folder }).flatMap((file) =>
        [...readFileSync(join(folder, file), 'utf8').matchAll(name)].map(([, each]) => each!),
      ),
    );
  const named = read('**/*.{css,ts,tsx}', /var\((--[\w-]+)/g);
  const used = named.union(read('**/*.{ts,tsx}', /'(--[\w-]+)'/g));
  deepEqual([...named.difference(defined)], []);
  // Charts have any number of series.
  deepEqual(
    [...defined.difference(used)].filter((name) => !name.startsWith('--series-')),
    [],
  );
});

/** The texts on each surface. */
const pairs: readonly (readonly [text: string, surfaces: readonly string[]])[] = [
  ['text', ['surface', 'raised', 'sunken', 'accent-soft', 'warn-soft', 'bad-soft', 'good-soft', 'info-soft']],
  ['text-soft', ['surface', 'raised', 'sunken']],
  ['accent', ['surface', 'raised', 'sunken', 'accent-soft']],
  ['accent-strong', ['accent-soft']],
  ['on-accent', ['accent']],
  ['good', ['raised', 'good-soft']],
  ['warn', ['raised', 'warn-soft']],
  ['bad', ['raised', 'surface', 'bad-soft']],
  ['info', ['info-soft']],
];
const contrastMin = 4.5;

test('every text colour has a contrast of 4.5 on the surfaces it stands on, in both themes', () => {
  for (const [text, surfaces] of pairs) {
    for (const surface of surfaces) {
      for (const theme of [0, 1] as const) {
        const ratio = contrast(readColor(text, theme), readColor(surface, theme));
        ok(
          ratio >= contrastMin,
          `--${text} on --${surface}: ${ratio.toFixed(2)} in the ${['light', 'dark'][theme]} theme`,
        );
      }
    }
  }
});

function readColor(name: string, theme: 0 | 1): readonly number[] {
  const values = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens)!;
  return [1, 3, 5].map((at) => Number.parseInt(values[theme + 1]!.slice(at, at + 2), 16) / 255);
}

/** In WCAG's definition. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const [low, high] = [one, other].map(luminance).toSorted((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: readonly number[]): number {
  const [red, green, blue] = color.map((each) =>
    each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
