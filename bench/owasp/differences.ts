/** Why libmodsecurity and our engine match other rules on the same request. */
import type { Rule } from '../../src/rules/seclang.ts';

/** Rules about requests. Those of the package's own settings and the sums of scores are not part of CRS's verdict. */
export function isCompared(id: number): boolean {
  return id >= 910_000 && id < 949_000;
}

interface Reason {
  readonly text: string;
  /** Whether it explains that a rule matches this request in one of the engines only. */
  explains(rule: Rule, request: string): boolean;
}

const looksAt = (rule: Rule, variables: RegExp): boolean =>
  rule.links.some(({ test }) => test?.targets.included.some(({ variable }) => variables.test(variable)));

const operatorHas = (rule: Rule, pattern: RegExp): boolean =>
  rule.links.some(({ test }) => test !== undefined && pattern.test(test.operatorText));

const headOf = (request: string): string => request.slice(0, request.indexOf('\r\n\r\n') + 2);

const reasons: readonly Reason[] = [
  {
    text: 'SQL and markup are read by our own detectors, not by libinjection',
    explains: (rule) => operatorHas(rule, /@detect(?:SQLi|XSS)/),
  },
  {
    text: 'a backslash that is written twice in a rule is one, as in Apache, which the rules are written for',
    explains: (rule) => operatorHas(rule, /\\\\/),
  },
  {
    text: 'libmodsecurity has the bytes of XML, JSON and multipart bodies in REQUEST_BODY as well',
    explains: (rule, request) =>
      looksAt(rule, /^REQUEST_BODY$/) && /^content-type:[^\r]*(?:xml|json|multipart)/im.test(headOf(request)),
  },
  {
    text: 'libmodsecurity keeps the line ends of the headers of parts',
    explains: ({ id }, request) =>
      id >= 922_000 && id < 923_000 && /^content-type:[^\r]*multipart/im.test(headOf(request)),
  },
  {
    text: 'libmodsecurity decodes REQUEST_URI and REQUEST_LINE',
    explains: (rule, request) =>
      looksAt(rule, /^REQUEST_(?:URI|LINE)(?:_RAW)?$/) && /%/.test(request.split('\r\n', 1)[0]!),
  },
  {
    text: 'nginx drops headers whose names have other characters than letters, digits and dashes',
    explains: (rule, request) =>
      looksAt(rule, /^REQUEST_HEADERS/) &&
      /^[^\r\n:]*[^\w\r\n:-][^\r\n:]*:|^[^\r\n:]*_[^\r\n:]*:/m.test(headOf(request)),
  },
];

/** Undefined if a rule differs for which there is no reason. */
export function explainDifference(request: string, rules: readonly Rule[]): string | undefined {
  const found = rules.map((rule) => reasons.find(({ explains }) => explains(rule, request))?.text);
  return found.includes(undefined) ? undefined : [...new Set(found)].join('; ');
}
