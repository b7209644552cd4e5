/** The context of the handlers, and the decisions of the surrounding program. */
import type { DurableObjectId, ObjectRuntime, OnProgress } from '#objects';

export interface FoundObject {
  readonly className: string;
  readonly id: DurableObjectId;
  readonly name: string | undefined;
  readonly storage: 'kv' | 'sql';
}

export type Change = 'restore' | 'write' | 'run-alarm' | 'cancel-alarm';

/** The audit log's record of a change. */
export interface ChangeNote {
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** Its content never leaves the program. */
export type SecretColumn = readonly [table: string, column: string];

export interface InspectionPolicy {
  /** The name of the zone that an object holds, if it holds one. */
  findZoneName(className: string, name: string | undefined): string | undefined;
  listSecretColumns(className: string): readonly SecretColumn[];
  /** Why the object must not be changed in this way; undefined if it may. */
  explainRefusal(change: Change, found: FoundObject): string | undefined;
  /** Makes the change, with the program's work before and after it. */
  perform<T>(found: FoundObject, note: ChangeNote, work: () => Promise<T>): Promise<T>;
}

export interface Inspection {
  readonly runtime: ObjectRuntime;
  readonly policy: InspectionPolicy;
  readonly onProgress?: OnProgress;
}

/** What a person types to confirm this object: its usual name, if that can be typed. */
export function nameToConfirm({ policy }: Inspection, { className, id, name }: FoundObject): string {
  const known = policy.findZoneName(className, name) ?? name ?? '';
  return /^[\x21-\x7e]{1,64}$/.test(known) ? known : id.toString().slice(0, 12);
}
