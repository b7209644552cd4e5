/** The text that a detector read, for a rule that compares the detector's confidence. */
import type { RequestView } from '#expressions';
import type { Learned, PartKind } from '#request';
import type { JudgedPlace } from './judged.ts';
import { createReader } from './read-field.ts';
import { isSecretPlace } from './secrets.ts';

export interface FoundByDetector {
  /** The text that was read, decoded; a binary string. */
  readonly read: string;
  readonly at: number;
  readonly why: string;
  readonly where: JudgedPlace;
  /** Whether readers of the log must not see the text. */
  readonly isSecret: boolean;
}

const prefix = 'gatehouse.attack.';
const findings = createReader(`${prefix}findings`);

/** Undefined for a field that is not a detector's, and if the detector found nothing. */
export function findByDetector(view: RequestView, field: string): FoundByDetector | undefined {
  if (!field.startsWith(prefix)) return undefined;
  const text = (findings(view) as ReadonlyMap<string, string>).get(field.slice(prefix.length));
  if (text === undefined) return undefined;
  const found = JSON.parse(text) as {
    readonly read: string;
    readonly at: number;
    readonly why: string;
    readonly undone: readonly string[];
    readonly inside: readonly string[];
    readonly place: PartKind;
    readonly name: string;
    readonly learned?: Learned;
  };
  const { read, at, undone, inside, place: kind, name } = found;
  const names = inside.filter((each) => each !== '');
  const isAsSent = undone.length === 0 && inside.length === 0;
  const encodings = undone.length === 0 ? '' : `; decoded: ${[...new Set(undone)].join(', ')}`;
  return {
    read,
    at,
    why: `${found.why}${names.length === 0 ? '' : `, in ${names.join(', ')} inside of the value`}${encodings}${describeLearned(found.learned)}`,
    where: { kind, name, ...(isAsSent ? { start: at } : {}) },
    isSecret: isSecretPlace(kind, name),
  };
}

/** What was learned about other values, and the conclusion. */
function describeLearned(learned: Learned | undefined): string {
  if (learned === undefined) return '';
  const { effect, isActing, note } = learned;
  const outcome = effect === 'raised' ? 'is sure' : 'is not reported';
  const would = effect === 'raised' ? 'would be sure' : 'would not be reported';
  return `; learned: ${note}, so it ${isActing ? outcome : `${would} if learning acted`}`;
}
