/**
 * Prints a Markdown table of the time that every evil pattern takes for 1, 8 and 64 KiB of its worst text, or the
 * reason why it is refused: `node src/rules/regex/pumped-table.ts`.
 */
import { evilPatterns, pumped } from './evil-patterns.ts';
import { parsePattern } from './parse-pattern.ts';
import type { Pattern } from './types.ts';

const lengths = [1024, 8192, 65_536];
const runs = 3;

console.log('| pattern | dialect | V8 up to | 1 KiB ms | 8 KiB ms | 64 KiB ms |\n|---|---|---|---|---|---|');
for (const evil of evilPatterns) {
  const { source, dialect } = evil;
  const head = `| \`${source.replaceAll('|', '\\|')}\` | ${dialect}`;
  const parsed = parsePattern(source, dialect);
  if (parsed.ok) {
    const times = lengths.map((length) => worstTimeOf(parsed.pattern, pumped(evil, length)));
    console.log(
      `${head} | ${nativeLimitOf(parsed.pattern)} | ${times.map((ms) => ms.toFixed(2)).join(' | ')} |`,
    );
  } else console.log(`${head} | refused: ${parsed.error.reason} | | | |`);
}

function nativeLimitOf({ nativeLengthMax }: Pattern): string {
  if (nativeLengthMax === Infinity) return 'any length';
  return nativeLengthMax === -1 ? 'never' : `${nativeLengthMax} bytes`;
}

/** A value without the required literals is rejected at once, so they are put at both ends. */
function worstTimeOf(pattern: Pattern, value: string): number {
  const required = pattern.requiredLiterals?.literals.join('') ?? '';
  const values = [value, `${required}\n${value}`, `${value}\n${required}`];
  return Math.max(...values.map((each) => timeOf(pattern, each)));
}

function timeOf(pattern: Pattern, value: string): number {
  let best = Infinity;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    pattern.test(value);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
