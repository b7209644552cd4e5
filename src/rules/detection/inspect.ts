/** Runs the detectors on one value, in every reading of it. */
import { spendSteps } from '#work';
import { has } from './character-classes.ts';
import { detectCode } from './code/detect-code.ts';
import { looksLikeToken, scripts, visitInnerTexts } from './decode/inner-texts.ts';
import { listReadings, type TextReading } from './decode/readings.ts';
import { detectDeserialisation } from './deserialisation/detect-deserialisation.ts';
import {
  type AttackKind,
  type Detector,
  type Finding,
  type DetectorReading,
  settledMin,
  sureMin,
} from './finding.ts';
import { detectHtml } from './html/detect-html.ts';
import { detectScript } from './html/detect-script.ts';
import { detectLdap } from './ldap/detect-ldap.ts';
import {
  innerDepthMax,
  longCharactersMin,
  readCharactersMax,
  stepsPerCharacter,
  stepsPerCharacterOnce,
  stepsPerReading,
} from './limits.ts';
import { detectLines } from './lines/detect-lines.ts';
import { detectNosql, detectNosqlName } from './nosql/detect-nosql.ts';
import { detectPath } from './path/detect-path.ts';
import { isProse } from './prose.ts';
import { detectShell } from './shell/detect-shell.ts';
import { detectSql } from './sql/detect-sql.ts';
import { detectSsrf } from './ssrf/detect-ssrf.ts';
import { detectXml } from './xml/detect-xml.ts';

interface DetectorRow {
  readonly kind: AttackKind;
  readonly detect: Detector;
  /** Only a text with a character of one of the first kinds, and one of the second, is examined. */
  readonly one: number;
  readonly other: number;
  /** The minimum cost, however short the text is. */
  readonly steps: number;
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

const anything = -1;

const rows: readonly DetectorRow[] = [
  {
    kind: 'sql',
    detect: detectSql,
    one: space | quote | parenthesis | slash | dash | operator,
    other: anything,
    steps: 45,
  },
  {
    kind: 'script',
    detect: detectHtml,
    one: less | quote | colon | space,
    other: less | operator | colon,
    steps: 95,
  },
  {
    kind: 'script',
    detect: detectScript,
    one: parenthesis | bracket | quote | operator | dot,
    other: parenthesis | bracket | quote | operator | colon,
    steps: 90,
  },
  {
    kind: 'command',
    detect: detectShell,
    one: separator | dollar | slash | quote | brace | dash,
    other: separator | dollar | slash | quote | brace | space | operator,
    steps: 165,
  },
  { kind: 'path', detect: detectPath, one: slash | dot | colon, other: slash | dot, steps: 200 },
  {
    kind: 'code',
    detect: detectCode,
    one: brace | less | parenthesis | bracket | dollar | dot | at | separator | operator,
    other: brace | less | parenthesis | bracket | dollar | at | quote | operator | slash,
    steps: 60,
  },
  {
    kind: 'nosql',
    detect: detectNosql,
    one: dollar | separator | dot | quote | brace,
    other: dollar | quote | parenthesis | brace | dot | separator,
    steps: 20,
  },
  {
    kind: 'ldap',
    detect: detectLdap,
    one: parenthesis | bracket | quote,
    other: parenthesis | bracket | slash,
    steps: 20,
  },
  { kind: 'ssrf', detect: detectSsrf, one: slash | colon, other: slash, steps: 20 },
  {
    kind: 'deserialisation',
    detect: detectDeserialisation,
    one: colon | less | quote | slash | control | high | operator | bracket | dot | dash,
    other: colon | less | quote | control | high | separator | bracket | dot,
    steps: 20,
  },
  { kind: 'xxe', detect: detectXml, one: less, other: anything, steps: 20 },
  { kind: 'crlf', detect: detectLines, one: separator | high, other: colon | slash, steps: 70 },
];

/** Other texts have only letters, digits and harmless punctuation: such a text may still be a word or hide Base64. */
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

/** The surest finding of each kind, except for settled kinds; empty for an ordinary value. */
export function inspectText(value: string, settled: ReadonlySet<AttackKind> = noKinds): readonly Finding[] {
  if (value.length < 2 || isPlain(value)) return none;
  const found = new Map<AttackKind, Finding>();
  inspectValue(value, [], { found, settled, depths: undefined });
  return found.size === 0 ? none : [...found.values()];
}

const none: readonly Finding[] = [];
const noKinds: ReadonlySet<AttackKind> = new Set();

/** Words of letters and digits; short ones hide nothing, and only long ones may be Base64. */
const plainWord = /^[\w]{0,11}$/;

function isPlain(value: string): boolean {
  return value.length < 12 && plainWord.test(value);
}

interface Inspection {
  readonly found: Map<AttackKind, Finding>;
  readonly settled: ReadonlySet<AttackKind>;
  /**
   * The depth inside of the value at which each text was examined: it is not examined again at the same or a greater
   * depth.
   */
  depths: Map<string, number> | undefined;
}

/** Texts that are remembered while one value is examined. */
const depthsMax = 2_000;

function isNewInside(inspection: Inspection, text: string, inside: readonly string[]): boolean {
  // Commands of a package count less than other texts.
  if (inside.at(-1)!.startsWith(scripts)) return true;
  const depths = (inspection.depths ??= new Map());
  const known = depths.get(text);
  if (known !== undefined && known <= inside.length) return false;
  if (known !== undefined || depths.size < depthsMax) depths.set(text, inside.length);
  return true;
}

function inspectValue(value: string, inside: readonly string[], inspection: Inspection): void {
  for (const reading of listReadings(value)) {
    // The further readings of an inner text are inner texts of the outer text's next reading as well.
    const isAgain = inside.length > 0 && reading.text !== value;
    if (isAgain && !isNewInside(inspection, reading.text, inside)) continue;
    // Inner texts first: of equally sure findings, the one with a name is more useful.
    if (inside.length < innerDepthMax && ((reading.bits & document) !== 0 || looksLikeToken(reading.text))) {
      visitInnerTexts(reading.text, (text, name) => {
        if (text.length < 2 || isPlain(text)) return;
        // A long text two documents deep was already read as a part of them.
        if (inside.length > 0 && text.length > longCharactersMin) return;
        const within = [...inside, name];
        if (isNewInside(inspection, text, within)) inspectValue(text, within, inspection);
      });
    }
    inspectReading(reading, inside, inspection);
  }
}

/** A finding in prose is likely, not sure. */
const likelyOnly = 60;

/** Texts without these contain no other texts. */
const document = brace | has.bracket | operator;

/** Texts with these prefixes contain none of the punctuation that detectors search for. */
const encodedObject = /^(?:rO0AB|AAEAAAD|aced0005|gA[SJN]|BAhvO)/i;

function inspectReading(
  reading: TextReading,
  inside: readonly string[],
  { found, settled }: Inspection,
): void {
  const { text, bits } = reading;
  spendSteps(stepsPerReading + stepsPerCharacter * text.length);
  if ((bits & anySign) === 0 && !encodedObject.test(text)) return;
  for (const { kind, detect, one, other, steps } of rows) {
    const isWorthALook = (bits & one) !== 0 && (bits & other) !== 0;
    if (!isWorthALook && !(kind === 'deserialisation' && encodedObject.test(text))) continue;
    const known = found.get(kind);
    if (settled.has(kind) || (known !== undefined && known.confidence >= settledMin)) continue;
    spendSteps(steps);
    const read = detect(text, bits);
    if (read === undefined) continue;
    // A package contains its own commands.
    const isOwn = kind === 'command' && inside.at(-1)?.startsWith(scripts) === true;
    const confidence = isOwn ? Math.min(read.confidence, likelyOnly) : read.confidence;
    if (confidence > (known?.confidence ?? 0)) {
      const finding = createFinding(kind, { ...read, confidence }, { ...reading, inside });
      found.set(kind, isOwn ? { ...finding, isShown: true } : finding);
    }
  }
}

/** Only findings that count in a whole document of markup: its texts and attributes are separate values. */
export function inspectMarkup(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  for (const { kind, detect } of rows) {
    if (kind !== 'xxe' && kind !== 'deserialisation') continue;
    spendSteps(stepsPerCharacterOnce * text.length);
    const read = detect(text, anything);
    if (read !== undefined) findings.push(createFinding(kind, read, { text, undone: [], inside: [] }));
  }
  return findings;
}

function createFinding(
  kind: AttackKind,
  { confidence, why, start, end }: DetectorReading,
  {
    text,
    undone,
    inside,
  }: { readonly text: string; readonly undone: readonly string[]; readonly inside: readonly string[] },
): Finding {
  const read = text.slice(start, Math.min(end, start + readCharactersMax));
  const finding = { kind, confidence, why, read, at: start, undone, inside };
  // An attack is one line; text that users paste from programs has several.
  const isShown = confidence < sureMin && (text.trimEnd().includes('\n') || isProse(text));
  return isShown ? { ...finding, isShown } : finding;
}

/** A name that reaches the prototype of all objects: `__proto__[x]`, `constructor.prototype.x`. */
const prototypeName = /(?:^|[.[\]/])(?:__proto__|constructor(?:\]?\[|\.|\/)prototype)(?:$|[.[\]/])/;

/** The name of an argument, in addition to its reading as a text: `password[$ne]`. */
export function inspectName(name: string): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (kind: AttackKind, read: DetectorReading | undefined): void => {
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
