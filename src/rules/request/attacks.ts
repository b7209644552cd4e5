/**
 * The findings of the detectors in a request: the surest finding of each kind, and the part of the request that
 * contains it.
 */
import { BoundedMap } from '#base';
import { copyBytes, Recurrence, sampleText } from '#text';
import { shareSteps, spendSteps } from '#work';
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
import { type ValueVisitor, visitRequest, type VisitedRequest } from './arguments/request-values.ts';
import type { PartKind } from './named-part.ts';

interface PlacedFinding extends Finding {
  readonly place: PartKind;
  /** The name of the argument, cookie, header or field; a pointer for parts of JSON, empty for the path. */
  readonly name: string;
  /** What was learned about other values of the same name, if that has changed the confidence, or would. */
  readonly learned?: Learned;
}

/** A value compared with others of its parameter. */
export interface Learned {
  /** A likely finding becomes sure, or too uncertain to report. */
  readonly effect: 'raised' | 'lowered';
  /** Whether the effect is applied; otherwise it is only reported. */
  readonly isActing: boolean;
  readonly note: string;
}

/** Compares a value with others of its parameter; undefined without a result. */
type LookAtValue = (place: PartKind, name: string, value: string) => Learned | undefined;

/** The same, for parameters of any path. */
export type LookAtLearned = (path: string, ...value: Parameters<LookAtValue>) => Learned | undefined;

export type Attacks = ReadonlyMap<AttackKind, PlacedFinding>;

/** The minimum cost of a value, however short it is. */
const stepsPerValue = 60;

/**
 * The share of a request's step budget for detecting attacks: 25 ms, and 0.35 µs for each byte. Most texts take a tenth
 * of it. Program sources, which contain most of what detectors examine, take at most half in 128 KB and two thirds in 1
 * MB; thousands of worst-case values would take four times as much.
 */
const stepsMin = 5_000_000;
const stepsPerByte = 70;

export function findAttacks(request: VisitedRequest, look?: LookAtValue): Attacks {
  const { path, query, headers, body } = request;
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, path.length);
  const stepsMax = stepsMin + stepsPerByte * (bytes + query.length + body.length);
  const search = new AttackSearch(look);
  shareSteps(stepsMax, () => visitRequest(request, search));
  return search.found;
}

class AttackSearch implements ValueVisitor {
  readonly found = new Map<AttackKind, PlacedFinding>();
  readonly #look: LookAtValue | undefined;
  /** Kinds that were found often enough, so that the search for them ends. */
  readonly #settled = new Set<AttackKind>();
  readonly #foundOften = new Map<AttackKind, number>();
  readonly #known = new BoundedMap<string, readonly Finding[]>(knownMax);
  /** The header that contains the values being visited. */
  #header: string | undefined;

  constructor(look: LookAtValue | undefined) {
    this.#look = look;
  }

  value(place: PartKind, getName: () => string, value: string): void {
    if (value.length < 2) return;
    spendSteps(stepsPerValue);
    const findings = lasting.has(place)
      ? inspectUnlessHarmless(value, this.#settled)
      : this.#inspectOnce(value);
    if (findings.length === 0) return;
    const isSecret = place !== 'header' && isPasswordName(getName());
    const counted = isSecret ? findings.filter(({ read }) => isStatement(read)) : findings;
    // Learned values belong to the page that the request is for.
    const isOfPage = this.#header === undefined;
    const learned = isOfPage && counted.some(isLikely) ? this.#look?.(place, getName(), value) : undefined;
    this.#add(
      learned === undefined ? counted : counted.map((each) => compare(each, learned)),
      place,
      getName,
    );
  }

  name(place: PartKind, name: string): void {
    if (plainName.test(name) && name !== '__proto__') return;
    const getName = (): string => name;
    spendSteps(stepsPerValue);
    this.#add(this.#inspectOnce(name), place, getName);
    this.#add(inspectName(name), place, getName);
    // `a[b][x]`: applications treat the text between brackets as names of their own.
    if (!name.includes('[')) return;
    for (const piece of name.split(/[[\]]/, namePiecesMax))
      if (!plainName.test(piece)) this.#add(this.#inspectOnce(piece), place, getName);
  }

  inHeader(name: string, visit: () => void): void {
    this.#header = name;
    visit();
    this.#header = undefined;
  }

  document(text: string): void {
    this.#add(inspectMarkup(text), 'body', () => '');
  }

  #inspectOnce(value: string): readonly Finding[] {
    if (value.length > knownCharactersMax) return inspectText(value, this.#settled);
    const before = this.#known.get(value);
    if (before !== undefined) return before;
    const findings = inspectText(value, this.#settled);
    this.#known.set(value, findings);
    return findings;
  }

  #placeFinding(finding: Finding, place: PartKind, name: string): PlacedFinding {
    if (this.#header === undefined) return { ...finding, place, name };
    const inside = name === '' ? finding.inside : [name, ...finding.inside];
    return { ...finding, place: 'header', name: this.#header, inside };
  }

  #add(findings: readonly Finding[], place: PartKind, getName: () => string): void {
    for (const finding of findings) {
      const { kind, confidence } = finding;
      if (confidence >= settledMin) {
        const count = (this.#foundOften.get(kind) ?? 0) + 1;
        this.#foundOften.set(kind, count);
        if (count >= settledCount) this.#settled.add(kind);
      }
      const before = this.found.get(kind);
      if (before === undefined || rank(finding) > rank(before))
        this.found.set(kind, this.#placeFinding(finding, place, getName()));
    }
  }
}

/** A finding in prose ranks below other likely findings: it must not hide them. */
function rank(finding: Finding): number {
  const { confidence, isShown } = finding;
  const likely = isShown === true ? 1 : 2;
  const certainty = confidence >= sureMin ? 3 : isLikely(finding) ? likely : 0;
  return certainty * 1000 + confidence;
}

/** Neither sure nor too uncertain to report. */
function isLikely({ confidence }: Finding): boolean {
  return confidence >= likelyMin && confidence < sureMin;
}

/** A sure finding does not change. */
function compare(finding: Finding, learned: Learned): Finding & { readonly learned?: Learned } {
  if (!isLikely(finding)) return finding;
  if (!learned.isActing) return { ...finding, learned };
  return { ...finding, learned, confidence: learned.effect === 'raised' ? sureMin : likelyMin - 1 };
}

/** Whether fields with this name may contain any characters. */
export function isPasswordName(name: string): boolean {
  return passwordName.test(getLastPart(name));
}

/** Fields for passwords, which may contain any characters. */
const passwordName =
  /^(?:[a-z]{0,20}[_-]|user|new|old|current|confirm|repeat|login|my)?(?:pass(?:word|wd|phrase|code)?|pwd)(?:[_-]?(?:confirm\w{0,8}|repeat|again|new|old|\d))?$/i;

/** `user[password]`, `user.password` and `user.password[1]` end in the same name. */
function getLastPart(name: string): string {
  return /([^.[\]]{0,60})\]?(?:\[\d{0,6}\]|\.\d{1,6}){0,4}$/.exec(name)?.[1] ?? '';
}

/** A finding in a password counts only if it is unlike a password: words with spaces or a path between them. */
function isStatement(read: string): boolean {
  return (read.match(/\w+/g)?.length ?? 0) >= statementWordsMin && statement.test(read);
}

const statement =
  /\w['")]*\s+\(*['"]?\w|\/(?:etc|bin|usr|tmp|dev|proc)\/|https?:\/\/|\b(?:or|and)\b['"\s(]*\w+['"\s)]*=|<script|<\w+[\s/]+on\w+=/i;

const statementWordsMin = 3;

/** Pieces of a name in brackets. */
const namePiecesMax = 12;

const plainName = /^[\w-]*$/;

/** Values with a finding after which further ones add nothing. */
const settledCount = 16;

/** Rows of a body repeat values: a repeated value of a request is examined once. */
const knownMax = 4_000;
/** Tokens have about a kilobyte. */
const knownCharactersMax = 1_200;

/** Clients repeat their headers, cookies and arguments: a value that was found harmless need not be examined again. */
const harmless = new Set<string>();
const lasting: ReadonlySet<PartKind> = new Set<PartKind>(['header', 'cookie', 'argument', 'path']);
const harmlessMax = 4_000;

/** Values that never recur are neither looked up nor stored. */
const recurrence = new Recurrence();

/** A substring of a request would retain the whole request; V8 copies shorter parts by itself. */
const copiedCharactersMin = 13;

function inspectUnlessHarmless(value: string, settled: ReadonlySet<AttackKind>): readonly Finding[] {
  if (value.length > knownCharactersMax || !recurrence.comesAgain(sampleText(value)))
    return inspectText(value, settled);
  if (harmless.has(value)) return noFindings;
  const findings = inspectText(value, settled);
  // Kinds that were not searched for here may be found in another request.
  if (findings.length === 0 && settled.size === 0) {
    if (harmless.size >= harmlessMax) harmless.clear();
    harmless.add(value.length >= copiedCharactersMin ? copyBytes(value) : value);
  }
  return findings;
}

const noFindings: readonly Finding[] = [];
