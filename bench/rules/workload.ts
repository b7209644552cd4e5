/** Rules and requests for the benchmark, the same for the same seed on every machine. */
import type { Value } from '../../src/rules/expressions.ts';
import { parseIp } from '../../src/foundation/addresses.ts';
import { Random } from '../../test/faults/random.ts';

const letters = Array.from('abcdefghijklmnopqrstuvwxyz');

function word(random: Random, lengthMin: number, lengthMax: number): string {
  const length = lengthMin + random.below(lengthMax - lengthMin + 1);
  return Array.from({ length }, () => random.pick(letters)).join('');
}

/** Countries that no request comes from, and those that they come from. */
const ruleCountries = letters.flatMap((first) =>
  letters.slice(10, 20).map((second) => (first + second).toUpperCase()),
);
const requestCountries = ['DE', 'CA', 'AU', 'GB', 'CH', 'SE'];

function network(random: Random): string {
  return `10.${random.below(256)}.${random.below(256)}.0/24`;
}

/** Templates for rules of each kind. Half are equalities, which the caller generates. */
const equalities: readonly ((random: Random) => string)[] = [
  (random) => `http.host eq "${word(random, 5, 12)}.example.com"`,
  (random) =>
    `http.host eq "${word(random, 5, 12)}.example.com" and http.request.uri.path eq "/${word(random, 4, 9)}"`,
  (random) => `http.request.uri.path eq "/${word(random, 3, 8)}/${word(random, 4, 9)}"`,
  (random) => `http.request.uri.path in {"/${word(random, 4, 9)}" "/${word(random, 4, 9)}.php"} and ssl`,
];
const others: readonly ((random: Random) => string)[] = [
  (random) => `http.request.uri.path contains "/${word(random, 5, 9)}"`,
  (random) => `http.user_agent contains "${word(random, 5, 9)}"`,
  (random) => `http.request.uri.path matches "^/${word(random, 4, 8)}/v[0-9]+/"`,
  (random) => String.raw`http.user_agent matches "(?i)${word(random, 5, 9)}/\d+\.\d+"`,
  (random) => `ip.src in {${network(random)} ${network(random)}}`,
  (random) => `ip.src in {${network(random)}} and not http.request.method eq "GET"`,
  (random) => `ip.src.country eq "${random.pick(ruleCountries)}"`,
  (random) =>
    `ip.src.country in {"${random.pick(ruleCountries)}" "${random.pick(ruleCountries)}"} and http.request.uri.path contains "/${word(random, 3, 6)}"`,
];

export function mixedRules(count: number, seed: number): string[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, index) =>
    random.pick(index % 2 === 0 ? equalities : others)(random),
  );
}

export type Facts = Readonly<Record<string, Value>>;

const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
];

/** Requests of a shop that no generated rule is about. */
export function plainRequests(count: number, seed: number): Facts[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const headerNames = [
      'Host',
      'User-Agent',
      'Accept',
      'Accept-Language',
      'Accept-Encoding',
      'Connection',
      'Referer',
      'Cookie',
      'Cache-Control',
      'X-Request-Id',
    ];
    return {
      'http.host': flat(`shop-${random.below(40)}.example.net`),
      'http.request.method': flat(random.pick(['GET', 'GET', 'POST'])),
      'http.request.uri.path': flat(`/products/${random.below(1000)}-item/${random.below(100_000)}.html`),
      'http.request.uri.query': flat(`page=${random.below(30)}&sort=price`),
      'http.user_agent': flat(random.pick(agents)),
      'http.request.headers.names': headerNames.map(flat),
      'ip.src': parseIp(`198.51.${random.below(256)}.${random.below(256)}`)!,
      'ip.src.country': flat(random.pick(requestCountries)),
      'ip.src.asnum': 64_000 + random.below(1000),
      ssl: random.chance(0.9),
    };
  });
}

/** A fresh string, like one that has just arrived from a socket. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** The same facts in fresh strings: V8 caches the hash of a string. */
export function freshCopy(facts: Facts): Facts {
  const entries = Object.entries(facts).map(([key, value]) => [
    key,
    typeof value === 'string' ? flat(value) : value,
  ]);
  return Object.fromEntries(entries) as Facts;
}

/** The same requests, some of them changed so that equalities, countries and addresses of the rules match. */
export function matchingRequests(count: number, seed: number, rules: readonly string[]): Facts[] {
  const random = new Random(seed + 1);
  const valueIn = (pattern: RegExp): string | undefined => {
    for (let attempt = 0; attempt < 50; attempt++) {
      const found = pattern.exec(random.pick(rules))?.[1];
      if (found !== undefined) return flat(found);
    }
    return undefined;
  };
  return plainRequests(count, seed).map((facts) => ({
    ...facts,
    'http.host': valueIn(/http\.host eq "([^"]+)"$/) ?? facts['http.host']!,
    'http.request.uri.path': valueIn(/path contains "([^"]+)"$/) ?? facts['http.request.uri.path']!,
    'ip.src.country': valueIn(/country eq "([^"]+)"/) ?? facts['ip.src.country']!,
  }));
}
