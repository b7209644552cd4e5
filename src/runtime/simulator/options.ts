/** The options of a simulation, parsed once. */
import type { ClassOptions, DurableObjectClass } from '#objects';
import { type FaultKind, faultKindList, faultKinds } from './chances/faults.ts';
import type { World } from './world.ts';

type Classes = Readonly<Record<string, DurableObjectClass | ClassOptions>>;

export interface SimulationOptions {
  /** The classes of the objects, unmodified, under their names in `env`. A bare class has SQL storage. */
  readonly classes: Classes;
  /** The same classes in another version of the code: deployments switch between the two. */
  readonly next?: Classes;
  /** What objects get as `env`, in addition to a namespace for each class. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** What `fetch` of objects reaches. */
  readonly outside?: (request: Request) => Response | Promise<Response>;
  /** Checked when the story is over and everything is idle. It throws if the invariant does not hold. */
  readonly invariant?: (world: World) => void | Promise<void>;
  /** The kinds of faults that may occur; by default all. */
  readonly faults?: readonly FaultKind[];
  /** How long to wait for alarms and retries at the end, in virtual time; 5 minutes by default. */
  readonly settleMs?: number;
}

export type Story = (world: World) => void | Promise<void>;

/** The options in the form that lives need. */
export interface Cast {
  /** The classes of each version of the code. */
  readonly versions: ReadonlyArray<Readonly<Record<string, ClassOptions>>>;
  readonly env: Readonly<Record<string, unknown>>;
  readonly outside: SimulationOptions['outside'];
  readonly invariant: SimulationOptions['invariant'];
  readonly faults: ReadonlySet<FaultKind>;
  readonly settleMs: number;
  readonly story: Story;
}

const settleMsDefault = 300_000;

export function readOptions(options: SimulationOptions, story: Story): Cast {
  const { classes, next, env = {}, outside, invariant, faults = faultKindList, settleMs } = options;
  if (typeof story !== 'function') throw wrong('the story', 'a function', story);
  for (const [name, given] of Object.entries({ outside, invariant }))
    if (given !== undefined && typeof given !== 'function') throw wrong(name, 'a function', given);
  if (!Array.isArray(faults)) throw wrong('faults', `a list of ${faultKindList.join(', ')}`, faults);
  for (const kind of faults)
    if (!Object.hasOwn(faultKinds, kind)) throw wrong('faults', `of ${faultKindList.join(', ')}`, kind);
  if (settleMs !== undefined && !(settleMs >= 0))
    throw wrong('settleMs', 'a number of milliseconds', settleMs);
  const versions = [readClasses('classes', classes)];
  if (next !== undefined) versions.push({ ...versions[0], ...readClasses('next', next) });
  return {
    versions,
    env,
    outside,
    invariant,
    faults: new Set(faults),
    settleMs: settleMs ?? settleMsDefault,
    story,
  };
}

function readClasses(field: string, classes: Classes): Readonly<Record<string, ClassOptions>> {
  if (typeof classes !== 'object' || classes === null || Object.keys(classes).length === 0)
    throw wrong(field, 'an object such as { Counter }', classes);
  return Object.fromEntries(
    Object.entries(classes).map(([name, given]) => {
      if (typeof given === 'function') return [name, { class: given, storage: 'sql' }];
      if (typeof given?.class !== 'function') throw wrong(`${field}.${name}`, 'a class', given);
      return [name, given];
    }),
  );
}

function wrong(field: string, expected: string, given: unknown): SimulationOptionsError {
  return new SimulationOptionsError(`simulate(): ${field} must be ${expected}: ${String(given)}`);
}

/** Invalid options of `simulate`. A `TypeError`, because it is the caller's mistake. */
export class SimulationOptionsError extends TypeError {
  override readonly name = 'SimulationOptionsError';
}
