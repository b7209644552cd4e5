/** Runs the detectors over one value, in every reading of it. */
import { spendSteps } from '#base';
import { has } from './character-classes.ts';
import { detectCode } from './code/detect-code.ts';
import { visitInnerTexts } from './decode/inner-texts.ts';
import { listReadings, type TextReading } from './decode/readings.ts';
import { detectDeserialisation } from './deserialisation/detect-deserialisation.ts';
import type { AttackKind, Detector, Finding, Reading } from './finding.ts';
import { detectHtml } from './html/detect-html.ts';
import { detectScript } from './html/detect-script.ts';
import { detectLdap } from './ldap/detect-ldap.ts';
import { innerDepthMax, readCharactersMax, stepsPerCharacter } from './limits.ts';
import { detectNosql, detectNosqlName } from './nosql/detect-nosql.ts';
import { detectPath } from './path/detect-path.ts';
import { detectShell } from './shell/detect-shell.ts';
import { detectSql } from './sql/detect-sql.ts';
import { detectSsrf } from './ssrf/detect-ssrf.ts';
import { detectXml } from './xml/detect-xml.ts';

interface Row {
  readonly kind: AttackKind;
  readonly detect: Detector;
  /** A text without a character of one of these kinds needs no look. */
  readonly needs: readonly number[];
}

const {
  quote,
  less,
  parenthesis,
  separator,
  dollar,
  slash,
  brace,
  operator,
  dash,
  colon,
  space,
  bracket,
  at,
  dot,
  high,
  control,
} = has;

const rows: readonly Row[] = [
  {
    kind: 'sql',
    detect: detectSql,
    needs: [
      quote | parenthesis | operator | dash | separator | space | slash,
      space | quote | parenthesis | slash | dash | operator,
    ],
  },
  { kind: 'script', detect: detectHtml, needs: [less | quote | colon | space, less | operator | colon] },
  {
    kind: 'script',
    detect: detectScript,
    needs: [parenthesis | bracket | quote | operator | dot, parenthesis | bracket | quote | operator | colon],
  },
  { kind: 'command', detect: detectShell, needs: [separator | dollar | slash | space | quote | brace] },
  { kind: 'path', detect: detectPath, needs: [slash | dot | colon, slash | dot] },
  { kind: 'code', detect: detectCode, needs: [brace | less | parenthesis | bracket | dollar | dot | at] },
  {
    kind: 'nosql',
    detect: detectNosql,
    needs: [dollar | separator | dot | quote, dollar | quote | parenthesis | brace | dot],
  },
  { kind: 'ldap', detect: detectLdap, needs: [parenthesis] },
  { kind: 'ssrf', detect: detectSsrf, needs: [slash | colon, slash] },
  {
    kind: 'deserialisation',
    detect: detectDeserialisation,
    needs: [colon | less | quote | slash | control | high | operator | bracket | dot | dash],
  },
  { kind: 'xxe', detect: detectXml, needs: [less] },
];

/** Beyond these, a text has only letters, digits and signs that say nothing: it may still be a word or hide Base64. */
const anySign =
  quote |
  less |
  parenthesis |
  separator |
  dollar |
  slash |
  brace |
  operator |
  colon |
  space |
  bracket |
  at |
  dot |
  control |
  dash |
  high |
  has.escape;

/** The surest finding of each kind; none for an ordinary value. */
export function inspectText(value: string): readonly Finding[] {
  if (value.length < 2) return [];
  const found = new Map<AttackKind, Finding>();
  inspectValue(value, [], found);
  return found.size === 0 ? [] : [...found.values()];
}

function inspectValue(value: string, inside: readonly string[], found: Map<AttackKind, Finding>): void {
  for (const reading of listReadings(value)) {
    inspectReading(reading, inside, found);
    if (inside.length < innerDepthMax && (reading.bits & document) !== 0) {
      visitInnerTexts(reading.text, (text, name) => {
        if (text.length > 1) inspectValue(text, [...inside, name], found);
      });
    }
  }
}

/** Texts without these contain no other texts. */
const document = brace | has.bracket | operator;

/** What these begin with has none of the signs that detectors look for. */
const encodedObject = /^(?:rO0AB|AAEAAAD|aced0005|gA[SJN])/i;

function inspectReading(
  reading: TextReading,
  inside: readonly string[],
  found: Map<AttackKind, Finding>,
): void {
  const { text, bits } = reading;
  if ((bits & anySign) === 0 && !encodedObject.test(text)) return;
  for (const { kind, detect, needs } of rows) {
    if (
      needs.some((mask) => (bits & mask) === 0) &&
      !(kind === 'deserialisation' && encodedObject.test(text))
    )
      continue;
    const known = found.get(kind);
    if (known !== undefined && known.confidence >= 90) continue;
    spendSteps(stepsPerCharacter * text.length);
    const read = detect(text);
    if (read !== undefined && read.confidence > (known?.confidence ?? 0))
      found.set(kind, createFinding(kind, read, { ...reading, inside }));
  }
}

/** Only what counts in a whole document of markup: its texts and attributes are values of their own. */
export function inspectMarkup(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { kind, detect } of rows) {
    if (kind !== 'xxe' && kind !== 'deserialisation') continue;
    spendSteps(stepsPerCharacter * text.length);
    const read = detect(text);
    if (read !== undefined) findings.push(createFinding(kind, read, { text, undone: [], inside: [] }));
  }
  return findings;
}

function createFinding(
  kind: AttackKind,
  { confidence, why, start, end }: Reading,
  {
    text,
    undone,
    inside,
  }: { readonly text: string; readonly undone: readonly string[]; readonly inside: readonly string[] },
): Finding {
  const read = text.slice(start, Math.min(end, start + readCharactersMax));
  return { kind, confidence, why, read, at: start, undone, inside };
}

/** A name that reaches the prototype of all objects: `__proto__[x]`, `constructor.prototype.x`. */
const prototypeName = /(?:^|[.[\]/])(?:__proto__|constructor(?:\]?\[|\.|\/)prototype)(?:$|[.[\]/])/;

/** The name of an argument, beside what it says as a text: `password[$ne]`. */
export function inspectName(name: string): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (kind: AttackKind, read: Reading | undefined): void => {
    if (read !== undefined) findings.push(createFinding(kind, read, { text: name, undone: [], inside: [] }));
  };
  add('nosql', detectNosqlName(name));
  if (prototypeName.test(name))
    add('code', {
      confidence: 90,
      why: 'a name that changes the prototype of all objects',
      start: 0,
      end: name.length,
    });
  return findings;
}
