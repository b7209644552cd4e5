/**
 * Rules for the detectors (room `detection`): for each kind of attack, one that blocks sure findings, and one that logs
 * likely ones. They come last: a signature that names the vulnerability is more specific.
 */
import { likelyMin, sureMin } from '#detection';
import type { Signature } from './signature.ts';

interface Detected {
  readonly kind: string;
  /** The number in the ids of its two rules. */
  readonly number: string;
  readonly what: string;
  readonly categories: readonly string[];
  /** Tags of the OWASP rules about the same attack, which support the detector if it is uncertain. */
  readonly supportedBy: readonly string[];
  /** The minimum score of that support, if two critical rules are not enough. */
  readonly scoreMin?: number;
  /** Whether the detector has uncertain findings; it has by default. */
  readonly hasLikely?: false;
}

/** Two critical rules. */
const scoreMinDefault = 10;

const kinds: readonly Detected[] = [
  {
    kind: 'sql',
    number: '01',
    what: 'SQLi - SQL in a value',
    categories: ['sqli'],
    supportedBy: ['attack-sqli'],
  },
  {
    kind: 'script',
    number: '02',
    what: 'XSS - script in a value',
    categories: ['xss'],
    supportedBy: ['attack-xss'],
    // Three of them match every `<script>`, even in a search for it.
    scoreMin: 20,
  },
  {
    kind: 'command',
    number: '03',
    what: 'Command injection - command in a value',
    categories: ['command-injection', 'rce'],
    supportedBy: ['attack-rce'],
    // Two match the command lines that packages, clusters and code search receive.
    scoreMin: 15,
  },
  {
    kind: 'path',
    number: '04',
    what: 'File inclusion - path in a value',
    categories: ['lfi', 'directory-traversal'],
    supportedBy: ['attack-lfi', 'attack-rfi'],
  },
  {
    kind: 'code',
    number: '05',
    what: 'Code injection - template or code in a value',
    categories: ['ssti', 'rce'],
    supportedBy: [
      'attack-rce',
      'attack-ssti',
      'attack-injection-php',
      'attack-injection-java',
      'attack-injection-nodejs',
      'attack-injection-generic',
    ],
  },
  {
    kind: 'nosql',
    number: '06',
    what: 'NoSQL injection - operator or script in a value',
    categories: ['nosqli'],
    supportedBy: ['attack-sqli', 'attack-injection-generic'],
    // Two match the operators of filters.
    scoreMin: 15,
  },
  {
    kind: 'ldap',
    number: '07',
    what: 'LDAP injection - filter in a value',
    categories: ['ldapi'],
    supportedBy: [],
    hasLikely: false,
  },
  {
    kind: 'ssrf',
    number: '08',
    what: 'SSRF - address of an internal service in a value',
    categories: ['ssrf'],
    supportedBy: ['attack-ssrf', 'attack-rfi'],
  },
  {
    kind: 'deserialisation',
    number: '09',
    what: 'Deserialisation - object in a value',
    categories: ['deserialization', 'rce'],
    supportedBy: [],
    hasLikely: false,
  },
  {
    kind: 'xxe',
    number: '10',
    what: 'XXE - XML that loads files',
    categories: ['xxe'],
    supportedBy: [],
    hasLikely: false,
  },
  {
    kind: 'crlf',
    number: '11',
    what: 'Header injection - header in a value',
    categories: ['crlf', 'header-injection'],
    supportedBy: [],
  },
];

export const detectors: readonly Signature[] = [
  ...kinds.map(({ kind, number, what, categories }): Signature => ({
    legacyId: `GH01${number}`,
    description: what,
    categories: [...categories, 'detector'],
    expression: `gatehouse.attack.${kind} ge ${sureMin}`,
  })),
  ...kinds
    .filter(({ hasLikely }) => hasLikely !== false)
    .map(({ kind, number, what, categories, supportedBy, scoreMin = scoreMinDefault }): Signature => ({
      legacyId: `GH02${number}`,
      description: `${what}, likely`,
      categories: [...categories, 'detector'],
      action: 'log',
      sure: {
        legacyId: `GH01${number}`,
        tags: supportedBy,
        scoreMin,
        expression: `not (gatehouse.attack.findings["${kind}"] contains "\\"isShown\\":true")`,
      },
      expression: `gatehouse.attack.${kind} ge ${likelyMin} and gatehouse.attack.${kind} lt ${sureMin}`,
    })),
];
