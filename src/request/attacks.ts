/** What the detectors find in a request: the surest finding of each kind, and the part of the request that it is in. */
import { copyBytes, Recurrence, sampleText, spendSteps } from '#base';
import {
  type AttackKind,
  type Finding,
  inspectMarkup,
  inspectName,
  inspectText,
  likelyMin,
  settledMin,
  sureMin,
} from '#detection';
import { visitRequest, type VisitedRequest } from './arguments/request-values.ts';
import type { PartKind } from './named-part.ts';

interface PlacedFinding extends Finding {
  readonly place: PartKind;
  /** The argument, cookie, header or field; a pointer for parts of JSON, empty for the path. */
  readonly name: string;
  /** What is known of other values of the same name, if that has changed the confidence, or would. */
  readonly learned?: Learned;
}

/** What a value is beside others of its parameter. */
export interface Learned {
  /** A likely finding becomes sure, or too little to tell of. */
  readonly effect: 'raised' | 'lowered';
  /** Whether it does; otherwise this is only told. */
  readonly isActing: boolean;
  readonly note: string;
}

/** Compares a value with others of its parameter; undefined if that says nothing. */
export type LookAtLearned = (place: PartKind, name: string, value: string) => Learned | undefined;

export type Attacks = ReadonlyMap<AttackKind, PlacedFinding>;

/** What looking at one value takes, however short it is. */
const stepsPerValue = 60;

export function findAttacks(request: VisitedRequest, look?: LookAtLearned): Attacks {
  const found = new Map<AttackKind, PlacedFinding>();
  /** Kinds that were found often enough, so that they are not looked for any more. */
  const settled = new Set<AttackKind>();
  const foundOften = new Map<AttackKind, number>();
  const known = new Map<string, readonly Finding[]>();
  const add = (findings: readonly Finding[], place: PartKind, getName: () => string): void => {
    for (const finding of findings) {
      const { kind, confidence } = finding;
      if (confidence >= settledMin) {
        const count = (foundOften.get(kind) ?? 0) + 1;
        foundOften.set(kind, count);
        if (count >= settledCount) settled.add(kind);
      }
      const before = found.get(kind);
      if (before === undefined || rank(finding) > rank(before))
        found.set(kind, { ...finding, place, name: getName() });
    }
  };
  const inspectOnce = (value: string): readonly Finding[] => {
    if (value.length > knownCharactersMax) return inspectText(value, settled);
    const before = known.get(value);
    if (before !== undefined) return before;
    const findings = inspectText(value, settled);
    if (known.size >= knownMax) known.clear();
    known.set(value, findings);
    return findings;
  };
  const inspect = (place: PartKind, getName: () => string, value: string): void => {
    if (value.length < 2) return;
    spendSteps(stepsPerValue);
    const findings = lasting.has(place) ? inspectUnlessHarmless(value, settled) : inspectOnce(value);
    if (findings.length === 0) return;
    const isSecret = place !== 'header' && isPasswordName(getName());
    const counted = isSecret ? findings.filter(({ read }) => isStatement(read)) : findings;
    const learned = look !== undefined && counted.some(isLikely) ? look(place, getName(), value) : undefined;
    add(learned === undefined ? counted : counted.map((each) => compare(each, learned)), place, getName);
  };
  visitRequest(request, {
    value: inspect,
    name: (place, name) => {
      if (plainName.test(name) && name !== '__proto__') return;
      const getName = (): string => name;
      spendSteps(stepsPerValue);
      add(inspectOnce(name), place, getName);
      add(inspectName(name), place, getName);
      // `a[b][x]`: applications take what stands between brackets for names of their own.
      if (!name.includes('[')) return;
      for (const piece of name.split(/[[\]]/, namePiecesMax))
        if (!plainName.test(piece)) add(inspectOnce(piece), place, getName);
    },
    document: (text) => add(inspectMarkup(text), 'body', () => ''),
  });
  return found;
}

/** Of likely findings, one that a text only shows says less: it must not hide another. */
function rank(finding: Finding): number {
  const { confidence, isShown } = finding;
  const likely = isShown === true ? 1 : 2;
  const certainty = confidence >= sureMin ? 3 : isLikely(finding) ? likely : 0;
  return certainty * 1000 + confidence;
}

/** Neither sure nor too little to tell of. */
function isLikely({ confidence }: Finding): boolean {
  return confidence >= likelyMin && confidence < sureMin;
}

/** What is sure stays so. */
function compare(finding: Finding, learned: Learned): Finding & { readonly learned?: Learned } {
  if (!isLikely(finding)) return finding;
  if (!learned.isActing) return { ...finding, learned };
  return { ...finding, learned, confidence: learned.effect === 'raised' ? sureMin : likelyMin - 1 };
}

/** Whether any signs may stand in a field of this name. */
export function isPasswordName(name: string): boolean {
  return passwordName.test(getLastPart(name));
}

/** Fields for passwords, in which any signs may stand. */
const passwordName =
  /^(?:[a-z]{0,20}[_-]|user|new|old|current|confirm|repeat|login|my)?(?:pass(?:word|wd|phrase|code)?|pwd)(?:[_-]?(?:confirm\w{0,8}|repeat|again|new|old|\d))?$/i;

/** `user[password]`, `user.password` and `user.password[1]` end in the same name. */
function getLastPart(name: string): string {
  return /([^.[\]]{0,60})\]?(?:\[\d{0,6}\]|\.\d{1,6}){0,4}$/.exec(name)?.[1] ?? '';
}

/** What is found in a password counts only if it says more than a password does: words with spaces or a path between. */
function isStatement(read: string): boolean {
  return (read.match(/\w+/g)?.length ?? 0) >= statementWordsMin && statement.test(read);
}

const statement =
  /\w['")]*\s+\(*['"]?\w|\/(?:etc|bin|usr|tmp|dev|proc)\/|https?:\/\/|\b(?:or|and)\b['"\s(]*\w+['"\s)]*=|<script|<\w+[\s/]+on\w+=/i;

const statementWordsMin = 3;

/** Of a name in brackets. */
const namePiecesMax = 12;

const plainName = /^[\w-]*$/;

/** In so many values, for all others to say nothing new. */
const settledCount = 16;

/** Rows of a body have the same values: what recurs in a request is looked at once. */
const knownMax = 4_000;
/** Tokens have a kilobyte. */
const knownCharactersMax = 1_200;

/**
 * Clients send the same headers, cookies and arguments again and again: what was looked at once and is harmless need not
 * be looked at again.
 */
const harmless = new Set<string>();
const lasting: ReadonlySet<PartKind> = new Set<PartKind>(['header', 'cookie', 'argument', 'path']);
const harmlessMax = 4_000;

/** What never comes again is neither looked up nor kept. */
const recurrence = new Recurrence();

/** A part of a request would keep all of it; V8 copies shorter parts by itself. */
const copiedCharactersMin = 13;

function inspectUnlessHarmless(value: string, settled: ReadonlySet<AttackKind>): readonly Finding[] {
  if (value.length > knownCharactersMax || !recurrence.comesAgain(sampleText(value)))
    return inspectText(value, settled);
  if (harmless.has(value)) return noFindings;
  const findings = inspectText(value, settled);
  // What was not looked for here may be found in another request.
  if (findings.length === 0 && settled.size === 0) {
    if (harmless.size >= harmlessMax) harmless.clear();
    harmless.add(value.length >= copiedCharactersMin ? copyBytes(value) : value);
  }
  return findings;
}

const noFindings: readonly Finding[] = [];
