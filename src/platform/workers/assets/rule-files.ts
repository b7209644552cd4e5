/** `_headers` and `_redirects`: rules of a folder of assets for its answers. Invalid lines are ignored. */
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

/** Answers with the content of another path: the URL does not change. */
const proxyStatus = 200;
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
        // A rule replaces the server's value, and is appended to that of another rule.
        if (named.has(key)) headers.append(name, fillPlaceholders(value, values));
        else headers.set(name, fillPlaceholders(value, values));
        named.add(key);
      }
    }
  }
}

/** The result of a rule: an answer, or the path of this site whose asset is served instead. */
export type Redirection = { readonly answer: Response } | { readonly path: string };

export class RedirectRules {
  readonly #rules: readonly RedirectRule[];

  constructor(text: string) {
    this.#rules = listRedirects(text).flatMap(({ from, to, status }) => {
      const isKnown = status === proxyStatus ? isOwnPath(to) : redirectStatuses.has(status);
      return isKnown ? [{ pattern: parsePathPattern(from), to, status }] : [];
    });
  }

  /** The result of the first rule for the path. */
  find(url: URL): Redirection | undefined {
    for (const { pattern, to, status } of this.#rules) {
      const values = pattern.match(url);
      if (values === undefined) continue;
      const target = fillPlaceholders(to, values);
      if (status === proxyStatus) return { path: new URL(target, url.origin).pathname };
      const location = target.includes('?') ? target : `${target}${url.search}`;
      return { answer: new Response(null, { status, headers: { location } }) };
    }
    return undefined;
  }
}

/** The lines of `_redirects` with status 200 that point to another site, which are ignored as on Cloudflare. */
export function listForeignProxies(text: string): string[] {
  return listRedirects(text)
    .filter(({ to, status }) => status === proxyStatus && !isOwnPath(to))
    .map(({ line }) => line);
}

function listRedirects(text: string): { line: string; from: string; to: string; status: number }[] {
  return listLines(text)
    .slice(0, assetRulesMax)
    .flatMap((line) => {
      const [from = '', to = '', code = '302'] = line.split(/\s+/);
      if (!from.startsWith('/') || !/^(?:\/|https?:\/\/)/.test(to)) return [];
      return [{ line, from, to, status: Number(code) }];
    });
}

/** `//host/` names another site. */
function isOwnPath(to: string): boolean {
  return to.startsWith('/') && !to.startsWith('//');
}

function listLines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
