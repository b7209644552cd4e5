/** `_headers` and `_redirects`: what a folder of assets says about its answers. Lines that mean nothing are left out. */
import { assetRulesMax } from '../limits.ts';
import { fillPlaceholders, parsePathPattern, type PathPattern } from './path-patterns.ts';

interface HeaderRule {
  readonly pattern: PathPattern;
  readonly set: readonly (readonly [name: string, value: string])[];
  readonly unset: readonly string[];
}

interface RedirectRule {
  readonly pattern: PathPattern;
  readonly to: string;
  readonly status: number;
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export class HeaderRules {
  readonly #rules: readonly HeaderRule[];

  constructor(text: string) {
    const rules: { pattern: PathPattern; set: [string, string][]; unset: string[] }[] = [];
    for (const line of listLines(text)) {
      if (/^(?:\/|https?:\/\/)/.test(line)) {
        if (rules.length === assetRulesMax) break;
        rules.push({ pattern: parsePathPattern(line), set: [], unset: [] });
        continue;
      }
      const rule = rules.at(-1);
      const colon = line.indexOf(':');
      if (line.startsWith('!')) rule?.unset.push(line.slice(1).trim());
      else if (headerName.test(line.slice(0, colon))) {
        rule?.set.push([line.slice(0, colon), line.slice(colon + 1).trim()]);
      }
    }
    this.#rules = rules;
  }

  apply(url: URL, headers: Headers): void {
    const named = new Set<string>();
    for (const { pattern, set, unset } of this.#rules) {
      const values = pattern.match(url);
      if (values === undefined) continue;
      for (const name of unset) if (headerName.test(name)) headers.delete(name);
      for (const [name, value] of set) {
        const key = name.toLowerCase();
        // A rule replaces what the server says, and joins what another rule says.
        if (named.has(key)) headers.append(name, fillPlaceholders(value, values));
        else headers.set(name, fillPlaceholders(value, values));
        named.add(key);
      }
    }
  }
}

export class RedirectRules {
  readonly #rules: readonly RedirectRule[];

  constructor(text: string) {
    this.#rules = listLines(text)
      .slice(0, assetRulesMax)
      .flatMap((line) => {
        const [from = '', to = '', code = '302'] = line.split(/\s+/);
        const status = Number(code);
        if (!from.startsWith('/') || !/^(?:\/|https?:\/\/)/.test(to) || !redirectStatuses.has(status))
          return [];
        return [{ pattern: parsePathPattern(from), to, status }];
      });
  }

  /** The answer for a path that a rule names. */
  find(url: URL): Response | undefined {
    for (const { pattern, to, status } of this.#rules) {
      const values = pattern.match(url);
      if (values === undefined) continue;
      const target = fillPlaceholders(to, values);
      const location = target.includes('?') ? target : `${target}${url.search}`;
      return new Response(null, { status, headers: { location } });
    }
    return undefined;
  }
}

function listLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
