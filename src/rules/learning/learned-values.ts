/**
 * Compares a value in which a detector has a likely finding with the learned values of its parameter. With two
 * surprises or more it is an outlier; with none, in a parameter where each of its signs is usual, it is usual. In
 * between nothing changes.
 */
import type { Learned } from '#request';
import { foldName, foldPath, foldWide } from './folding.ts';
import { shapeCharactersMax, surprisesMin } from './limits.ts';
import type { LearnedProfile, LearnedValue, LearningMode } from './profile.ts';
import { kindBit, lengthsMax, longestOf, shapeOf, valueKinds, type ValueShape } from './value-shape.ts';
import { describeShape, describeSource, nameKinds, nameSigns } from './words.ts';

export class LearnedValues {
  readonly #byKey: ReadonlyMap<string, LearnedValue>;
  readonly #wide: ReadonlySet<string>;
  readonly #isActing: boolean;

  constructor({ values, wide }: LearnedProfile, mode: Exclude<LearningMode, 'off'>) {
    this.#byKey = new Map(values.map((value) => [toKey(value.path, value.place, value.name), value]));
    this.#wide = new Set(wide);
    this.#isActing = mode === 'acting';
  }

  /** Undefined if too little is known about the parameter, or the value is neither an outlier nor usual. */
  look(path: string, place: string, name: string, value: string): Learned | undefined {
    if (this.#byKey.size === 0) return undefined;
    const folded = foldPath(path);
    const foldedName = foldName(name);
    if (folded === undefined || foldedName === undefined) return undefined;
    const known = this.#byKey.get(toKey(foldWide(folded, this.#wide), place, foldedName));
    if (known === undefined) return undefined;
    const shape = shapeOf(value);
    const surprises = listSurprises(known, shape);
    const isUsual =
      surprises.length === 0 && isUsualShape(known, shape) && value.length <= shapeCharactersMax;
    if (surprises.length < surprisesMin && !isUsual) return undefined;
    const what = `values of "${known.name}" on ${known.path} are ${describeShape(known)}, ${describeSource(known)}`;
    return {
      effect: isUsual ? 'lowered' : 'raised',
      isActing: this.#isActing,
      note: isUsual ? `${what}; this one is like them` : `${what}; this one has ${surprises.join(', ')}`,
    };
  }
}

export function toKey(path: string, place: string, name: string): string {
  return `${place}\n${path}\n${name}`;
}

/** How much longer than usual values a value must be to surprise: by a factor of four. */
const lengthSteps = 2;

function listSurprises(
  { rareSigns, rareKinds, longest }: LearnedValue,
  { signs, form }: ValueShape,
): string[] {
  const surprises = [...nameSigns(signs & rareSigns)];
  const kind = form & rareKinds & allKinds;
  if (kind !== 0) surprises.push(`another form (${nameKinds(kind).join(', ')})`);
  if (longestOf(form) >= longest + lengthSteps)
    surprises.push(`more than ${lengthsMax[longestOf(form) - 1]} characters`);
  return surprises;
}

const allKinds = valueKinds.reduce((bits, kind) => bits | kindBit(kind), 0);

function isUsualShape(
  { usualSigns, usualKinds, longest }: LearnedValue,
  { signs, form }: ValueShape,
): boolean {
  return (signs & ~usualSigns) === 0 && (form & usualKinds) !== 0 && longestOf(form) <= longest;
}
